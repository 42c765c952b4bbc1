// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/timeline/overlap_lanes.h"

#include <algorithm>

namespace warpline::timeline {

std::vector<char> findOverlapLanes(const Trace& trace, const JobControl* job) {
    std::vector<char> found(trace.lanes().size(), 0);
    const SliceColumns& slices = trace.slices();
    for (const Track& track : trace.tracks()) {
        // The outermost lane is everyone's.
        for (uint32_t depth = 1; track.overlaps > 0 && depth < track.laneCount; ++depth) {
            if (job != nullptr && job->stopRequested()) {
                return found;
            }
            const Lane& lane = trace.lanes()[track.firstLane + depth];
            for (uint32_t row = lane.firstRow; row < lane.firstRow + lane.count; ++row) {
                if ((slices.flags[row] & kSliceOverlaps) != 0 && slices.depth[row] < depth) {
                    found[track.firstLane + depth] = 1;
                    break;
                }
            }
        }
    }
    return found;
}

uint64_t overlapLanesCost(const Trace& trace) {
    uint64_t cost = 0;
    for (const Track& track : trace.tracks()) {
        cost += track.overlaps > 0 ? track.sliceCount : 0;
    }
    return cost;
}

}  // namespace warpline::timeline
