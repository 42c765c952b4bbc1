// SPDX-License-Identifier: MIT
#pragma once
// Along flows: from a slice to what it leads to, step by step or to the end. Pure functions of a sealed trace; any
// thread.

#include <cstddef>
#include <vector>

#include "core/base/job_control.h"
#include "core/base/result.h"
#include "core/trace/trace.h"

namespace warpline {

/// So many ends of arrows, and so many launches, are looked at for one slice.
inline constexpr size_t kMaxFlowNeighbours = 4096;

/// A chain that is longer is left here.
inline constexpr size_t kMaxFlowSteps = size_t{1} << 20;

/// What a slice itself leads to (+1): device work that it launched, and where its arrows end. Or what leads to it (-1).
/// By begin, then row; each once, and never the slice itself. Cost: the limit above.
std::vector<EventRow> flowNeighbours(const Trace& trace, EventRow slice, int direction);

/// Where the chain through `from` ends (+1) or starts (-1): from neighbour to neighbour, where there are several to the
/// first by time that was not passed yet. `from` itself where it has none. Fails when cancelled.
Result<EventRow> flowEnd(const Trace& trace, EventRow from, int direction, const JobControl& job);

}  // namespace warpline
