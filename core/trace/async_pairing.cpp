// SPDX-License-Identifier: MIT
#include "core/trace/async_pairing.h"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <unordered_map>

#include "core/base/stoppable.h"

namespace warpline {

std::optional<AsyncPairs> pairAsync(const std::vector<AsyncEdge>& edges, const JobControl& job) {
    AsyncPairs out;
    std::vector<uint32_t> order(edges.size());
    std::iota(order.begin(), order.end(), 0U);
    const auto group = [&edges](uint32_t i) {
        return std::tuple(edges[i].file.value, edges[i].category.value, edges[i].id, edges[i].idScope.value,
                          edges[i].scope.value);
    };
    const auto place = [&](uint32_t i) { return std::tuple(group(i), edges[i].time, edges[i].order); };
    if (!stableSortByKeyUnlessStopped(order, place, job)) {
        return std::nullopt;
    }

    std::vector<size_t> sliceOf(edges.size());  // by begin's edge
    std::vector<uint32_t> open;  // begins of the current id, innermost last; closed ones stay until they are on top
    std::unordered_map<StringId, std::vector<uint32_t>> openByName;
    const auto isOpen = [&](uint32_t begin) { return out.slices[sliceOf[begin]].end == AsyncPair::kOpen; };
    StopPoll poll(job);
    for (size_t k = 0; k < order.size(); ++k) {
        if (poll.stopRequested()) {
            return std::nullopt;
        }
        const uint32_t i = order[k];
        if (k > 0 && group(order[k - 1]) != group(i)) {
            open.clear();
            openByName.clear();
        }
        const AsyncEdge& edge = edges[i];
        if (edge.isBegin) {
            sliceOf[i] = out.slices.size();
            out.slices.push_back({i, AsyncPair::kOpen});
            open.push_back(i);
            openByName[edge.name].push_back(i);
            continue;
        }
        std::vector<uint32_t>& candidates = edge.name.empty() ? open : openByName[edge.name];
        while (!candidates.empty() && !isOpen(candidates.back())) {
            candidates.pop_back();
        }
        if (candidates.empty()) {
            out.unmatchedEnds.push_back(i);
        } else {
            out.slices[sliceOf[candidates.back()]].end = i;
            candidates.pop_back();
        }
    }
    return out;
}

}  // namespace warpline
