// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/timeline/head_drop.h"

#include <algorithm>
#include <utility>

#include "widgets/panels/timeline/track_order.h"

namespace warpline::timeline {

namespace {

/// Beside the one of `places` (in layout.sections(), top to bottom) whose middle is below the pointer, or the last.
HeadDrop besideOneOf(const LaneLayout& layout, const View& view, const std::vector<size_t>& places, int viewY,
                     HeadDrop drop, const auto& refOfSection) {
    for (const size_t place : places) {
        const Section& section = layout.sections()[place];
        const int top = view.viewY(section.y);
        const int bottom = top + section.endY - section.y;
        drop.beside = refOfSection(section);
        drop.after = viewY >= (top + bottom) / 2;
        drop.lineY = drop.after ? bottom : top;
        if (!drop.after) {
            break;
        }
    }
    return drop;
}

}  // namespace

SectionRef moverOf(const Section& section, const TimelineModel& model) {
    return section.header < 0 && !section.pinned ? SectionRef::ofProcess(section.process) : refOf(section, model);
}

HeadDrop headDropAt(const LaneLayout& layout, const TimelineModel& model, const View& view, size_t dragged, int viewY) {
    const std::vector<Section>& sections = layout.sections();
    const Section& section = sections[dragged];
    const int under = viewY < 0 ? -1 : layout.sectionAt(view.layoutY(viewY));
    HeadDrop drop;
    drop.pins = viewY < view.frozen || viewY < 0 || (under >= 0 && sections[static_cast<size_t>(under)].pinned);
    std::vector<size_t> places;
    if (drop.pins) {
        for (size_t i = 0; i < sections.size() && sections[i].pinned; ++i) {
            places.push_back(i);
        }
        return besideOneOf(layout, view, places, viewY, drop,
                           [&](const Section& other) { return refOf(other, model); });
    }
    const bool isOfProcess = section.pinned || section.header >= 0;
    for (size_t i = 0; i < sections.size(); ++i) {
        const Section& other = sections[i];
        const bool isSibling = isOfProcess ? other.header >= 0 && other.process == section.process : other.header < 0;
        if (!other.pinned && isSibling) {
            places.push_back(i);
        }
    }
    drop.lineY = std::max(viewY, view.frozen);
    return besideOneOf(layout, view, places, viewY, drop, [&](const Section& other) { return moverOf(other, model); });
}

TrackArrangement withDropped(const Trace& trace, const TimelineModel& model, const TrackArrangement& arrangement,
                             const Section& section, const std::vector<SectionRef>& refs, const HeadDrop& drop) {
    if (drop.pins) {
        const std::vector<SectionRef>& pinned = arrangement.pinned;
        auto before = drop.beside ? std::find(pinned.begin(), pinned.end(), *drop.beside) : pinned.end();
        before += drop.after && before != pinned.end() ? 1 : 0;
        // In front of itself is where it is.
        while (before != pinned.end() && std::find(refs.begin(), refs.end(), *before) != refs.end()) {
            ++before;
        }
        return withPinned(arrangement, refs, before == pinned.end() ? std::nullopt : std::optional(*before));
    }
    TrackArrangement next = section.pinned ? withoutPinned(arrangement, refs) : arrangement;
    if (drop.beside) {
        next = withMoved(trace, model, std::move(next), moverOf(section, model), *drop.beside, drop.after);
    }
    return next;
}

}  // namespace warpline::timeline
