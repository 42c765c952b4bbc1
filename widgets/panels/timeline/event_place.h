// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// From what is selected to where it is drawn, and back from a hit to what it selects. Pure; any thread.

#include <optional>

#include "core/base/time.h"
#include "widgets/panels/timeline/bar_geometry.h"
#include "widgets/panels/timeline/hit_test.h"
#include "widgets/support/selection.h"

namespace warpline::timeline {

/// Where an event is drawn. A moment has an empty range.
struct EventPlace {
    int layoutRow = -1;
    TimeRange range;
};

/// The time that it spans; what has no end reaches to the end of the trace. nullopt if nothing in it is selected.
std::optional<TimeRange> rangeOf(const Trace& trace, const Selection& selection);
/// nullopt also where its row is folded away.
std::optional<EventPlace> placeOf(const Trace& trace, const TimelineModel& model, const LaneLayout& layout,
                                  const Selection& selection);
/// The section that an event lies in, seen or not; nullopt if nothing in the trace is selected.
std::optional<SectionRef> sectionOf(const Trace& trace, const TimelineModel& model, const Selection& selection);
/// Opens what is folded over an event.
void unfold(const Trace& trace, const TimelineModel& model, const Selection& selection, LayoutState& state);
/// `time`: under the pointer; which sample of a counter is meant depends on it. Before the first sample there is none.
Selection selectionOf(const Trace& trace, const TimelineModel& model, const LaneLayout& layout,
                      const Geometry& geometry, const Hit& hit, TimeNs time);

}  // namespace warpline::timeline
