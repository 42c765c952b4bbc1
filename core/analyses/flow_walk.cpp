// SPDX-License-Identifier: MIT
#include "core/analyses/flow_walk.h"

#include <algorithm>
#include <span>
#include <unordered_set>
#include <utility>

namespace warpline {

namespace {

template <class T>
std::span<const T> firstOf(std::span<const T> items) {
    return items.first(std::min(items.size(), kMaxFlowNeighbours));
}

}  // namespace

std::vector<EventRow> flowNeighbours(const Trace& trace, EventRow slice, int direction) {
    std::vector<EventRow> found;
    if (!slice.valid() || slice.value >= trace.sliceCount()) {
        return found;
    }
    const std::span<const FlowArrow> flows = trace.flows();
    if (direction > 0) {
        const std::span<const EventRow> work = firstOf(trace.deviceWorkOf(slice));
        found.assign(work.begin(), work.end());
        for (const uint32_t flow : firstOf(trace.flowsFrom(slice))) {
            found.push_back(flows[flow].to);
        }
    } else {
        if (const EventRow launch = trace.launchOf(slice); launch.valid()) {
            found.push_back(launch);
        }
        for (const uint32_t flow : firstOf(trace.flowsTo(slice))) {
            found.push_back(flows[flow].from);
        }
    }
    std::erase(found, slice);
    std::ranges::sort(found, {}, [&](EventRow row) { return std::pair(trace.slices().begin[row.value], row.value); });
    const auto rest = std::ranges::unique(found);
    found.erase(rest.begin(), rest.end());
    return found;
}

Result<EventRow> flowEnd(const Trace& trace, EventRow from, int direction, const JobControl& job) {
    std::unordered_set<EventRow> passed{from};
    EventRow at = from;
    for (size_t step = 0; step < kMaxFlowSteps; ++step) {
        if (job.stopRequested()) {
            return Error::cancelled();
        }
        const std::vector<EventRow> next = flowNeighbours(trace, at, direction);
        const auto unpassed = std::ranges::find_if(next, [&](EventRow row) { return !passed.contains(row); });
        if (unpassed == next.end()) {
            break;
        }
        at = *unpassed;
        passed.insert(at);
    }
    return at;
}

}  // namespace warpline
