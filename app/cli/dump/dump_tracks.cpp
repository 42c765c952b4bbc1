// SPDX-License-Identifier: MIT
#include "app/cli/dump/dump_lists.h"
#include "core/trace/process_title.h"

namespace warpline::cli {

void DumpContext::writeWord(const std::optional<StringId>& word) const {
    if (word) {
        json.text(trace.string(*word));
    } else {
        json.null();
    }
}

void DumpContext::writeId(const std::optional<EventId>& id) const {
    if (id) {
        json.text(trace.idText(*id));
    } else {
        json.null();
    }
}

void DumpContext::writePlace(TrackId id) const {
    const Track& track = trace.track(id);
    const Process& process = trace.process(track.process);
    json.key("file").unsignedInteger(process.file.value);
    json.key("pid");
    writeWord(process.pid);
    json.key("tid");
    writeWord(track.tid);
}

void DumpContext::writeNameAndCategory(StringId name, StringId category) const {
    json.key("name").text(trace.string(name));
    json.key("cat").text(trace.string(category));
}

void dumpFiles(const DumpContext& dump) {
    dump.json.key("files").beginArray();
    for (const FileInfo& file : dump.trace.files()) {
        dump.json.beginObject().key("file").text(file.path);
        dump.json.key("rank").optionalInteger(file.rank);
        dump.json.key("world_size").optionalInteger(file.worldSize);
        dump.json.key("backend");
        if (file.backend.empty()) {
            dump.json.null();
        } else {
            dump.json.text(file.backend);
        }
        dump.json.key("base_time_ns").optionalInteger(file.baseTimeNs);
        dump.json.key("axis_offset_ns").integer(file.axisOffsetNs);
        dump.json.key("placed_by_hand").boolean(file.placedByHand).endObject();
    }
    dump.json.endArray();
}

void dumpInitialView(const DumpContext& dump) {
    dump.json.key("initial_view_ns");
    if (const auto view = dump.trace.initialView()) {
        const FileId first(0U);
        dump.json.beginArray().integer(dump.fileTime(first, view->begin));
        dump.json.integer(dump.fileTime(first, view->end)).endArray();
    } else {
        dump.json.null();
    }
}

void dumpProcesses(const DumpContext& dump) {
    dump.json.key("processes").beginArray();
    for (const ProcessId id : dump.trace.processOrder()) {
        if (dump.job.stopRequested()) {
            return;
        }
        const Process& process = dump.trace.process(id);
        dump.json.beginObject().key("file").unsignedInteger(process.file.value).key("pid");
        dump.writeWord(process.pid);
        dump.json.key("name");
        dump.writeWord(process.name);
        dump.json.key("label").text(dump.trace.string(process.label));
        dump.json.key("rank").optionalInteger(dump.trace.files()[process.file.value].rank);
        dump.json.key("title").text(processTitle(dump.trace, id)).endObject();
    }
    dump.json.endArray();
}

void dumpThreads(const DumpContext& dump) {
    dump.json.key("threads").beginArray();
    for (const ProcessId processId : dump.trace.processOrder()) {
        if (dump.job.stopRequested()) {
            return;
        }
        for (const TrackId id : dump.trace.process(processId).tracks) {
            const Track& track = dump.trace.track(id);
            dump.json.beginObject();
            dump.writePlace(id);
            dump.json.key("name");
            dump.writeWord(track.name);
            dump.json.key("label").text(dump.trace.string(track.label));
            dump.json.key("device").boolean(track.isDevice).endObject();
        }
    }
    dump.json.endArray();
}

}  // namespace warpline::cli
