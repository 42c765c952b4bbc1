// SPDX-License-Identifier: MIT
#include "app/cli/inputs.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <charconv>

#include "app/cli/exit_code.h"
#include "app/cli/interrupt.h"
#include "app/cli/progress_line.h"
#include "app/cli/terminal.h"
#include "core/base/time_text.h"
#include "core/cache/cached_load.h"

namespace warpline::cli {

namespace {

/// Hostile input is held in bounds even by who raises the limits: depth costs stack, a length has 32 bits.
constexpr uint32_t kDeepestArgs = 4096;
constexpr uint64_t kLongestEvent = uint64_t{2} << 30;

/// Turns "64MiB" into its number of bytes; units are powers of 1024.
CLI::Validator sizeInBytes() {
    const auto convert = [](std::string& text) -> std::string {
        constexpr std::string_view kUnits = "kmgtpe";
        uint64_t number = 0;
        const char* const last = text.data() + text.size();
        const auto [end, error] = std::from_chars(text.data(), last, number);
        std::string unit(std::find_if(end, last, [](char c) { return c != ' '; }), last);
        std::ranges::transform(unit, unit.begin(), [](unsigned char c) { return std::tolower(c); });
        const size_t power = unit.empty() || unit == "b" ? 0 : kUnits.find(unit[0]) + 1;
        const std::string_view ending = power == 0 ? "" : std::string_view(unit).substr(1);
        const bool isUnit = unit.empty() || unit == "b" ||
                            (kUnits.find(unit[0]) != std::string_view::npos &&
                             (ending.empty() || ending == "b" || ending == "i" || ending == "ib"));
        if (error == std::errc::invalid_argument || !isUnit) {
            return "\"" + text + "\" is no size: wanted is a whole number of bytes, or of K, M, G, T (powers of 1024)";
        }
        if (error != std::errc() || number > UINT64_MAX >> (10 * power)) {
            return "\"" + text + "\" is more than " + std::to_string(UINT64_MAX) + " bytes, the largest size there is";
        }
        text = std::to_string(number << (10 * power));
        return {};
    };
    return CLI::Validator(convert, "");
}

void addLimits(CLI::App& command, LoadOptions& load) {
    const CLI::Validator size = sizeInBytes();
    command.add_option("--limit-args-depth", load.maxArgsDepth, "args nested deeper than N are shown shortened (256)")
        ->type_name("N")
        ->check(CLI::Range(uint32_t{1}, kDeepestArgs).description(""))
        ->group("Limits");
    command.add_option("--limit-event-bytes", load.maxEventBytes, "an event with a longer text is dropped (64MiB)")
        ->type_name("SIZE")
        ->transform(size)
        ->check(CLI::Range(uint64_t{1}, kLongestEvent).description(""))
        ->group("Limits");
    command
        .add_option("--limit-memory", load.maxTraceBytes,
                    "what a trace may take in memory while it is read (half of this machine's)")
        ->type_name("SIZE")
        ->transform(size)
        ->check(CLI::Range(uint64_t{1}, UINT64_MAX).description(""))
        ->group("Limits");
    command
        .add_option("--limit-piped-bytes", load.maxPipedBytes, "what a pipe may give, which is held in memory (8GiB)")
        ->type_name("SIZE")
        ->transform(size)
        ->group("Limits");
    command.add_option("--threads", load.threads, "that read and sort; 0 is one a core (0)")
        ->type_name("N")
        ->check(CLI::Range(0U, 1024U).description(""))
        ->group("Limits");
}

}  // namespace

void addInputOptions(CLI::App& command, InputOptions& options, bool several) {
    static constexpr const char* kText = "trace to read; - is standard input";
    if (several) {
        command.add_option("FILE", options.paths, kText)->required()->type_name("");
    } else {
        const auto keep = [&options](const std::string& path) { options.paths = {path}; };
        command.add_option_function<std::string>("FILE", keep, kText)->required()->type_name("");
    }
    if (several) {
        command
            .add_option("--offset", options.offsets,
                        "place a file by hand: NUMBER:TIME adds TIME (ns, or with us, ms, s; may be negative) to the "
                        "times of the NUMBERth FILE, which are then on the clock of the first, instead of by its wall "
                        "clock; repeatable, for example --offset 2:-1.5ms")
            ->type_name("NUMBER:TIME")
            ->allow_extra_args(false);
        command.parse_complete_callback([&options] {
            if (const auto offsets = parseOffsets(options.offsets, options.paths.size()); !offsets) {
                throw CLI::ValidationError(offsets.error().message);
            }
        });
    }
    command.add_flag("--strict", options.strict, "exit with 3 if data of a file was lost");
    command.add_flag("--no-cache", options.noCache, "read the file, even if the window has kept its trace");
    command.add_flag("--verbose", options.verbose, "say on standard error how the file was read");
    addLimits(command, options.load);
}

Result<FileOffsets> parseOffsets(const std::vector<std::string>& texts, size_t files) {
    FileOffsets offsets;
    for (const std::string& text : texts) {
        const auto wrong = [&](const std::string& why) {
            return Error::failed("--offset " + text + ": " + why + "; wanted is NUMBER:TIME, for example 2:-1.5ms");
        };
        size_t number = 0;
        const char* const begin = text.data();
        const auto [end, error] = std::from_chars(begin, begin + text.size(), number);
        if (error != std::errc() || end == begin + text.size() || *end != ':') {
            return wrong("does not begin with the number of a file and a colon");
        }
        if (number == 1) {
            return wrong("the first file is the axis; place the others on it");
        }
        if (number < 1 || number > files) {
            return wrong("there is no file " + std::to_string(number) + ", only " + std::to_string(files));
        }
        const auto time = parseOffsetText(std::string_view(text).substr(static_cast<size_t>(end - begin) + 1));
        if (!time) {
            return wrong("not a time (a number with ns, us, ms, s or nothing for ns)");
        }
        if (!offsets.emplace(number - 1, *time).second) {
            return wrong("places file " + std::to_string(number) + " a second time");
        }
    }
    return offsets;
}

Result<std::shared_ptr<const Trace>> loadInputs(const InputOptions& options) {
    const auto offsets = parseOffsets(options.offsets, options.paths.size());
    if (!offsets) {
        return offsets.error();
    }
    JobControl& job = interruptibleJob();
    CacheSettings cache = options.noCache ? CacheSettings() : cacheSettings();
    auto loaded = [&] {
        const ProgressLine progress(job);
        return loadTraceCached(options.paths, options.load, cache, job, offsets.value());
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
    if (error.isCancelled()) {
        exitInterrupted();
    }
    printError(error.message);
    return kUnusable;
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
