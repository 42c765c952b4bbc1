// SPDX-License-Identifier: MIT
#pragma once
// What a slice of the host put on the device, itself or by the calls inside of it. Pure; any thread.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/job_control.h"
#include "core/base/result.h"
#include "core/base/sum.h"
#include "core/trace/trace.h"

namespace warpline {

struct LaunchedWork {
    std::vector<EventRow> longest;  ///< kernels, copies and memsets, longest first, as many as were asked for
    uint64_t count = 0;             ///< of all
    uint64_t kernels = 0;           ///< among them
    Sum total;                      ///< ns: their durations, added up even where they ran at the same time
    uint64_t calls = 0;             ///< API calls that were looked at
    bool isComplete = true;         ///< else the walk ended early: there may be more of everything
};

inline constexpr uint64_t kLaunchedWorkSlices = 1'000'000;

/// Walks the slices inside of `host`, `maxSlices` of them at most. Known are the calls whose correlation id is that of
/// device work in the trace. Fails only when cancelled.
Result<LaunchedWork> launchedWork(const Trace& trace, EventRow host, size_t maxListed, JobControl& job,
                                  uint64_t maxSlices = kLaunchedWorkSlices);

}  // namespace warpline
