// SPDX-License-Identifier: MIT
#include <algorithm>
#include <map>
#include <tuple>
#include <vector>

#include "app/cli/dump/dump_lists.h"

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

}  // namespace warpline::cli
