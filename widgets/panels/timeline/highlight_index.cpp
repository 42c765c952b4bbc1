// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/timeline/highlight_index.h"

#include <algorithm>

namespace warpline::timeline {

HighlightIndex HighlightIndex::build(const Trace& trace, std::span<const EventRow> events, const JobControl* job) {
    HighlightIndex index;
    std::vector<uint32_t> rows;
    rows.reserve(events.size());
    for (const EventRow row : events) {
        if (row.value < trace.sliceCount()) {
            rows.push_back(row.value);
        }
    }
    std::sort(rows.begin(), rows.end());
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
    const SliceColumns& slices = trace.slices();
    for (size_t i = 0; i < rows.size() && (job == nullptr || !job->stopRequested());) {
        const uint32_t lane = trace.laneOf(EventRow(rows[i]));
        const Lane& extent = trace.lanes()[lane];
        HighlightLane& out = index.m_lanes[lane];
        for (; i < rows.size() && rows[i] < extent.firstRow + extent.count; ++i) {
            out.row.push_back(rows[i]);
            out.begin.push_back(slices.begin[rows[i]]);
            out.duration.push_back(slices.duration[rows[i]]);
        }
        out.lod = LodPyramid::build(out.begin, out.duration);
    }
    return index;
}

const HighlightLane* HighlightIndex::find(uint32_t lane) const {
    const auto it = m_lanes.find(lane);
    return it == m_lanes.end() ? nullptr : &it->second;
}

}  // namespace warpline::timeline
