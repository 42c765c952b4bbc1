// SPDX-License-Identifier: MIT
#pragma once
// The program `warpline`: finds the command, runs it, gives its exit code (exit_code.h).

#include <string>
#include <vector>

namespace warpline::cli {

/// Sets the process's handlers of SIGINT and SIGPIPE. Files without a command replace the process by the window.
int run(int argc, char** argv);

}  // namespace warpline::cli
