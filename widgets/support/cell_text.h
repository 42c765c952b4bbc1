// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A table's cell for Qt: as it is shown, as it is sorted, and as it is said in full. Pure.

#include <QString>
#include <QVariant>

#include <cstdint>
#include <string_view>

#include "core/table/table.h"

namespace warpline {

/// What an unknown value is shown as.
QString notAvailable();

QString fromUtf8(std::string_view text);
/// "1 track", "2 tracks", "1,234 tracks"; `many` where an s at the end is not the plural.
QString countText(uint64_t count, std::string_view one, std::string_view many = {});

/// "12.345 µs", "4.00 KiB", "12.3 %", "1,234", "128 × 1 × 1"; "varies"; "n/a" if unknown.
QString shownCellText(const Cell& cell, const ColumnInfo& column);
/// The exact value with its unit for a tooltip: "12,345 ns"; the whole text of a text cell; which values vary.
QString exactCellText(const Cell& cell, const ColumnInfo& column);
/// qlonglong, double, QString, or invalid if it is unknown or varies.
QVariant rawCellValue(const Cell& cell);
bool isNumeric(const ColumnInfo& column);

}  // namespace warpline
