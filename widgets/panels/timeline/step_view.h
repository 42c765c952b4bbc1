// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Values over time, wherever they are stored: a counter of the file, or a series that was derived. Each holds until the
// next; NaN is a gap. A view: what it looks at outlives it. Any thread.

#include <cstdint>
#include <limits>
#include <span>

#include "core/base/time.h"
#include "widgets/panels/timeline/counter_pyramid.h"

namespace warpline::timeline {

struct StepView {
    std::span<const TimeNs> time;  ///< ascending; of several at one moment the last holds
    std::span<const double> values;
    std::span<const uint32_t> counts;  ///< instead of `values`
    const CounterPyramid* pyramid = nullptr;
    double before = std::numeric_limits<double>::quiet_NaN();  ///< what holds until the first of them

    size_t size() const { return time.size(); }
    double at(size_t i) const { return counts.empty() ? values[i] : static_cast<double>(counts[i]); }
    /// What holds when point `next` comes.
    double heldBefore(size_t next) const { return next > 0 ? at(next - 1) : before; }
    /// Over the points [first, last).
    ValueRange range(size_t first, size_t last) const {
        return counts.empty() ? pyramid->range(values, first, last) : pyramid->range(counts, first, last);
    }
    /// The first point from `from` on that is not before `moment`; size() if there is none.
    size_t firstAt(TimeNs moment, size_t from = 0) const;
    /// The first point after `moment`; the one before it, if there is one, holds there.
    size_t firstAfter(TimeNs moment) const;
    /// How long what holds at `moment` does; open ends are those of `all`.
    TimeRange stepAt(TimeNs moment, TimeRange all) const;
    /// All that holds in some part of `range`.
    ValueRange rangeWithin(TimeRange range) const;
};

}  // namespace warpline::timeline
