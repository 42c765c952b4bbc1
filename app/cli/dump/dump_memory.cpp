// SPDX-License-Identifier: MIT
#include <algorithm>
#include <map>
#include <tuple>
#include <vector>

#include "app/cli/dump/dump_lists.h"
#include "core/analyses/memory_timeline.h"

namespace warpline::cli {

namespace {

struct Levels {
    std::vector<std::pair<TimeNs, int64_t>> allocated, reserved;
    std::optional<int64_t> peakAllocated;
};

void writeLevels(JsonWriter& json, const std::vector<std::pair<TimeNs, int64_t>>& levels) {
    json.beginArray();
    for (const auto& [time, bytes] : levels) {
        json.beginArray().integer(time).integer(bytes).endArray();
    }
    json.endArray();
}

}  // namespace

void dumpMemoryCounters(const DumpContext& dump) {
    std::map<std::tuple<FileId, int64_t, int64_t>, Levels> devices;
    for (const MemoryEvent& event : dump.trace.memoryEvents()) {
        if (event.outOfMemory) {
            continue;
        }
        Levels& levels = devices[{event.file, event.rawDeviceType, event.device}];
        const TimeNs time = dump.fileTime(event.file, event.time);
        if (event.totalAllocated >= 0) {
            levels.allocated.emplace_back(time, event.totalAllocated);
            levels.peakAllocated = std::max(levels.peakAllocated.value_or(0), event.totalAllocated);
        }
        if (event.totalReserved >= 0) {
            levels.reserved.emplace_back(time, event.totalReserved);
        }
    }
    dump.json.key("memory_counters").beginArray();
    for (const auto& [key, levels] : devices) {
        const auto& [file, deviceType, device] = key;
        dump.json.beginObject().key("file").unsignedInteger(file.value);
        dump.json.key("device_type").integer(deviceType).key("device").integer(device).key("allocated");
        writeLevels(dump.json, levels.allocated);
        dump.json.key("reserved");
        writeLevels(dump.json, levels.reserved);
        dump.json.key("peak_allocated").optionalInteger(levels.peakAllocated).endObject();
    }
    dump.json.endArray();
}

void dumpOutOfMemory(const DumpContext& dump) {
    dump.json.key("out_of_memory").beginArray();
    for (const MemoryEvent& event : dump.trace.memoryEvents()) {
        if (!event.outOfMemory) {
            continue;
        }
        dump.json.beginObject().key("file").unsignedInteger(event.file.value);
        dump.json.key("ts_ns").integer(dump.fileTime(event.file, event.time));
        dump.json.key("device_type").integer(event.rawDeviceType).key("device").integer(event.device);
        dump.json.key("requested").integer(event.bytes).endObject();
    }
    dump.json.endArray();
}

void dumpMemoryTimeline(const DumpContext& dump) {
    JsonWriter& json = dump.json;
    json.key("memory_timeline");
    const auto timeline = readMemoryTimeline(dump.trace);
    if (!timeline) {
        json.null();
        return;
    }
    json.beginObject().key("categories").beginArray();
    for (const std::string_view category : timeline->categories) {
        json.text(category);
    }
    json.endArray();
    const auto& properties = dump.trace.files()[timeline->file.value].properties;
    for (const char* key : {"events", "start_bytes"}) {
        const auto property = properties.find(key);
        json.key(key).raw(property == properties.end() ? "null" : property->second);
    }
    json.key("times_ns").beginArray();
    for (const TimeNs time : timeline->times) {
        json.integer(dump.fileTime(timeline->file, time));
    }
    json.endArray().key("bytes").beginArray();
    for (size_t row = 0; row < timeline->times.size(); ++row) {
        json.beginArray();
        for (size_t i = 0; i < timeline->categories.size(); ++i) {
            json.optionalInteger(timeline->level(row, i));
        }
        json.endArray();
    }
    json.endArray().key("peak_bytes");
    const auto peak = timeline->peakRow;
    json.optionalInteger(peak ? timeline->total(*peak) : std::nullopt).key("peak_time_ns");
    json.optionalInteger(peak ? std::optional(dump.fileTime(timeline->file, timeline->times[*peak])) : std::nullopt);
    json.key("at_peak").beginObject();
    for (size_t i = 0; peak && i < timeline->categories.size(); ++i) {
        json.key(timeline->categories[i]).optionalInteger(timeline->level(*peak, i));
    }
    json.endObject().endObject();
}

}  // namespace warpline::cli
