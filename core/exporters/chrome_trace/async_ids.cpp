// SPDX-License-Identifier: MIT
#include "core/exporters/chrome_trace/async_ids.h"

#include <algorithm>
#include <limits>
#include <tuple>
#include <utility>

#include "core/base/stoppable.h"

namespace warpline::exporters {

std::optional<std::vector<uint32_t>> furtherAsyncIds(const Trace& trace, FileId file, const JobControl& job) {
    const auto slices = trace.asyncSlices();
    std::vector<uint32_t> numbers(slices.size(), 0);
    std::vector<uint32_t> order;
    for (uint32_t i = 0; i < slices.size(); ++i) {
        if (trace.fileOf(slices[i].track) == file) {
            order.push_back(i);
        }
    }
    const auto key = [&](uint32_t i) {
        const AsyncSlice& slice = slices[i];
        // Without an id it is the process's.
        const ProcessId scope = slice.id ? slice.idScope : trace.track(slice.track).process;
        return std::tuple(slice.category.value, slice.id, scope.value, slice.scope.value, slice.name.value);
    };
    using Place = std::pair<uint64_t, uint32_t>;
    const auto place = [&](uint32_t i) { return Place(slices[i].source.offset, i); };
    if (!stableSortByKeyUnlessStopped(
            order, [&](uint32_t i) { return std::tuple(key(i), slices[i].begin, place(i)); }, job)) {
        return std::nullopt;
    }
    struct Open {
        TimeNs end;
        Place place;
    };
    StopPoll poll(job);
    std::vector<std::vector<Open>> open;  // of each id, innermost last
    for (size_t k = 0; k < order.size(); ++k) {
        const uint32_t i = order[k];
        if (k == 0 || key(order[k - 1]) != key(i)) {
            open.clear();
        }
        const AsyncSlice& slice = slices[i];
        const TimeNs end = slice.unfinished ? std::numeric_limits<TimeNs>::max() : slice.begin + slice.duration;
        size_t number = 0;
        for (;; ++number) {
            if (poll.stopRequested()) {
                return std::nullopt;
            }
            if (number == open.size()) {
                open.emplace_back();
            }
            std::vector<Open>& others = open[number];
            const auto isOver = [&](const Open& other) {
                return other.end < slice.begin || (other.end == slice.begin && other.place < place(i));
            };
            while (!others.empty() && isOver(others.back())) {
                others.pop_back();
            }
            if (others.empty() || others.back().end >= end) {
                break;
            }
        }
        open[number].push_back({end, place(i)});
        numbers[i] = static_cast<uint32_t>(number);
    }
    return numbers;
}

}  // namespace warpline::exporters
