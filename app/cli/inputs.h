// SPDX-License-Identifier: MIT
#pragma once
// From the files of a command line to a trace, with progress, Ctrl-C and the messages that all commands share.

#include <memory>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/loaders/load_trace.h"
#include "core/trace/trace.h"

namespace CLI {
class App;
}

namespace warpline::cli {

struct InputOptions {
    std::vector<std::string> paths;
    bool strict = false;
    bool noCache = false;
    bool verbose = false;
    std::vector<std::string> offsets;  ///< as given: "2:-5ms"
    LoadOptions load;                  ///< the limits
};

/// Declares the positional FILE (or FILE… with --offset if `several`), --strict, --no-cache, --verbose and the options
/// that raise limits.
void addInputOptions(CLI::App& command, InputOptions& options, bool several);

/// From the cache where that has them. What it does not have is not put there: who calls a command waits until it ends,
/// and writing takes longer than the next command would save.
Result<std::shared_ptr<const Trace>> loadInputs(const InputOptions& options);

/// "FILE_NUMBER:TIME", files counted from 1. Fails on anything else, a number given twice or out of 2…`files`.
Result<FileOffsets> parseOffsets(const std::vector<std::string>& texts, size_t files);

/// Says the reason on standard error and gives the exit code that goes with it; ends the process if it is cancelled.
int fail(const Error& error);

/// Says on standard error what was lost of the inputs, in a line each, and gives the exit code: kLossStrict if
/// something was and the options ask for it. Called last, when the output is complete.
int finish(const Trace& trace, const InputOptions& options);

}  // namespace warpline::cli
