// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The look of a table of actions and keys, shared by the sheet that shows them and the dialog that changes them.

#include <QStringList>

class QTableWidget;
class QWidget;

namespace warpline::ui {

/// The first column is muted, the second takes the room.
QTableWidget* makeKeyTable(const QStringList& headings, QWidget* parent);
/// Returns the new row.
int addKeyRow(QTableWidget* table, const QStringList& cells);
void fitKeyTable(QTableWidget* table);
/// Hides rows without the text in any cell.
void filterKeyTable(QTableWidget* table, const QString& text);

}  // namespace warpline::ui
