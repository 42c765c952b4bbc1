// SPDX-License-Identifier: MIT
#pragma once
// Time inside Warpline: whole nanoseconds in 64 bits, never floating point. A time is counted from the trace's own
// origin (the clock of its first file); wall-clock time is that plus the file's base time.

#include <algorithm>
#include <cstdint>
#include <limits>

namespace warpline {

using TimeNs = int64_t;      ///< a point in time, ns from the trace's origin; may be negative
using DurationNs = int64_t;  ///< a length, ns; >= 0 unless it is kUnknownDuration

/// The duration of a slice whose end the file does not give.
inline constexpr DurationNs kUnknownDuration = -1;

/// The times that a trace holds: three years before its origin, 289 years after it (2^53 us and the wall clock lie well
/// inside). So every difference of two of them fits in 64 bits.
inline constexpr TimeNs kEarliestTime = -100'000'000'000'000'000;
inline constexpr TimeNs kLatestTime = std::numeric_limits<TimeNs>::max() + kEarliestTime;
constexpr bool isHeldTime(TimeNs time) {
    return kEarliestTime <= time && time <= kLatestTime;
}

/// a + b and to - from, stopped at the limits of 64 bits.
constexpr TimeNs addSaturated(TimeNs a, DurationNs b) {
    TimeNs sum = 0;
    const bool tooFar = __builtin_add_overflow(a, b, &sum);
    return !tooFar ? sum : b > 0 ? std::numeric_limits<TimeNs>::max() : std::numeric_limits<TimeNs>::min();
}
constexpr DurationNs distanceSaturated(TimeNs from, TimeNs to) {
    DurationNs distance = 0;
    const bool tooFar = __builtin_sub_overflow(to, from, &distance);
    return !tooFar ? distance : to > from ? std::numeric_limits<TimeNs>::max() : std::numeric_limits<TimeNs>::min();
}

/// Half-open interval [begin, end). Empty when end <= begin. May reach past what a trace holds (an open end is the
/// largest time), so its length is stopped at the largest duration.
struct TimeRange {
    TimeNs begin = 0;
    TimeNs end = 0;

    constexpr DurationNs length() const { return end > begin ? distanceSaturated(begin, end) : 0; }
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
