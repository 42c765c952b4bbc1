// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/timeline/value_geometry.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "widgets/panels/timeline/minimap_profile.h"
#include "widgets/panels/timeline/timeline_palette.h"

namespace warpline::timeline {

namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

/// Between the points around `moment`; past the last one its value holds.
double joinedAt(const StepView& steps, TimeNs moment, size_t next) {
    const double from = steps.heldBefore(next);
    if (next == 0 || next >= steps.size()) {
        return from;
    }
    const double to = steps.at(next);
    const auto length = static_cast<double>(distanceSaturated(steps.time[next - 1], steps.time[next]));
    const auto part = static_cast<double>(distanceSaturated(steps.time[next - 1], moment));
    return length > 0 ? from + (to - from) * std::min(part / length, 1.0) : to;
}

}  // namespace

TimeNs ColumnAxis::timeAt(int x) const {
    constexpr double kLimit = 9.2233720368547e18;
    return addSaturated(begin, static_cast<DurationNs>(std::clamp(std::floor(x * nsPerPixel), -kLimit, kLimit)));
}

void addColumns(const StepView& steps, const ColumnAxis& axis, bool joined, std::vector<CounterColumn>& out) {
    size_t next = steps.firstAt(axis.timeAt(0));
    for (int x = 0; x < axis.width; ++x) {
        const TimeNs until = axis.timeAt(x + 1);
        const size_t end = steps.firstAt(until, next);
        CounterColumn column;
        column.range = steps.range(next, end);
        if (joined) {
            column.range.add(joinedAt(steps, axis.timeAt(x), next));
            column.last = joinedAt(steps, until, end);
            column.range.add(column.last);
        } else {
            // A value holds until the next point, so the one before counts too.
            column.range.add(steps.heldBefore(next));
            column.last = steps.heldBefore(end);
        }
        out.push_back(column);
        next = end;
    }
}

void addShares(const BusyPieces& pieces, const ColumnAxis& axis, std::vector<CounterColumn>& out) {
    for (const float share : busyShares(pieces, axis.begin, axis.nsPerPixel, axis.width)) {
        const auto value = static_cast<double>(share);
        out.push_back({{value, value}, value, 0});
    }
}

void scaleColumns(std::span<CounterColumn> columns, const ValueRange& scale) {
    const double extent = scale.high - scale.low;
    const auto part = [&](double value) { return extent > 0 ? (value - scale.low) / extent : 0.0; };
    for (CounterColumn& column : columns) {
        column.last = std::isnan(column.last) ? kUnknown : part(column.last);
        column.zero = part(0);
        if (!column.range.empty()) {
            column.range = {part(column.range.low), part(column.range.high)};
        }
    }
}

ColumnInk inkOf(const CounterColumn& column, ValueInk style, int y0, int y1, int hair) {
    const int bottom = y1 - 2 * hair;
    const double room = bottom - y0 - 2 * hair;
    const auto yOf = [&](double part) {
        return bottom - static_cast<int>(std::lround(std::clamp(part, 0.0, 1.0) * room));
    };
    ColumnInk ink;
    if (style == ValueInk::Solid) {
        // However little it is, it is seen.
        const int least = column.last > 0 ? hair : 0;
        ink.lineTop = std::min(yOf(column.last), bottom + hair - least);
        ink.lineEnd = column.last > 0 ? bottom + hair : ink.lineTop;
        return ink;
    }
    if (style == ValueInk::Area && !std::isnan(column.last)) {
        const int zero = yOf(column.zero);
        const int value = yOf(column.last);
        ink.fillTop = std::min(zero, value);
        ink.fillEnd = std::max(zero, value);
    }
    if (!column.range.empty()) {
        ink.lineTop = yOf(column.range.high);
        ink.lineEnd = yOf(column.range.low) + hair;
        if (style == ValueInk::Area) {
            ink.bandTop = ink.lineTop + hair;
            ink.bandEnd = ink.lineEnd;
            ink.lineEnd = ink.bandTop;
        }
    }
    return ink;
}

InkColors inkColors(const Theme& theme) {
    constexpr double kBand = 0.55;
    return {theme.counterFill.rgb(), mixed(theme.counterFill, theme.counterLine, kBand).rgb(), theme.counterLine.rgb()};
}

}  // namespace warpline::timeline
