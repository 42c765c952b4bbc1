// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/timeline/ruler.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <limits>
#include <optional>
#include <utility>

#include "core/base/units.h"

namespace warpline::timeline {

namespace {

/// The largest power of ten that is not above `value`, which is at least 1.
DurationNs powerOf(DurationNs value) {
    DurationNs power = 1;
    while (power <= value / 10) {
        power *= 10;
    }
    return power;
}

/// The next of 1, 2, 5, 10, 20, … that follows `step`; `step` itself at the end of 64 bits.
DurationNs nextStep(DurationNs step) {
    const DurationNs power = powerOf(step);
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

/// With that many digits a label is rather an offset: "+20 ns" instead of "10.40402 ms".
constexpr uint64_t kCountFromBase = 100'000;

/// Times of day with more decimals than milliseconds are too long to read.
constexpr DurationNs kLeastTimeOfDayStep = 1'000'000;

struct Scale {
    TimeNs baseNs = 0;  ///< from the origin, for offsets
    DurationNs largestNs = 0;
    DurationNs stepNs = 1;
    bool isOffset = false;
    bool isTimeOfDay = false;

    std::string label(TimeNs at) const {
        return isOffset      ? "+" + rulerLabel(distanceSaturated(baseNs, at), stepNs, largestNs)
               : isTimeOfDay ? timeOfDayLabel(at, stepNs)
                             : rulerLabel(at, stepNs, largestNs);
    }
};

/// How wide labels are depends on the step's decimals, so the step grows until they fit.
Scale scaleFor(const TimeAxis& axis, TimeNs first, TimeNs last, std::optional<TimeNs> base, DurationNs largest,
               bool isTimeOfDay, const LabelWidth& labelWidth, int gap) {
    Scale scale{base.value_or(0), largest, stepAtLeast(axis.nsPerPixel * 60), base.has_value(), isTimeOfDay};
    for (;;) {
        const int widest = std::max(labelWidth(scale.label(floorTo(first, scale.stepNs))),
                                    labelWidth(scale.label(floorTo(last, scale.stepNs))));
        const DurationNs next = nextStep(scale.stepNs);
        if (static_cast<double>(scale.stepNs) / axis.nsPerPixel >= widest + gap || next == scale.stepNs) {
            return scale;
        }
        scale.stepNs = next;
    }
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

std::string timeOfDayLabel(int64_t ofDayNs, DurationNs stepNs) {
    constexpr int64_t kSecond = 1'000'000'000;
    constexpr int64_t kDay = 86'400 * kSecond;
    const int64_t ns = ((ofDayNs % kDay) + kDay) % kDay;
    const auto twoDigits = [](int64_t value) { return (value < 10 ? "0" : "") + std::to_string(value); };
    const int64_t seconds = ns / kSecond;
    std::string label = twoDigits(seconds / 3600) + ":" + twoDigits(seconds / 60 % 60) + ":" + twoDigits(seconds % 60);
    size_t decimals = 9;
    for (DurationNs power = stepNs; power >= 10 && decimals > 0; power /= 10) {
        --decimals;
    }
    if (decimals > 0) {
        std::string fraction = std::to_string(ns % kSecond);
        fraction.insert(0, 9 - fraction.size(), '0');
        label += "." + fraction.substr(0, decimals);
    }
    return label;
}

RulerTicks computeRulerTicks(const TimeAxis& axis, int width, RulerOrigin origin, const LabelWidth& labelWidth,
                             int gap) {
    RulerTicks result;
    if (width <= 0) {
        return result;
    }
    const TimeRange view = visibleRange(axis, width);
    const DurationNs first = distanceSaturated(origin.time, view.begin);
    const DurationNs last = distanceSaturated(origin.time, view.end);
    result.largestNs = magnitudeOf(first) > magnitudeOf(last) ? first : last;
    Scale scale = scaleFor(axis, first, last, std::nullopt, result.largestNs, origin.isMidnight, labelWidth, gap);
    const bool isLong =
        origin.isMidnight
            ? scale.stepNs < kLeastTimeOfDayStep
            : magnitudeOf(result.largestNs) / static_cast<uint64_t>(powerOf(scale.stepNs)) >= kCountFromBase;
    if (isLong) {
        // A base as round as the view is long, so that it stays while one pans a little.
        DurationNs round = powerOf(std::max<DurationNs>(distanceSaturated(first, last), 1));
        do {
            round *= 10;
            const TimeNs base = floorTo(first, round);
            scale = scaleFor(axis, first, last, base, distanceSaturated(base, last), false, labelWidth, gap);
            result.baseLabel =
                origin.isMidnight ? timeOfDayLabel(base, round) : rulerLabel(base, round, result.largestNs);
        } while (scale.stepNs > round && round < std::numeric_limits<DurationNs>::max() / 100);
    }
    const DurationNs step = scale.stepNs;
    result.stepNs = step;
    const DurationNs lead = step / powerOf(step);
    DurationNs minor = step / (lead == 2 ? 4 : 5);
    if (minor * (lead == 2 ? 4 : 5) != step || static_cast<double>(minor) / axis.nsPerPixel < 5) {
        minor = step;
    }
    for (DurationNs at = floorTo(first, minor); at <= last; at += minor) {
        RulerTick tick;
        tick.time = addSaturated(origin.time, at);
        tick.x = static_cast<int>(std::floor(timeToX(axis, tick.time)));
        if (at % step == 0) {
            tick.major = true;
            std::string label = scale.label(at);
            const int left = tick.x + kRulerLabelInset;
            if (left >= 0 && left + labelWidth(label) <= width) {
                tick.label = std::move(label);
            }
        }
        result.ticks.push_back(std::move(tick));
        if (at > std::numeric_limits<DurationNs>::max() - minor) {
            break;
        }
    }
    return result;
}

std::vector<RulerSpan> labelSpans(const RulerTicks& ticks, const LabelWidth& labelWidth) {
    std::vector<RulerSpan> spans;
    for (const RulerTick& tick : ticks.ticks) {
        if (!tick.label.empty()) {
            spans.push_back({tick.x + kRulerLabelInset, labelWidth(tick.label)});
        }
    }
    return spans;
}

RulerSpan placeAmongLabels(const std::vector<RulerSpan>& labels, int width, int least, int most) {
    constexpr int kRoom = 3;  // around it
    const int last = std::max(least, most - width);
    const int middle = std::clamp(least + (most - least - width) / 2, least, last);
    std::optional<int> best;
    const auto consider = [&](int x) {
        const RulerSpan around{x - kRoom, width + 2 * kRoom};
        const bool isFree =
            std::none_of(labels.begin(), labels.end(), [&](const RulerSpan& label) { return label.touches(around); });
        if (x >= least && x <= last && isFree && (!best || std::abs(x - middle) < std::abs(*best - middle))) {
            best = x;
        }
    };
    consider(middle);
    for (const RulerSpan& label : labels) {
        consider(label.x - kRoom - width);
        consider(label.x + label.width + kRoom);
    }
    return {best.value_or(middle), width};
}

}  // namespace warpline::timeline
