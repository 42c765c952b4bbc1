// SPDX-License-Identifier: MIT
#pragma once
// What clang -ftime-trace means by its events. Beside the passes it writes sums ("Total Frontend"), each on a thread of
// its own that does not exist, as a slice from 0 on: their lengths are true, their places are not. Pure functions.

#include <span>
#include <string_view>

#include "core/loaders/chrome_trace/json_text.h"

namespace warpline::loaders::chrome_trace {

/// What the tracks of sums are called.
inline constexpr std::string_view kTotalsName = "totals";

/// `name` and `ts` as they stand in the file.
bool isTimeTraceTotal(std::string_view name, std::string_view ts, std::span<const Member> args);

}  // namespace warpline::loaders::chrome_trace
