// SPDX-License-Identifier: MIT
#pragma once
// The slices of a trace as columns: one array a fact, one row a slice, all of equal length.

#include <cstdint>
#include <span>

#include "core/base/event_column.h"
#include "core/base/ids.h"
#include "core/base/time.h"
#include "core/trace/event_kind.h"
#include "core/trace/id_column.h"
#include "core/trace/source_ref.h"

namespace warpline {

inline constexpr uint64_t kNoExternalId = ~uint64_t{0};
inline constexpr uint64_t kNoCorrelation = 0;

enum SliceFlag : uint8_t {
    kSliceUnfinished = 1,  ///< the file gives no end of its own
    kSliceNoEnd = 2,       ///< so not even a forced one: its duration is unknown, the one in the column is for drawing
    kSliceOverlaps = 4,    ///< overlaps an earlier slice of its track without nesting
    kSliceOutlier = 8,     ///< far away in time from all the rest; does not set the first view
    kSliceBadTime = 16,    ///< negative duration in the file, shown as 0
    kSliceIsSum = 32,      ///< its length is a sum over many, its place no time: counts in no table
};

/// Sorted: rows of one track are contiguous, within a track rows of one lane, within a lane by begin without overlap.
/// `duration` is never negative: an unclosed slice reaches to the end of the trace, an X without dur has length 0.
/// Begins and ends are times that a trace holds (kEarliestTime … kLatestTime).
struct SliceColumns {
    EventColumn<TimeNs> begin;
    EventColumn<DurationNs> duration;
    EventColumn<StringId> name;
    EventColumn<StringId> category;
    EventColumn<EventKind> kind;
    EventColumn<uint8_t> flags;
    EventColumn<TrackId> track;
    EventColumn<EventRow> parent;        ///< innermost slice of the track that holds it; none at the top
    EventColumn<uint32_t> depth;         ///< number of ancestors
    IdColumn correlation;                ///< kNoCorrelation if none
    IdColumn externalId;                 ///< kNoExternalId if none
    EventColumn<StringId> shapes;        ///< input shapes as the file's JSON text; "" if none
    EventColumn<uint64_t> sourceOffset;  ///< see source()
    EventColumn<uint32_t> sourceLength;

    uint32_t size() const { return static_cast<uint32_t>(begin.size()); }
    SourceRef source(uint32_t row) const { return {sourceOffset[row], sourceLength[row]}; }
    TimeNs end(uint32_t row) const { return begin[row] + duration[row]; }
    /// The file's duration: kUnknownDuration if it gives none.
    DurationNs knownDuration(uint32_t row) const {
        return (flags[row] & kSliceNoEnd) != 0 ? kUnknownDuration : duration[row];
    }
    /// What a sum adds for this row: unknown counts as 0.
    DurationNs summedDuration(uint32_t row) const { return (flags[row] & kSliceNoEnd) != 0 ? 0 : duration[row]; }
};

/// What its children, given by begin, leave of a slice; kUnknownDuration if its own duration is. A child of unknown
/// duration takes nothing.
DurationNs selfDurationOf(const SliceColumns& slices, EventRow row, std::span<const EventRow> children);

}  // namespace warpline
