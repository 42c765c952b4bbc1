// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A field that takes the key that is pressed in it instead of writing letters. Tab goes on to the next widget, and Esc
// empties the field; in an empty one it is left to the dialog.

#include <QKeySequence>
#include <QLineEdit>

namespace warpline::ui {

class KeyEdit : public QLineEdit {
    Q_OBJECT

public:
    explicit KeyEdit(QWidget* parent = nullptr);
    const QKeySequence& key() const { return m_key; }
    void setKey(const QKeySequence& key);

signals:
    void keyChanged();

protected:
    bool event(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    QKeySequence m_key;
};

}  // namespace warpline::ui
