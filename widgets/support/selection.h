// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What is chosen in a trace: one event of any sort, slices that belong together, an area. Values that a Session holds.

#include <QString>

#include <cstdint>
#include <vector>

#include "core/base/ids.h"
#include "core/base/time.h"
#include "core/trace/trace.h"
#include "widgets/support/shared_rows.h"

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

/// Slices that belong together (the instances of a table row), and which of them is current.
struct Highlight {
    QString title;      ///< "aten::mm"; shown with the count and position
    SharedRows events;  ///< by begin
    int current = -1;   ///< index into events; -1 none yet
    bool operator==(const Highlight&) const = default;
};

/// A time range, and the tracks it is about (empty: all).
struct AreaSelection {
    TimeRange range;
    std::vector<TrackId> tracks;
    bool operator==(const AreaSelection&) const = default;
};

}  // namespace warpline
