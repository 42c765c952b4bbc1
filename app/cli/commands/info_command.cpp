// SPDX-License-Identifier: MIT
// `warpline info`: what is in a file, and every import issue.
#include <CLI/CLI.hpp>
#include <memory>

#include "app/cli/command.h"
#include "app/cli/exit_code.h"
#include "app/cli/facts_json.h"
#include "app/cli/inputs.h"
#include "app/cli/interrupt.h"
#include "app/cli/standard_output.h"
#include "app/cli/terminal.h"
#include "core/base/json_writer.h"
#include "core/base/units.h"
#include "core/trace/category_counts.h"

namespace warpline::cli {

namespace {

struct InfoOptions {
    InputOptions input;
    bool json = false;
};

size_t countTracks(const Trace& trace) {
    size_t count = 0;
    for (const Track& track : trace.tracks()) {
        count += track.hasEvents ? 1 : 0;
    }
    return count;
}

std::string infoJson(const Trace& trace, const std::vector<CategoryCount>& categories) {
    const FileInfo& file = trace.files()[0];
    const EventCounts& counts = trace.counts();
    const auto range = trace.range();
    std::string out;
    JsonWriter json(out, 2);
    json.beginObject();
    json.key("file").text(file.path);
    json.key("format").text(file.format);
    json.key("compressed").text(file.compression);
    json.key("bytes").unsignedInteger(file.bytes);
    json.key("events").beginObject();
    json.key("slices").unsignedInteger(counts.slices);
    json.key("instants").unsignedInteger(counts.instants);
    json.key("counters").unsignedInteger(counts.counters);
    json.key("flows").unsignedInteger(counts.flows);
    json.key("async").unsignedInteger(counts.async);
    json.key("metadata").unsignedInteger(counts.metadata);
    json.endObject();
    json.key("by_category").beginObject();
    for (const auto& [category, count] : categories) {
        if (!category.empty()) {
            json.key(category).unsignedInteger(count);
        }
    }
    json.endObject();
    json.key("processes").unsignedInteger(trace.processOrder().size());
    json.key("tracks").unsignedInteger(countTracks(trace));
    json.key("start_ns").optionalInteger(range ? std::optional(file.ownTime(range->begin)) : std::nullopt);
    json.key("end_ns").optionalInteger(range ? std::optional(file.ownTime(range->end)) : std::nullopt);
    json.key("base_time_ns").optionalInteger(file.baseTimeNs);
    json.key("rank").optionalInteger(file.rank);
    json.key("world_size").optionalInteger(file.worldSize);
    json.key("devices").beginArray();
    for (const DeviceInfo& device : trace.devices()) {
        writeDevice(json, device);
    }
    json.endArray();
    json.key("issues").beginArray();
    for (const Issue& issue : trace.report().issues()) {
        writeIssue(json, issue);
    }
    json.endArray().endObject();
    out += '\n';
    return out;
}

void addLine(std::string& out, std::string_view label, std::string_view text) {
    constexpr size_t kLabelWidth = 12;
    out += label;
    out.append(kLabelWidth - label.size(), ' ');
    out += oneLine(text) + '\n';
}

std::string deviceText(const DeviceInfo& device) {
    std::string text = "GPU " + std::to_string(device.id) + ": " + device.name;
    if (device.computeMajor && device.computeMinor) {
        text +=
            ", compute capability " + std::to_string(*device.computeMajor) + "." + std::to_string(*device.computeMinor);
    }
    if (device.smCount) {
        text += ", " + std::to_string(*device.smCount) + " SMs";
    }
    if (device.memoryBytes) {
        text += ", " + formatBytes(static_cast<double>(*device.memoryBytes));
    }
    return text;
}

std::string issueText(const Issue& issue) {
    std::string text = std::string(severityName(issue.severity)) + " " + issue.code + ": " + issue.message;
    if (issue.firstOffset) {
        text += " (first at byte " + std::to_string(*issue.firstOffset);
        text += issue.space == OffsetSpace::Decompressed ? " of the decompressed text)" : ")";
    }
    return text;
}

std::string infoText(const Trace& trace, const std::vector<CategoryCount>& categories) {
    const FileInfo& file = trace.files()[0];
    const EventCounts& counts = trace.counts();
    std::string out;
    addLine(out, "File", file.path);
    addLine(out, "Format", file.format + (file.compression == "none" ? "" : ", " + file.compression));
    addLine(out, "Size", file.bytes > 0 ? formatBytes(static_cast<double>(file.bytes)) : "n/a");
    const auto range = trace.range();
    addLine(out, "Span", range ? formatDuration(range->length()) : "n/a: nothing has a time");
    for (const DeviceInfo& device : trace.devices()) {
        addLine(out, "Device", deviceText(device));
    }
    if (file.rank) {
        addLine(
            out, "Rank",
            std::to_string(*file.rank) + (file.worldSize ? " of " + std::to_string(*file.worldSize) : std::string()));
    }
    addLine(
        out, "Tracks",
        formatCount(countTracks(trace)) + " in " + formatCountOf(trace.processOrder().size(), "process", "processes"));
    const std::pair<const char*, uint64_t> sorts[] = {{"slice", counts.slices},      {"instant", counts.instants},
                                                      {"counter", counts.counters},  {"flow point", counts.flows},
                                                      {"async slice", counts.async}, {"metadata", counts.metadata}};
    std::string events;
    for (const auto& [name, count] : sorts) {
        if (count > 0) {
            events += (events.empty() ? "" : ", ") +
                      formatCountOf(count, name, name == std::string_view("metadata") ? name : "");
        }
    }
    addLine(out, "Events", events.empty() ? "none" : events);
    std::string_view label = "Categories";
    for (const auto& [category, count] : categories) {
        if (category.empty()) {
            continue;
        }
        std::string number = formatCount(count);
        number.insert(0, number.size() < 10 ? 10 - number.size() : 0, ' ');
        addLine(out, label, number + "  " + std::string(category));
        label = "";
    }
    label = "Issues";
    for (const Issue& issue : trace.report().issues()) {
        addLine(out, label, issueText(issue));
        label = "";
    }
    if (trace.report().issues().empty()) {
        addLine(out, label, "none");
    }
    return out;
}

int runInfo(const InfoOptions& options) {
    const auto trace = loadInputs(options.input);
    if (!trace.ok()) {
        if (options.json && !trace.error().isCancelled()) {
            if (const Status status = writeOutput(failureDocument(trace.error(), options.input.paths)); !status.ok()) {
                return fail(status.error());
            }
        }
        return fail(trace.error());
    }
    const auto categories = countCategories(*trace.value(), interruptibleJob());
    if (!categories.ok()) {
        return fail(categories.error());
    }
    const Status status = writeOutput(options.json ? infoJson(*trace.value(), categories.value())
                                                   : infoText(*trace.value(), categories.value()));
    return status.ok() ? finish(*trace.value(), options.input) : fail(status.error());
}

}  // namespace

void addInfo(CLI::App& app, Choice& choice) {
    auto* command = app.add_subcommand("info", "What is in a file, and every import issue");
    auto options = std::make_shared<InfoOptions>();
    addInputOptions(*command, options->input, false);
    command->add_flag("--json", options->json, "print one JSON document");
    command->footer("Example: warpline info trace.json.gz --json");
    command->callback([&choice, options] { choice.run = [options] { return runInfo(*options); }; });
}

}  // namespace warpline::cli
