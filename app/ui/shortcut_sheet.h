// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// All keys and mouse gestures of the window on one sheet (`?`), with a box to search them. Made from the actions there
// are, so that it cannot go out of date.

#include <QDialog>
#include <QList>
#include <QString>

class QAction;
class QTableWidget;

namespace warpline::ui {

struct ShortcutGroup {
    QString title;
    QList<QAction*> actions;
};

class ShortcutSheet : public QDialog {
    Q_OBJECT

public:
    ShortcutSheet(const QList<ShortcutGroup>& groups, QWidget* parent = nullptr);
    QTableWidget* table() const { return m_table; }

private:
    void filter(const QString& text);

    QTableWidget* m_table;
};

}  // namespace warpline::ui
