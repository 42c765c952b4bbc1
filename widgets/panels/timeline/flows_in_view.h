// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Which arrows to draw where all in view are wanted. An arrow is one of them if an end of it is in view: one that only
// passes through tells nothing. Of those from one track to another that depart within some pixels, one is taken, and
// so of those that arrive; within more pixels, where kMaxFlowsInView would be passed. Which one depends on the zoom and
// stays while panning. Ends that are folded away count where their section is; arrows inside one folded section, and
// arrows of a few pixels, are left out. Pure; costs pixels and rows, not arrows.

#include <vector>

#include "widgets/panels/timeline/arrows.h"

namespace warpline::timeline {

inline constexpr size_t kMaxFlowsInView = 400;

/// Shorter ones are left out.
inline constexpr double kShortArrow = 8;

/// More arrows are no longer looked for once so many links were looked at.
inline constexpr size_t kMaxFlowLooks = 6000;

struct FlowsInView {
    std::vector<ArrowLink> links;  ///< launches first, so that what is rarer is drawn above them
    bool complete = true;          ///< false: there are others, which a closer view shows
    size_t looked = 0;             ///< at so many links
    double nsPerPixel = 0;         ///< of the view
    DurationNs cell = 0;           ///< of each stretch so long one is taken; 0: nothing was looked for
};

/// `last`: what was found for the view before, so that the same arrows are taken from a view at the same zoom.
FlowsInView flowsInView(const LinkIndex& index, const Trace& trace, const LaneLayout& layout, const View& view,
                        const FlowsInView& last = {});

}  // namespace warpline::timeline
