// SPDX-License-Identifier: MIT
#pragma once
// Time inside Warpline: whole nanoseconds in 64 bits, never floating point. A time is counted from the trace's own
// origin (the clock of its first file); wall-clock time is that plus the file's base time.

#include <algorithm>
#include <cstdint>

namespace warpline {

using TimeNs = int64_t;      ///< a point in time, ns from the trace's origin; may be negative
using DurationNs = int64_t;  ///< a length, ns; >= 0 unless it is kUnknownDuration

/// The duration of a slice whose end the file does not give.
inline constexpr DurationNs kUnknownDuration = -1;

/// Half-open interval [begin, end). Empty when end <= begin.
struct TimeRange {
    TimeNs begin = 0;
    TimeNs end = 0;

    constexpr DurationNs length() const { return end > begin ? end - begin : 0; }
    constexpr bool empty() const { return end <= begin; }
    constexpr bool contains(TimeNs t) const { return begin <= t && t < end; }
    constexpr bool overlaps(const TimeRange& o) const { return begin < o.end && o.begin < end; }
    constexpr bool operator==(const TimeRange&) const = default;
    /// The part both have in common; empty (begin == end) if none.
    constexpr TimeRange intersected(const TimeRange& o) const {
        const TimeNs b = std::max(begin, o.begin);
        return {b, std::max(b, std::min(end, o.end))};
    }
};

}  // namespace warpline
