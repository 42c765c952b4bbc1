// SPDX-License-Identifier: MIT
#pragma once
// A figure over time that changes in steps: how many streams ran, how much memory was taken.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "core/base/event_column.h"
#include "core/base/time.h"

namespace warpline {

/// value[i] holds from time[i] to time[i + 1], the last one from there on. Times ascend, neighbours differ.
/// In a series of doubles NaN means that the value is not known there.
template <class T>
struct StepSeries {
    EventColumn<TimeNs> time;
    EventColumn<T> value;

    size_t size() const { return time.size(); }
    bool empty() const { return time.empty(); }

    /// From `from` on the value is `to`; of several at one moment the last counts. REQUIRES: `from` is not before the
    /// last time given.
    void set(TimeNs from, T to) {
        if (!empty() && time.back() == from) {
            time.resize(size() - 1);
            value.resize(time.size());
        }
        if (empty() || !isSame(value.back(), to)) {
            time.push_back(from);
            value.push_back(to);
        }
    }
    /// nullopt before the first step.
    std::optional<T> at(TimeNs moment) const {
        const auto after = static_cast<size_t>(std::upper_bound(time.begin(), time.end(), moment) - time.begin());
        return after > 0 ? std::optional(value[after - 1]) : std::nullopt;
    }

private:
    static bool isSame(T a, T b) { return a == b || (a != a && b != b); }  // NaN is like NaN
};

using CountSeries = StepSeries<uint32_t>;
using ValueSeries = StepSeries<double>;

}  // namespace warpline
