// SPDX-License-Identifier: MIT
#pragma once
// Long loops and sorts that end soon after a stop is asked for.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <ranges>
#include <utility>
#include <vector>

#include "core/base/job_control.h"

namespace warpline {

/// For loops of small steps: asks the job once in a few thousand of them, some tens of microseconds apart.
class StopPoll {
public:
    explicit StopPoll(const JobControl& job) : m_job(&job) {}
    /// Null: nothing is ever stopped.
    explicit StopPoll(const JobControl* job) : m_job(job) {}
    bool stopRequested() { return (++m_steps & (kStride - 1)) == 0 && m_job != nullptr && m_job->stopRequested(); }

private:
    static constexpr uint32_t kStride = 1U << 13;
    const JobControl* m_job;
    uint32_t m_steps = 0;
};

/// Stable sort by `less`. False when stopped: the items are then good for nothing. Made for what is nearly in order, as
/// the events of a file mostly are: runs that are in order already are merged, so n items of r runs take n log r steps,
/// and walk through memory from front to back.
template <std::ranges::random_access_range Items, class Less>
bool stableSortUnlessStopped(Items&& items, Less less, const JobControl& job) {
    using Item = std::ranges::range_value_t<Items>;
    constexpr size_t kShortRun = 24;  // shorter ones are made longer by insertion
    const auto data = std::ranges::begin(items);
    const auto count = static_cast<size_t>(std::ranges::size(items));
    const auto at = [&](size_t i) -> Item& { return data[static_cast<std::ranges::range_difference_t<Items>>(i)]; };
    StopPoll poll(job);

    std::vector<size_t> ends;  // of the runs
    for (size_t first = 0; first < count;) {
        size_t last = first + 1;
        while (last < count && !less(at(last), at(last - 1))) {
            if (poll.stopRequested()) {
                return false;
            }
            ++last;
        }
        for (; last < count && last - first < kShortRun; ++last) {
            Item moved = std::move(at(last));
            size_t place = last;
            for (; place > first && less(moved, at(place - 1)); --place) {
                at(place) = std::move(at(place - 1));
                if (poll.stopRequested()) {
                    return false;
                }
            }
            at(place) = std::move(moved);
        }
        ends.push_back(last);
        first = last;
    }
    std::vector<Item> left;
    while (ends.size() > 1) {
        size_t kept = 0;
        for (size_t r = 0; r < ends.size(); r += 2) {
            const size_t first = r == 0 ? 0 : ends[r - 1];
            const size_t last = r + 1 < ends.size() ? ends[r + 1] : ends[r];
            size_t from = ends[r];  // of the right run, merged to the front of both
            // What the left run begins with and is not after the right one's first stays where it is.
            size_t to = first;
            if (from < last) {
                to = static_cast<size_t>(std::upper_bound(data + static_cast<std::ptrdiff_t>(first),
                                                          data + static_cast<std::ptrdiff_t>(from), at(from), less) -
                                         data);
                left.assign(std::make_move_iterator(data + static_cast<std::ptrdiff_t>(to)),
                            std::make_move_iterator(data + static_cast<std::ptrdiff_t>(from)));
            } else {
                left.clear();
            }
            for (size_t k = 0; k < left.size(); ++to) {
                if (poll.stopRequested()) {
                    return false;
                }
                const bool takesRight = from < last && less(at(from), left[k]);
                at(to) = std::move(takesRight ? at(from++) : left[k++]);
            }
            ends[kept++] = last;
        }
        ends.resize(kept);
    }
    return true;
}

/// The same by a key of each item.
template <std::ranges::random_access_range Items, class Key>
bool stableSortByKeyUnlessStopped(Items&& items, Key key, const JobControl& job) {
    return stableSortUnlessStopped(
        items, [&](const auto& a, const auto& b) { return key(a) < key(b); }, job);
}

}  // namespace warpline
