// SPDX-License-Identifier: MIT
#include "app/cli/dump/dump_document.h"
#include "app/cli/terminal.h"
#include "core/base/demangle.h"
#include "core/base/stoppable.h"
#include "core/base/units.h"
#include "core/trace/process_title.h"

namespace warpline::cli {

namespace {

void addSlice(std::string& out, const Trace& trace, EventRow id) {
    const SliceColumns& slices = trace.slices();
    const FileInfo& file = trace.files()[trace.fileOf(slices.track[id.value]).value];
    const DurationNs duration = slices.knownDuration(id.value);
    out.append(4 + 2 * size_t{slices.depth[id.value]}, ' ');
    out += std::to_string(file.ownTime(slices.begin[id.value])) + " ns  ";
    out += duration == kUnknownDuration ? std::string("unfinished") : formatDuration(duration);
    const std::string name = demangledName(trace.sliceName(id));
    out += "  " + (name.empty() ? std::string("(no name)") : oneLine(name));
    out += " [" + std::string(eventKindName(slices.kind[id.value])) + "]";
    if (const EventRow launch = isDeviceWork(slices.kind[id.value]) ? trace.launchOf(id) : EventRow::none();
        launch.valid()) {
        out += " from " + oneLine(trace.sliceName(launch)) + " at " +
               std::to_string(file.ownTime(slices.begin[launch.value])) + " ns";
    }
    out += '\n';
}

/// A slice and all below it, in the order of time. False when stopped.
bool addTree(std::string& out, const Trace& trace, const std::vector<EventRow>& top, const JobControl& job) {
    std::vector<EventRow> open(top.rbegin(), top.rend());
    while (!open.empty()) {
        if (job.stopRequested()) {
            return false;
        }
        const EventRow row = open.back();
        open.pop_back();
        addSlice(out, trace, row);
        const std::span<const EventRow> children = trace.childrenOf(row);
        open.insert(open.end(), children.rbegin(), children.rend());
    }
    return true;
}

}  // namespace

Result<std::string> dumpText(const Trace& trace, const JobControl& job) {
    std::string out;
    for (const FileInfo& file : trace.files()) {
        out += "File " + oneLine(file.path) + ": " + file.format + ", " + file.compression + "\n";
    }
    for (const Issue& issue : trace.report().issues()) {
        out += "Issue " + std::string(severityName(issue.severity)) + " " + issue.code + ": " + oneLine(issue.message) +
               "\n";
    }
    const SliceColumns& slices = trace.slices();
    for (const ProcessId processId : trace.processOrder()) {
        const Process& process = trace.process(processId);
        out += "Process " + oneLine(processTitle(trace, processId)) + "\n";
        for (const TrackId id : process.tracks) {
            const Track& track = trace.track(id);
            out += std::string("  ") + (track.isDevice ? "Device track " : "Track ") +
                   oneLine(trace.string(track.label)) + "\n";
            std::vector<EventRow> top;
            for (uint32_t row = track.firstRow; row < track.firstRow + track.sliceCount; ++row) {
                if (!slices.parent[row].valid()) {
                    top.emplace_back(row);
                }
            }
            const auto begin = [&](EventRow row) { return slices.begin[row.value]; };
            if (!stableSortByKeyUnlessStopped(top, begin, job) || !addTree(out, trace, top, job)) {
                return Error::cancelled();
            }
            for (const Instant& instant : trace.instants().subspan(track.firstInstant, track.instantCount)) {
                if (job.stopRequested()) {
                    return Error::cancelled();
                }
                const FileInfo& file = trace.files()[process.file.value];
                out += "    " + std::to_string(file.ownTime(instant.time)) + " ns  instant  " +
                       oneLine(trace.string(instant.name)) + "\n";
            }
        }
    }
    return out;
}

}  // namespace warpline::cli
