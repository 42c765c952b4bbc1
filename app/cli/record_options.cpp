// SPDX-License-Identifier: MIT
#include "app/cli/record_options.h"

#include <CLI/CLI.hpp>
#include <cmath>

#include "core/pattern/name_pattern.h"

namespace warpline::cli {

namespace {

int64_t nanosecondsOf(double seconds) {
    constexpr double kSecond = 1e9;
    return std::llround(seconds * kSecond);
}

}  // namespace

void addRecordOptions(CLI::App& command, RecordArguments& arguments) {
    constexpr double kYear = 3.2e7;
    record::RecordOptions& options = arguments.options;
    command.add_option(
        "-o,--output", arguments.out,
        "file to write: .wcap (capture; the default, named after the program), .json, .json.gz (Chrome trace), .csv");
    command.add_option("--api", arguments.api, "CUDA calls: launch (launches, copies, sets; the default), all, none")
        ->check(CLI::IsMember({"launch", "all", "none"}));
    command
        .add_option("--graph", arguments.graph,
                    "CUDA graphs: node (each kernel, with a cost on the GPU for each node; the default), launch (a "
                    "graph as a whole)")
        ->check(CLI::IsMember({"node", "launch"}));
    command.add_flag("--memory", arguments.memory, "also which library asked for each allocation");
    command.add_flag("--no-memory", arguments.noMemory, "no allocations and pools");
    command.add_flag("--no-code", arguments.noCode, "not the code of the modules that are loaded");
    command.add_flag("--python", options.hasPython,
                     "of a PyTorch program also its allocator's history and record_function ranges");
    command.add_flag("--no-children", arguments.noChildren, "the first CUDA process alone");
    command
        .add_option("--kernel", options.kernelPattern,
                    "record these kernels alone: a regular expression, found in the base, demangled or mangled name")
        ->type_name("REGEX");
    command.add_option("--skip", options.skip, "leave out the first N launches that match")->type_name("N");
    command.add_option("--count", options.count, "record no more than N launches that match")->type_name("N");
    command.add_option("--nvtx", options.range, "record within NVTX ranges of this name alone")->type_name("RANGE");
    command.add_flag("--profiler-api", options.isProfilerRange,
                     "record from cudaProfilerStart to cudaProfilerStop alone");
    command.add_option("--schedule", arguments.schedule,
                       "in turns: skip_first=N,wait=N,warmup=N,active=N,repeat=N, counted in launches, with --nvtx in "
                       "ranges, with a unit (wait=2s) in time; a file for each turn");
    command.add_option("--delay", arguments.delaySeconds, "begin so many seconds after the start")
        ->check(CLI::Range(0.0, kYear))
        ->type_name("S");
    command.add_option("--duration", arguments.durationSeconds, "record so many seconds; the program goes on")
        ->check(CLI::Range(0.0, kYear))
        ->type_name("S");
    command
        .add_option("--limit-file", arguments.mostMegabytes, "most MB that one process may write while it is recorded")
        ->type_name("MB");
}

Result<record::RecordOptions> optionsOf(const RecordArguments& arguments) {
    using namespace record;
    RecordOptions options = arguments.options;
    if (arguments.memory && arguments.noMemory) {
        return Error::failed("--memory and --no-memory exclude each other");
    }
    if (arguments.mode == "event") {
        options.api = ApiLevel::None;
        options.hasMemory = options.hasSynchronization = options.hasOverhead = options.hasRanges = false;
    } else if (arguments.mode == "nsys") {
        options.api = ApiLevel::All;
    }
    if (!arguments.api.empty()) {
        options.api = arguments.api == "all"    ? ApiLevel::All
                      : arguments.api == "none" ? ApiLevel::None
                                                : ApiLevel::Launch;
    }
    options.graph = arguments.graph == "launch" ? GraphLevel::Launch : GraphLevel::Node;
    options.hasMemory = (options.hasMemory || arguments.memory) && !arguments.noMemory;
    options.hasAllocationSource = arguments.memory;
    options.hasCode = !arguments.noCode;
    options.followsChildren = !arguments.noChildren;
    if (!std::isfinite(arguments.delaySeconds) || !std::isfinite(arguments.durationSeconds)) {
        return Error::failed("--delay and --duration take a number of seconds");
    }
    if (const Status pattern = options.kernelPattern.empty() ? Status::success() : checkPattern(options.kernelPattern);
        !pattern.ok()) {
        return Error::failed("--kernel: " + pattern.error().message);
    }
    constexpr uint64_t kMost = uint64_t{1} << 62;
    constexpr uint64_t kMostMegabytes = kMost / 1'000'000;
    if (options.skip > kMost || options.count > kMost || arguments.mostMegabytes > kMostMegabytes) {
        return Error::failed(
            "--skip, --count and --limit-file take a number that is not negative, and not without end");
    }
    options.delayNs = nanosecondsOf(arguments.delaySeconds);
    options.durationNs = nanosecondsOf(arguments.durationSeconds);
    constexpr uint64_t kMega = 1'000'000;
    options.mostBytes = arguments.mostMegabytes * kMega;
    options.hasRanges = options.hasRanges || !options.range.empty();
    if (!arguments.schedule.empty()) {
        const Result<Schedule> schedule = scheduleOf(arguments.schedule, !options.range.empty());
        if (!schedule) {
            return schedule.error();
        }
        options.schedule = schedule.value();
    }
    return options;
}

}  // namespace warpline::cli
