// SPDX-License-Identifier: MIT
#pragma once
// `warpline FILE…`: hands the files to the window, warpline-ui.

#include <string>
#include <vector>

namespace warpline::cli {

/// Replaces this process by the warpline-ui beside it, else by the one in PATH. Returns only if there is none: prints
/// what to do and returns the exit code.
int launchWindow(const std::vector<std::string>& arguments);

}  // namespace warpline::cli
