// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Where the head of a track, process or counter lands when it is let go: among the pinned, or among those that it
// stands with. Pure; any thread.

#include <optional>

#include "widgets/panels/timeline/bar_geometry.h"
#include "widgets/panels/timeline/lane_layout.h"

namespace warpline::timeline {

struct HeadDrop {
    bool pins = false;                 ///< it becomes, or stays, a pinned one
    std::optional<SectionRef> beside;  ///< none: it is alone there
    bool after = false;                ///< behind `beside`, else in front of it
    int lineY = 0;                     ///< of the viewport, logical pixels: where it will stand
    bool operator==(const HeadDrop&) const = default;
};

/// What moves when a section that is not pinned does: the whole process, where the section stands for it.
SectionRef moverOf(const Section& section, const TimelineModel& model);

/// `dragged`: in layout.sections(). `viewY`: of the pointer, of the viewport; above it is among the pinned, even where
/// there are none yet.
HeadDrop headDropAt(const LaneLayout& layout, const TimelineModel& model, const View& view, size_t dragged, int viewY);

/// `refs`: what is pinned when the section is, of a process all that it shows. REQUIRES: `drop` is of `section`. The
/// same where nothing moves.
TrackArrangement withDropped(const Trace& trace, const TimelineModel& model, const TrackArrangement& arrangement,
                             const Section& section, const std::vector<SectionRef>& refs, const HeadDrop& drop);

}  // namespace warpline::timeline
