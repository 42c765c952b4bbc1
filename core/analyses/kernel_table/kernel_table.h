// SPDX-License-Identifier: MIT
#pragma once
// One row a kernel, copy or memset name, or a name and how or where from it was launched: how often it ran, statistics
// of its durations, how it was launched, and how full it can keep the device at best.

#include <memory>

#include "core/analyses/analysis.h"
#include "core/analyses/duration_statistics.h"

namespace warpline {

enum class KernelGrouping : uint8_t {
    Name,
    Shape,       ///< and grid, block, registers and shared memory
    Stack,       ///< and what the launch was called from (see HostStacks)
    Annotation,  ///< and the innermost annotation around the launch on its thread
};

/// Rows by total time, longest first. Columns: those of `kernels --json`, and "launch_shape", "stack" or "annotation"
/// where grouped so; the latter two are unknown where neither the launch nor its operator is in the file, "[]" and ""
/// where nothing is around it. What differs between launches of a row varies, what is not in the file for one of them
/// is unknown. Total: total_ns.
Result<AnalysisResult> computeKernelTable(const Trace& trace, const TraceFilter& filter, JobControl& job,
                                          KernelGrouping groupBy = KernelGrouping::Name);

namespace analyses::kernel_table {
std::unique_ptr<Analysis> make();
}

}  // namespace warpline
