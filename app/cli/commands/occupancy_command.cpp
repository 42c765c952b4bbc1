// SPDX-License-Identifier: MIT
// `warpline occupancy`: theoretical occupancy from a launch shape, without a trace.
#include <CLI/CLI.hpp>
#include <memory>

#include "app/cli/command.h"
#include "app/cli/device_names.h"
#include "app/cli/exit_code.h"
#include "app/cli/inputs.h"
#include "app/cli/standard_output.h"
#include "app/cli/terminal.h"
#include "core/base/json_writer.h"
#include "core/base/units.h"
#include "core/devices/occupancy.h"

namespace warpline::cli {

namespace {

struct OccupancyOptions {
    std::string device;
    int64_t block = 0;
    int64_t registers = 0;
    int64_t shared = 0;
    std::optional<int64_t> grid;
    std::optional<int64_t> smCount;
    bool json = false;
};

struct Answer {
    DeviceInfo device;
    SmLimits sm;
    Occupancy occupancy;
    std::optional<double> waves;
    int64_t activeWarps = 0;
};

std::string answerJson(const Answer& answer) {
    std::string out;
    JsonWriter json(out, 1);
    json.beginObject().key("device").beginObject().key("name").text(answer.device.name);
    json.key("compute_capability")
        .text(std::to_string(*answer.device.computeMajor) + "." + std::to_string(*answer.device.computeMinor));
    json.key("sm_count").optionalInteger(answer.device.smCount).endObject();
    json.key("occupancy").real(answer.occupancy.ratio);
    json.key("occupancy_limiter").text(occupancyLimiterName(answer.occupancy.limiter));
    json.key("active_blocks_per_sm").integer(answer.occupancy.activeBlocks);
    json.key("active_warps_per_sm").integer(answer.activeWarps);
    json.key("max_warps_per_sm").integer(answer.sm.maxWarps);
    json.key("waves");
    if (answer.waves) {
        json.real(*answer.waves);
    } else {
        json.null();
    }
    json.endObject();
    out += '\n';
    return out;
}

std::string answerText(const Answer& answer, const OccupancyOptions& options) {
    std::string out = "Device       " + answer.device.name + "\n";
    if (answer.occupancy.activeBlocks == 0) {
        return out + "Occupancy    0: the block does not fit on a multiprocessor (" +
               std::string(occupancyLimiterName(answer.occupancy.limiter)) + ")\n";
    }
    out += "Occupancy    " + formatRatio(answer.occupancy.ratio) + " (" + std::to_string(answer.activeWarps) + " of " +
           std::to_string(answer.sm.maxWarps) + " warps, " +
           formatCountOf(static_cast<uint64_t>(answer.occupancy.activeBlocks), "block") + " on a multiprocessor)\n";
    out += "Limited by   " + std::string(occupancyLimiterName(answer.occupancy.limiter)) + "\n";
    if (options.grid) {
        char waves[32];
        std::snprintf(waves, sizeof waves, "%.3f", answer.waves.value_or(0));
        out += std::string("Waves        ") +
               (answer.waves ? waves : "n/a: the number of multiprocessors is not known; give --sms") + "\n";
    }
    return out;
}

int runOccupancy(const OccupancyOptions& options) {
    Answer answer;
    const auto device = findDeviceByName(options.device);
    if (!device) {
        std::string known;
        for (const std::string& name : knownDeviceNames()) {
            known += name + ", ";
        }
        printError("--device " + options.device + ": not known; known are " + known +
                   "or a compute capability such as 9.0");
        return kWrongUsage;
    }
    answer.device = *device;
    if (options.smCount) {
        answer.device.smCount = options.smCount;
    }
    const auto sm = smLimitsOf(answer.device);
    if (!sm) {
        printError("--device " + options.device + ": nothing is known of this compute capability");
        return kWrongUsage;
    }
    answer.sm = *sm;
    const auto occupancy = computeOccupancy(answer.sm, options.block, options.registers, options.shared);
    if (!occupancy) {
        printError("--block, --registers and --shared do not describe a launch");
        return kWrongUsage;
    }
    answer.occupancy = *occupancy;
    const int64_t warpsPerBlock = (options.block + answer.sm.warpSize - 1) / answer.sm.warpSize;
    answer.activeWarps = answer.occupancy.activeBlocks * warpsPerBlock;
    if (options.grid && answer.device.smCount) {
        answer.waves = computeWaves(answer.occupancy, *options.grid, *answer.device.smCount);
    }
    const Status status = writeOutput(options.json ? answerJson(answer) : answerText(answer, options));
    return status.ok() ? kDone : fail(status.error());
}

}  // namespace

void addOccupancy(CLI::App& app, Choice& choice) {
    auto* command = app.add_subcommand("occupancy", "Theoretical occupancy of a launch shape, and its limiter");
    auto options = std::make_shared<OccupancyOptions>();
    const auto number = [&](const char* name, auto& value, const char* text, int64_t least) {
        return command->add_option(name, value, text)->type_name("N")->check(CLI::Range(least, int64_t{1} << 40));
    };
    command->add_option("--device", options->device, "a model (H200, A100, ...) or a compute capability (9.0)")
        ->type_name("NAME")
        ->required();
    number("--block", options->block, "threads in a block", 1)->required();
    number("--registers", options->registers, "registers of a thread", 0)->required();
    number("--shared", options->shared, "bytes of shared memory of a block, static and dynamic", 0);
    number("--grid", options->grid, "blocks of the launch, for the number of waves", 1);
    number("--sms", options->smCount, "multiprocessors of the device", 1);
    command->add_flag("--json", options->json, "print one JSON document");
    command->footer("Example: warpline occupancy --device H200 --block 384 --registers 168 --shared 164308 --grid 64");
    command->callback([&choice, options] { choice.run = [options] { return runOccupancy(*options); }; });
}

}  // namespace warpline::cli
