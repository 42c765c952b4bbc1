// SPDX-License-Identifier: MIT
#include <tuple>

#include "app/cli/dump/dump_lists.h"
#include "core/base/demangle.h"
#include "core/base/stoppable.h"

namespace warpline::cli {

namespace {

/// Times near the ends of 64 bits stay exact when a wall-clock time is added.
__extension__ using Int128 = __int128;

std::string decimalText(Int128 value) {
    const bool negative = value < 0;
    std::string digits;
    do {
        const int digit = static_cast<int>(value % 10);
        digits += static_cast<char>('0' + (digit < 0 ? -digit : digit));
        value /= 10;
    } while (value != 0);
    if (negative) {
        digits += '-';
    }
    return {digits.rbegin(), digits.rend()};
}

void writeDuration(JsonWriter& json, std::string_view key, DurationNs duration) {
    json.key(key);
    if (duration == kUnknownDuration) {
        json.null();
    } else {
        json.integer(duration);
    }
}

void writeSlice(const DumpContext& dump, EventRow id, const std::string& args) {
    const Trace& trace = dump.trace;
    const SliceColumns& slices = trace.slices();
    const uint32_t row = id.value;
    JsonWriter& json = dump.json;
    const FileId file = trace.fileOf(slices.track[row]);
    const TimeNs time = dump.fileTime(file, slices.begin[row]);
    const auto& base = trace.files()[file.value].baseTimeNs;

    json.beginObject().key("id").unsignedInteger(dump.sliceIdOfRow[row]);
    dump.writePlace(slices.track[row]);
    const std::string shown = demangledName(trace.sliceName(id));
    json.key("name").text(trace.sliceName(id));
    json.key("display_name").text(shown.empty() ? "(no name)" : shown);
    json.key("cat").text(trace.string(slices.category[row]));
    json.key("kind").text(eventKindName(slices.kind[row]));
    json.key("ts_ns").integer(time);
    json.key("absolute_ns");
    if (base) {
        json.raw(decimalText(static_cast<Int128>(time) + *base));
    } else {
        json.null();
    }
    writeDuration(json, "dur_ns", slices.knownDuration(row));
    writeDuration(json, "self_ns", trace.selfDuration(id));
    json.key("depth").unsignedInteger(slices.depth[row]);
    dump.writeSliceId("parent", slices.parent[row]);
    json.key("unfinished").boolean((slices.flags[row] & (kSliceUnfinished | kSliceNoEnd)) != 0);
    dump.writeSliceId("launch", isDeviceWork(slices.kind[row]) ? trace.launchOf(id) : EventRow::none());
    json.key("args").raw(args).endObject();
}

}  // namespace

void DumpContext::writeSliceId(std::string_view key, EventRow row) const {
    json.key(key);
    if (row.valid()) {
        json.unsignedInteger(sliceIdOfRow[row.value]);
    } else {
        json.null();
    }
}

std::vector<EventRow> dumpOrder(const Trace& trace, const JobControl& job) {
    const SliceColumns& slices = trace.slices();
    std::vector<EventRow> order;
    order.reserve(slices.size());
    for (uint32_t row = 0; row < slices.size(); ++row) {
        order.emplace_back(row);
    }
    const auto place = [&](EventRow row) {
        const uint32_t r = row.value;
        return std::tuple(slices.begin[r], trace.fileOf(slices.track[r]), slices.sourceOffset[r]);
    };
    static_cast<void>(stableSortByKeyUnlessStopped(order, place, job));
    return order;
}

Status dumpSlices(const DumpContext& dump) {
    dump.json.key("slices").beginArray();
    for (const EventRow row : dump.sliceOrder) {
        if (dump.job.stopRequested()) {
            return Error::cancelled();
        }
        writeSlice(dump, row, dump.args.slices[row.value]);
    }
    dump.json.endArray();
    return {};
}

}  // namespace warpline::cli
