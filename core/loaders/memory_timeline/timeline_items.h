// SPDX-License-Identifier: MIT
#pragma once
// Rows and records of a memory timeline on their way from its text: which time a row belongs to, and what damage has
// cost. One thread.

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/loaders/memory_timeline/number_list.h"
#include "core/loaders/memory_timeline/timeline_rows.h"
#include "core/loaders/memory_timeline/timeline_times.h"

namespace warpline::loaders::memory_timeline {

inline constexpr size_t kColumnsOfWriter = 9;

class TimelineItems {
public:
    explicit TimelineItems(TimelineRows& rows) : m_rows(rows), m_times(rows) {}

    TimelineTimes& times() { return m_times; }
    /// `first`: the times, of which it holds no more than a record's.
    void setFirst(NumberList first) { m_first = std::move(first); }
    const NumberList& first() const { return m_first; }

    void noteDamage(uint64_t offset);
    /// Damage that costs nothing, or a level.
    void reportOddity(uint64_t offset, std::string_view detail = {}, uint64_t count = 1);
    /// Damage that costs an item.
    void reportDamage(uint64_t offset, std::string_view detail);
    std::optional<uint64_t> damageOffset() const { return m_damageOffset; }

    /// From now on there are rows, and what was read first are their times.
    void beginRows();
    /// From now on there are records, and what was read first is one.
    void beginRecords();
    /// The same where nothing was read yet.
    void beginRecordsAlone() { m_form = Form::Records; }
    void addRow(const NumberList& list);
    void addRecord(const NumberList& list);
    /// Behind what was said to be lost: times that have no row of their own.
    void passRows(size_t count) { m_nextRow += count; }
    void reportStray(const NumberList& values) { m_rows.reportStray(values.offset, values.count); }

    size_t columns() const { return m_rows.columns() == 0 ? kColumnsOfWriter : m_rows.columns(); }
    /// Whether it can be the row before that lacks numbers which follow.
    bool mayGoOn(const NumberList& row) const { return !m_oddFirst && row.count < columns(); }
    /// Once all is read. `isCut`: the text ends early, so some are missing.
    void finish(bool isCut);

private:
    enum class Form : uint8_t { None, Rows, Records };

    void addOddFirst(bool isStray);
    void placeRow(const NumberList& list, size_t index);
    void reportUncertainTimes(bool isCut);

    TimelineRows& m_rows;
    TimelineTimes m_times;
    NumberList m_first;
    Form m_form = Form::None;
    std::optional<NumberList> m_oddFirst;    ///< the first row, while it waits for the second
    std::optional<uint64_t> m_damageOffset;  ///< of the first damage
    std::optional<uint64_t> m_lossOffset;    ///< of the first item that was dropped
    size_t m_oddIndex = 0;
    size_t m_nextRow = 0;
    uint64_t m_rowsBefore = 0;  ///< the first damage
};

}  // namespace warpline::loaders::memory_timeline
