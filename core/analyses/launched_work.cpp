// SPDX-License-Identifier: MIT
#include "core/analyses/launched_work.h"

#include <algorithm>
#include <utility>

#include "core/base/stoppable.h"

namespace warpline {

Result<LaunchedWork> launchedWork(const Trace& trace, EventRow host, size_t maxListed, JobControl& job,
                                  uint64_t maxSlices) {
    const SliceColumns& slices = trace.slices();
    if (job.stopRequested()) {
        return Error::cancelled();
    }
    LaunchedWork out;
    std::vector<EventRow> all;
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
                all.push_back(work);
            }
        }
        // The earliest comes off the stack first.
        const auto children = trace.childrenOf(row);
        toVisit.insert(toVisit.end(), children.rbegin(), children.rend());
    }
    const size_t listed = std::min(maxListed, all.size());
    std::ranges::partial_sort(all, all.begin() + static_cast<std::ptrdiff_t>(listed), [&](EventRow a, EventRow b) {
        const auto place = [&](EventRow work) { return std::pair(-slices.summedDuration(work.value), work.value); };
        return place(a) < place(b);
    });
    all.resize(listed);
    out.longest = std::move(all);
    return out;
}

}  // namespace warpline
