// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Highlighted slices sorted by lane, each lane with its own level of detail, so that drawing them costs pixels and not
// instances. Built when the highlight changes.

#include <span>
#include <unordered_map>
#include <vector>

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
    static HighlightIndex build(const Trace& trace, std::span<const EventRow> events);
    bool empty() const { return m_lanes.empty(); }
    /// Null if nothing of the lane is highlighted.
    const HighlightLane* find(uint32_t lane) const;

private:
    std::unordered_map<uint32_t, HighlightLane> m_lanes;
};

}  // namespace warpline::timeline
