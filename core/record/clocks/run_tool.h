// SPDX-License-Identifier: MIT
#pragma once
// Runs a program of the system to its end and gives what it said.

#include <string>
#include <vector>

#include "core/base/result.h"

namespace warpline::record {

struct ToolRun {
    int code = 0;        ///< exit code; 128 + n after signal n
    std::string output;  ///< both streams
};

/// `program` is a path, or a name that is looked for in PATH. No shell stands between. Fails ("no_tool") if it cannot
/// be started.
Result<ToolRun> runTool(const std::string& program, const std::vector<std::string>& arguments);

}  // namespace warpline::record
