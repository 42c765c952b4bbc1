// SPDX-License-Identifier: MIT
#include "app/cli/cli.h"

#include <CLI/CLI.hpp>
#include <csignal>
#include <exception>
#include <filesystem>

#include "app/cli/command.h"
#include "app/cli/exit_code.h"
#include "app/cli/interrupt.h"
#include "app/cli/standard_output.h"
#include "app/cli/terminal.h"
#include "app/cli/window_launch.h"
#include "core/base/version.h"

namespace warpline::cli {

namespace {

constexpr const char* kDescription =
    "Warpline: what GPU and CPU did, from a recorded profile.\n"
    "`warpline FILE...` without a command opens the window.";

constexpr const char* kFooter =
    "Exit codes: 0 done, 1 a file cannot be used or written, 2 wrong usage, 3 --strict and data was lost.\n"
    "Example: warpline ops trace.json.gz --limit 20";

int printOutput(const std::string& text) {
    const Status status = writeOutput(text);
    if (!status.ok()) {
        printError(status.error().message);
        return kUnusable;
    }
    return kDone;
}

/// True if the command line is for the window: its first word is no option and no command.
bool isForWindow(const CLI::App& app, const std::string& first) {
    const auto isNamed = [&](const CLI::App* command) { return command->get_name() == first; };
    return (first.front() != '-' || first == "-") && app.get_subcommands(isNamed).empty();
}

int openWindow(const std::vector<std::string>& arguments) {
    std::error_code error;
    const std::string& first = arguments.front();
    if (first != "-" && !std::filesystem::exists(first, error) && first.find_first_of("./") == std::string::npos) {
        printError(first + ": neither a command nor a file; `warpline --help` lists the commands");
        return kWrongUsage;
    }
    return launchWindow(arguments);
}

int runChecked(int argc, char** argv) {
    CLI::App app(kDescription, "warpline");
    app.footer(kFooter);
    app.set_version_flag("--version", "warpline " + std::string(kVersion), "print the version");
    app.require_subcommand(1);
    app.get_formatter()->column_width(34);
    Choice choice;
    addInfo(app, choice);
    addOps(app, choice);
    addKernels(app, choice);
    addDump(app, choice);
    addConvert(app, choice);
    addOccupancy(app, choice);
    addRecord(app, choice);
    addAgent(app, choice);
    addClocks(app, choice);
    addDoctor(app, choice);
    addRun(app, choice);
    addKernelProcess(app, choice);

    const std::vector<std::string> arguments(argv + 1, argv + argc);
    if (arguments.empty()) {
        return printOutput(app.help());
    }
    if (arguments.front().empty()) {
        printError("an empty file name");
        return kWrongUsage;
    }
    if (isForWindow(app, arguments.front())) {
        return openWindow(arguments);
    }
    try {
        app.parse(argc, argv);
    } catch (const CLI::CallForHelp&) {
        const auto chosen = app.get_subcommands();
        return printOutput(chosen.empty() ? app.help() : chosen.front()->help());
    } catch (const CLI::CallForVersion& version) {
        return printOutput(std::string(version.what()) + "\n");
    } catch (const CLI::ParseError& wrong) {
        const auto chosen = app.get_subcommands();
        printError(std::string(wrong.what()) + "; see `warpline " +
                   (chosen.empty() ? "" : chosen.front()->get_name() + " ") + "--help`");
        return kWrongUsage;
    }
    return choice.run();
}

}  // namespace

int run(int argc, char** argv) {
    // A closed pipe is an error of write(), which is reported like a full disk.
    ::signal(SIGPIPE, SIG_IGN);
    // So is a limit on the size of files, which leaves no half-written file behind then.
    ::signal(SIGXFSZ, SIG_IGN);
    interruptibleJob();
    try {
        return runChecked(argc, argv);
    } catch (const std::bad_alloc&) {
        printError("out of memory");
    } catch (const std::exception& error) {
        printError(std::string("internal error: ") + error.what());
    }
    return kUnusable;
}

}  // namespace warpline::cli
