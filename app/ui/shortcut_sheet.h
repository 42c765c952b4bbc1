// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// All keys and mouse gestures of the window on one sheet (`?`), with a box to search them. Made from the key bindings,
// and made anew when they change, so that it cannot go out of date.

#include <QDialog>

class QLineEdit;
class QTableWidget;

namespace warpline::ui {

class ShortcutSheet : public QDialog {
    Q_OBJECT

public:
    explicit ShortcutSheet(QWidget* parent = nullptr);
    QTableWidget* table() const { return m_table; }

signals:
    /// Other keys are wanted.
    void changeRequested();

private:
    void fill();

    QLineEdit* m_search;
    QTableWidget* m_table;
};

}  // namespace warpline::ui
