// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// How a counter is drawn: as what, over which range, and in which unit its values are written. Pure; any thread.

#include <QString>

#include <array>
#include <string_view>
#include <vector>

#include "widgets/panels/timeline/derived_rows.h"
#include "widgets/panels/timeline/step_view.h"
#include "widgets/panels/timeline/timeline_model.h"

namespace warpline::timeline {

/// Area and Steps hold a value until the next point, Line joins the points. States: a bar for as long as one value
/// holds, for what is no amount.
enum class ValueStyle : uint8_t { Area, Line, Steps, States };
inline constexpr std::array kValueStyles = {ValueStyle::Area, ValueStyle::Line, ValueStyle::Steps, ValueStyle::States};

/// What its height stands for: its own lowest to highest value; the same and 0; that of all series of the counter's
/// name in the process; what is in view.
enum class ValueScale : uint8_t { Own, FromZero, Shared, InView };
inline constexpr std::array kValueScales = {ValueScale::Own, ValueScale::FromZero, ValueScale::Shared,
                                            ValueScale::InView};

struct CounterLook {
    ValueStyle style = ValueStyle::Area;
    ValueScale scale = ValueScale::Own;
    bool operator==(const CounterLook&) const = default;
};

/// As long as the user has not said: throttle reasons as states, all else as an area.
CounterLook lookAtFirst(const Trace& trace, const CounterLane& lane);
/// What a look is remembered by: the counter's name and its series', the same in other traces.
QString lookName(const Trace& trace, const CounterLane& lane);
/// "area,own"
QString textOf(const CounterLook& look);
/// `fallback` where the text is none of these.
CounterLook lookFrom(const QString& text, const CounterLook& fallback);
/// For menus.
QString titleOf(ValueStyle style);
QString titleOf(ValueScale scale);

/// The range that a counter's height stands for; of what is in view: `shown`. It is never empty nor a point, unless the
/// counter has no value.
ValueRange scaleOf(const Trace& trace, const TimelineModel& model, uint32_t counter, ValueScale scale, TimeRange shown);
StepView stepsOf(const Trace& trace, const CounterLane& lane);

/// What a number counts.
struct ValueUnit {
    enum class Kind : uint8_t { Plain, Bytes, BytesPerSecond, Count, Share };
    Kind kind = Kind::Plain;
    std::string suffix;  ///< of Plain, and of Count for one and for several: "W"
    bool operator==(const ValueUnit&) const = default;
};
/// As the names say it: "power.draw [W]", "Sent (bytes/s)", "gpu_mem_bytes"; else Plain without a suffix.
ValueUnit unitOf(std::string_view counter, std::string_view series);
ValueUnit unitOf(const Trace& trace, const CounterLane& lane);
ValueUnit unitOf(DerivedKind kind);
/// "1.50 GiB", "12.3 GB/s", "350 W"; "n/a" for NaN. Short: for a scale, not for the exact value.
QString valueText(double value, const ValueUnit& unit);

/// Whether the values are bits of NVML's reasons to hold a clock back.
bool isThrottleReasons(std::string_view counter);
/// What a bar of states says: the reasons' names, else the number; "" where there is nothing to say (no reason).
QString stateText(const Trace& trace, const CounterLane& lane, double value);
/// Whether the state is one that the device is in on its own account (idle, clocks set by the user): no alarm.
bool isCalmState(const Trace& trace, const CounterLane& lane, double value);

}  // namespace warpline::timeline
