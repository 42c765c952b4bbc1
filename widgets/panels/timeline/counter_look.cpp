// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/timeline/counter_look.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>
#include <cctype>
#include <cmath>

#include "core/base/units.h"

namespace warpline::timeline {

namespace {

/// The context of what is translated here.
struct Text {
    Q_DECLARE_TR_FUNCTIONS(CounterLook)
};

constexpr std::array<const char*, kValueStyles.size()> kStyleWords = {"area", "line", "steps", "states"};
constexpr std::array<const char*, kValueScales.size()> kScaleWords = {"own", "zero", "shared", "view"};

struct Reason {
    uint64_t bit;
    const char* name;
    bool isCalm;
};

/// nvml.h: nvmlClocksThrottleReason…
constexpr Reason kReasons[] = {
    {0x1, "idle", true},
    {0x2, "application clocks", true},
    {0x4, "software power cap", false},
    {0x8, "hardware slowdown", false},
    {0x10, "sync boost", true},
    {0x20, "software thermal", false},
    {0x40, "hardware thermal", false},
    {0x80, "hardware power brake", false},
    {0x100, "display clocks", true},
};

const Counter& counterOf(const Trace& trace, const CounterLane& lane) {
    return trace.counters()[lane.counter];
}

std::string lowered(std::string_view text) {
    std::string out(text);
    std::transform(out.begin(), out.end(), out.begin(), [](unsigned char c) { return std::tolower(c); });
    return out;
}

/// What stands in brackets at the end, or behind the last of "_. " where that is a known unit; "" if there is none.
std::string unitWord(std::string_view name) {
    constexpr size_t kLongest = 8;
    while (!name.empty() && name.back() == ' ') {
        name.remove_suffix(1);
    }
    if (name.ends_with(')') || name.ends_with(']')) {
        const size_t open = name.find_last_of(name.back() == ')' ? '(' : '[');
        if (open != std::string_view::npos && open > 0 && name.size() - open - 2 <= kLongest) {
            return std::string(name.substr(open + 1, name.size() - open - 2));
        }
        return {};
    }
    const std::string last(name.substr(name.find_last_of("_. ") + 1));
    constexpr std::string_view kKnown[] = {"bytes", "mhz",  "ghz", "kib",     "mib", "gib", "kb",    "mb", "gb",
                                           "gb/s",  "mb/s", "b/s", "bytes/s", "w",   "mw",  "watts", "%",  "percent"};
    return std::find(std::begin(kKnown), std::end(kKnown), lowered(last)) != std::end(kKnown) ? last : std::string();
}

ValueUnit unitOfWord(const std::string& word) {
    const std::string low = lowered(word);
    if (low == "b" || low == "byte" || low == "bytes") {
        return {ValueUnit::Kind::Bytes, {}};
    }
    if (low == "b/s" || low == "bytes/s" || low == "byte/s") {
        return {ValueUnit::Kind::BytesPerSecond, {}};
    }
    return {ValueUnit::Kind::Plain, low == "percent" ? "%" : low == "watts" ? "W" : word};
}

QString utf8(const std::string& text) {
    return QString::fromStdString(text);
}

}  // namespace

CounterLook lookAtFirst(const Trace& trace, const CounterLane& lane) {
    return {isThrottleReasons(trace.string(counterOf(trace, lane).name)) ? ValueStyle::States : ValueStyle::Area, {}};
}

QString lookName(const Trace& trace, const CounterLane& lane) {
    const Counter& counter = counterOf(trace, lane);
    return utf8(std::string(trace.string(counter.name)) + " · " +
                std::string(trace.string(counter.series[lane.series].name)));
}

QString textOf(const CounterLook& look) {
    return QString::fromLatin1(kStyleWords[static_cast<size_t>(look.style)]) + QLatin1Char(',') +
           QString::fromLatin1(kScaleWords[static_cast<size_t>(look.scale)]);
}

CounterLook lookFrom(const QString& text, const CounterLook& fallback) {
    const QStringList words = text.split(QLatin1Char(','));
    const auto indexIn = [](const auto& list, const QString& word) {
        return static_cast<size_t>(
            std::find_if(list.begin(), list.end(), [&](const char* known) { return word == QLatin1String(known); }) -
            list.begin());
    };
    if (words.size() != 2) {
        return fallback;
    }
    const size_t style = indexIn(kStyleWords, words[0]);
    const size_t scale = indexIn(kScaleWords, words[1]);
    return style < kValueStyles.size() && scale < kValueScales.size()
               ? CounterLook{kValueStyles[style], kValueScales[scale]}
               : fallback;
}

QString titleOf(ValueStyle style) {
    switch (style) {
        case ValueStyle::Area:
            return Text::tr("Area");
        case ValueStyle::Line:
            return Text::tr("Line from point to point");
        case ValueStyle::Steps:
            return Text::tr("Steps");
        case ValueStyle::States:
            return Text::tr("States");
    }
    return {};
}

QString titleOf(ValueScale scale) {
    switch (scale) {
        case ValueScale::Own:
            return Text::tr("Its lowest to highest value");
        case ValueScale::FromZero:
            return Text::tr("From zero");
        case ValueScale::Shared:
            return Text::tr("Shared by counters of the name");
        case ValueScale::InView:
            return Text::tr("What is in view");
    }
    return {};
}

StepView stepsOf(const Trace& trace, const CounterLane& lane) {
    const CounterSeries& series = counterOf(trace, lane).series[lane.series];
    StepView view;
    view.time = series.time;
    view.values = series.value;
    view.pyramid = &lane.pyramid;
    return view;
}

ValueRange scaleOf(const Trace& trace, const TimelineModel& model, uint32_t counter, ValueScale scale,
                   TimeRange shown) {
    const CounterLane& lane = model.counters[counter];
    ValueRange range = lane.range;
    switch (scale) {
        case ValueScale::Own:
            break;
        case ValueScale::FromZero:
            if (!range.empty()) {
                range.add(0);
            }
            break;
        case ValueScale::Shared:
            for (const CounterLane& other : model.counters) {
                if (other.process == lane.process && counterOf(trace, other).name == counterOf(trace, lane).name) {
                    range.add(other.range);
                }
            }
            break;
        case ValueScale::InView:
            range = stepsOf(trace, lane).rangeWithin(shown);
            break;
    }
    if (range.low == range.high) {
        range.add(0);  // a level line has a height by its distance from nothing
    }
    if (range.low == range.high) {
        range.add(1);
    }
    return range;
}

ValueUnit unitOf(std::string_view counter, std::string_view series) {
    const std::string ofSeries = unitWord(series);
    const std::string word = ofSeries.empty() ? unitWord(counter) : ofSeries;
    return word.empty() ? ValueUnit{} : unitOfWord(word);
}

ValueUnit unitOf(const Trace& trace, const CounterLane& lane) {
    const Counter& counter = counterOf(trace, lane);
    return unitOf(trace.string(counter.name), trace.string(counter.series[lane.series].name));
}

ValueUnit unitOf(DerivedKind kind) {
    switch (kind) {
        case DerivedKind::Busy:
            return {ValueUnit::Kind::Share, {}};
        case DerivedKind::Streams:
            return {ValueUnit::Kind::Count, "stream"};
        case DerivedKind::Queue:
            return {ValueUnit::Kind::Count, "launch"};
        case DerivedKind::Copies:
            return {ValueUnit::Kind::BytesPerSecond, {}};
        case DerivedKind::Memory:
            return {ValueUnit::Kind::Bytes, {}};
        case DerivedKind::Annotations:
            break;
    }
    return {};
}

QString valueText(double value, const ValueUnit& unit) {
    if (!std::isfinite(value)) {
        return QStringLiteral("n/a");
    }
    switch (unit.kind) {
        case ValueUnit::Kind::Bytes:
            return utf8(formatBytes(value));
        case ValueUnit::Kind::BytesPerSecond:
            return utf8(formatRate(value, "B/s"));
        case ValueUnit::Kind::Share:
            return QString::number(std::round(value * 1000) / 10, 'g', 4) + QStringLiteral(" %");
        case ValueUnit::Kind::Count:
            return utf8(formatCount(static_cast<uint64_t>(std::max(value, 0.0))));
        case ValueUnit::Kind::Plain:
            break;
    }
    constexpr double kLong = 1e5;
    constexpr double kWhole = 1e15;
    const bool isWhole = value == std::floor(value) && std::abs(value) < kWhole;
    QString text;
    if (isWhole && std::abs(value) >= kLong && unit.suffix.empty()) {
        text = utf8(formatRate(value, {})).trimmed();
    } else {
        text = QString::number(value, 'g', isWhole ? 15 : 4);
    }
    return unit.suffix.empty() ? text : text + QLatin1Char(' ') + utf8(unit.suffix);
}

bool isThrottleReasons(std::string_view counter) {
    const std::string low = lowered(counter);
    return low.find("throttle") != std::string::npos || low.find("event_reasons") != std::string::npos;
}

QString stateText(const Trace& trace, const CounterLane& lane, double value) {
    const Counter& counter = counterOf(trace, lane);
    if (!std::isfinite(value)) {
        return {};
    }
    if (!isThrottleReasons(trace.string(counter.name)) || value < 0 || value != std::floor(value) || value >= 1e15) {
        return valueText(value, unitOf(trace, lane));
    }
    if (value == 0) {
        return {};
    }
    // A series a reason is on or off.
    if (counter.series.size() > 1) {
        return utf8(std::string(trace.string(counter.series[lane.series].name)));
    }
    auto bits = static_cast<uint64_t>(value);
    QStringList names;
    for (const Reason& reason : kReasons) {
        if ((bits & reason.bit) != 0) {
            names << QString::fromLatin1(reason.name);
            bits &= ~reason.bit;
        }
    }
    if (bits != 0) {
        names << QStringLiteral("0x%1").arg(bits, 0, 16);
    }
    return names.join(QStringLiteral(" + "));
}

bool isCalmState(const Trace& trace, const CounterLane& lane, double value) {
    const Counter& counter = counterOf(trace, lane);
    if (!isThrottleReasons(trace.string(counter.name)) || counter.series.size() > 1 || !(value >= 0 && value < 1e15)) {
        return false;
    }
    auto bits = static_cast<uint64_t>(value);
    for (const Reason& reason : kReasons) {
        bits &= reason.isCalm ? ~reason.bit : ~uint64_t{0};
    }
    return bits == 0;
}

}  // namespace warpline::timeline
