// SPDX-License-Identifier: MIT
#pragma once
// Runs a sample kernel in this process: as a program to be recorded, or timed by CUDA events. Without the CUDA Toolkit
// at build time both fail with a message that says so. One at a time in a process.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/base/job_control.h"
#include "core/base/result.h"
#include "kernels/find_kernel.h"

namespace warpline {

struct GpuFacts {
    int ordinal = 0;  ///< by CUDA's count
    std::string name;
    int computeMajor = 0, computeMinor = 0;
    int smCount = 0;
    uint64_t l2Bytes = 0;
    uint64_t memoryBytes = 0;
    uint64_t freeBytes = 0;
    int driverVersion = 0;  ///< of CUDA: 13000 is 13.0
};

struct RunOptions {
    int device = 0;
    uint64_t warmUps = 10;
    uint64_t repetitions = 50;
    bool check = true;
};

struct RunOutcome {
    GpuFacts gpu;
    std::optional<KernelCheck> check;
    LaunchLedger prepared;  ///< inputs and the check
    LaunchLedger warmUp;
    LaunchLedger measured;  ///< between cudaProfilerStart and cudaProfilerStop
    LaunchLedger total;     ///< from the first to the last thing that the kernel did, giving back included
};

/// Prepares, checks, warms up, and runs the repetitions between cudaProfilerStart and cudaProfilerStop. Fails if the
/// result is wrong.
Result<RunOutcome> runToBeRecorded(const ChosenKernel& chosen, const RunOptions& options, JobControl& job);

struct EventOptions {
    int device = 0;
    uint64_t warmUps = 10;
    uint64_t samples = 100;
    bool check = true;
    bool flushL2 = true;       ///< overwrite the L2 cache before each sample
    bool graphReplay = false;  ///< a sample is the replay of a CUDA graph of many runs
};

struct EventOutcome {
    GpuFacts gpu;
    std::optional<KernelCheck> check;
    std::vector<double> samplesNs;  ///< of one run each
    uint64_t runsPerSample = 1;
    LaunchLedger oneRun;
};

Result<EventOutcome> timeWithEvents(const ChosenKernel& chosen, const EventOptions& options, JobControl& job);

}  // namespace warpline
