// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Which rows the timeline has and where they lie. Sections (processes, tracks, async groups, counters) have a head at
// the left; their rows hold the bars. y counts logical pixels from the top of all rows, not of the viewport. Pinned
// sections come first; a track is in one place, so while it is pinned its process does not show it. What is hidden, or
// does not pass the filter of titles, has no section.

#include <string>
#include <vector>

#include "core/trace/trace.h"
#include "widgets/panels/timeline/timeline_model.h"
#include "widgets/support/track_arrangement.h"

namespace warpline::timeline {

inline constexpr int kLaneHeight = 18;
inline constexpr int kThinLaneHeight = 4;
inline constexpr int kHeaderHeight = 22;
inline constexpr int kInstantHeight = 8;
inline constexpr int kCounterHeight = 34;
inline constexpr int kDerivedHeight = 18;
inline constexpr int kFoldedCounterHeight = 14;
inline constexpr int kMinLaneHeight = 3, kMaxLaneHeight = 60;
inline constexpr int kMinCounterHeight = 16, kMaxCounterHeight = 200;
inline constexpr int kSectionGap = 4;

enum class RowKind : uint8_t { Lane, Instants, Async, Counter, Series, Projection };
enum class SectionKind : uint8_t { Process, Track, Async, Counter, Derived };
/// Drawn as values, a column a pixel.
constexpr bool showsValues(RowKind kind) {
    return kind == RowKind::Counter || kind == RowKind::Series;
}
/// Its bars are slices of the trace.
constexpr bool showsSlices(RowKind kind) {
    return kind == RowKind::Lane || kind == RowKind::Projection;
}

struct LayoutRow {
    RowKind kind = RowKind::Lane;
    int y = 0;
    int height = 0;
    uint32_t section = 0;
    uint32_t index = 0;  ///< Lane: in Trace::lanes(); Instants: track; Async: asyncLanes; Counter: counters;
                         ///< Series and Projection: in TimelineModel::derived
    uint32_t lane = 0;   ///< of a Projection
};

struct Section {
    SectionKind kind = SectionKind::Track;
    ProcessId process;
    TrackId track;       ///< of a Track
    uint32_t index = 0;  ///< of an Async group, a Counter or a Derived row, in the model
    std::string title;
    int y = 0;
    int height = 0;   ///< a Process: its header only
    int endY = 0;     ///< a Process: where its last section ends
    int header = -1;  ///< the Process section above that it belongs to; -1 if it stands alone
    bool indented = false;
    bool pinned = false;
    bool collapsible = false;
    bool collapsed = false;
    bool canCompact = false;
    bool compact = false;
    int laneHeight = 0;     ///< of a row of it, logical pixels; 0: it has none that can be set
    uint32_t overlaps = 0;  ///< of a Track: slices that overlap without nesting
};

/// A section, whatever its place in the layout.
struct SectionKey {
    SectionKind kind = SectionKind::Track;
    uint32_t id = 0;  ///< process, track, or index in the model
    bool operator==(const SectionKey&) const = default;
};
SectionKey keyOf(const Section& section);
/// The same by what it is, for the session.
SectionRef refOf(const Section& section, const TimelineModel& model);

/// How one track is shown. Compact: interpreter frames are thin strips, and all fits in the budget where it can.
struct TrackMode {
    bool collapsed = false;
    bool compact = false;
};

/// What the user can change about the layout.
struct LayoutState {
    std::vector<char> processCollapsed;  ///< by ProcessId
    std::vector<TrackMode> tracks;       ///< by TrackId
    std::vector<char> asyncCollapsed;    ///< by group
    std::vector<uint32_t> derivedLanes;  ///< rows that each of TimelineModel::derived takes; 0: it is not shown
    std::vector<char> derivedCollapsed;  ///< the same
    std::vector<char> counterCollapsed;  ///< by counter in the model
    int compactBudget = 160;             ///< height that a compact track aims at
    TrackArrangement arrangement;        ///< the session's
    std::string filter;                  ///< words that titles must have, see TrackFilter
};

class LaneLayout {
public:
    LaneLayout() = default;
    static LaneLayout build(const Trace& trace, const TimelineModel& model, const LayoutState& state);

    const std::vector<Section>& sections() const { return m_sections; }  ///< top to bottom
    const std::vector<LayoutRow>& rows() const { return m_rows; }        ///< top to bottom, without overlap
    int height() const { return m_height; }
    /// Tracks, groups of async work and counters that are not hidden, folded ones too; and those that pass the filter.
    size_t trackCount() const { return m_trackCount; }
    size_t passingCount() const { return m_passingCount; }
    /// Where the last of the pinned sections ends that fit into `budget` logical pixels together; 0 without any.
    int pinnedHeight(int budget) const;

    /// Index of the row or section at y; -1 between rows and outside.
    int rowAt(int y) const;
    int sectionAt(int y) const;
    /// First row that reaches below y.
    size_t firstRowBelow(int y) const;
    /// The row that shows a lane; -1 if it is collapsed away.
    int rowOfLane(uint32_t lane) const;
    /// Rows of what is no lane; -1 if it is folded away. Cost: a look at each row, so once a change and not a frame.
    int rowOfAsyncLane(uint32_t lane) const;
    int rowOfInstants(TrackId track) const;
    int rowOfCounter(uint32_t counter) const;
    /// In sections(); -1 if it is folded away.
    int find(const SectionKey& key) const;
    /// First section that reaches below y.
    size_t firstSectionBelow(int y) const;
    /// The section of a track or, where its process is collapsed, of the process; -1 if there is none.
    int sectionOfTrack(TrackId track) const;
    /// The process header that lies at or above y; -1 if none does.
    int processHeaderAbove(int y) const;

private:
    std::vector<Section> m_sections;
    std::vector<LayoutRow> m_rows;
    std::vector<int> m_rowOfLane;
    std::vector<int> m_sectionOfTrack;
    int m_height = 0;
    size_t m_trackCount = 0;
    size_t m_passingCount = 0;
};

/// The state a trace is opened with: all is open, and if that is higher than `viewportHeight`, deep tracks are compact
/// so that what lies below them (GPU streams) is seen without scrolling.
LayoutState initialLayoutState(const Trace& trace, const TimelineModel& model, int viewportHeight);

}  // namespace warpline::timeline
