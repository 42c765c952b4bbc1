// SPDX-License-Identifier: MIT
#include <charconv>
#include <cmath>

#include "app/cli/dump/dump_lists.h"

namespace warpline::cli {

namespace {

/// Whole values as whole numbers, however they were kept. Above 2^53 a double is given in full only where it is what
/// the file has: where `isRounded`, its digits would not be those of the file.
void writeValue(JsonWriter& json, const CounterSeries& series, size_t i, bool isRounded) {
    constexpr double kExactlyWhole = 9007199254740992.0;  // 2^53
    constexpr double kLongest = 0x1p128;                  // longer ones are no counts: 1e300
    const double value = series.value[i];
    if (!series.whole.empty()) {
        json.integer(series.whole[i]);
    } else if (std::trunc(value) == value && std::abs(value) < kExactlyWhole) {
        json.integer(static_cast<int64_t>(value));
    } else if (std::trunc(value) == value && std::abs(value) <= kLongest && !isRounded) {
        char digits[48];
        const auto end = std::to_chars(digits, digits + sizeof digits, value, std::chars_format::fixed, 0);
        json.raw({digits, static_cast<size_t>(end.ptr - digits)});
    } else {
        json.real(value);
    }
}

}  // namespace

Status dumpAsync(const DumpContext& dump) {
    JsonWriter& json = dump.json;
    json.key("async_slices").beginArray();
    for (size_t i = 0; i < dump.trace.asyncSlices().size(); ++i) {
        if (dump.job.stopRequested()) {
            return Error::cancelled();
        }
        const AsyncSlice& slice = dump.trace.asyncSlices()[i];
        json.beginObject();
        dump.writePlace(slice.track);
        dump.writeNameAndCategory(slice.name, slice.category);
        json.key("id");
        dump.writeId(slice.id);
        json.key("ts_ns").integer(dump.fileTime(dump.trace.fileOf(slice.track), slice.begin));
        json.key("dur_ns");
        if (slice.unfinished || slice.duration == kUnknownDuration) {
            json.null();
        } else {
            json.integer(slice.duration);
        }
        json.key("unfinished").boolean(slice.unfinished);
        json.key("args").raw(dump.args.asyncSlices[i]).endObject();
    }
    json.endArray();
    json.key("async_instants").beginArray();
    for (size_t i = 0; i < dump.trace.asyncInstants().size(); ++i) {
        if (dump.job.stopRequested()) {
            return Error::cancelled();
        }
        const AsyncInstant& instant = dump.trace.asyncInstants()[i];
        json.beginObject();
        dump.writePlace(instant.track);
        dump.writeNameAndCategory(instant.name, instant.category);
        json.key("id");
        dump.writeId(instant.id);
        json.key("ts_ns").integer(dump.fileTime(dump.trace.fileOf(instant.track), instant.time));
        json.key("args").raw(dump.args.asyncInstants[i]).endObject();
    }
    json.endArray();
    return {};
}

Status dumpInstants(const DumpContext& dump) {
    JsonWriter& json = dump.json;
    json.key("instants").beginArray();
    for (size_t i = 0; i < dump.trace.instants().size(); ++i) {
        if (dump.job.stopRequested()) {
            return Error::cancelled();
        }
        const Instant& instant = dump.trace.instants()[i];
        json.beginObject();
        dump.writePlace(instant.track);
        dump.writeNameAndCategory(instant.name, instant.category);
        json.key("ts_ns").integer(dump.fileTime(dump.trace.fileOf(instant.track), instant.time));
        json.key("args").raw(dump.args.instants[i]).endObject();
    }
    json.endArray();
    return {};
}

Status dumpCounters(const DumpContext& dump) {
    JsonWriter& json = dump.json;
    const bool isRounded = dump.trace.report().countOf("rounded_number") > 0;
    json.key("counters").beginArray();
    for (const Counter& counter : dump.trace.counters()) {
        const Process& process = dump.trace.process(counter.process);
        json.beginObject().key("file").unsignedInteger(process.file.value).key("pid");
        dump.writeWord(process.pid);
        json.key("name").text(dump.trace.string(counter.name)).key("id");
        dump.writeId(counter.id);
        json.key("series").beginObject();
        for (const CounterSeries& series : counter.series) {
            json.key(dump.trace.string(series.name)).beginArray();
            for (size_t i = 0; i < series.time.size(); ++i) {
                if (dump.job.stopRequested()) {
                    return Error::cancelled();
                }
                json.beginArray().integer(dump.fileTime(process.file, series.time[i]));
                if (std::isnan(series.value[i])) {
                    json.null();
                } else {
                    writeValue(json, series, i, isRounded);
                }
                json.endArray();
            }
            json.endArray();
        }
        json.endObject().endObject();
    }
    json.endArray();
    return {};
}

Status dumpFlows(const DumpContext& dump) {
    dump.json.key("flows").beginArray();
    for (const FlowArrow& arrow : dump.trace.flows()) {
        if (dump.job.stopRequested()) {
            return Error::cancelled();
        }
        dump.json.beginObject();
        dump.writeSliceId("from", arrow.from);
        dump.writeSliceId("to", arrow.to);
        dump.json.key("cat").text(dump.trace.string(arrow.category));
        dump.json.key("id").text(dump.trace.idText(arrow.id)).endObject();
    }
    dump.json.endArray();
    return {};
}

}  // namespace warpline::cli
