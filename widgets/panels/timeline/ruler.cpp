// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/timeline/ruler.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "core/base/units.h"

namespace warpline::timeline {

namespace {

/// The next of 1, 2, 5, 10, 20, … that follows `step`; `step` itself at the end of 64 bits.
DurationNs nextStep(DurationNs step) {
    DurationNs power = 1;
    while (power <= step / 10) {
        power *= 10;
    }
    const DurationNs lead = step / power;
    const DurationNs factor = lead < 2 ? 2 : lead < 5 ? 5 : 10;
    if (power > std::numeric_limits<DurationNs>::max() / factor) {
        return step;
    }
    return power * factor;
}

DurationNs stepAtLeast(double ns) {
    DurationNs step = 1;
    while (static_cast<double>(step) < ns) {
        const DurationNs next = nextStep(step);
        if (next == step) {
            break;
        }
        step = next;
    }
    return step;
}

/// The largest multiple of `step` that is not above `value`.
TimeNs floorTo(TimeNs value, DurationNs step) {
    const TimeNs rest = value % step;
    return rest < 0 ? addSaturated(value, -rest - step) : value - rest;
}

uint64_t magnitudeOf(DurationNs value) {
    return value < 0 ? 0 - static_cast<uint64_t>(value) : static_cast<uint64_t>(value);
}

}  // namespace

std::string rulerLabel(DurationNs since, DurationNs stepNs, DurationNs largestNs) {
    struct Unit {
        uint64_t ns;
        int digits;
        const char* name;
    };
    static constexpr Unit kUnits[] = {{1, 0, "ns"}, {1'000, 3, "µs"}, {1'000'000, 6, "ms"}, {1'000'000'000, 9, "s"}};
    size_t unit = 0;
    while (unit + 1 < std::size(kUnits) && magnitudeOf(largestNs) >= kUnits[unit + 1].ns) {
        ++unit;
    }
    int zeros = 0;
    for (DurationNs power = stepNs; power >= 10; power /= 10) {
        ++zeros;
    }
    const uint64_t magnitude = magnitudeOf(since);
    std::string label = since < 0 ? "-" : "";
    label += formatCount(magnitude / kUnits[unit].ns);
    const int decimals = kUnits[unit].digits - zeros;
    if (decimals > 0) {
        std::string fraction = std::to_string(magnitude % kUnits[unit].ns);
        fraction.insert(0, static_cast<size_t>(kUnits[unit].digits) - fraction.size(), '0');
        label += "." + fraction.substr(0, static_cast<size_t>(decimals));
    }
    return label + " " + kUnits[unit].name;
}

RulerTicks computeRulerTicks(const TimeAxis& axis, int width, TimeNs traceStart, const LabelWidth& labelWidth,
                             int gap) {
    RulerTicks result;
    if (width <= 0) {
        return result;
    }
    const TimeRange view = visibleRange(axis, width);
    const DurationNs first = distanceSaturated(traceStart, view.begin);
    const DurationNs last = distanceSaturated(traceStart, view.end);
    result.largestNs = magnitudeOf(first) > magnitudeOf(last) ? first : last;
    // How wide labels are depends on the step's decimals, so grow the step until they fit.
    DurationNs step = stepAtLeast(axis.nsPerPixel * 60);
    for (;;) {
        const int widest = std::max(labelWidth(rulerLabel(floorTo(first, step), step, result.largestNs)),
                                    labelWidth(rulerLabel(floorTo(last, step), step, result.largestNs)));
        const DurationNs next = nextStep(step);
        if (static_cast<double>(step) / axis.nsPerPixel >= widest + gap || next == step) {
            break;
        }
        step = next;
    }
    result.stepNs = step;
    const DurationNs lead = [&] {
        DurationNs power = 1;
        while (power <= step / 10) {
            power *= 10;
        }
        return step / power;
    }();
    DurationNs minor = step / (lead == 2 ? 4 : 5);
    if (minor * (lead == 2 ? 4 : 5) != step || static_cast<double>(minor) / axis.nsPerPixel < 5) {
        minor = step;
    }
    for (DurationNs at = floorTo(first, minor); at <= last; at += minor) {
        RulerTick tick;
        tick.time = addSaturated(traceStart, at);
        tick.x = static_cast<int>(std::floor(timeToX(axis, tick.time)));
        if (at % step == 0) {
            tick.label = rulerLabel(at, step, result.largestNs);
        }
        result.ticks.push_back(std::move(tick));
        if (at > std::numeric_limits<DurationNs>::max() - minor) {
            break;
        }
    }
    return result;
}

}  // namespace warpline::timeline
