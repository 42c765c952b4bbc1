// SPDX-License-Identifier: MIT
#pragma once
// A result as named, typed columns of equal length: what analyses return and what CLI, export, the window's table views
// and comparison all speak. Plain data; a cell that is not known is null, never 0.

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/base/result.h"

namespace warpline {

enum class ColumnType : uint8_t { Integer, Real, Text, Json };  ///< Json: a text that is one JSON value
enum class Unit : uint8_t { None, Count, Nanoseconds, Bytes, Ratio, Flops };

/// Known for each of the things that a row stands for, but not the same for all: read as "varies", null in JSON.
struct Varies {
    std::string values;  ///< what they are, in words: "3 values, 32 to 64"
    auto operator<=>(const Varies&) const = default;
};

using Cell = std::variant<std::monostate, int64_t, double, std::string, Varies>;  ///< monostate: unknown

inline Cell toCell(const std::optional<int64_t>& value) {
    return value ? Cell(*value) : Cell();
}
inline Cell toCell(const std::optional<double>& value) {
    return value ? Cell(*value) : Cell();
}

struct ColumnInfo {
    std::string id;       ///< the key in JSON and CSV, and what --sort takes; with the unit: "self_cpu_ns"
    std::string title;    ///< heading in the window: "Self CPU"
    std::string tooltip;  ///< definition and unit in a sentence
    ColumnType type = ColumnType::Integer;
    Unit unit = Unit::None;
    bool shownByDefault = true;
};

struct Column {
    ColumnInfo info;
    std::vector<Cell> cells;
};

class Table {
public:
    /// The key column identifies a row across tables (comparison joins on it).
    explicit Table(std::string keyColumnId = "key") : m_keyColumnId(std::move(keyColumnId)) {}

    /// Returns the column's index. REQUIRES: no rows yet.
    size_t addColumn(ColumnInfo info);
    /// Appends a row. REQUIRES: as many cells as columns.
    void addRow(std::vector<Cell> cells);

    size_t rowCount() const { return m_columns.empty() ? 0 : m_columns.front().cells.size(); }
    const std::vector<Column>& columns() const { return m_columns; }
    std::optional<size_t> findColumn(std::string_view id) const;
    const std::string& keyColumnId() const { return m_keyColumnId; }
    const Cell& cell(size_t row, size_t column) const { return m_columns[column].cells[row]; }

    /// Row numbers in the order of a column; ties keep their order, cells without a value come last either way. "-id"
    /// and `descending` alike turn numbers round. Fails if there is no such column.
    Result<std::vector<size_t>> sortedRows(std::string_view columnId, bool descending) const;

private:
    std::string m_keyColumnId;
    std::vector<Column> m_columns;
};

}  // namespace warpline
