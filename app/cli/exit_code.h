// SPDX-License-Identifier: MIT
#pragma once
// The exit codes of `warpline`, the same for every command.

namespace warpline::cli {

enum ExitCode : int {
    kDone = 0,           ///< also when the file has import issues: they are reported
    kUnusable = 1,       ///< the input cannot be used, or the output not be written; a line on standard error says why
    kWrongUsage = 2,     ///< options or arguments that make no sense
    kLossStrict = 3,     ///< --strict, and data of an input was lost
    kNotRecorded = 125,  ///< `record`, `run`: the recording could not start
    kInterrupted = 130   ///< Ctrl-C
};

}  // namespace warpline::cli
