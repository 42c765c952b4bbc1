// SPDX-License-Identifier: MIT
#pragma once
// Times as people type them: a number with a unit. Pure; any thread.

#include <optional>
#include <string>
#include <string_view>

#include "core/base/time.h"

namespace warpline {

/// "10" (ns), "-1.5ms", "2 s", "100us", "7µs": a decimal number, may be negative, and ns, us, µs, ms or s. Rounded to
/// whole nanoseconds; nullopt for anything else, and for what a trace does not hold (kLatestTime).
std::optional<TimeNs> parseTimeText(std::string_view text);

/// The same for how far something is moved, which may be as far back as forth.
std::optional<DurationNs> parseOffsetText(std::string_view text);

/// The inverse, exact and in the largest unit that needs no more than three decimals: "1.5ms", "-2s", "0".
std::string timeText(TimeNs time);

}  // namespace warpline
