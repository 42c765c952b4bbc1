// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Arrows that leave from or arrive at the selected slice: launch -> device work, and the flows of the file. For a host
// op, those of the launches inside it. Bounded in number and in what is searched.

#include <optional>
#include <vector>

#include "core/analyses/link_index.h"
#include "widgets/panels/timeline/bar_geometry.h"

namespace warpline::timeline {

using ArrowKind = LinkKind;

struct ArrowLink {
    ArrowKind kind = ArrowKind::Launch;
    EventRow from;
    EventRow to;
    bool operator==(const ArrowLink&) const = default;
};

inline constexpr size_t kMaxArrows = 48;

/// So many slices inside the selected one are looked at.
inline constexpr size_t kMaxArrowSlices = 4096;

struct ArrowLinks {
    std::vector<ArrowLink> links;
    bool complete = true;  ///< false: a limit was met, and there may be others
    size_t visited = 0;    ///< slices that were looked at
};

/// In order of time, and where there are too many those of `near` first. Cost: the limits above, however many slices
/// are inside the selected one.
ArrowLinks arrowLinks(const Trace& trace, EventRow selected, TimeRange near);
/// The same, but where `view` has more than there may be, some from each part of it and not its first ones. Twice the
/// cost at most.
ArrowLinks arrowLinksOver(const Trace& trace, EventRow selected, TimeRange view);

struct Arrow {
    ArrowKind kind = ArrowKind::Launch;
    double x0 = 0, y0 = 0, x1 = 0, y1 = 0;  ///< logical pixels from the lanes' top left corner; may lie outside
    bool hidden0 = false, hidden1 = false;  ///< that end is scrolled behind what is pinned: it is cut there
};

/// From the slice's row, or the head of the section that it is folded into, to the other's; nullopt if one has neither.
/// May lie outside of the view, but no further than the curve stays a curve.
std::optional<Arrow> placeArrow(const Trace& trace, const LaneLayout& layout, const View& view, const ArrowLink& link);
/// Where they lie in a view; those without any part in it are left out.
std::vector<Arrow> placeArrows(const Trace& trace, const LaneLayout& layout, const View& view,
                               const std::vector<ArrowLink>& links);

}  // namespace warpline::timeline
