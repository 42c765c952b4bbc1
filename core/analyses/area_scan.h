// SPDX-License-Identifier: MIT
#pragma once
// The slices that touch an area: a stretch of time on some tracks. A slice touches [begin, end) if they have a moment
// in common, or if it has no length and lies in it; one that ends where the area begins does not. (Tables ask for less:
// a filter's range takes what begins inside.) A slice without an end is as long as it is drawn. Pure; any thread.

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/base/job_control.h"
#include "core/base/time.h"
#include "core/trace/trace.h"

namespace warpline {

/// Rows [first, last) of the slice columns.
struct RowSpan {
    uint32_t first = 0;
    uint32_t last = 0;
    uint32_t count() const { return last - first; }
    bool operator==(const RowSpan&) const = default;
};

/// The same for what has times but no row.
constexpr bool touches(TimeRange range, TimeNs begin, TimeNs end) {
    return begin < range.end && (end > range.begin || begin >= range.begin) && !range.empty();
}

/// Of a lane, in two binary searches: what touches lies together. nullopt: all of it.
RowSpan rowsTouching(const SliceColumns& slices, const Lane& lane, const std::optional<TimeRange>& range);

/// Of all lanes of these tracks (of all if empty; a number that is no track's is skipped), each row once, ascending,
/// cut into spans of at most `maxRows`, so that they can be shared among threads and stopped between.
std::vector<RowSpan> areaSpans(const Trace& trace, const std::optional<TimeRange>& range,
                               std::span<const TrackId> tracks, uint32_t maxRows = 1U << 16);

/// Calls visit(row) for each of them; false when stopped.
template <class Visit>
bool forEachInArea(const Trace& trace, const std::optional<TimeRange>& range, std::span<const TrackId> tracks,
                   const JobControl& job, Visit visit) {
    if (job.stopRequested()) {
        return false;
    }
    for (const RowSpan& rows : areaSpans(trace, range, tracks)) {
        if (job.stopRequested()) {
            return false;
        }
        for (uint32_t row = rows.first; row < rows.last; ++row) {
            visit(EventRow(row));
        }
    }
    return true;
}

/// The part of a slice's time that lies in the area; kUnknownDuration if its end is not known.
inline DurationNs insideNs(const SliceColumns& slices, EventRow row, const std::optional<TimeRange>& range) {
    const DurationNs whole = slices.knownDuration(row.value);
    const TimeNs begin = slices.begin[row.value];
    return whole == kUnknownDuration || !range ? whole : TimeRange{begin, begin + whole}.intersected(*range).length();
}

}  // namespace warpline
