// SPDX-License-Identifier: MIT
#pragma once
// Counts of what was given to the GPU, exactly: what a recording must show.

#include <cstdint>
#include <map>
#include <string>

namespace warpline {

struct LaunchLedger {
    std::map<std::string, uint64_t> kernels;  ///< executions by kernel name, those of graph nodes included
    uint64_t graphLaunches = 0;
    uint64_t hostCopies = 0;  ///< between host and device
    uint64_t deviceCopies = 0;
    uint64_t memsets = 0;
    uint64_t allocations = 0;
    uint64_t frees = 0;

    uint64_t kernelCount() const;
    bool operator==(const LaunchLedger&) const = default;
};

LaunchLedger operator+(LaunchLedger a, const LaunchLedger& b);
/// What was done since. REQUIRES: `earlier` is the same ledger at an earlier time.
LaunchLedger operator-(LaunchLedger later, const LaunchLedger& earlier);

}  // namespace warpline
