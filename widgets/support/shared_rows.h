// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Event rows that never change, kept alive by whoever they are a part of: a table's result, or a list of their own.
// Copied and compared by where they lie, whatever their number; freed off the GUI thread.

#include <cstddef>
#include <initializer_list>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "core/base/ids.h"
#include "widgets/support/discard.h"

namespace warpline {

class SharedRows {
public:
    SharedRows() = default;
    SharedRows(std::initializer_list<EventRow> rows) : SharedRows(std::vector<EventRow>(rows)) {}
    explicit SharedRows(std::vector<EventRow> rows) {
        auto own = makeDiscarded(std::move(rows));
        m_rows = *own;
        m_owner = std::move(own);
    }
    /// `rows` lie in what `owner` keeps alive; see makeDiscarded().
    SharedRows(std::shared_ptr<const void> owner, std::span<const EventRow> rows)
        : m_owner(std::move(owner)), m_rows(rows) {}

    size_t size() const { return m_rows.size(); }
    bool empty() const { return m_rows.empty(); }
    EventRow operator[](size_t index) const { return m_rows[index]; }
    std::span<const EventRow> rows() const { return m_rows; }
    bool operator==(const SharedRows& other) const {
        return m_rows.size() == other.m_rows.size() && (m_rows.empty() || m_rows.data() == other.m_rows.data());
    }

private:
    std::shared_ptr<const void> m_owner;
    std::span<const EventRow> m_rows;
};

}  // namespace warpline
