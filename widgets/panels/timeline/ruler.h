// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Where the time ruler has its ticks, and what stands at them. Steps are 1, 2 or 5 times a power of ten nanoseconds;
// times are counted from the trace's start; where that takes too many digits, from a round time near the view.

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "widgets/panels/timeline/time_axis.h"

namespace warpline::timeline {

struct RulerTick {
    TimeNs time = 0;
    int x = 0;
    bool major = false;
    std::string label;  ///< of a major tick, where it fits between the edges as a whole
};

struct RulerTicks {
    DurationNs stepNs = 0;     ///< between labels
    DurationNs largestNs = 0;  ///< of the view, from the origin: decides the unit
    std::string baseLabel;     ///< the time that labels ("+20 ns") count from; empty: the origin
    std::vector<RulerTick> ticks;
};

/// A time since the trace's start, with the decimals that `stepNs` (a power of ten, or 2 or 5 of it) needs, in the unit
/// that fits `largestNs`: "69.55 ms". Exact at any length.
std::string rulerLabel(DurationNs since, DurationNs stepNs, DurationNs largestNs);

/// The time of day, in UTC, with the decimals that `stepNs` needs: "07:57:06.12". `ofDayNs` counts from a midnight.
std::string timeOfDayLabel(int64_t ofDayNs, DurationNs stepNs);

/// From a tick to its label, in pixels.
constexpr int kRulerLabelInset = 4;

/// Width of a label in pixels.
using LabelWidth = std::function<int(std::string_view)>;

/// What labels count from.
struct RulerOrigin {
    TimeNs time = 0;          ///< of the trace: its start, or a midnight
    bool isMidnight = false;  ///< labels are times of day
};

/// The ticks of `width` pixels, left to right. Labels keep at least `gap` pixels between them.
RulerTicks computeRulerTicks(const TimeAxis& axis, int width, RulerOrigin origin, const LabelWidth& labelWidth,
                             int gap = 24);

/// A stretch of the ruler, in pixels.
struct RulerSpan {
    int x = 0;
    int width = 0;
    bool touches(const RulerSpan& other) const { return x < other.x + other.width && other.x < x + width; }
    bool operator==(const RulerSpan&) const = default;
};

/// Where the labels of ticks stand, left to right.
std::vector<RulerSpan> labelSpans(const RulerTicks& ticks, const LabelWidth& labelWidth);

/// Where something of `width` goes that belongs in the middle of [least, most): as near to it as it covers no label;
/// where there is no such place, right there, and the labels that it would cut have to go.
RulerSpan placeAmongLabels(const std::vector<RulerSpan>& labels, int width, int least, int most);

}  // namespace warpline::timeline
