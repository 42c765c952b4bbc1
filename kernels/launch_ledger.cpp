// SPDX-License-Identifier: MIT
#include "kernels/launch_ledger.h"

#include <array>

namespace warpline {

namespace {
constexpr std::array kCounts = {&LaunchLedger::graphLaunches, &LaunchLedger::hostCopies,  &LaunchLedger::deviceCopies,
                                &LaunchLedger::memsets,       &LaunchLedger::allocations, &LaunchLedger::frees};
}

uint64_t LaunchLedger::kernelCount() const {
    uint64_t count = 0;
    for (const auto& [name, launches] : kernels) {
        count += launches;
    }
    return count;
}

LaunchLedger operator+(LaunchLedger a, const LaunchLedger& b) {
    for (const auto& [name, launches] : b.kernels) {
        a.kernels[name] += launches;
    }
    for (const auto count : kCounts) {
        a.*count += b.*count;
    }
    return a;
}

LaunchLedger operator-(LaunchLedger later, const LaunchLedger& earlier) {
    for (const auto& [name, launches] : earlier.kernels) {
        const auto at = later.kernels.find(name);
        if (at != later.kernels.end() && (at->second -= launches) == 0) {
            later.kernels.erase(at);
        }
    }
    for (const auto count : kCounts) {
        later.*count -= earlier.*count;
    }
    return later;
}

}  // namespace warpline
