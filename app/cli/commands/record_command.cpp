// SPDX-License-Identifier: MIT
// `warpline record`: records a program and what it starts.
#include <CLI/CLI.hpp>
#include <memory>

#include "app/cli/command.h"
#include "app/cli/record_options.h"

namespace warpline::cli {

void addRecord(CLI::App& app, Choice& choice) {
    struct Options {
        RecordArguments arguments;
        std::vector<std::string> program;
    };
    auto* command = app.add_subcommand("record", "Record the GPU work of a program");
    auto options = std::make_shared<Options>();
    command
        ->add_option("--mode", options->arguments.mode,
                     "event: kernels and copies alone, the least cost; nsys: all API calls, graph nodes, concurrency")
        ->check(CLI::IsMember({"event", "nsys"}));
    command->add_option("--device", options->arguments.options.devices, "record these GPUs alone, by CUDA's number")
        ->type_name("N");
    addRecordOptions(*command, options->arguments);
    command->add_option("PROGRAM", options->program, "the program and its arguments, behind --")
        ->required()
        ->type_name("");
    // What stands behind the program is the program's.
    command->positionals_at_end(false);
    command->prefix_command(false);
    command->footer(
        "While it is recorded, the program's own torch.profiler sees CPU work alone: CUPTI serves one profiler.\n"
        "Exits with the program's code (128 + n for signal n), with 125 if the recording could not start.\n"
        "Example: warpline record -o run.wcap -- python train.py --steps 20");
    command->callback(
        [&choice, options] { choice.run = [options] { return recordProgram(options->arguments, options->program); }; });
}

}  // namespace warpline::cli
