// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/timeline/time_axis.h"

#include <algorithm>
#include <cmath>

namespace warpline::timeline {

namespace {

DurationNs roundedDuration(double ns) {
    // 2^63 itself is no int64, and the largest double below it is 1024 less.
    constexpr double kLimit = 9.2233720368547e18;
    return std::llround(std::clamp(ns, -kLimit, kLimit));
}

}  // namespace

double timeToX(const TimeAxis& axis, TimeNs time) {
    return static_cast<double>(distanceSaturated(axis.begin, time)) / axis.nsPerPixel;
}

TimeNs xToTime(const TimeAxis& axis, double x) {
    return addSaturated(axis.begin, roundedDuration(x * axis.nsPerPixel));
}

TimeRange visibleRange(const TimeAxis& axis, int width) {
    const DurationNs length = roundedDuration(std::ceil(axis.nsPerPixel * std::max(width, 1)));
    return {axis.begin, addSaturated(axis.begin, std::max<DurationNs>(length, 1))};
}

TimeAxis axisFitting(TimeRange range, int width, double margin) {
    const double pixels = std::max(1.0, std::max(width, 1) * (1 - 2 * margin));
    const auto length = static_cast<double>(std::max<DurationNs>(distanceSaturated(range.begin, range.end), 1));
    TimeAxis axis;
    axis.nsPerPixel = std::max(length / pixels, kMinNsPerPixel);
    const double free = std::max(width, 1) * axis.nsPerPixel - length;
    axis.begin = addSaturated(range.begin, -roundedDuration(free / 2));
    return axis;
}

TimeAxis zoomed(const TimeAxis& axis, double anchorX, double factor) {
    TimeAxis result;
    result.nsPerPixel = std::max(axis.nsPerPixel * factor, kMinNsPerPixel);
    result.begin = addSaturated(axis.begin, roundedDuration(anchorX * (axis.nsPerPixel - result.nsPerPixel)));
    return result;
}

TimeAxis panned(const TimeAxis& axis, double pixels) {
    return {xToTime(axis, pixels), axis.nsPerPixel};
}

TimeAxis clamped(const TimeAxis& axis, TimeRange trace, int width) {
    TimeAxis result = axis;
    const int pixels = std::max(width, 1);
    const auto length = static_cast<double>(std::max<DurationNs>(distanceSaturated(trace.begin, trace.end), 1));
    const double widest = std::max(2 * length / pixels, kMinNsPerPixel);
    if (!(result.nsPerPixel <= widest)) {
        result.nsPerPixel = widest;
    }
    result.nsPerPixel = std::max(result.nsPerPixel, kMinNsPerPixel);
    const DurationNs half = roundedDuration(result.nsPerPixel * pixels / 2);
    const TimeNs first = addSaturated(trace.begin, -half);
    const TimeNs last = std::max(first, addSaturated(trace.end, -half));
    result.begin = std::clamp(result.begin, first, last);
    return result;
}

}  // namespace warpline::timeline
