// SPDX-License-Identifier: MIT
#pragma once
// A table as text: for a terminal, a spreadsheet, a report or a program. Pure; any thread.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/table/table.h"

namespace warpline {

enum class TableFormat {
    Text,      ///< aligned columns under their titles, values with units, for people
    Csv,       ///< RFC 4180 under the columns' ids, plain numbers, unknown is an empty field, "varies"
    Markdown,  ///< as Text
    JsonRows,  ///< an array of objects, a key a column id; unknown is null, and so is what varies
};

struct TableFormatOptions {
    std::optional<std::vector<size_t>> rows;  ///< which, in order; all
    std::optional<std::vector<size_t>>
        columns;               ///< which, in order; Text and Markdown: those shown by default, else all
    size_t maxTextWidth = 72;  ///< Text: longer texts end in "…"; 0 = no limit
};

/// Ends with a newline, JsonRows apart.
std::string formatTable(const Table& table, TableFormat format, const TableFormatOptions& options = {});

/// A cell as people read it, with its unit: "12.345 µs", "4.00 KiB", "12.3 %", "varies", "n/a".
std::string cellText(const Cell& cell, const ColumnInfo& column);
/// A cell as a JSON value: whole numbers in full, reals in the fewest digits that read back the same; null if it is
/// unknown or varies.
std::string cellJson(const Cell& cell, const ColumnInfo& column);

}  // namespace warpline
