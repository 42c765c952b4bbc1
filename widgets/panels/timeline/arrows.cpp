// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/timeline/arrows.h"

#include <algorithm>

namespace warpline::timeline {

namespace {

constexpr size_t kMaxVisited = 4096;

struct Anchor {
    double top = 0;
    double bottom = 0;
};

/// The slice's row, or the head of the section it is folded into.
bool findAnchor(const Trace& trace, const LaneLayout& layout, EventRow row, Anchor& anchor) {
    const int layoutRow = layout.rowOfLane(trace.laneOf(row));
    if (layoutRow >= 0) {
        const LayoutRow& found = layout.rows()[static_cast<size_t>(layoutRow)];
        anchor = {static_cast<double>(found.y), static_cast<double>(found.y + found.height)};
        return true;
    }
    const int section = layout.sectionOfTrack(trace.slices().track[row.value]);
    if (section < 0) {
        return false;
    }
    const Section& found = layout.sections()[static_cast<size_t>(section)];
    anchor = {static_cast<double>(found.y), static_cast<double>(found.y + std::min(found.height, kLaneHeight))};
    return true;
}

}  // namespace

std::vector<ArrowLink> arrowLinks(const Trace& trace, EventRow selected) {
    std::vector<ArrowLink> links;
    if (!selected.valid() || selected.value >= trace.sliceCount()) {
        return links;
    }
    const auto add = [&links](ArrowKind kind, EventRow from, EventRow to) {
        if (links.size() < kMaxArrows && from.valid() && to.valid() && from != to) {
            links.push_back({kind, from, to});
        }
    };
    const EventKind kind = trace.slices().kind[selected.value];
    if (isDeviceSide(kind)) {
        add(ArrowKind::Launch, trace.launchOf(selected), selected);
    } else {
        // Breadth first, so that a cut-off leaves the nearest ones.
        std::vector<EventRow> inside{selected};
        for (size_t i = 0; i < inside.size() && i < kMaxVisited && links.size() < kMaxArrows; ++i) {
            for (const EventRow work : trace.deviceWorkOf(inside[i])) {
                if (links.size() >= kMaxArrows) {
                    break;
                }
                add(ArrowKind::Launch, inside[i], work);
            }
            if (inside.size() < kMaxVisited && trace.slices().kind[inside[i].value] != EventKind::Python) {
                const std::span<const EventRow> children = trace.childrenOf(inside[i]);
                inside.insert(inside.end(), children.begin(), children.end());
            }
        }
    }
    const auto addFlow = [&](uint32_t index) {
        const FlowArrow& flow = trace.flows()[index];
        // The launch of a kernel is often in the file as a flow too.
        const bool known = std::any_of(links.begin(), links.end(), [&](const ArrowLink& link) {
            return link.from == flow.from && link.to == flow.to;
        });
        if (!known) {
            add(ArrowKind::Flow, flow.from, flow.to);
        }
    };
    for (const auto flows : {trace.flowsFrom(selected), trace.flowsTo(selected)}) {
        for (const uint32_t index : flows.first(std::min(flows.size(), kMaxVisited))) {
            if (links.size() >= kMaxArrows) {
                break;
            }
            addFlow(index);
        }
    }
    return links;
}

std::vector<Arrow> placeArrows(const Trace& trace, const LaneLayout& layout, const View& view,
                               const std::vector<ArrowLink>& links) {
    std::vector<Arrow> arrows;
    const double width = view.width / view.scale;
    const double height = view.height / view.scale;
    const SliceColumns& slices = trace.slices();
    for (const ArrowLink& link : links) {
        Anchor from;
        Anchor to;
        if (!findAnchor(trace, layout, link.from, from) || !findAnchor(trace, layout, link.to, to)) {
            continue;
        }
        const bool down = from.top <= to.top;
        Arrow arrow;
        arrow.kind = link.kind;
        // From the end of what launches, but never from a point later than where it leads.
        const TimeNs target = slices.begin[link.to.value];
        const TimeNs source = std::max(slices.begin[link.from.value], std::min(slices.end(link.from.value), target));
        arrow.x0 = timeToX(view.axis, source);
        arrow.x1 = timeToX(view.axis, target);
        arrow.y0 = (down ? from.bottom - 1 : from.top) - view.scrollY;
        arrow.y1 = (down ? to.top : to.bottom - 1) - view.scrollY;
        const bool outside = std::max(arrow.x0, arrow.x1) < 0 || std::min(arrow.x0, arrow.x1) > width ||
                             std::max(arrow.y0, arrow.y1) < 0 || std::min(arrow.y0, arrow.y1) > height;
        if (!outside) {
            // Far ends are pulled in, so that the curve stays a curve.
            arrow.x0 = std::clamp(arrow.x0, -4 * width, 5 * width);
            arrow.x1 = std::clamp(arrow.x1, -4 * width, 5 * width);
            arrows.push_back(arrow);
        }
    }
    return arrows;
}

}  // namespace warpline::timeline
