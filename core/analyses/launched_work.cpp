// SPDX-License-Identifier: MIT
#include "core/analyses/launched_work.h"

#include "core/base/stoppable.h"

namespace warpline {

Result<LaunchedWork> launchedWork(const Trace& trace, EventRow host, size_t maxListed, JobControl& job,
                                  uint64_t maxSlices) {
    const SliceColumns& slices = trace.slices();
    if (job.stopRequested()) {
        return Error::cancelled();
    }
    LaunchedWork out;
    StopPoll poll(job);
    uint64_t visited = 0;
    std::vector<EventRow> toVisit = {host};
    while (!toVisit.empty()) {
        if (poll.stopRequested()) {
            return Error::cancelled();
        }
        if (visited++ == maxSlices) {
            out.isComplete = false;
            break;
        }
        const EventRow row = toVisit.back();
        toVisit.pop_back();
        if (isApiCall(slices.kind[row.value])) {
            ++out.calls;
            for (const EventRow work : trace.deviceWorkOf(row)) {
                ++out.count;
                out.kernels += slices.kind[work.value] == EventKind::Kernel ? 1 : 0;
                out.total += slices.summedDuration(work.value);
                if (out.first.size() < maxListed) {
                    out.first.push_back(work);
                }
            }
        }
        // The earliest comes off the stack first.
        const auto children = trace.childrenOf(row);
        toVisit.insert(toVisit.end(), children.rbegin(), children.rend());
    }
    return out;
}

}  // namespace warpline
