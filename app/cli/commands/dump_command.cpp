// SPDX-License-Identifier: MIT
// `warpline dump`: everything that is known of small inputs, opened together.
#include <CLI/CLI.hpp>
#include <memory>

#include "app/cli/command.h"
#include "app/cli/dump/dump_document.h"
#include "app/cli/exit_code.h"
#include "app/cli/facts_json.h"
#include "app/cli/inputs.h"
#include "app/cli/interrupt.h"
#include "app/cli/standard_output.h"

namespace warpline::cli {

namespace {

struct DumpOptions {
    InputOptions input;
    bool json = false;
};

/// Nothing can be shown: says why, in the document too if one is wanted.
int failDump(const Error& error, const DumpOptions& options) {
    if (options.json && !error.isCancelled()) {
        if (const Status status = writeOutput(failureDocument(error, options.input.paths)); !status.ok()) {
            return fail(status.error());
        }
    }
    return fail(error);
}

int runDump(const DumpOptions& options) {
    const auto trace = loadInputs(options.input);
    if (!trace.ok()) {
        return failDump(trace.error(), options);
    }
    JobControl& job = interruptibleJob();
    const auto text = options.json ? dumpJson(*trace.value(), job) : dumpText(*trace.value(), job);
    if (!text.ok()) {
        return failDump(text.error(), options);
    }
    const Status status = writeOutput(text.value());
    return status.ok() ? finish(*trace.value(), options.input) : fail(status.error());
}

}  // namespace

void addDump(CLI::App& app, Choice& choice) {
    auto* command = app.add_subcommand("dump", "Everything known of small inputs, opened together");
    auto options = std::make_shared<DumpOptions>();
    addInputOptions(*command, options->input, true);
    command->add_flag("--json", options->json, "print one JSON document; without it, a tree to read");
    command->footer(
        "Files go onto one time axis by their wall clocks; --offset places one that has none.\n"
        "Example: warpline dump rank0.json rank1.json --json\n"
        "Example: warpline dump a.json b.json --offset 2:-1.5ms");
    command->callback([&choice, options] { choice.run = [options] { return runDump(*options); }; });
}

}  // namespace warpline::cli
