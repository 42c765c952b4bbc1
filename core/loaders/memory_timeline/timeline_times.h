// SPDX-License-Identifier: MIT
#pragma once
// The list of times of a memory timeline in columns, which stands before its rows. One thread.

#include <cstddef>
#include <limits>
#include <optional>

#include "core/base/event_column.h"
#include "core/loaders/memory_timeline/timeline_rows.h"

namespace warpline::loaders::memory_timeline {

/// Nothing else of a file grows with it before it is in the trace, so this counts in the builder's limit.
class TimelineTimes {
public:
    explicit TimelineTimes(TimelineRows& rows) : m_rows(rows) {}

    void add(const Number& number);
    /// The one that was added last is none.
    void forgetLast() { m_times.back() = kUnknown; }
    void clear();
    /// Call once all are there. A single time that lies behind the next, which follows on the one before, is what is
    /// wrong: without it all that follow would be too early. It becomes the next one; returns how many there are.
    size_t settle();

    size_t size() const { return m_times.size(); }
    /// Whether one, that can be told, is before the one in front of it.
    bool runsBackwards() const { return m_runsBackwards; }
    /// nullopt: there is none. A time that cannot be told is one without a value.
    std::optional<Number> at(size_t i) const;

private:
    static constexpr TimeNs kUnknown = std::numeric_limits<TimeNs>::min();  // no trace holds it

    TimelineRows& m_rows;
    EventColumn<TimeNs> m_times;
    TimeNs m_last = kUnknown;
    bool m_runsBackwards = false;
};

}  // namespace warpline::loaders::memory_timeline
