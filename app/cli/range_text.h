// SPDX-License-Identifier: MIT
#pragma once
// The text of --range: "A:B", counted from the start of the trace.

#include <string_view>

#include "core/base/result.h"
#include "core/base/time.h"

namespace warpline::cli {

/// "10:20" (ns), "1.5ms:2s", ":100us", "3s:"; an empty end is open. The result is half-open and in trace time: `start`
/// is added. Fails on anything else, and if B is not after A.
Result<TimeRange> parseRange(std::string_view text, TimeNs start);

}  // namespace warpline::cli
