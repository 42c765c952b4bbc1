// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What is chosen in a trace: one event of any sort, an area. Values that a Session holds.

#include <cstdint>
#include <vector>

#include "core/base/ids.h"
#include "core/base/time.h"
#include "core/trace/trace.h"
#include "widgets/support/track_arrangement.h"

namespace warpline {

/// One event of a trace. `index` counts in what the kind names.
struct Selection {
    enum class Kind : uint8_t {
        None,
        Slice,         ///< row
        AsyncSlice,    ///< Trace::asyncSlices()
        AsyncInstant,  ///< Trace::asyncInstants()
        Instant,       ///< Trace::instants()
        CounterSample  ///< Trace::counters(); then `series` and `sample` in it
    };
    Kind kind = Kind::None;
    uint32_t index = 0;
    uint32_t series = 0;
    uint64_t sample = 0;

    static Selection slice(EventRow row) { return row.valid() ? Selection{Kind::Slice, row.value} : Selection(); }
    bool isIn(const Trace& trace) const;
    bool operator==(const Selection&) const = default;
};

/// A time range, and what it is about: tracks, and rows of async work and counters. Of neither any: all.
struct AreaSelection {
    TimeRange range;
    std::vector<TrackId> tracks;
    std::vector<SectionRef> rows = {};  ///< Async and Counter alone

    bool isOfAll() const { return tracks.empty() && rows.empty(); }
    /// It is about rows alone, which hold no slices.
    bool isOfRowsAlone() const { return tracks.empty() && !rows.empty(); }
    bool operator==(const AreaSelection&) const = default;
};

}  // namespace warpline
