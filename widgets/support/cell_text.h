// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A table's cell for Qt: as it is shown, as it is sorted, and as it is said in full. Pure.

#include <QString>
#include <QVariant>

#include <string_view>

#include "core/table/table.h"

namespace warpline {

/// What an unknown value is shown as.
QString notAvailable();

QString fromUtf8(std::string_view text);

/// "12.345 µs", "4.00 KiB", "12.3 %", "1,234", "128 × 1 × 1"; "n/a" if unknown.
QString shownCellText(const Cell& cell, const ColumnInfo& column);
/// The exact value with its unit for a tooltip: "12,345 ns"; the whole text of a text cell.
QString exactCellText(const Cell& cell, const ColumnInfo& column);
/// qlonglong, double, QString, or invalid if unknown.
QVariant rawCellValue(const Cell& cell);
bool isNumeric(const ColumnInfo& column);

}  // namespace warpline
