// SPDX-License-Identifier: MIT
// `warpline agent --stdio`: the recording side for a window that is elsewhere.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <memory>

#include "app/cli/command.h"
#include "app/cli/exit_code.h"
#include "app/cli/terminal.h"
#include "core/record/agent/agent_service.h"

namespace warpline::cli {

void addAgent(CLI::App& app, Choice& choice) {
    auto* command = app.add_subcommand("agent", "The recording side alone: commands in, capture stream out");
    auto isStdio = std::make_shared<bool>(false);
    command->add_flag("--stdio", *isStdio, "commands come from standard input, the stream goes to standard output")
        ->required();
    command->footer(
        "The window starts it, on this machine or by ssh on another one.\n"
        "Example: warpline agent --stdio");
    command->callback([&choice, isStdio] {
        choice.run = [] {
            if (isatty(STDOUT_FILENO) != 0) {
                printError("the capture stream is no text: standard output must not be a terminal");
                return static_cast<int>(kWrongUsage);
            }
            // Ctrl-C on the window's terminal is the window's to obey. Not by SIG_IGN: the program would inherit that,
            // and could not be interrupted any more.
            std::signal(SIGINT, [](int) {});
            return record::serveAgent(STDIN_FILENO, STDOUT_FILENO);
        };
    });
}

}  // namespace warpline::cli
