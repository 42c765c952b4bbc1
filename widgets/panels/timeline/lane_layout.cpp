// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/timeline/lane_layout.h"

#include <algorithm>
#include <utility>

#include "widgets/panels/timeline/layout_builder.h"

namespace warpline::timeline {

LaneLayout LaneLayout::build(const Trace& trace, const TimelineModel& model, const LayoutState& state) {
    BuiltLayout built = buildLayout(trace, model, state);
    LaneLayout layout;
    layout.m_sections = std::move(built.sections);
    layout.m_rows = std::move(built.rows);
    layout.m_height = built.height;
    layout.m_trackCount = built.trackCount;
    layout.m_passingCount = built.passingCount;
    layout.m_rowOfLane.assign(trace.lanes().size(), -1);
    for (size_t row = 0; row < layout.m_rows.size(); ++row) {
        if (layout.m_rows[row].kind == RowKind::Lane) {
            layout.m_rowOfLane[layout.m_rows[row].index] = static_cast<int>(row);
        }
    }
    layout.m_sectionOfTrack.assign(trace.tracks().size(), -1);
    for (size_t i = 0; i < layout.m_sections.size(); ++i) {
        const Section& section = layout.m_sections[i];
        if (section.kind == SectionKind::Track) {
            layout.m_sectionOfTrack[section.track.value] = static_cast<int>(i);
        } else if (section.kind == SectionKind::Process && section.collapsed) {
            for (const TrackId track : trace.process(section.process).tracks) {
                // A pinned one has its place already.
                int& place = layout.m_sectionOfTrack[track.value];
                place = place >= 0 ? place : static_cast<int>(i);
            }
        }
    }
    return layout;
}

size_t LaneLayout::firstRowBelow(int y) const {
    const auto it = std::partition_point(m_rows.begin(), m_rows.end(),
                                         [y](const LayoutRow& row) { return row.y + row.height <= y; });
    return static_cast<size_t>(it - m_rows.begin());
}

int LaneLayout::rowAt(int y) const {
    const size_t row = firstRowBelow(y);
    return row < m_rows.size() && m_rows[row].y <= y ? static_cast<int>(row) : -1;
}

int LaneLayout::sectionAt(int y) const {
    const auto it = std::partition_point(m_sections.begin(), m_sections.end(),
                                         [y](const Section& section) { return section.y + section.height <= y; });
    return it != m_sections.end() && it->y <= y ? static_cast<int>(it - m_sections.begin()) : -1;
}

int LaneLayout::rowOfLane(uint32_t lane) const {
    return lane < m_rowOfLane.size() ? m_rowOfLane[lane] : -1;
}

int LaneLayout::sectionOfTrack(TrackId track) const {
    return track.value < m_sectionOfTrack.size() ? m_sectionOfTrack[track.value] : -1;
}

int LaneLayout::processHeaderAbove(int y) const {
    const auto end = std::partition_point(m_sections.begin(), m_sections.end(),
                                          [y](const Section& section) { return section.y <= y; });
    if (end == m_sections.begin()) {
        return -1;
    }
    const Section& last = *(end - 1);
    const int header = last.kind == SectionKind::Process ? static_cast<int>(end - m_sections.begin()) - 1 : last.header;
    return header >= 0 && m_sections[static_cast<size_t>(header)].endY > y ? header : -1;
}

int LaneLayout::rowOfAsyncLane(uint32_t lane) const {
    const auto it = std::find_if(m_rows.begin(), m_rows.end(), [lane](const LayoutRow& row) {
        return row.kind == RowKind::Async && row.index == lane;
    });
    return it == m_rows.end() ? -1 : static_cast<int>(it - m_rows.begin());
}

int LaneLayout::rowOfInstants(TrackId track) const {
    const auto it = std::find_if(m_rows.begin(), m_rows.end(), [track](const LayoutRow& row) {
        return row.kind == RowKind::Instants && row.index == track.value;
    });
    return it == m_rows.end() ? -1 : static_cast<int>(it - m_rows.begin());
}

int LaneLayout::rowOfCounter(uint32_t counter) const {
    const auto it = std::find_if(m_rows.begin(), m_rows.end(), [counter](const LayoutRow& row) {
        return row.kind == RowKind::Counter && row.index == counter;
    });
    return it == m_rows.end() ? -1 : static_cast<int>(it - m_rows.begin());
}

int LaneLayout::pinnedHeight(int budget) const {
    int end = 0;
    for (const Section& section : m_sections) {
        if (!section.pinned || section.endY > budget) {
            break;
        }
        end = section.endY;
    }
    return end;
}

SectionRef refOf(const Section& section, const TimelineModel& model) {
    switch (section.kind) {
        case SectionKind::Process:
            return {SectionRef::Kind::Process, section.process, TrackId::none(), {}};
        case SectionKind::Track:
            return {SectionRef::Kind::Track, section.process, section.track, {}};
        case SectionKind::Async:
            return {SectionRef::Kind::Async, section.process, TrackId::none(), model.asyncGroups[section.index].title};
        case SectionKind::Counter:
            return {SectionRef::Kind::Counter, section.process, TrackId::none(), model.counters[section.index].title};
        case SectionKind::Derived:
            return {SectionRef::Kind::Derived, section.process, TrackId::none(), model.derived[section.index].title};
    }
    return {};
}

SectionKey keyOf(const Section& section) {
    const uint32_t id = section.kind == SectionKind::Process ? section.process.value
                        : section.kind == SectionKind::Track ? section.track.value
                                                             : section.index;
    return {section.kind, id};
}

int LaneLayout::find(const SectionKey& key) const {
    const auto it = std::find_if(m_sections.begin(), m_sections.end(),
                                 [&key](const Section& section) { return keyOf(section) == key; });
    return it == m_sections.end() ? -1 : static_cast<int>(it - m_sections.begin());
}

size_t LaneLayout::firstSectionBelow(int y) const {
    const auto it = std::partition_point(m_sections.begin(), m_sections.end(),
                                         [y](const Section& section) { return section.y + section.height <= y; });
    return static_cast<size_t>(it - m_sections.begin());
}

LayoutState initialLayoutState(const Trace& trace, const TimelineModel& model, int viewportHeight) {
    LayoutState state;
    state.processCollapsed.assign(trace.processes().size(), 0);
    state.tracks.assign(trace.tracks().size(), {});
    state.asyncCollapsed.assign(model.asyncGroups.size(), 0);
    state.counterCollapsed.assign(model.counters.size(), 0);
    const LaneLayout open = LaneLayout::build(trace, model, state);
    if (open.height() <= viewportHeight) {
        return state;
    }
    int compactTracks = 0;
    int otherHeight = 0;
    for (const Section& section : open.sections()) {
        if (section.canCompact) {
            state.tracks[section.track.value].compact = true;
            ++compactTracks;
        } else {
            otherHeight += section.height;
        }
    }
    if (compactTracks > 0) {
        constexpr int kLeast = 60;
        state.compactBudget = std::max(kLeast, (viewportHeight - otherHeight) / compactTracks - kSectionGap);
    }
    return state;
}

}  // namespace warpline::timeline
