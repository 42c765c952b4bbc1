// SPDX-License-Identifier: MIT
#include "core/table/table.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>

namespace warpline {

namespace {

bool isKnown(const Cell& cell) {
    const auto* real = std::get_if<double>(&cell);
    return !std::holds_alternative<std::monostate>(cell) && !std::holds_alternative<Varies>(cell) &&
           !(real != nullptr && std::isnan(*real));
}

/// Order of two known cells. Whole numbers are compared in full; texts come after numbers.
int compareCells(const Cell& a, const Cell& b) {
    if (const auto* x = std::get_if<int64_t>(&a)) {
        if (const auto* y = std::get_if<int64_t>(&b)) {
            return *x < *y ? -1 : (*x > *y ? 1 : 0);
        }
    }
    const auto* textA = std::get_if<std::string>(&a);
    const auto* textB = std::get_if<std::string>(&b);
    if (textA != nullptr && textB != nullptr) {
        return textA->compare(*textB);
    }
    if (textA != nullptr || textB != nullptr) {
        return textA != nullptr ? 1 : -1;
    }
    const auto number = [](const Cell& cell) {
        const auto* whole = std::get_if<int64_t>(&cell);
        return whole != nullptr ? static_cast<double>(*whole) : std::get<double>(cell);
    };
    const double x = number(a);
    const double y = number(b);
    return x < y ? -1 : (x > y ? 1 : 0);
}

}  // namespace

size_t Table::addColumn(ColumnInfo info) {
    assert(rowCount() == 0);
    m_columns.push_back({std::move(info), {}});
    return m_columns.size() - 1;
}

void Table::addRow(std::vector<Cell> cells) {
    assert(cells.size() == m_columns.size());
    for (size_t i = 0; i < m_columns.size(); ++i) {
        m_columns[i].cells.push_back(std::move(cells[i]));
    }
}

std::optional<size_t> Table::findColumn(std::string_view id) const {
    for (size_t i = 0; i < m_columns.size(); ++i) {
        if (m_columns[i].info.id == id) {
            return i;
        }
    }
    return std::nullopt;
}

Result<std::vector<size_t>> Table::sortedRows(std::string_view columnId, bool descending) const {
    if (columnId.starts_with('-')) {
        columnId.remove_prefix(1);
        descending = true;
    }
    const auto column = findColumn(columnId);
    if (!column) {
        std::string message = "there is no column \"" + std::string(columnId) + "\"; there are";
        for (size_t i = 0; i < m_columns.size(); ++i) {
            message += (i == 0 ? " " : ", ") + m_columns[i].info.id;
        }
        return Error::failed(std::move(message));
    }
    const std::vector<Cell>& cells = m_columns[*column].cells;
    std::vector<size_t> rows(rowCount());
    std::iota(rows.begin(), rows.end(), size_t{0});
    std::stable_sort(rows.begin(), rows.end(), [&](size_t a, size_t b) {
        const bool knownA = isKnown(cells[a]);
        const bool knownB = isKnown(cells[b]);
        if (!knownA || !knownB) {
            return knownA && !knownB;
        }
        const int order = compareCells(cells[a], cells[b]);
        return descending ? order > 0 : order < 0;
    });
    return rows;
}

}  // namespace warpline
