// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Which keys do what, to be changed: a scheme for all, and keys of the user's own for single actions. Every change
// counts at once and is kept; a key that another action has is said in words before it is taken from it.

#include <QDialog>
#include <QString>

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QTableWidget;

namespace warpline::ui {

class KeyEdit;

class KeyDialog : public QDialog {
    Q_OBJECT

public:
    explicit KeyDialog(QWidget* parent = nullptr);

    QComboBox* schemes() const { return m_schemes; }
    QTableWidget* table() const { return m_table; }
    KeyEdit* edit() const { return m_edit; }
    QPushButton* setButton() const { return m_set; }
    QPushButton* addButton() const { return m_add; }
    QPushButton* removeButton() const { return m_remove; }
    QPushButton* resetButton() const { return m_reset; }
    QPushButton* resetAllButton() const { return m_resetAll; }
    /// What is said about the key that was pressed, or about keys that two actions have.
    QString message() const;
    /// The action of the selected row; "" if none is.
    QString chosenId() const;
    void choose(const QString& id);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void fill();
    void filter();
    void refresh();
    /// Gives the pressed key to the chosen action, beside its others or instead of them.
    void assign(bool beside);

    QComboBox* m_schemes;
    QLineEdit* m_search;
    QTableWidget* m_table;
    QLabel* m_name;
    KeyEdit* m_edit;
    QPushButton* m_set;
    QPushButton* m_add;
    QPushButton* m_remove;
    QPushButton* m_reset;
    QPushButton* m_resetAll;
    QLabel* m_message;
};

}  // namespace warpline::ui
