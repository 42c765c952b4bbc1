// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Which lanes a track has because slices overlap, and not because they nest. Pure; any thread.

#include <cstdint>
#include <vector>

#include "core/base/job_control.h"
#include "core/trace/trace.h"

namespace warpline::timeline {

/// By Trace::lanes(): some slice of it overlaps an earlier one, and lies lower than its ancestors alone would have it.
/// What nests in such a slice lies lower too, which is no overlap of its own. Cost: slices of tracks on which some
/// overlap, each lane up to the first such. What is not looked at once `job` was stopped is 0.
std::vector<char> findOverlapLanes(const Trace& trace, const JobControl* job = nullptr);
uint64_t overlapLanesCost(const Trace& trace);

}  // namespace warpline::timeline
