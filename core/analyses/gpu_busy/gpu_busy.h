// SPDX-License-Identifier: MIT
#pragma once
// How busy each device was: the union of its kernels, copies and memsets against the span they cover.

#include <memory>
#include <vector>

#include "core/analyses/analysis.h"
#include "core/base/sum.h"

namespace warpline {

/// A process that holds device work; in a profiler's trace that is one GPU.
struct GpuBusy {
    ProcessId process;
    Sum device;             ///< ns; sum of durations, more than the span where work overlaps
    DurationNs busyNs = 0;  ///< union of the intervals
    DurationNs spanNs = 0;  ///< first start to last end
    uint64_t count = 0;
    std::optional<double> busyRatio() const {
        return spanNs > 0 ? std::optional(static_cast<double>(busyNs) / static_cast<double>(spanNs)) : std::nullopt;
    }
};

/// In the order of Trace::processes(). Fails only when cancelled or on a bad filter.
Result<std::vector<GpuBusy>> computeGpuBusy(const Trace& trace, const TraceFilter& filter, JobControl& job);

namespace analyses::gpu_busy {
std::unique_ptr<Analysis> make();
}

}  // namespace warpline
