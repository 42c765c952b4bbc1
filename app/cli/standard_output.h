// SPDX-License-Identifier: MIT
#pragma once
// Standard output as a place where errors are noticed: a closed pipe or a full disk ends the command with a reason.

#include <string>
#include <string_view>

#include "core/base/result.h"

namespace warpline::cli {

/// Writes all of `text`, unless the process is interrupted.
Status writeOutput(std::string_view text);

}  // namespace warpline::cli
