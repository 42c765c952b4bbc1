// SPDX-License-Identifier: MIT
#include "core/trace/device_work.h"

namespace warpline {

std::optional<DurationNs> launchDelayNs(const Trace& trace, EventRow deviceWork) {
    const EventRow launch = trace.launchOf(deviceWork);
    const auto& begin = trace.slices().begin;
    return launch ? std::optional(begin[deviceWork.value] - begin[launch.value]) : std::nullopt;
}

std::optional<double> copyBytesPerSecond(const Trace& trace, const CopyFacts& copy) {
    constexpr double kNsPerSecond = 1e9;
    const DurationNs duration = trace.slices().knownDuration(copy.row.value);
    if (copy.bytes < 0 || duration <= 0) {
        return std::nullopt;
    }
    return static_cast<double>(copy.bytes) * kNsPerSecond / static_cast<double>(duration);
}

}  // namespace warpline
