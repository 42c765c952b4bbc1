// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/timeline/lane_layout.h"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>

#include "core/trace/process_title.h"
#include "widgets/panels/timeline/track_filter.h"
#include "widgets/panels/timeline/track_order.h"

namespace warpline::timeline {

namespace {

constexpr uint32_t kMinCompactLanes = 6;
constexpr uint32_t kMaxSummaryStripes = 6;

class Builder {
public:
    Builder(const Trace& trace, const TimelineModel& model, const LayoutState& state, std::vector<Section>& sections,
            std::vector<LayoutRow>& rows)
        : m_trace(trace),
          m_model(model),
          m_state(state),
          m_sections(sections),
          m_rows(rows),
          m_arranged(state.arrangement),
          m_filter(state.filter) {}

    int run() {
        addPinned();
        for (const ProcessId id : orderedProcesses(m_trace, m_model, m_arranged)) {
            addProcess(id);
        }
        return m_y;
    }
    size_t trackCount() const { return m_trackCount; }
    size_t passingCount() const { return m_passingCount; }

private:
    template <class T>
    static bool flag(const std::vector<T>& flags, uint32_t index) {
        return index < flags.size() && flags[index] != 0;
    }
    TrackMode mode(TrackId id) const {
        return id.value < m_state.tracks.size() ? m_state.tracks[id.value] : TrackMode{};
    }

    void addItem(const TrackItem& item, std::string title, bool indented) {
        switch (item.ref.kind) {
            case SectionRef::Kind::Track:
                addTrack(item.ref.track, std::move(title), indented);
                break;
            case SectionRef::Kind::Async:
                addAsync(item.index, std::move(title), indented);
                break;
            case SectionRef::Kind::Counter:
                addCounter(item.index, std::move(title), indented);
                break;
            case SectionRef::Kind::Derived:
                addDerived(item.index, std::move(title), indented);
                break;
            case SectionRef::Kind::Process:
                break;
        }
    }

    /// Where something pinned is in the trace or the model; nullopt if it is not there.
    std::optional<TrackItem> itemOf(const SectionRef& ref) const {
        const auto titled = [&](const auto& list) -> std::optional<TrackItem> {
            auto at = std::partition_point(list.begin(), list.end(),
                                           [&](const auto& item) { return item.process < ref.process; });
            for (; at != list.end() && at->process == ref.process; ++at) {
                if (at->title == ref.title) {
                    return TrackItem{ref, static_cast<uint32_t>(at - list.begin())};
                }
            }
            return std::nullopt;
        };
        switch (ref.kind) {
            case SectionRef::Kind::Track:
                return ref.track.value < m_trace.tracks().size() && hasRows(m_trace, ref.track)
                           ? std::optional(TrackItem{ref, ref.track.value})
                           : std::nullopt;
            case SectionRef::Kind::Async:
                return titled(m_model.asyncGroups);
            case SectionRef::Kind::Counter:
                return titled(m_model.counters);
            case SectionRef::Kind::Derived:
                return titled(m_model.derived);
            case SectionRef::Kind::Process:
                break;
        }
        return std::nullopt;
    }

    void addPinned() {
        std::unordered_map<ProcessId, std::string> headings;
        for (const SectionRef& ref : m_state.arrangement.pinned) {
            const std::optional<TrackItem> item = itemOf(ref);
            if (!item || !isShown(*item) || m_arranged.isOutOfSight(ref)) {
                continue;
            }
            // Away from its process it says whose it is.
            std::string& heading = headings[ref.process];
            if (heading.empty()) {
                heading = processHeading(m_trace, ref.process);
            }
            const std::string own = itemTitle(m_trace, m_model, *item);
            if (m_filter.passes(heading, own)) {
                addItem(*item, heading.starts_with(own) ? heading : heading + " · " + own, false);
                m_sections.back().pinned = true;
            }
        }
    }

    /// Derived rows of a kind that is switched off take no rows.
    bool isShown(const TrackItem& item) const {
        return item.ref.kind != SectionRef::Kind::Derived || derivedLanes(item.index) > 0;
    }

    std::vector<TrackItem> shownItems(ProcessId id) const {
        std::vector<TrackItem> items = orderedItems(m_trace, m_model, id, m_arranged);
        std::erase_if(items, [this](const TrackItem& item) { return !isShown(item); });
        return items;
    }

    struct Titled {
        TrackItem item;
        std::string title;
    };

    /// What of a process has a place of its own, once its sections that are hidden or filtered are left out.
    std::vector<Titled> placedItems(std::vector<TrackItem> all, const std::string& heading) {
        const TrackFilter filter = m_filter.within(heading);
        std::vector<Titled> items;
        for (TrackItem& item : all) {
            if (m_arranged.isHidden(item.ref)) {
                continue;
            }
            ++m_trackCount;
            const bool isPinned = m_arranged.isPinned(item.ref);
            if (isPinned && filter.empty()) {
                ++m_passingCount;
                continue;
            }
            std::string title = itemTitle(m_trace, m_model, item);
            if (!filter.passes({}, title)) {
                continue;
            }
            ++m_passingCount;
            if (!isPinned) {
                items.push_back({std::move(item), std::move(title)});
            }
        }
        return items;
    }

    void addProcess(ProcessId id) {
        if (m_arranged.isHidden(SectionRef::ofProcess(id))) {
            return;
        }
        std::vector<TrackItem> all = shownItems(id);
        const bool standsAlone = isAlone(m_trace, all);
        const std::string title = standsAlone ? aloneTitle(m_trace, all[0].ref.track) : processHeading(m_trace, id);
        const std::vector<Titled> items = placedItems(std::move(all), title);
        if (items.empty()) {
            return;
        }
        if (standsAlone) {
            addTrack(items[0].item.ref.track, title, false);
            return;
        }
        std::vector<TrackId> tracks;
        for (const auto& [item, own] : items) {
            if (item.ref.kind == SectionRef::Kind::Track) {
                tracks.push_back(item.ref.track);
            }
        }
        const auto header = m_sections.size();
        // What a filter finds is to be seen.
        const bool collapsed = m_filter.empty() && flag(m_state.processCollapsed, id.value);
        Section section;
        section.kind = SectionKind::Process;
        section.process = id;
        section.title = title;
        section.y = m_y;
        section.height = kHeaderHeight;
        section.collapsible = m_filter.empty();
        section.collapsed = collapsed;
        m_sections.push_back(section);
        if (collapsed) {
            addSummary(tracks, static_cast<uint32_t>(header));
            m_y += kHeaderHeight + kSectionGap;
            m_sections[header].endY = m_y;
            return;
        }
        m_y += kHeaderHeight;
        for (const auto& [item, own] : items) {
            addItem(item, own, true);
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
        section.overlaps = track.overlaps;
        if (track.instantCount > 0) {
            m_rows.push_back({RowKind::Instants, m_y, kInstantHeight, index, id.value});
            m_y += kInstantHeight;
        }
        const uint32_t lanes = section.collapsed ? 1 : track.laneCount;
        const std::optional<int> wanted = m_arranged.heightOf(SectionRef::ofTrack(track.process, id));
        const std::vector<int> heights = laneHeights(track, lanes, section.compact && !section.collapsed, wanted);
        section.laneHeight = heights.empty() ? 0 : *std::max_element(heights.begin(), heights.end());
        for (uint32_t lane = 0; lane < lanes && track.laneCount > 0; ++lane) {
            m_rows.push_back({RowKind::Lane, m_y, heights[lane], index, track.firstLane + lane});
            m_y += heights[lane];
        }
        finishSection(section);
    }

    std::vector<int> laneHeights(const Track& track, uint32_t lanes, bool compact, std::optional<int> wanted) const {
        const int usual = std::clamp(wanted.value_or(kLaneHeight), kMinLaneHeight, kMaxLaneHeight);
        std::vector<int> heights(lanes, usual);
        if (!compact) {
            return heights;
        }
        int thin = 0;
        for (uint32_t lane = 0; lane < lanes; ++lane) {
            thin += flag(m_model.pythonLane, track.firstLane + lane) ? 1 : 0;
        }
        const int others = static_cast<int>(lanes) - thin;
        // Strips take at most two thirds.
        int strip = thin > 0 ? std::clamp(m_state.compactBudget * 2 / 3 / thin, 2, kThinLaneHeight) : 0;
        const int rest = m_state.compactBudget - thin * strip;
        int height = others > 0 ? std::clamp(rest / others, kThinLaneHeight + 1, kLaneHeight) : kLaneHeight;
        if (wanted) {
            height = usual;
            strip = std::min(strip, usual);
        }
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
        section.laneHeight =
            std::clamp(m_arranged.heightOf({SectionRef::Kind::Async, async.process, TrackId::none(), async.title})
                           .value_or(kLaneHeight),
                       kMinLaneHeight, kMaxLaneHeight);
        for (uint32_t lane = 0; lane < lanes; ++lane) {
            m_rows.push_back({RowKind::Async, m_y, section.laneHeight, index, async.firstLane + lane});
            m_y += section.laneHeight;
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
        const CounterLane& lane = m_model.counters[counter];
        section.collapsible = true;
        section.collapsed = flag(m_state.counterCollapsed, counter);
        section.laneHeight =
            section.collapsed
                ? kFoldedCounterHeight
                : std::clamp(m_arranged.heightOf({SectionRef::Kind::Counter, lane.process, TrackId::none(), lane.title})
                                 .value_or(kCounterHeight),
                             kMinCounterHeight, kMaxCounterHeight);
        m_rows.push_back({RowKind::Counter, m_y, section.laneHeight, index, counter});
        m_y += section.laneHeight;
        finishSection(section);
    }

    /// How many rows it takes; 0: its kind is switched off, or nothing is known yet.
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
    const ArrangementIndex m_arranged;
    const TrackFilter m_filter;
    size_t m_trackCount = 0;
    size_t m_passingCount = 0;
    int m_y = 0;
};

}  // namespace

LaneLayout LaneLayout::build(const Trace& trace, const TimelineModel& model, const LayoutState& state) {
    LaneLayout layout;
    Builder builder(trace, model, state, layout.m_sections, layout.m_rows);
    layout.m_height = builder.run();
    layout.m_trackCount = builder.trackCount();
    layout.m_passingCount = builder.passingCount();
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
