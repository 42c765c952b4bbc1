// SPDX-License-Identifier: MIT
#pragma once
// How a command joins the program: it declares its options, and leaves what is to be done when it was the one chosen.

#include <functional>

namespace CLI {
class App;
}

namespace warpline::cli {

/// Filled while the command line is parsed.
struct Choice {
    std::function<int()> run;  ///< returns the exit code
};

/// Each adds its subcommand to `app`. REQUIRES: `app` and `choice` live until choice.run has returned.
void addInfo(CLI::App& app, Choice& choice);
void addOps(CLI::App& app, Choice& choice);
void addKernels(CLI::App& app, Choice& choice);
void addDump(CLI::App& app, Choice& choice);
void addConvert(CLI::App& app, Choice& choice);
void addOccupancy(CLI::App& app, Choice& choice);
void addRecord(CLI::App& app, Choice& choice);
void addAgent(CLI::App& app, Choice& choice);
void addClocks(CLI::App& app, Choice& choice);
void addDoctor(CLI::App& app, Choice& choice);
void addRun(CLI::App& app, Choice& choice);
/// Hidden: the program that `run` records.
void addKernelProcess(CLI::App& app, Choice& choice);

}  // namespace warpline::cli
