// SPDX-License-Identifier: MIT
// `warpline run`: sample kernels, recorded or timed; and the hidden `kernel-process`, which is what gets recorded.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>

#include "app/cli/command.h"
#include "app/cli/exit_code.h"
#include "app/cli/inputs.h"
#include "app/cli/interrupt.h"
#include "app/cli/kernel_text.h"
#include "app/cli/record_options.h"
#include "app/cli/standard_output.h"
#include "app/cli/terminal.h"
#include "kernels/find_kernel.h"
#include "kernels/registry.h"
#include "kernels/runner.h"

namespace warpline::cli {

namespace {

constexpr int64_t kMany = 1'000'000;

/// What `run` and the process that it records have in common.
struct KernelOptions {
    std::string name;
    std::vector<std::string> settings;
    int device = 0;
    int64_t warmUps = 10;
    int64_t repetitions = 50;
    bool noCheck = false;
    std::string result;
};

struct RunCommandOptions {
    KernelOptions kernel;
    RecordArguments record;
    std::string mode;
    int64_t samples = 100;
    bool flushL2 = true;
    bool graphReplay = false;
    bool list = false;
    bool json = false;
};

CLI::Option* addKernelOptions(CLI::App& command, KernelOptions& options) {
    auto* name = command.add_option("KERNEL", options.name, "a sample kernel, or one of its versions (gemm:tiled)")
                     ->type_name("");
    command.add_option("--param", options.settings, "parameters in place of the defaults")->type_name("NAME=VALUE ...");
    command.add_option("--device", options.device, "GPU by CUDA's number")->type_name("N")->check(CLI::Range(0, 1023));
    command.add_option("--warm-up", options.warmUps, "runs before those that count (10)")
        ->type_name("N")
        ->check(CLI::Range(int64_t{10}, kMany));
    command.add_option("--repetitions", options.repetitions, "runs that are recorded (50)")
        ->type_name("N")
        ->check(CLI::Range(int64_t{1}, kMany));
    command.add_flag("--no-check", options.noCheck, "do not compare the result with the CPU's");
    command.add_option("--result", options.result, "file to write to what was launched, as a line of JSON")
        ->type_name("FILE");
    return name;
}

int noKernels() {
    printError("this build has no sample kernels: it was made without the CUDA Toolkit (12.8 or newer)");
    return kUnusable;
}

Result<ChosenKernel> choose(KernelOptions options) {
    if (options.name.empty()) {
        // --param takes all that follow it, a kernel's name too.
        const auto isName = [](const std::string& text) { return text.find('=') == std::string::npos; };
        if (const auto at = std::find_if(options.settings.begin(), options.settings.end(), isName);
            at != options.settings.end()) {
            options.name = *at;
            options.settings.erase(at);
        }
    }
    if (options.name.empty()) {
        return Error::failed("which kernel? `warpline run --list` shows them");
    }
    return chooseKernel(kernels::all(), options.name, options.settings);
}

int printWrongUsage(const Error& error) {
    printError(error.message);
    return kWrongUsage;
}

int printList(bool json) {
    const auto all = kernels::all();
    const Status status = writeOutput(json ? kernelListJson(all) : kernelListText(all));
    return status.ok() ? kDone : fail(status.error());
}

int timeKernel(const ChosenKernel& chosen, const RunCommandOptions& options) {
    EventOptions event;
    event.device = options.kernel.device;
    event.warmUps = static_cast<uint64_t>(options.kernel.warmUps);
    event.samples = static_cast<uint64_t>(options.samples);
    event.check = !options.kernel.noCheck;
    event.flushL2 = options.flushL2;
    event.graphReplay = options.graphReplay;
    const auto outcome = [&] {
        const OrderlyEnd orderly;
        return timeWithEvents(chosen, event, interruptibleJob());
    }();
    if (!outcome.ok()) {
        return fail(outcome.error());
    }
    const EventReport report = eventReport(chosen, event, outcome.value());
    if (options.json) {
        for (const std::string& warning : report.warnings) {
            printError(warning);
        }
    }
    const Status status = writeOutput(options.json ? eventJson(chosen, event, outcome.value(), report)
                                                   : eventText(chosen, event, outcome.value(), report));
    return status.ok() ? kDone : fail(status.error());
}

int recordKernel(const ChosenKernel& chosen, const RunCommandOptions& options) {
    std::error_code error;
    const std::string self = std::filesystem::read_symlink("/proc/self/exe", error).string();
    if (error) {
        printError("cannot find this program's own file: " + error.message());
        return kNotRecorded;
    }
    std::vector<std::string> command = {self, "kernel-process", chosen.kernel->info().id + ":" + chosen.version.id};
    const auto add = [&](const char* option, const std::string& value) {
        command.insert(command.end(), {option, value});
    };
    for (const auto& [name, value] : chosen.values.all()) {
        add("--param", name + "=" + std::to_string(value));
    }
    add("--device", std::to_string(options.kernel.device));
    add("--warm-up", std::to_string(options.kernel.warmUps));
    add("--repetitions", std::to_string(options.kernel.repetitions));
    if (options.kernel.noCheck) {
        command.emplace_back("--no-check");
    }
    if (!options.kernel.result.empty()) {
        add("--result", options.kernel.result);
    }
    RecordArguments record = options.record;
    record.mode = options.mode;
    record.options.isProfilerRange = true;  // neither the check nor the warm-up
    if (record.out.empty()) {
        record.out = unusedFile(chosen.kernel->info().id + "_" + chosen.version.id);
    }
    return recordProgram(record, command);
}

int runRun(const RunCommandOptions& options) {
    if (kernels::all().empty()) {
        return noKernels();
    }
    if (options.list) {
        return printList(options.json);
    }
    const auto chosen = choose(options.kernel);
    if (!chosen.ok()) {
        return printWrongUsage(chosen.error());
    }
    if (options.mode == "event") {
        return timeKernel(chosen.value(), options);
    }
    return recordKernel(chosen.value(), options);
}

int runKernelProcess(const KernelOptions& options) {
    if (kernels::all().empty()) {
        return noKernels();
    }
    const auto chosen = choose(options);
    if (!chosen.ok()) {
        return printWrongUsage(chosen.error());
    }
    RunOptions run;
    run.device = options.device;
    run.warmUps = static_cast<uint64_t>(options.warmUps);
    run.repetitions = static_cast<uint64_t>(options.repetitions);
    run.check = !options.noCheck;
    const auto outcome = [&] {
        const OrderlyEnd orderly;
        return runToBeRecorded(chosen.value(), run, interruptibleJob());
    }();
    if (!outcome.ok()) {
        return fail(outcome.error());
    }
    const std::string line = runJson(chosen.value(), run, outcome.value());
    if (options.result.empty()) {
        return kDone;
    }
    std::ofstream file(options.result, std::ios::binary);
    if (!(file << line).flush()) {
        printError(options.result + ": cannot be written");
        return kUnusable;
    }
    return kDone;
}

}  // namespace

void addRun(CLI::App& app, Choice& choice) {
    auto* command = app.add_subcommand("run", "Record or time a sample kernel");
    auto options = std::make_shared<RunCommandOptions>();
    addKernelOptions(*command, options->kernel);
    command->add_flag("--list", options->list, "list kernels, versions and parameters");
    command
        ->add_option("--mode", options->mode,
                     "event: time it by CUDA events, without a recording; nsys: record all API calls and graph nodes")
        ->type_name("MODE")
        ->check(CLI::IsMember({"event", "nsys"}));
    command->add_option("--samples", options->samples, "with --mode event: times taken (100)")
        ->type_name("N")
        ->check(CLI::Range(int64_t{20}, kMany));
    command->add_flag("--flush-l2,!--no-flush-l2", options->flushL2,
                      "with --mode event: overwrite the L2 cache before each run (the default)");
    command->add_flag("--graph-replay", options->graphReplay,
                      "with --mode event: time many runs as one CUDA graph, for short kernels");
    command->add_flag("--json", options->json, "print one JSON document");
    addRecordOptions(*command, options->record);
    command->footer(
        "Numbers may end in k, m or g (powers of 1024).\n"
        "Example: warpline run gemm:tensor_core --param M=4096 N=4096 --mode event");
    command->callback([&choice, options] { choice.run = [options] { return runRun(*options); }; });
}

void addKernelProcess(CLI::App& app, Choice& choice) {
    auto* command = app.add_subcommand("kernel-process", "Run a sample kernel, to be recorded")->group("");
    auto options = std::make_shared<KernelOptions>();
    addKernelOptions(*command, *options);
    command->callback([&choice, options] { choice.run = [options] { return runKernelProcess(*options); }; });
}

}  // namespace warpline::cli
