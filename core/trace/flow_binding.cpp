// SPDX-License-Identifier: MIT
#include "core/trace/flow_binding.h"

#include <algorithm>
#include <numeric>
#include <span>
#include <tuple>

#include "core/base/stoppable.h"

namespace warpline {

namespace {

constexpr uint32_t kNone = 0xffffffffU;

/// Pairs the ends of one id and category, given by time, starts before finishes of the same time.
void pairGroup(const FlowEnds& ends, std::span<const uint32_t> group, std::vector<uint8_t>& isUsed, FlowPairs& out) {
    const auto isStart = [&ends](uint32_t i) {
        return ends.records[i].phase != FlowPhase::Finish && ends.slices[i].valid();
    };
    std::vector<uint32_t> startAfter(group.size(), kNone);
    for (size_t k = group.size(); k-- > 1;) {
        startAfter[k - 1] = isStart(group[k]) ? group[k] : startAfter[k];
    }
    uint32_t startBefore = kNone;
    for (size_t k = 0; k < group.size(); ++k) {
        const uint32_t end = group[k];
        if (ends.records[end].phase != FlowPhase::Start && ends.slices[end].valid()) {
            const uint32_t from = startBefore != kNone ? startBefore : startAfter[k];
            if (from != kNone) {
                out.pairs.push_back({from, end});
                isUsed[from] = 1;
                isUsed[end] = 1;
            }
        }
        startBefore = isStart(end) ? end : startBefore;
    }
}

}  // namespace

std::optional<FlowPairs> pairFlows(const FlowEnds& ends, const JobControl& job) {
    FlowPairs out;
    std::vector<uint32_t> order(ends.records.size());
    std::iota(order.begin(), order.end(), 0U);
    const auto group = [&ends](uint32_t i) {
        const FlowRecord& end = ends.records[i];
        return std::tuple(ends.fileOfTrack[end.track.value].value, end.id, end.idScope.value, end.category.value);
    };
    const auto place = [&](uint32_t i) { return std::tuple(group(i), ends.records[i].time, ends.records[i].phase, i); };
    if (!stableSortByKeyUnlessStopped(order, place, job)) {
        return std::nullopt;
    }
    StopPoll poll(job);
    std::vector<uint8_t> isUsed(ends.records.size(), 0);
    for (size_t first = 0; first < order.size();) {
        size_t last = first + 1;
        while (last < order.size() && group(order[last]) == group(order[first])) {
            ++last;
        }
        if (poll.stopRequested()) {
            return std::nullopt;
        }
        if (ends.records[order[first]].id) {
            pairGroup(ends, std::span(order).subspan(first, last - first), isUsed, out);
        }
        first = last;
    }
    for (uint32_t i = 0; i < ends.records.size(); ++i) {
        if (isUsed[i] == 0) {
            out.dangling.push_back(i);
        }
    }
    return out;
}

}  // namespace warpline
