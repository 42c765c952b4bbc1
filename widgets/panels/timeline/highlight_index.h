// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Highlighted slices sorted by lane, each lane with its own level of detail, so that drawing them costs pixels and not
// instances. Built when the highlight changes; where it is large, on a thread.

#include <span>
#include <unordered_map>
#include <vector>

#include "core/base/job_control.h"
#include "core/trace/lod_pyramid.h"
#include "core/trace/trace.h"

namespace warpline::timeline {

struct HighlightLane {
    std::vector<uint32_t> row;  ///< ascending
    std::vector<TimeNs> begin;
    std::vector<DurationNs> duration;
    LodPyramid lod;
};

class HighlightIndex {
public:
    HighlightIndex() = default;
    /// Stops early, and is then of no use, once `job` is stopped.
    static HighlightIndex build(const Trace& trace, std::span<const EventRow> events, const JobControl* job = nullptr);
    bool empty() const { return m_lanes.empty(); }
    /// Null if nothing of the lane is highlighted.
    const HighlightLane* find(uint32_t lane) const;

private:
    std::unordered_map<uint32_t, HighlightLane> m_lanes;
};

}  // namespace warpline::timeline
