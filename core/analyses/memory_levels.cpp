// SPDX-License-Identifier: MIT
#include "core/analyses/memory_levels.h"

#include <limits>
#include <map>
#include <tuple>

#include "core/base/stoppable.h"

namespace warpline {

namespace {

double levelOf(int64_t bytes) {
    return bytes >= 0 ? static_cast<double>(bytes) : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

Result<std::vector<MemoryLevels>> computeMemoryLevels(const Trace& trace, JobControl& job) {
    if (job.stopRequested()) {
        return Error::cancelled();
    }
    std::vector<MemoryLevels> out;
    std::map<std::tuple<FileId, ProcessId, int64_t, int64_t>, size_t> places;
    StopPoll poll(job);
    for (const MemoryEvent& event : trace.memoryEvents()) {
        if (poll.stopRequested()) {
            return Error::cancelled();
        }
        const ProcessId host = event.track ? trace.track(event.track).process : ProcessId::none();
        const auto [place, isNew] =
            places.try_emplace(std::tuple(event.file, host, event.rawDeviceType, event.device), out.size());
        if (isNew) {
            MemoryLevels levels;
            levels.file = event.file;
            levels.host = host;
            levels.deviceType = event.deviceType;
            levels.rawDeviceType = event.rawDeviceType;
            levels.device = event.device;
            out.push_back(std::move(levels));
        }
        MemoryLevels& levels = out[place->second];
        if (event.outOfMemory) {
            levels.outOfMemory.push_back(event.time);  // a request that failed changes no level
            continue;
        }
        levels.allocated.set(event.time, levelOf(event.totalAllocated));
        levels.reserved.set(event.time, levelOf(event.totalReserved));
    }
    return out;
}

}  // namespace warpline
