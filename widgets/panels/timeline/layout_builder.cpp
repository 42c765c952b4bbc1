// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/timeline/layout_builder.h"

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
    Builder(const Trace& trace, const TimelineModel& model, const LayoutState& state, BuiltLayout& out)
        : m_trace(trace),
          m_model(model),
          m_state(state),
          m_out(out),
          m_sections(out.sections),
          m_rows(out.rows),
          m_arranged(state.arrangement),
          m_filter(state.filter) {}

    void run() {
        addPinned();
        for (const ProcessId id : orderedProcesses(m_trace, m_model, m_arranged)) {
            addProcess(id);
        }
        m_out.height = m_y;
    }

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

    void addPinned() {
        std::unordered_map<ProcessId, std::string> headings;
        for (const SectionRef& ref : m_state.arrangement.pinned) {
            const std::optional<TrackItem> item = itemOf(m_trace, m_model, ref);
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
            ++m_out.trackCount;
            const bool isPinned = m_arranged.isPinned(item.ref);
            if (isPinned && filter.empty()) {
                ++m_out.passingCount;
                continue;
            }
            std::string title = itemTitle(m_trace, m_model, item);
            if (!filter.passes({}, title)) {
                continue;
            }
            ++m_out.passingCount;
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

    /// A section whose rows are alike; while it is folded, the first of them alone is there.
    template <class RowOf>
    void addRows(Section section, std::string title, bool indented, uint32_t count, int height, RowOf rowOf) {
        const auto index = static_cast<uint32_t>(m_sections.size());
        section.title = std::move(title);
        section.y = m_y;
        section.indented = indented;
        for (uint32_t i = 0; i < (section.collapsed ? 1 : count); ++i) {
            LayoutRow row = rowOf(i);
            row.y = m_y;
            row.height = height;
            row.section = index;
            m_rows.push_back(row);
            m_y += height;
        }
        finishSection(section);
    }

    int heightOf(SectionRef::Kind kind, ProcessId process, const std::string& title, int usual, int least,
                 int most) const {
        const std::optional<int> wanted = m_arranged.heightOf({kind, process, TrackId::none(), title});
        return std::clamp(wanted.value_or(usual), least, most);
    }

    void addAsync(uint32_t group, std::string title, bool indented) {
        const AsyncGroup& async = m_model.asyncGroups[group];
        Section section;
        section.kind = SectionKind::Async;
        section.process = async.process;
        section.index = group;
        section.collapsible = async.laneCount > 1;
        section.collapsed = section.collapsible && flag(m_state.asyncCollapsed, group);
        section.laneHeight =
            heightOf(SectionRef::Kind::Async, async.process, async.title, kLaneHeight, kMinLaneHeight, kMaxLaneHeight);
        addRows(section, std::move(title), indented, async.laneCount, section.laneHeight,
                [&](uint32_t lane) { return rowOf(RowKind::Async, async.firstLane + lane); });
    }

    void addCounter(uint32_t counter, std::string title, bool indented) {
        const CounterLane& lane = m_model.counters[counter];
        Section section;
        section.kind = SectionKind::Counter;
        section.process = lane.process;
        section.index = counter;
        section.collapsible = true;
        section.collapsed = flag(m_state.counterCollapsed, counter);
        section.laneHeight = section.collapsed ? kFoldedCounterHeight
                                               : heightOf(SectionRef::Kind::Counter, lane.process, lane.title,
                                                          kCounterHeight, kMinCounterHeight, kMaxCounterHeight);
        addRows(section, std::move(title), indented, 1, section.laneHeight,
                [&](uint32_t) { return rowOf(RowKind::Counter, counter); });
    }

    /// How many rows it takes; 0: its kind is switched off, or nothing is known yet.
    uint32_t derivedLanes(uint32_t row) const {
        return row < m_state.derivedLanes.size() ? m_state.derivedLanes[row] : 0;
    }

    void addDerived(uint32_t row, std::string title, bool indented) {
        if (derivedLanes(row) == 0) {
            return;
        }
        Section section;
        section.kind = SectionKind::Derived;
        section.process = m_model.derived[row].process;
        section.index = row;
        section.collapsible = derivedLanes(row) > 1;
        section.collapsed = section.collapsible && flag(m_state.derivedCollapsed, row);
        const bool isProjection = m_model.derived[row].kind == DerivedKind::Annotations;
        addRows(section, std::move(title), indented, derivedLanes(row), kDerivedHeight,
                [&](uint32_t lane) { return rowOf(isProjection ? RowKind::Projection : RowKind::Series, row, lane); });
    }

    static LayoutRow rowOf(RowKind kind, uint32_t index, uint32_t lane = 0) {
        LayoutRow row;
        row.kind = kind;
        row.index = index;
        row.lane = lane;
        return row;
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
    BuiltLayout& m_out;
    std::vector<Section>& m_sections;
    std::vector<LayoutRow>& m_rows;
    const ArrangementIndex m_arranged;
    const TrackFilter m_filter;
    int m_y = 0;
};

}  // namespace

BuiltLayout buildLayout(const Trace& trace, const TimelineModel& model, const LayoutState& state) {
    BuiltLayout out;
    Builder(trace, model, state, out).run();
    return out;
}

}  // namespace warpline::timeline
