// SPDX-License-Identifier: MIT
#pragma once
// Which lanes hold what keeps a device busy: kernels, copies and memsets. Pure; any thread.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/base/stoppable.h"
#include "core/trace/trace.h"

namespace warpline {

struct StreamLanes {
    TrackId track;
    std::vector<uint32_t> lanes;  ///< indices into Trace::lanes(); each holds a piece of work at least, and maybe more
};

/// A process that holds device work; in a profiler's trace that is one GPU.
struct DeviceLanes {
    ProcessId process;
    std::vector<StreamLanes> streams;  ///< in the order of Trace::tracks()
};

/// In the order of Trace::processes(). `tracks` restricts; none: all. nullopt when stopped.
/// Cost: the kinds of all slices that come before the first work of their lane, a byte each.
std::optional<std::vector<DeviceLanes>> deviceLanes(const Trace& trace, std::span<const TrackId> tracks,
                                                    const JobControl& job);

/// The number of the device that the work of these lanes says it ran on: of the first work with facts, since work of
/// one stream is of one device. nullopt: not told.
std::optional<int64_t> deviceNumberOf(const Trace& trace, std::span<const uint32_t> lanes);

/// Calls visit(row) for each piece of work among the rows [first, last). False when stopped.
template <class Visit>
bool forEachWork(const SliceColumns& slices, uint32_t first, uint32_t last, StopPoll& poll, Visit visit) {
    for (uint32_t row = first; row < last; ++row) {
        if (poll.stopRequested()) {
            return false;
        }
        if (isDeviceWork(slices.kind[row])) {
            visit(row);
        }
    }
    return true;
}

}  // namespace warpline
