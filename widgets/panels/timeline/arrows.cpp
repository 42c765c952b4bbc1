// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/timeline/arrows.h"

#include <algorithm>
#include <span>
#include <utility>

namespace warpline::timeline {

namespace {

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

/// Goes through a slice and what is inside it, until a limit is met.
class LinkFinder {
public:
    LinkFinder(const Trace& trace, TimeRange near) : m_trace(trace), m_near(near) {}

    /// Parts of the limits, and nothing that begins outside of `near`.
    void restrict(size_t parts) {
        m_maxLinks = kMaxArrows / parts;
        m_maxVisited = kMaxArrowSlices / parts;
        m_within = true;
    }
    /// After find(): it ended inside `near`, so that something there may be missing.
    bool cutInside() const { return m_cutInside; }

    ArrowLinks find(EventRow selected) {
        if (isDeviceSide(m_trace.slices().kind[selected.value])) {
            add({ArrowKind::Launch, m_trace.launchOf(selected), selected});
        } else {
            addLaunches(selected);
        }
        addFlows(m_trace.flowsFrom(selected));
        addFlows(m_trace.flowsTo(selected));
        return std::move(m_out);
    }

private:
    struct Level {
        std::span<const EventRow> children;
        size_t first;     ///< of those not before the stretch of interest
        size_t done = 0;  ///< counts on from `first` to the last child, then back from `first`
    };

    void add(ArrowLink link) {
        if (!link.from.valid() || !link.to.valid() || link.from == link.to) {
            return;
        }
        if (m_out.links.size() < m_maxLinks) {
            m_out.links.push_back(link);
        } else {
            m_out.complete = false;
        }
    }

    void visit(EventRow row) {
        ++m_out.visited;
        for (const EventRow work : m_trace.deviceWorkOf(row)) {
            add({ArrowKind::Launch, row, work});
            if (!m_out.complete) {
                return;
            }
        }
        // What an interpreter frame holds is the whole program, not what it launched.
        const std::span<const EventRow> children = m_trace.slices().kind[row.value] == EventKind::Python
                                                       ? std::span<const EventRow>()
                                                       : m_trace.childrenOf(row);
        if (!children.empty()) {
            const SliceColumns& slices = m_trace.slices();
            const auto begin = std::partition_point(children.begin(), children.end(), [&](EventRow child) {
                return slices.begin[child.value] < m_near.begin;
            });
            auto first = static_cast<size_t>(begin - children.begin());
            if (first > 0 && slices.end(children[first - 1].value) > m_near.begin) {
                --first;
            }
            m_levels.push_back({children, first});
        }
    }

    /// Depth first, so that arrows come in order of time. Not recursive: files may nest very deep.
    void addLaunches(EventRow selected) {
        visit(selected);
        while (!m_levels.empty() && m_out.complete) {
            Level& level = m_levels.back();
            if (level.done == level.children.size()) {
                m_levels.pop_back();
                continue;
            }
            const size_t after = level.children.size() - level.first;
            const bool goesOn = level.done < after;
            const size_t index = goesOn ? level.first + level.done : level.first - 1 - (level.done - after);
            const EventRow child = level.children[index];
            const TimeNs begin = m_trace.slices().begin[child.value];
            if (m_within && (!goesOn || begin >= m_near.end)) {
                m_levels.pop_back();
                continue;
            }
            ++level.done;
            if (m_out.visited < m_maxVisited) {
                visit(child);
            } else {
                m_out.complete = false;
            }
            m_cutInside = !m_out.complete && goesOn && begin < m_near.end;
        }
        std::ranges::stable_sort(m_out.links, {},
                                 [this](const ArrowLink& link) { return m_trace.slices().begin[link.from.value]; });
    }

    void addFlows(std::span<const uint32_t> flows) {
        for (size_t i = 0; i < flows.size(); ++i) {
            m_out.complete = m_out.complete && i < kMaxArrowSlices;
            if (!m_out.complete) {
                return;
            }
            const FlowArrow& flow = m_trace.flows()[flows[i]];
            // The launch of a kernel is often in the file as a flow too.
            const bool known = std::ranges::any_of(
                m_out.links, [&](const ArrowLink& link) { return link.from == flow.from && link.to == flow.to; });
            if (!known) {
                add({kindOf(m_trace, flow), flow.from, flow.to});
            }
        }
    }

    const Trace& m_trace;
    const TimeRange m_near;
    size_t m_maxLinks = kMaxArrows;
    size_t m_maxVisited = kMaxArrowSlices;
    bool m_within = false;
    bool m_cutInside = false;
    ArrowLinks m_out;
    std::vector<Level> m_levels;
};

}  // namespace

ArrowLinks arrowLinks(const Trace& trace, EventRow selected, TimeRange near) {
    if (!selected.valid() || selected.value >= trace.sliceCount()) {
        return {};
    }
    return LinkFinder(trace, near).find(selected);
}

ArrowLinks arrowLinksOver(const Trace& trace, EventRow selected, TimeRange view) {
    if (!selected.valid() || selected.value >= trace.sliceCount()) {
        return {};
    }
    LinkFinder whole(trace, view);
    ArrowLinks found = whole.find(selected);
    constexpr int kParts = 16;
    if (!whole.cutInside() || view.length() < kParts) {
        return found;
    }
    ArrowLinks spread;
    spread.complete = false;
    spread.visited = found.visited;
    const DurationNs length = view.length() / kParts;
    for (int part = 0; part < kParts; ++part) {
        const TimeNs begin = view.begin + part * length;
        LinkFinder finder(trace, {begin, part + 1 == kParts ? view.end : begin + length});
        finder.restrict(kParts);
        const ArrowLinks here = finder.find(selected);
        spread.visited += here.visited;
        for (const ArrowLink& link : here.links) {
            // What reaches over the border of two parts is found in both, and so are the slice's own.
            if (std::ranges::find(spread.links, link) == spread.links.end()) {
                spread.links.push_back(link);
            }
        }
    }
    return spread.links.size() < found.links.size() / 2 ? found : spread;
}

std::optional<Arrow> placeArrow(const Trace& trace, const LaneLayout& layout, const View& view, const ArrowLink& link) {
    Anchor from;
    Anchor to;
    if (!findAnchor(trace, layout, link.from, from) || !findAnchor(trace, layout, link.to, to)) {
        return std::nullopt;
    }
    const double width = view.width / view.scale;
    const bool down = from.top <= to.top;
    Arrow arrow;
    arrow.kind = link.kind;
    arrow.x0 = timeToX(view.axis, departure(trace.slices(), {link.from, link.to}));
    arrow.x1 = timeToX(view.axis, arrival(trace.slices(), {link.from, link.to}));
    const double top0 = from.top - view.scrollOf(static_cast<int>(from.top));
    const double top1 = to.top - view.scrollOf(static_cast<int>(to.top));
    arrow.y0 = top0 + (down ? from.bottom - from.top - 1 : 0);
    arrow.y1 = top1 + (down ? 0 : to.bottom - to.top - 1);
    if (from.top == to.top) {
        arrow.y0 = arrow.y1 = top0 + (from.bottom - from.top) / 2;
    }
    if (view.frozen > 0) {
        const double clip0 = view.clipTop(static_cast<int>(from.top));
        const double clip1 = view.clipTop(static_cast<int>(to.top));
        arrow.hidden0 = arrow.y0 < clip0;
        arrow.hidden1 = arrow.y1 < clip1;
        arrow.y0 = std::max(arrow.y0, clip0);
        arrow.y1 = std::max(arrow.y1, clip1);
    }
    // Far ends are pulled in; those beside the view stay beside it.
    arrow.x0 = std::clamp(arrow.x0, -4 * width, 5 * width);
    arrow.x1 = std::clamp(arrow.x1, -4 * width, 5 * width);
    return arrow;
}

std::vector<Arrow> placeArrows(const Trace& trace, const LaneLayout& layout, const View& view,
                               const std::vector<ArrowLink>& links) {
    std::vector<Arrow> arrows;
    const double width = view.width / view.scale;
    const double height = view.height / view.scale;
    for (const ArrowLink& link : links) {
        const std::optional<Arrow> arrow = placeArrow(trace, layout, view, link);
        const bool outside = !arrow || (arrow->hidden0 && arrow->hidden1) || std::max(arrow->x0, arrow->x1) < 0 ||
                             std::min(arrow->x0, arrow->x1) > width || std::max(arrow->y0, arrow->y1) < 0 ||
                             std::min(arrow->y0, arrow->y1) > height;
        if (!outside) {
            arrows.push_back(*arrow);
        }
    }
    return arrows;
}

}  // namespace warpline::timeline
