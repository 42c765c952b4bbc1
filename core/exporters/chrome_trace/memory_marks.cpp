// SPDX-License-Identifier: MIT
#include "core/exporters/chrome_trace/memory_marks.h"

#include <algorithm>
#include <tuple>

#include "core/base/json_writer.h"
#include "core/base/stoppable.h"

namespace warpline::exporters {

std::optional<std::vector<uint32_t>> memoryEventsOfInstants(const Trace& trace, FileId file, const JobControl& job) {
    const auto events = trace.memoryEvents();
    const auto instants = trace.instants();
    std::vector<uint32_t> order;
    for (uint32_t i = 0; i < events.size(); ++i) {
        if (events[i].file == file && events[i].track.valid()) {
            order.push_back(i);
        }
    }
    const auto place = [&](uint32_t i) { return std::tuple(events[i].track.value, events[i].time, events[i].order); };
    if (!stableSortByKeyUnlessStopped(order, place, job)) {
        return std::nullopt;
    }
    const auto memory = trace.findString("[memory]");
    const auto failure = trace.findString("[OutOfMemory]");
    std::vector<uint32_t> out(instants.size(), kNoMemoryEvent);
    // Both lie by track and time, and those of one time in the order of the file.
    size_t next = 0;
    StopPoll poll(job);
    for (size_t i = 0; i < instants.size() && next < order.size(); ++i) {
        if (poll.stopRequested()) {
            return std::nullopt;
        }
        const Instant& instant = instants[i];
        if (instant.name != memory && instant.name != failure) {
            continue;
        }
        const auto at = std::pair(instant.track.value, instant.time);
        const auto eventAt = [&] { return std::pair(events[order[next]].track.value, events[order[next]].time); };
        while (next < order.size() && eventAt() < at) {
            ++next;
        }
        if (next < order.size() && eventAt() == at) {
            out[i] = order[next++];
        }
    }
    return out;
}

std::string memoryArgs(const MemoryEvent& event) {
    std::string out;
    JsonWriter json(out);
    json.beginObject();
    if (event.totalReserved >= 0) {
        json.key("Total Reserved").integer(event.totalReserved);
    }
    if (event.totalAllocated >= 0) {
        json.key("Total Allocated").integer(event.totalAllocated);
    }
    json.key("Bytes").integer(event.bytes);
    json.key("Addr").unsignedInteger(event.address);
    json.key("Device Id").integer(event.device);
    json.key("Device Type").integer(event.rawDeviceType);
    json.endObject();
    return out;
}

}  // namespace warpline::exporters
