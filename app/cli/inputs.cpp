// SPDX-License-Identifier: MIT
#include "app/cli/inputs.h"

#include <CLI/CLI.hpp>

#include "app/cli/exit_code.h"
#include "app/cli/interrupt.h"
#include "app/cli/progress_line.h"
#include "app/cli/terminal.h"
#include "core/cache/cached_load.h"

namespace warpline::cli {

void addInputOptions(CLI::App& command, InputOptions& options, bool several) {
    static constexpr const char* kText = "trace to read; - is standard input";
    if (several) {
        command.add_option("FILE", options.paths, kText)->required()->type_name("");
    } else {
        const auto keep = [&options](const std::string& path) { options.paths = {path}; };
        command.add_option_function<std::string>("FILE", keep, kText)->required()->type_name("");
    }
    command.add_flag("--strict", options.strict, "exit with 3 if data of a file was lost");
    command.add_flag("--no-cache", options.noCache, "read the file, even if the window has kept its trace");
    command.add_flag("--verbose", options.verbose, "say on standard error how the file was read");
}

Result<std::shared_ptr<const Trace>> loadInputs(const InputOptions& options) {
    JobControl& job = interruptibleJob();
    CacheSettings cache = options.noCache ? CacheSettings() : cacheSettings();
    auto loaded = [&] {
        const ProgressLine progress(job);
        return loadTraceCached(options.paths, LoadOptions(), cache, job);
    }();
    if (!loaded) {
        return loaded.error();
    }
    if (options.verbose) {
        const CachedLoad& load = loaded.value();
        printError(load.isFromCache ? "read from the cache" : "read from the file, not from the cache");
        if (!load.note.empty()) {
            printError("the cache was of no use: " + load.note);
        }
    }
    return std::move(loaded.value().trace);
}

int fail(const Error& error) {
    printError(error.isCancelled() ? "interrupted" : error.message);
    return error.isCancelled() ? kInterrupted : kUnusable;
}

int finish(const Trace& trace, const InputOptions& options) {
    bool lost = false;
    for (const Issue& issue : trace.report().issues()) {
        if (issue.severity >= Severity::DataLoss) {
            lost = true;
            std::string place = trace.files()[issue.file.value].path;
            if (issue.firstOffset) {
                place += ": byte " + std::to_string(*issue.firstOffset);
                place += issue.space == OffsetSpace::Decompressed ? " (decompressed)" : "";
            }
            printError(place + ": " + issue.message);
        }
    }
    if (!lost && !trace.report().complete()) {
        lost = true;
        printError("an input is cut off or garbled, so more may have been in it; `warpline info` says where");
    }
    return lost && options.strict ? kLossStrict : kDone;
}

}  // namespace warpline::cli
