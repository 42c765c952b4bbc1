// SPDX-License-Identifier: MIT
#include "app/cli/dump/dump_document.h"

#include <algorithm>

#include "app/cli/dump/dump_lists.h"
#include "app/cli/facts_json.h"
#include "core/analyses/memory_timeline.h"

namespace warpline::cli {

namespace {

void writeFacts(const DumpContext& dump) {
    JsonWriter& json = dump.json;
    const Trace& trace = dump.trace;
    json.key("loads").boolean(true);
    json.key("complete").boolean(trace.report().complete());
    const bool isTimeline = std::ranges::all_of(trace.files(), isMemoryTimeline);
    json.key("document").text(isTimeline ? "memory timeline" : "trace");
    json.key("issues").beginArray();
    for (const Issue& issue : trace.report().issues()) {
        writeIssue(json, issue);
    }
    for (const Issue& issue : dump.args.issues) {
        writeIssue(json, issue);
    }
    json.endArray();
    dumpFiles(dump);
    json.key("devices").beginArray();
    for (const DeviceInfo& device : trace.devices()) {
        writeDevice(json, device);
    }
    json.endArray();
    json.key("metadata").unsignedInteger(trace.counts().metadata);
    dumpInitialView(dump);
    dumpProcesses(dump);
    dumpThreads(dump);
}

Status writeEvents(const DumpContext& dump) {
    Status status = dumpSlices(dump);
    if (status.ok()) {
        status = dumpAsync(dump);
    }
    if (status.ok()) {
        status = dumpInstants(dump);
    }
    if (status.ok()) {
        status = dumpCounters(dump);
    }
    if (status.ok()) {
        status = dumpFlows(dump);
    }
    return status;
}

Status writeTables(const DumpContext& dump) {
    dumpOpTable(dump);
    Status status = dumpKernelTable(dump);
    if (status.ok()) {
        status = dumpGpus(dump);
    }
    dumpMemoryCounters(dump);
    dumpOutOfMemory(dump);
    return status;
}

}  // namespace

Result<std::string> dumpJson(const Trace& trace, JobControl& job) {
    std::string out;
    JsonWriter json(out, 2);
    const std::vector<EventRow> order = dumpOrder(trace, job);
    if (job.stopRequested()) {
        return Error::cancelled();
    }
    std::vector<uint32_t> ids(order.size());
    for (uint32_t id = 0; id < order.size(); ++id) {
        ids[order[id].value] = id;
    }
    const Result<DumpArgs> args = readDumpArgs(trace, job);
    if (!args.ok()) {
        return args.error();
    }
    const DumpContext dump{trace, json, job, order, ids, args.value()};
    json.beginObject();
    writeFacts(dump);
    Status status = job.stopRequested() ? Error::cancelled() : writeEvents(dump);
    if (status.ok()) {
        status = writeTables(dump);
    }
    if (!status.ok()) {
        return status.error();
    }
    json.key("memory").beginArray().endArray();
    dumpMemoryTimeline(dump);
    json.endObject();
    out += '\n';
    return out;
}

}  // namespace warpline::cli
