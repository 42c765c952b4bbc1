// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What the timeline derives once from a trace, beyond what the trace holds: rows of async work, counters with their
// pyramids, which rows are derived for devices, and which lanes are mostly interpreter frames. Immutable; may be built
// on any thread.

#include <memory>
#include <string>
#include <vector>

#include "core/base/ids.h"
#include "core/base/job_control.h"
#include "core/trace/lod_pyramid.h"
#include "core/trace/trace.h"
#include "widgets/panels/timeline/counter_pyramid.h"
#include "widgets/panels/timeline/derived_rows.h"

namespace warpline::timeline {

/// Async work that does not overlap; `index` counts Trace::asyncSlices(), and beyond them Trace::asyncInstants().
struct AsyncLane {
    std::vector<TimeNs> begin;
    std::vector<DurationNs> duration;
    std::vector<uint32_t> index;
    LodPyramid lod;
};

/// Async work of one process under one name (or category, where names are many).
struct AsyncGroup {
    ProcessId process;
    std::string title;
    uint32_t firstLane = 0;
    uint32_t laneCount = 0;
};

struct CounterLane {
    ProcessId process;
    uint32_t counter = 0;  ///< index into Trace::counters()
    uint32_t series = 0;
    std::string title;
    ValueRange range;  ///< of all its values
    CounterPyramid pyramid;
};

struct TimelineModel {
    std::vector<AsyncGroup> asyncGroups;  ///< by process
    std::vector<AsyncLane> asyncLanes;
    std::vector<uint32_t> asyncLaneOf;   ///< by AsyncLane::index
    std::vector<uint32_t> asyncPlaceOf;  ///< by AsyncLane::index: in the columns of that lane
    std::vector<CounterLane> counters;   ///< by process
    std::vector<DerivedRow> derived;     ///< by process
    TimeRange slices;                    ///< first begin to last end of all lanes; empty without slices
    std::vector<char> pythonLane;        ///< by Trace::lanes(): most of it is interpreter frames
    std::vector<char> overlapLane;       ///< by Trace::lanes(): see findOverlapLanes()
};

/// Cost: the async slices and counter points, sorted once, and memory events; lanes are only sampled. Null if `job` was
/// stopped.
std::shared_ptr<const TimelineModel> buildTimelineModel(const Trace& trace, const JobControl* job = nullptr);
/// What it costs, in things that are looked at.
uint64_t timelineModelCost(const Trace& trace);

}  // namespace warpline::timeline
