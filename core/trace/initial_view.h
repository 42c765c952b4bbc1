// SPDX-License-Identifier: MIT
#pragma once
// Which events are so far from all others in time that they must not stretch the first view.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "core/base/time.h"
#include "core/trace/nesting.h"

namespace warpline {

struct ViewChoice {
    TimeRange view;                  ///< what the first view covers; `end` is the last moment
    std::vector<uint32_t> outliers;  ///< indices of events outside it
};

/// All events of a trace, which are not in one place: writes those from `first` on into `out`.
struct EventIntervals {
    size_t count = 0;
    std::function<void(size_t first, std::span<Interval> out)> read;
};

/// An outlier is further from the rest than 1000 times the length of the rest, and the rest are more than half of all.
/// nullopt if there are no events or when stopped. O(n), and O(n log n) only if something looks far off.
std::optional<ViewChoice> chooseInitialView(const EventIntervals& events, const JobControl& job);

}  // namespace warpline
