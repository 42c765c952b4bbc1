// SPDX-License-Identifier: MIT
#pragma once
// Long loops and sorts that end soon after a stop is asked for.

#include <algorithm>
#include <cstdint>
#include <ranges>
#include <type_traits>

#include "core/base/job_control.h"

namespace warpline {

/// For loops of small steps: asks the job once in a few thousand of them, some tens of microseconds apart.
class StopPoll {
public:
    explicit StopPoll(const JobControl& job) : m_job(job) {}
    bool stopRequested() { return (++m_steps & (kStride - 1)) == 0 && m_job.stopRequested(); }

private:
    static constexpr uint32_t kStride = 1U << 13;
    const JobControl& m_job;
    uint32_t m_steps = 0;
};

/// Stable sort by `less`. False when stopped: the items are then good for nothing. The standard sorts can only be left
/// by an exception, so the comparison throws one, which ends here.
template <std::ranges::random_access_range Items, class Less>
bool stableSortUnlessStopped(Items&& items, Less less, const JobControl& job) {
    static_assert(std::is_trivially_copyable_v<std::ranges::range_value_t<Items>>, "a sort that is left loses items");
    struct Stopped {};
    StopPoll poll(job);
    const auto askingLess = [&](const auto& a, const auto& b) {
        if (poll.stopRequested()) {
            throw Stopped();
        }
        return less(a, b);
    };
    try {
        std::ranges::stable_sort(items, askingLess);
    } catch (const Stopped&) {
        return false;
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
