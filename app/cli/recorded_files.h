// SPDX-License-Identifier: MIT
#pragma once
// From the capture that a recording wrote to the files that were asked for.

#include <string>
#include <vector>

namespace warpline::cli {

/// Splits it into a file for each turn of a schedule ("run.wcap" -> "run.1.wcap", "run.2.wcap"…) if `hasTurns` and
/// there were several, and converts what is not to be a capture. `capture` may be `path` itself; what it became is
/// removed. Returns the files that are there in the end, also where something went wrong, which is said on standard
/// error.
std::vector<std::string> makeRecordedFiles(const std::string& capture, const std::string& path, bool hasTurns);

}  // namespace warpline::cli
