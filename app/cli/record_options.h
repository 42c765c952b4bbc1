// SPDX-License-Identifier: MIT
#pragma once
// The options that all commands which record share, and the recording of a program with them.

#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/record/options/record_options.h"

namespace CLI {
class App;
}

namespace warpline::cli {

/// As they stand on the command line.
struct RecordArguments {
    std::string out;
    std::string mode, api, graph;
    std::string schedule;
    double delaySeconds = 0, durationSeconds = 0;
    uint64_t mostMegabytes = 0;
    bool memory = false, noMemory = false, noCode = false, noChildren = false;
    record::RecordOptions options;  ///< what needs no further reading
};

/// All but --mode and --device, which mean more to other commands than to `record`.
void addRecordOptions(CLI::App& command, RecordArguments& arguments);
/// Fails with what makes no sense.
Result<record::RecordOptions> optionsOf(const RecordArguments& arguments);

/// A name for a capture in the working folder that is not taken: "STEM.wcap", "STEM-2.wcap"…
std::string unusedFile(const std::string& stem);

/// Records a program to the file that the arguments name, with progress and a last line that says how the program and
/// the recording ended. Returns the exit code of `record`.
int recordProgram(const RecordArguments& arguments, const std::vector<std::string>& program);

}  // namespace warpline::cli
