// SPDX-License-Identifier: MIT
#pragma once
// What `run` prints of sample kernels: lists, timings, counts. Pure.

#include <memory>
#include <string>
#include <vector>

#include "kernels/runner.h"
#include "kernels/timing_statistics.h"

namespace warpline::cli {

std::string kernelListText(const std::vector<std::unique_ptr<SampleKernel>>& kernels);
std::string kernelListJson(const std::vector<std::unique_ptr<SampleKernel>>& kernels);

/// What one run does, from its launches; the rates need a run of kernels (or copies on the device) alone.
struct EventReport {
    TimingStatistics times;
    std::optional<uint64_t> flopsPerRun, bytesPerRun;
    std::optional<double> flopsPerSecond, bytesPerSecond;  ///< over the median
    std::vector<std::string> warnings;
};
/// REQUIRES: outcome.samplesNs is not empty.
EventReport eventReport(const ChosenKernel& chosen, const EventOptions& options, const EventOutcome& outcome);
std::string eventText(const ChosenKernel& chosen, const EventOptions& options, const EventOutcome& outcome,
                      const EventReport& report);
std::string eventJson(const ChosenKernel& chosen, const EventOptions& options, const EventOutcome& outcome,
                      const EventReport& report);

/// One line: what was launched, exactly.
std::string runJson(const ChosenKernel& chosen, const RunOptions& options, const RunOutcome& outcome);

}  // namespace warpline::cli
