// SPDX-License-Identifier: MIT
// `warpline clocks`: locks the clocks of a GPU, lets them go, says how they are. Nothing else in this program sets
// clocks.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <ctime>
#include <memory>

#include "app/cli/command.h"
#include "app/cli/exit_code.h"
#include "app/cli/gpu_readings.h"
#include "app/cli/inputs.h"
#include "app/cli/standard_output.h"
#include "app/cli/terminal.h"
#include "core/base/json_writer.h"
#include "core/record/clocks/clock_protocol.h"
#include "core/record/gpu_lock/gpu_lock.h"
#include "core/record/nvml/nvml_snapshot.h"
#include "core/table/table_format.h"

namespace warpline::cli {

namespace {

using namespace warpline::record;

struct ClocksOptions {
    std::string device;  ///< a number, "all", or ""
    std::optional<uint32_t> smMhz;
    std::optional<uint32_t> memoryMhz;
    bool json = false;
};

struct Chosen {
    std::shared_ptr<const Nvml> nvml;
    std::vector<DeviceSnapshot> devices;
    int exitCode = kDone;  ///< anything else: there is nothing to do, the reason has been said
};

Chosen refused(const std::string& reason, int code) {
    printError(reason);
    return {nullptr, {}, code};
}

Chosen chooseDevices(const ClocksOptions& options, bool allByDefault) {
    auto opened = Nvml::open();
    if (!opened.ok()) {
        return refused(opened.error().message + "; `warpline doctor` says what to do", kUnusable);
    }
    Chosen chosen{opened.value(), takeSnapshot(*opened.value()).devices, kDone};
    if (chosen.devices.empty()) {
        return refused("the driver sees no GPU; `warpline doctor` says what to do", kUnusable);
    }
    const std::string numbers =
        chosen.devices.size() == 1 ? "0" : "0 to " + std::to_string(chosen.devices.size() - 1) + ", or all";
    if (options.device == "all" || (options.device.empty() && (allByDefault || chosen.devices.size() == 1))) {
        return chosen;
    }
    if (options.device.empty()) {
        return refused(
            "there are " + std::to_string(chosen.devices.size()) + " GPUs: say which with --device " + numbers,
            kWrongUsage);
    }
    size_t number = 0;
    const char* end = options.device.data() + options.device.size();
    const auto read = std::from_chars(options.device.data(), end, number);
    if (read.ec != std::errc() || read.ptr != end || number >= chosen.devices.size()) {
        return refused("--device " + options.device + ": not one of " + numbers, kWrongUsage);
    }
    chosen.devices = {chosen.devices[number]};
    return chosen;
}

std::string nameOf(const DeviceSnapshot& device) {
    return device.shortName() + (device.identity.name ? " (" + *device.identity.name + ")" : "");
}

/// As a shell takes it: sudo has another PATH.
std::string thisProgram() {
    std::string path(4096, '\0');
    const ssize_t count = readlink("/proc/self/exe", path.data(), path.size());
    path.resize(count > 0 ? static_cast<size_t>(count) : 0);
    if (path.empty()) {
        return "warpline";
    }
    return path.find_first_of(" '\"$\\&;()") == std::string::npos ? path : "'" + path + "'";
}

int failed(const DeviceSnapshot& device, const Error& error, const std::string& words) {
    std::string text = nameOf(device) + ": " + error.message;
    if (error.code == kNeedsRoot) {
        text += "; this needs root: sudo " + thisProgram() + " clocks " + words;
    } else if (error.code == "no_tool") {
        text += "; nvidia-smi comes with the driver; WARPLINE_NVIDIA_SMI names it where PATH does not have it";
    }
    printError(text);
    return error.code == "out_of_range" ? kWrongUsage : kUnusable;
}

int runLock(const ClocksOptions& options) {
    const Chosen chosen = chooseDevices(options, false);
    const ClockNotes notes;
    std::string out;
    int exitCode = chosen.exitCode;
    for (const DeviceSnapshot& device : chosen.devices) {
        const std::string number = std::to_string(device.identity.index);
        const auto choice = chooseClocks(device.identity, chosen.nvml->supportedSmClocksMhz(device.identity.index),
                                         chosen.nvml->supportedMemoryClocksMhz(device.identity.index),
                                         {options.smMhz, options.memoryMhz});
        if (!choice.ok()) {
            exitCode = failed(device, choice.error(), "");
            continue;
        }
        std::string words = "lock --device " + number + " --sm-mhz " + std::to_string(choice.value().smMhz);
        std::string clocks = "SM clock locked at " + std::to_string(choice.value().smMhz) + " MHz";
        if (choice.value().memoryMhz) {
            words += " --memory-mhz " + std::to_string(*choice.value().memoryMhz);
            clocks += ", memory clock at " + std::to_string(*choice.value().memoryMhz) + " MHz";
        }
        const Status status =
            device.identity.uuid
                ? lockClocks(nvidiaSmiProgram(), notes, *device.identity.uuid, choice.value(), std::time(nullptr))
                : Error::failed("its UUID is not known: " + device.identity.uuid.why);
        if (!status.ok()) {
            exitCode = failed(device, status.error(), words);
            continue;
        }
        out += nameOf(device) + ": " + clocks + ": " + choice.value().why + "\n";
        out += "  free again with: warpline clocks reset --device " + number + "\n";
        if (device.state.persistence && !*device.state.persistence) {
            out += "  persistence mode is off: the lock is lost when no program uses the GPU; sudo nvidia-smi -i " +
                   number + " -pm 1 keeps it\n";
        }
    }
    const Status written = writeOutput(out);
    return written.ok() ? exitCode : fail(written.error());
}

int runReset(const ClocksOptions& options) {
    const Chosen chosen = chooseDevices(options, false);
    const ClockNotes notes;
    std::string out;
    int exitCode = chosen.exitCode;
    for (const DeviceSnapshot& device : chosen.devices) {
        const Status status = device.identity.uuid
                                  ? resetClocks(nvidiaSmiProgram(), notes, *device.identity.uuid)
                                  : Error::failed("its UUID is not known: " + device.identity.uuid.why);
        if (status.ok()) {
            out += nameOf(device) + ": clocks are free\n";
        } else {
            exitCode = failed(device, status.error(), "reset --device " + std::to_string(device.identity.index));
        }
    }
    const Status written = writeOutput(out);
    return written.ok() ? exitCode : fail(written.error());
}

std::optional<ClockNote> noteOf(const DeviceSnapshot& device, const ClockNotes& notes) {
    return device.identity.uuid ? notes.find(*device.identity.uuid) : std::nullopt;
}

std::string statusJson(const std::vector<DeviceSnapshot>& devices, const ClockNotes& notes) {
    std::string out;
    JsonWriter json(out, 3);
    json.beginObject().key("devices").beginArray();
    for (const DeviceSnapshot& device : devices) {
        json.beginObject();
        writeReadings(json, device);
        json.key("locked");
        if (const auto note = noteOf(device, notes)) {
            json.beginObject().key("sm_mhz").integer(note->smMhz).key("memory_mhz");
            json.optionalInteger(note->memoryMhz ? std::optional<int64_t>(*note->memoryMhz) : std::nullopt);
            json.key("since").text(formatUtcSeconds(note->sinceSeconds)).endObject();
        } else {
            json.null();
        }
        json.key("lock_text").text(clockLockText(noteOf(device, notes), device.state.smClockMhz)).endObject();
    }
    json.endArray().endObject();
    return out + "\n";
}

int runStatus(const ClocksOptions& options) {
    const Chosen chosen = chooseDevices(options, true);
    if (chosen.exitCode != kDone) {
        return chosen.exitCode;
    }
    const ClockNotes notes;
    std::string out;
    if (options.json) {
        out = statusJson(chosen.devices, notes);
    } else {
        out = formatTable(readingsTable(chosen.devices), TableFormat::Text);
        for (const DeviceSnapshot& device : chosen.devices) {
            out += device.shortName() + ": " + clockLockText(noteOf(device, notes), device.state.smClockMhz) + "\n";
        }
        out += "The driver does not tell whether something else has locked clocks.\n";
    }
    const Status written = writeOutput(out);
    return written.ok() ? kDone : fail(written.error());
}

}  // namespace

void addClocks(CLI::App& app, Choice& choice) {
    auto* command = app.add_subcommand("clocks", "Lock the clocks of a GPU, let them go, or say how they are");
    command->require_subcommand(1);
    command->footer("Nothing else of Warpline sets clocks. Example: warpline clocks status");
    auto options = std::make_shared<ClocksOptions>();
    const auto add = [&](const char* name, const char* text, int (*run)(const ClocksOptions&)) {
        auto* sub = command->add_subcommand(name, text);
        sub->add_option("--device", options->device, "a GPU's number, as nvidia-smi counts, or all")->type_name("N");
        sub->callback([&choice, options, run] { choice.run = [options, run] { return run(*options); }; });
        return sub;
    };
    const auto clock = [&](CLI::App* sub, const char* name, auto& value, const char* text) {
        sub->add_option(name, value, text)->type_name("MHZ")->check(CLI::Range(1, 100000));
    };
    auto* lock = add("lock", "Hold the SM clock at one frequency, so that times can be compared (needs root)", runLock);
    clock(lock, "--sm-mhz", options->smMhz, "the SM clock; without it the default application clock, else the highest");
    clock(lock, "--memory-mhz", options->memoryMhz, "the memory clock; without it that is left as it is");
    lock->footer("Runs `nvidia-smi -lgc`, and `-lmc` for memory. Example: sudo warpline clocks lock --sm-mhz 1500");
    auto* reset = add("reset", "Let the clocks go, whoever has locked them (needs root)", runReset);
    reset->footer("Runs `nvidia-smi -rgc` and `-rmc`. Example: sudo warpline clocks reset --device all");
    auto* status = add("status", "The clocks now, why they are there, and whether we have locked them", runStatus);
    status->add_flag("--json", options->json, "print one JSON document");
    status->footer("Example: warpline clocks status --json");
}

}  // namespace warpline::cli
