// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/timeline/lane_layout.h"

#include <algorithm>
#include <span>

#include "core/trace/process_title.h"

namespace warpline::timeline {

namespace {

constexpr uint32_t kMinCompactLanes = 6;
constexpr uint32_t kMaxSummaryStripes = 6;

class Builder {
public:
    Builder(const Trace& trace, const TimelineModel& model, const LayoutState& state, std::vector<Section>& sections,
            std::vector<LayoutRow>& rows)
        : m_trace(trace), m_model(model), m_state(state), m_sections(sections), m_rows(rows) {}

    int run() {
        for (const SectionRef& ref : m_state.arrangement.pinned) {
            addPinned(ref);
        }
        // What the producer tells of itself stands below the work, and marks alone ("window ends"), which tell least,
        // stand last; else the trace's order holds.
        for (const Rank rank : {Rank::Work, Rank::Producer, Rank::Marks}) {
            for (const ProcessId id : m_trace.processOrder()) {
                if (rankOf(id) == rank) {
                    addProcess(id);
                }
            }
        }
        return m_y;
    }

private:
    template <class T>
    static bool flag(const std::vector<T>& flags, uint32_t index) {
        return index < flags.size() && flags[index] != 0;
    }
    TrackMode mode(TrackId id) const {
        return id.value < m_state.tracks.size() ? m_state.tracks[id.value] : TrackMode{};
    }

    /// The producer keeps its own cost on a track without a name (pid -1, tid 0).
    bool isProfilerOverhead(TrackId id) const {
        const Track& track = m_trace.track(id);
        return !track.name && track.sliceCount > 0 && m_trace.slices().kind[track.firstRow] == EventKind::Overhead;
    }

    enum class Rank : uint8_t { Work, Producer, Marks };
    Rank rankOf(ProcessId id) const {
        if (hasOnlyMarks(id)) {
            return Rank::Marks;
        }
        const std::vector<TrackId>& tracks = m_trace.process(id).tracks;
        const bool isOverhead = std::all_of(tracks.begin(), tracks.end(), [&](TrackId track) {
            return m_trace.track(track).sliceCount == 0 || isProfilerOverhead(track);
        });
        return isOverhead && ofProcess(m_model.asyncGroups, id).empty() && ofProcess(m_model.counters, id).empty()
                   ? Rank::Producer
                   : Rank::Work;
    }

    /// A process without a name that holds one sort of mark alone is named after it.
    std::string titleOf(ProcessId id, const std::vector<TrackId>& tracks) const {
        const Process& process = m_trace.process(id);
        const bool isNamed = process.name || (process.pid && !m_trace.string(*process.pid).empty());
        if (isNamed || tracks.size() != 1 || m_trace.track(tracks[0]).instantCount == 0 ||
            m_trace.track(tracks[0]).sliceCount > 0) {
            return processHeading(m_trace, id);
        }
        return std::string(m_trace.string(m_trace.instants()[m_trace.track(tracks[0]).firstInstant].name));
    }

    bool hasOnlyMarks(ProcessId id) const {
        const std::vector<TrackId>& tracks = m_trace.process(id).tracks;
        return std::all_of(tracks.begin(), tracks.end(),
                           [&](TrackId track) { return m_trace.track(track).sliceCount == 0; }) &&
               ofProcess(m_model.asyncGroups, id).empty() && ofProcess(m_model.counters, id).empty();
    }

    /// The part of a list sorted by process that belongs to one.
    template <class T>
    static std::span<const T> ofProcess(const std::vector<T>& list, ProcessId id) {
        const auto first =
            std::partition_point(list.begin(), list.end(), [id](const T& item) { return item.process < id; });
        const auto last = std::partition_point(first, list.end(), [id](const T& item) { return item.process == id; });
        return {first, last};
    }

    bool hasRows(TrackId track) const {
        return m_trace.track(track).sliceCount > 0 || m_trace.track(track).instantCount > 0;
    }

    /// Not among those of its process, since it is pinned.
    bool isMoved(const SectionRef& ref) const {
        const std::vector<SectionRef>& pinned = m_state.arrangement.pinned;
        return std::find(pinned.begin(), pinned.end(), ref) != pinned.end();
    }

    void addPinned(const SectionRef& ref) {
        if (ref.process.value >= m_trace.processes().size()) {
            return;
        }
        const size_t before = m_sections.size();
        // Away from its process it says whose it is.
        const auto titled = [&](const std::string& own) {
            const std::string heading = processHeading(m_trace, ref.process);
            return heading.starts_with(own) ? heading : heading + " · " + own;
        };
        const auto byTitle = [&](const auto& list, auto&& add) {
            for (const auto& item : ofProcess(list, ref.process)) {
                if (item.title == ref.title) {
                    add(static_cast<uint32_t>(&item - list.data()), titled(item.title), false);
                    return;
                }
            }
        };
        switch (ref.kind) {
            case SectionRef::Kind::Track:
                if (ref.track.value < m_trace.tracks().size() && hasRows(ref.track)) {
                    addTrack(ref.track, titled(trackTitle(m_trace, ref.track)), false);
                }
                break;
            case SectionRef::Kind::Async:
                byTitle(m_model.asyncGroups, [this](auto... args) { addAsync(args...); });
                break;
            case SectionRef::Kind::Counter:
                byTitle(m_model.counters, [this](auto... args) { addCounter(args...); });
                break;
            case SectionRef::Kind::Derived:
                byTitle(m_model.derived, [this](auto... args) { addDerived(args...); });
                break;
            case SectionRef::Kind::Process:
                break;
        }
        for (size_t i = before; i < m_sections.size(); ++i) {
            m_sections[i].pinned = true;
        }
    }

    void addProcess(ProcessId id) {
        std::vector<TrackId> tracks;
        for (const TrackId track : m_trace.process(id).tracks) {
            // A track may hold async work alone; that has rows of its own.
            if (hasRows(track) && !isMoved(SectionRef{SectionRef::Kind::Track, id, track, {}})) {
                tracks.push_back(track);
            }
        }
        std::vector<uint32_t> groups;
        for (const AsyncGroup& group : ofProcess(m_model.asyncGroups, id)) {
            if (!isMoved({SectionRef::Kind::Async, id, TrackId::none(), group.title})) {
                groups.push_back(static_cast<uint32_t>(&group - m_model.asyncGroups.data()));
            }
        }
        std::vector<uint32_t> counters;
        for (const CounterLane& counter : ofProcess(m_model.counters, id)) {
            if (!isMoved({SectionRef::Kind::Counter, id, TrackId::none(), counter.title})) {
                counters.push_back(static_cast<uint32_t>(&counter - m_model.counters.data()));
            }
        }
        const std::vector<uint32_t> derived = shownDerived(id);
        if (tracks.empty() && groups.empty() && counters.empty() && derived.empty()) {
            return;
        }
        const std::string title = titleOf(id, tracks);
        // A process of one shallow track needs no header of its own.
        if (groups.empty() && counters.empty() && derived.empty() && tracks.size() == 1 &&
            m_trace.track(tracks[0]).laneCount <= 1) {
            const std::string own = trackTitle(m_trace, tracks[0]);
            if (isProfilerOverhead(tracks[0])) {
                addTrack(tracks[0], "profiler overhead", false);
                return;
            }
            const bool isSame = title.starts_with(own) || title != processHeading(m_trace, id);
            addTrack(tracks[0], isSame ? title : title + " · " + own, false);
            return;
        }
        const auto header = m_sections.size();
        const bool collapsed = flag(m_state.processCollapsed, id.value);
        Section section;
        section.kind = SectionKind::Process;
        section.process = id;
        section.title = title;
        section.y = m_y;
        section.height = kHeaderHeight;
        section.collapsible = true;
        section.collapsed = collapsed;
        m_sections.push_back(section);
        if (collapsed) {
            addSummary(tracks, static_cast<uint32_t>(header));
            m_y += kHeaderHeight + kSectionGap;
            m_sections[header].endY = m_y;
            return;
        }
        m_y += kHeaderHeight;
        const auto addKinds = [&](bool areAnnotations) {
            for (const uint32_t row : derived) {
                if ((m_model.derived[row].kind == DerivedKind::Annotations) == areAnnotations) {
                    addDerived(row, m_model.derived[row].title, true);
                }
            }
        };
        addKinds(false);
        for (const TrackId track : tracks) {
            addTrack(track, trackTitle(m_trace, track), true);
        }
        addKinds(true);  // below what they span: how high they are is known late, and the streams stay where they are
        for (const uint32_t group : groups) {
            addAsync(group, m_model.asyncGroups[group].title, true);
        }
        for (const uint32_t counter : counters) {
            addCounter(counter, m_model.counters[counter].title, true);
        }
        m_sections[header].endY = m_y;
        for (size_t i = header + 1; i < m_sections.size(); ++i) {
            m_sections[i].header = static_cast<int>(header);
        }
    }

    /// One strip for each of the tracks with most slices: their outermost lane, which covers all others.
    void addSummary(const std::vector<TrackId>& tracks, uint32_t section) {
        std::vector<TrackId> shown;
        for (const TrackId track : tracks) {
            if (m_trace.track(track).laneCount > 0) {
                shown.push_back(track);
            }
        }
        if (shown.size() > kMaxSummaryStripes) {
            std::nth_element(shown.begin(), shown.begin() + kMaxSummaryStripes, shown.end(), [&](TrackId a, TrackId b) {
                return m_trace.track(a).sliceCount > m_trace.track(b).sliceCount;
            });
            shown.resize(kMaxSummaryStripes);
        }
        if (shown.empty()) {
            return;
        }
        std::sort(shown.begin(), shown.end(), [&](TrackId a, TrackId b) {
            return std::find(tracks.begin(), tracks.end(), a) < std::find(tracks.begin(), tracks.end(), b);
        });
        const int height = (kHeaderHeight - 4) / static_cast<int>(shown.size());
        int y = m_y + (kHeaderHeight - height * static_cast<int>(shown.size())) / 2;
        for (const TrackId track : shown) {
            m_rows.push_back({RowKind::Lane, y, height, section, m_trace.track(track).firstLane});
            y += height;
        }
    }

    void addTrack(TrackId id, std::string title, bool indented) {
        const Track& track = m_trace.track(id);
        const TrackMode trackMode = mode(id);
        const auto index = static_cast<uint32_t>(m_sections.size());
        Section section;
        section.kind = SectionKind::Track;
        section.process = track.process;
        section.track = id;
        section.title = std::move(title);
        section.y = m_y;
        section.indented = indented;
        section.collapsible = track.laneCount > 1;
        section.collapsed = section.collapsible && trackMode.collapsed;
        section.canCompact = track.laneCount >= kMinCompactLanes;
        section.compact = section.canCompact && trackMode.compact;
        if (track.instantCount > 0) {
            m_rows.push_back({RowKind::Instants, m_y, kInstantHeight, index, id.value});
            m_y += kInstantHeight;
        }
        const uint32_t lanes = section.collapsed ? 1 : track.laneCount;
        const std::vector<int> heights = laneHeights(track, lanes, section.compact && !section.collapsed);
        for (uint32_t lane = 0; lane < lanes && track.laneCount > 0; ++lane) {
            m_rows.push_back({RowKind::Lane, m_y, heights[lane], index, track.firstLane + lane});
            m_y += heights[lane];
        }
        finishSection(section);
    }

    std::vector<int> laneHeights(const Track& track, uint32_t lanes, bool compact) const {
        std::vector<int> heights(lanes, kLaneHeight);
        if (!compact) {
            return heights;
        }
        int thin = 0;
        for (uint32_t lane = 0; lane < lanes; ++lane) {
            thin += flag(m_model.pythonLane, track.firstLane + lane) ? 1 : 0;
        }
        const int others = static_cast<int>(lanes) - thin;
        // Strips take at most two thirds.
        const int strip = thin > 0 ? std::clamp(m_state.compactBudget * 2 / 3 / thin, 2, kThinLaneHeight) : 0;
        const int rest = m_state.compactBudget - thin * strip;
        const int height = others > 0 ? std::clamp(rest / others, kThinLaneHeight + 1, kLaneHeight) : kLaneHeight;
        for (uint32_t lane = 0; lane < lanes; ++lane) {
            heights[lane] = flag(m_model.pythonLane, track.firstLane + lane) ? strip : height;
        }
        return heights;
    }

    void addAsync(uint32_t group, std::string title, bool indented) {
        const AsyncGroup& async = m_model.asyncGroups[group];
        const auto index = static_cast<uint32_t>(m_sections.size());
        Section section;
        section.kind = SectionKind::Async;
        section.process = async.process;
        section.index = group;
        section.title = std::move(title);
        section.y = m_y;
        section.indented = indented;
        section.collapsible = async.laneCount > 1;
        section.collapsed = section.collapsible && flag(m_state.asyncCollapsed, group);
        const uint32_t lanes = section.collapsed ? 1 : async.laneCount;
        for (uint32_t lane = 0; lane < lanes; ++lane) {
            m_rows.push_back({RowKind::Async, m_y, kLaneHeight, index, async.firstLane + lane});
            m_y += kLaneHeight;
        }
        finishSection(section);
    }

    void addCounter(uint32_t counter, std::string title, bool indented) {
        const auto index = static_cast<uint32_t>(m_sections.size());
        Section section;
        section.kind = SectionKind::Counter;
        section.process = m_model.counters[counter].process;
        section.index = counter;
        section.title = std::move(title);
        section.y = m_y;
        section.indented = indented;
        m_rows.push_back({RowKind::Counter, m_y, kCounterHeight, index, counter});
        m_y += kCounterHeight;
        finishSection(section);
    }

    /// Those of a process that are shown and not pinned.
    std::vector<uint32_t> shownDerived(ProcessId id) const {
        std::vector<uint32_t> shown;
        for (const DerivedRow& row : ofProcess(m_model.derived, id)) {
            const auto index = static_cast<uint32_t>(&row - m_model.derived.data());
            if (derivedLanes(index) > 0 && !isMoved({SectionRef::Kind::Derived, id, TrackId::none(), row.title})) {
                shown.push_back(index);
            }
        }
        return shown;
    }
    uint32_t derivedLanes(uint32_t row) const {
        return row < m_state.derivedLanes.size() ? m_state.derivedLanes[row] : 0;
    }

    void addDerived(uint32_t row, std::string title, bool indented) {
        if (derivedLanes(row) == 0) {
            return;
        }
        const auto index = static_cast<uint32_t>(m_sections.size());
        Section section;
        section.kind = SectionKind::Derived;
        section.process = m_model.derived[row].process;
        section.index = row;
        section.title = std::move(title);
        section.y = m_y;
        section.indented = indented;
        const bool isProjection = m_model.derived[row].kind == DerivedKind::Annotations;
        section.collapsible = derivedLanes(row) > 1;
        section.collapsed = section.collapsible && flag(m_state.derivedCollapsed, row);
        for (uint32_t lane = 0; lane < (section.collapsed ? 1 : derivedLanes(row)); ++lane) {
            m_rows.push_back(
                {isProjection ? RowKind::Projection : RowKind::Series, m_y, kDerivedHeight, index, row, lane});
            m_y += kDerivedHeight;
        }
        finishSection(section);
    }

    void finishSection(Section& section) {
        const int least = section.indented ? kLaneHeight : kLaneHeight - 2;
        m_y = std::max(m_y, section.y + least) + kSectionGap;
        section.height = m_y - section.y;
        section.endY = m_y;
        m_sections.push_back(std::move(section));
    }

    const Trace& m_trace;
    const TimelineModel& m_model;
    const LayoutState& m_state;
    std::vector<Section>& m_sections;
    std::vector<LayoutRow>& m_rows;
    int m_y = 0;
};

}  // namespace

LaneLayout LaneLayout::build(const Trace& trace, const TimelineModel& model, const LayoutState& state) {
    LaneLayout layout;
    layout.m_height = Builder(trace, model, state, layout.m_sections, layout.m_rows).run();
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
