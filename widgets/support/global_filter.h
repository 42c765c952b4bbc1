// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What of the trace counts in every panel: a part of its time, and of its tracks, and what is long enough. A value that
// a Session holds; pure.

#include <QString>

#include <optional>

#include "core/analyses/analysis.h"
#include "widgets/support/selection.h"

namespace warpline {

struct GlobalFilter {
    std::optional<AreaSelection> area;  ///< nothing: the whole trace
    DurationNs leastDuration = 0;       ///< 0: whatever their length
    bool empty() const { return !area.has_value() && leastDuration == 0; }
    bool operator==(const GlobalFilter&) const = default;
};

/// What passes both. nullopt if that can be nothing: a TraceFilter cannot say so, as no tracks mean all there.
std::optional<TraceFilter> narrowed(TraceFilter own, const GlobalFilter& global);

/// What an area means as a filter. Tables count slices alone: one of rows of async work or counters is its time, of
/// all.
AreaSelection filterOf(AreaSelection area);

/// "12.3 ms from 1.204 s on, on stream 7 and 2 more"; times count from the trace's start.
QString filterText(const Trace& trace, const GlobalFilter& filter);

}  // namespace warpline
