// SPDX-License-Identifier: MIT
// `warpline doctor`: what of recording works on this machine, and how to get what does not.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <memory>

#include "app/cli/command.h"
#include "app/cli/exit_code.h"
#include "app/cli/gpu_readings.h"
#include "app/cli/inputs.h"
#include "app/cli/standard_output.h"
#include "app/cli/terminal.h"
#include "core/base/json_writer.h"
#include "core/record/doctor/doctor.h"
#include "core/table/table_format.h"

namespace warpline::cli {

namespace {

using namespace warpline::record;

std::string reportJson(const std::vector<Check>& checks, const NvmlSnapshot& nvml) {
    std::string out;
    JsonWriter json(out, 3);
    json.beginObject().key("checks").beginArray();
    for (const Check& check : checks) {
        json.beginObject().key("id").text(check.id).key("title").text(check.title);
        json.key("state").text(checkStateName(check.state)).key("found").text(check.found).key("fix");
        check.fix.empty() ? json.null() : json.text(check.fix);
        json.endObject();
    }
    json.endArray().key("devices").beginArray();
    for (const DeviceSnapshot& device : nvml.devices) {
        json.beginObject();
        writeReadings(json, device);
        json.endObject();
    }
    json.endArray().endObject();
    return out + "\n";
}

std::string padded(std::string text, size_t width) {
    text.resize(std::max(text.size(), width), ' ');
    return text;
}

/// Breaks between words; lines after the first begin under its text.
std::string wrapped(const std::string& head, const std::string& text, size_t width) {
    std::string out = head;
    size_t column = head.size();
    for (size_t at = 0; at < text.size();) {
        const size_t end = std::min(text.find(' ', at), text.size());
        const std::string word = text.substr(at, end - at);
        if (width != 0 && column > head.size() && column + 1 + word.size() > width) {
            out += "\n" + std::string(head.size(), ' ');
            column = head.size();
        }
        if (column > head.size()) {
            out += ' ';
            ++column;
        }
        out += word;
        column += word.size();
        at = end + 1;
    }
    return out + "\n";
}

std::string reportText(const std::vector<Check>& checks, const NvmlSnapshot& nvml) {
    const size_t width = outputWidth();
    size_t titleWidth = 0;
    for (const Check& check : checks) {
        titleWidth = std::max(titleWidth, check.title.size());
    }
    std::string out;
    for (const Check& check : checks) {
        const char* state = check.state == CheckState::Ok        ? "ok"
                            : check.state == CheckState::Limited ? "limited"
                                                                 : "not available";
        const std::string head = padded(state, 15) + padded(check.title, titleWidth + 2);
        out += wrapped(head, oneLine(check.found), width);
        if (!check.fix.empty()) {
            out += wrapped(std::string(head.size(), ' ') + "-> ", oneLine(check.fix), width);
        }
    }
    if (!nvml.devices.empty()) {
        out += "\n" + formatTable(readingsTable(nvml.devices), TableFormat::Text);
    }
    return out;
}

std::string programFolder() {
    std::error_code error;
    const auto path = std::filesystem::read_symlink("/proc/self/exe", error);
    return error ? "." : path.parent_path().string();
}

int runDoctor(bool isJson) {
    const NvmlSnapshot nvml = takeSnapshot(Nvml::open());
    const ClockNotes notes;
    const DoctorInput input{realSystem(), nvml, notes, programFolder(),
                            [](const std::string& uuid) { return gpuLockHolder(uuid); }};
    const auto checks = runChecks(input);
    const Status status = writeOutput(isJson ? reportJson(checks, nvml) : reportText(checks, nvml));
    return status.ok() ? kDone : fail(status.error());
}

}  // namespace

void addDoctor(CLI::App& app, Choice& choice) {
    auto* command = app.add_subcommand("doctor", "What of recording works on this machine, and how to get the rest");
    auto isJson = std::make_shared<bool>(false);
    command->add_flag("--json", *isJson, "print one JSON document");
    command->footer("Changes nothing. Ends with 0 whatever it finds. Example: warpline doctor --json");
    command->callback([&choice, isJson] { choice.run = [isJson] { return runDoctor(*isJson); }; });
}

}  // namespace warpline::cli
