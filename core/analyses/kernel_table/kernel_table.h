// SPDX-License-Identifier: MIT
#pragma once
// One row a kernel, copy or memset name: how often it ran, statistics of its durations, how it was launched, and how
// full it can keep the device at best.

#include <memory>
#include <span>

#include "core/analyses/analysis.h"
#include "core/base/sum.h"

namespace warpline {

/// Rows by total time, longest first. Columns: those of `kernels --json`. What differs between launches of a name, or
/// is not in the file, is unknown. Total: total_ns.
Result<AnalysisResult> computeKernelTable(const Trace& trace, const TraceFilter& filter, JobControl& job);

/// What a set of durations looks like. Median: mean of the middle two for an even count; p95: nearest rank; stddev: of
/// the population. REQUIRES: not empty. Sorts `durationsNs`.
struct DurationStatistics {
    Sum total;  ///< ns
    int64_t minNs = 0, maxNs = 0, p95Ns = 0;
    double medianNs = 0, meanNs = 0, stddevNs = 0;
};
DurationStatistics durationStatistics(std::span<int64_t> durationsNs);

namespace analyses::kernel_table {
std::unique_ptr<Analysis> make();
}

}  // namespace warpline
