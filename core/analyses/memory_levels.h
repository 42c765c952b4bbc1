// SPDX-License-Identifier: MIT
#pragma once
// How much memory was taken over time, as the allocator's own events tell it. Pure; any thread.

#include <cstdint>
#include <vector>

#include "core/analyses/step_series.h"
#include "core/base/job_control.h"
#include "core/base/result.h"
#include "core/trace/trace.h"

namespace warpline {

/// Of one allocator: what a process of the host takes on one device, or on the host itself.
struct MemoryLevels {
    FileId file;
    ProcessId host;  ///< the process that asks for memory; none: the events lie on no track
    MemoryDeviceType deviceType = MemoryDeviceType::Cpu;
    int64_t rawDeviceType = 0;  ///< the file's number
    int64_t device = -1;        ///< -1 for the host
    /// Bytes, as the events have them; NaN where an event does not say. Not known before the first step. The host's
    /// allocator reserves nothing: torch writes 0.
    ValueSeries allocated;
    ValueSeries reserved;
    std::vector<TimeNs> outOfMemory;  ///< when requests failed
};

/// Those with an event, in the order of their first ones in Trace::memoryEvents(). Fails only when cancelled.
Result<std::vector<MemoryLevels>> computeMemoryLevels(const Trace& trace, JobControl& job);

}  // namespace warpline
