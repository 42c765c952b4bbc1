// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Highlighted slices sorted by lane, each lane with its own level of detail, so that drawing them costs pixels and not
// instances. Built when the highlight changes; where it is large, on a thread.

#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "core/base/job_control.h"
#include "core/trace/lod_pyramid.h"
#include "core/trace/trace.h"
#include "widgets/panels/timeline/timeline_model.h"
#include "widgets/support/highlight.h"

namespace warpline::timeline {

struct HighlightLane {
    std::vector<uint32_t> row;  ///< ascending; of async work as AsyncLane::index, by begin
    std::vector<TimeNs> begin;
    std::vector<DurationNs> duration;
    LodPyramid lod;
    bool isWhole = false;  ///< all slices of the lane: nothing is copied, its own columns serve
};

class HighlightIndex {
public:
    HighlightIndex() = default;
    /// Stops early, and is then of no use, once `job` is stopped.
    static HighlightIndex build(const Trace& trace, std::span<const EventRow> events, const JobControl* job = nullptr);
    /// With what is no slice too; async work only if `model` is there.
    static HighlightIndex build(const Trace& trace, const TimelineModel* model, const Highlight& highlight,
                                const JobControl* job = nullptr);
    bool empty() const { return m_lanes.empty() && m_asyncLanes.empty() && m_instants.empty() && m_counters.empty(); }
    /// Null if nothing of the lane is highlighted.
    const HighlightLane* find(uint32_t lane) const;
    /// For the one row of a track that is folded, by its first lane: what is highlighted in any of its lanes, the outer
    /// before the inner. Null if nothing is.
    const HighlightLane* findFolded(uint32_t firstLane) const;
    const HighlightLane* findAsync(uint32_t asyncLane) const;
    /// The first of Trace::instants() from `first` to before `last` that is highlighted. Cost: a binary search.
    std::optional<uint32_t> firstInstant(uint32_t first, uint32_t last) const;
    bool hasCounter(uint32_t counter) const;

private:
    void addSlices(const Trace& trace, std::span<const EventRow> events, const JobControl* job);
    void addPoints(const Trace& trace, const TimelineModel* model, const std::vector<HighlightPoint>& points);
    void addFolded(const Trace& trace, const Track& track, std::span<const uint32_t> rows);

    std::unordered_map<uint32_t, HighlightLane> m_lanes;
    std::unordered_map<uint32_t, HighlightLane> m_folded;  ///< of tracks that have something below their first lane
    std::unordered_map<uint32_t, HighlightLane> m_asyncLanes;
    std::vector<uint32_t> m_instants;  ///< ascending
    std::vector<uint32_t> m_counters;  ///< ascending
};

}  // namespace warpline::timeline
