// SPDX-License-Identifier: MIT
#include "core/exporters/chrome_trace/chrome_trace_writer.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>

#include "core/base/decimal_time.h"
#include "core/base/json_writer.h"
#include "core/base/stoppable.h"
#include "core/exporters/chrome_trace/async_ids.h"
#include "core/exporters/chrome_trace/memory_marks.h"
#include "core/trace/args_reader.h"

namespace warpline::exporters {

namespace {

constexpr size_t kFlushBytes = size_t{1} << 18;

/// Digits that JSON can hold as a whole number of 64 bits.
bool isWholeNumber(std::string_view text) {
    const std::string_view digits = text.substr(!text.empty() && text.front() == '-' ? 1 : 0);
    return !digits.empty() && digits.size() <= 18 && (digits.front() != '0' || digits == "0") && text != "-0" &&
           std::all_of(digits.begin(), digits.end(), [](char c) { return c >= '0' && c <= '9'; });
}

using FlowKeys = std::set<std::tuple<StringId, EventId, ProcessId>>;  ///< category, id, scope

class ChromeTraceWriter {
public:
    ChromeTraceWriter(const Trace& trace, FileId file, ByteSink& sink, JobControl& job)
        : m_trace(trace), m_file(file), m_info(trace.files()[file.value]), m_sink(sink), m_job(job) {}

    Result<ChromeTraceLosses> write();

private:
    enum class Sort : uint8_t { Slice, SliceEnd, Instant, AsyncSlice, AsyncInstant };
    struct Item {
        uint64_t offset;
        Sort sort;
        uint32_t index;
    };

    Status writeAll();
    void writeHead();
    void writeDevices();
    void writeMetadata();
    void writeMetadataEvent(const Process& process, const Track* track, std::string_view name, std::string_view key,
                            std::string_view textValue);
    void writeMetadataEvent(const Process& process, const Track* track, std::string_view name, std::string_view key,
                            int64_t value);
    Result<std::vector<Item>> itemsInFileOrder() const;
    Status writeItem(const Item& item);
    void findForcedEnds();
    /// The slice is written as a begin and an end, as it stands in the file; others as one event.
    bool isPair(EventRow row) const;
    Status writeSlice(EventRow row);
    void writeSliceEnd(EventRow row);
    Status writeInstant(uint32_t index);
    Status writeAsyncSlice(uint32_t index);
    Status findFurtherIds();
    Status writeAsyncInstant(const AsyncInstant& instant);
    Status writeCounter(const Counter& counter);
    Status writeCounters();
    Status writeFlows();
    void writeFlowPoint(char phase, EventRow row, std::string_view category, EventId id, ProcessId scope, TimeNs time);
    Status writeLaunchArrows();
    Status writeDanglingFlows(const FlowKeys& arrows);
    TimeNs uncoveredTime(EventRow row);
    TimeNs findUncoveredTime(EventRow row) const;

    void beginEvent(char phase);
    void writePlace(const Process& process, const Track* track);
    void writePlace(TrackId track) { writePlace(m_trace.process(m_trace.track(track).process), &m_trace.track(track)); }
    void writeName(std::string_view name, std::string_view category);
    void writeName(StringId name, StringId category) { writeName(m_trace.string(name), m_trace.string(category)); }
    void writeTime(TimeNs traceTime) { m_json.key("ts").raw(microsTextFromNs(m_info.ownTime(traceTime))); }
    void writeWord(std::string_view key, std::string_view word);
    void writeId(const std::optional<EventId>& id, ProcessId scope);
    void writeScope(StringId scope);
    void writeIdText(std::string_view text, ProcessId scope);
    Status endEvent(const Result<std::string>& args);
    Status flushIfFull(size_t limit = kFlushBytes);
    /// After each piece of the output: flushes, and now and then looks for a stop.
    Status goOn();
    bool isOurs(TrackId track) const { return m_trace.fileOf(track) == m_file; }

    const Trace& m_trace;
    FileId m_file;
    const FileInfo& m_info;
    ByteSink& m_sink;
    JobControl& m_job;
    TimeNs m_end = m_trace.range().value_or(TimeRange{}).end;
    bool m_isCapture = m_info.format == "capture";
    StopPoll m_poll{m_job};
    std::unordered_map<EventRow, TimeNs> m_uncovered;  ///< asked for once an arrow
    std::vector<uint8_t> m_hasForcedEnds;              ///< by track: a slice of it was closed by the end of another
    ArgsReader m_args{m_trace};
    std::vector<uint32_t> m_furtherIds;        ///< by async slice
    std::vector<uint32_t> m_memoryOfInstants;  ///< of a capture, else empty
    std::string m_idMark;                      ///< between an id and which of its further ones it is
    ChromeTraceLosses m_losses;
    std::string m_out;
    JsonWriter m_json{m_out, 2};
};

Status ChromeTraceWriter::flushIfFull(size_t limit) {
    if (m_out.size() < limit) {
        return {};
    }
    Status status = m_sink.write(m_out);
    m_out.clear();
    return status;
}

Status ChromeTraceWriter::goOn() {
    return m_poll.stopRequested() ? Status(Error::cancelled()) : flushIfFull();
}

void ChromeTraceWriter::writeWord(std::string_view key, std::string_view word) {
    m_json.key(key);
    if (isWholeNumber(word)) {
        m_json.raw(word);
    } else {
        m_json.text(word);
    }
}

/// An id that its process counts for itself goes where the format keeps such ids.
void ChromeTraceWriter::writeId(const std::optional<EventId>& id, ProcessId scope) {
    if (id) {
        writeIdText(m_trace.idText(*id), scope);
    }
}

void ChromeTraceWriter::writeIdText(std::string_view text, ProcessId scope) {
    if (!scope.valid()) {
        writeWord("id", text);
        return;
    }
    m_json.key("id2").beginObject();
    writeWord("local", text);
    m_json.endObject();
}

void ChromeTraceWriter::writeScope(StringId scope) {
    if (!scope.empty()) {
        m_json.key("scope").text(m_trace.string(scope));
    }
}

void ChromeTraceWriter::beginEvent(char phase) {
    m_json.beginObject().key("ph").text({&phase, 1});
}

void ChromeTraceWriter::writePlace(const Process& process, const Track* track) {
    if (process.pid) {
        writeWord("pid", m_trace.string(*process.pid));
    }
    if (track != nullptr && track->tid) {
        writeWord("tid", m_trace.string(*track->tid));
    }
}

void ChromeTraceWriter::writeName(std::string_view name, std::string_view category) {
    if (!category.empty()) {
        m_json.key("cat").text(category);
    }
    m_json.key("name").text(name);
}

Status ChromeTraceWriter::endEvent(const Result<std::string>& args) {
    if (!args.ok()) {
        return args.error();
    }
    if (args.value() != "null") {
        m_json.key("args").raw(args.value());
    }
    m_json.endObject();
    return {};
}

void ChromeTraceWriter::writeDevices() {
    m_json.key("deviceProperties").beginArray();
    for (const DeviceInfo& device : m_trace.devices()) {
        if (device.file != m_file) {
            continue;
        }
        m_json.beginObject().key("id").integer(device.id).key("name").text(device.name);
        const auto fact = [&](std::string_view key, const std::optional<int64_t>& value) {
            if (value) {
                m_json.key(key).integer(*value);
            }
        };
        fact("totalGlobalMem", device.memoryBytes);
        fact("computeMajor", device.computeMajor);
        fact("computeMinor", device.computeMinor);
        fact("maxThreadsPerBlock", device.maxThreadsPerBlock);
        fact("maxThreadsPerMultiprocessor", device.maxThreadsPerSm);
        fact("regsPerBlock", device.registersPerBlock);
        fact("warpSize", device.warpSize);
        fact("sharedMemPerBlock", device.sharedBytesPerBlock);
        fact("numSms", device.smCount);
        fact("regsPerMultiprocessor", device.registersPerSm);
        fact("sharedMemPerBlockOptin", device.sharedBytesPerBlockOptin);
        fact("sharedMemPerMultiprocessor", device.sharedBytesPerSm);
        m_json.endObject();
    }
    m_json.endArray();
}

void ChromeTraceWriter::writeHead() {
    m_json.beginObject();
    const auto given = [&](const char* key) { return m_info.properties.count(key) != 0; };
    for (const auto& [key, value] : m_info.properties) {
        if (key != "traceEvents") {
            m_json.key(key).raw(value);
        }
    }
    const bool hasDevices = std::any_of(m_trace.devices().begin(), m_trace.devices().end(),
                                        [&](const DeviceInfo& device) { return device.file == m_file; });
    if (hasDevices && !given("deviceProperties")) {
        writeDevices();
    }
    if (m_info.baseTimeNs && !given("baseTimeNanoseconds")) {
        m_json.key("baseTimeNanoseconds").integer(*m_info.baseTimeNs);
    }
    if ((m_info.rank || m_info.worldSize) && !given("distributedInfo")) {
        m_json.key("distributedInfo").beginObject();
        if (m_info.rank) {
            m_json.key("rank").integer(*m_info.rank);
        }
        if (m_info.worldSize) {
            m_json.key("world_size").integer(*m_info.worldSize);
        }
        m_json.endObject();
    }
}

void ChromeTraceWriter::writeMetadataEvent(const Process& process, const Track* track, std::string_view name,
                                           std::string_view key, std::string_view textValue) {
    beginEvent('M');
    m_json.key("name").text(name);
    writePlace(process, track);
    m_json.key("args").beginObject().key(key).text(textValue).endObject().endObject();
}

void ChromeTraceWriter::writeMetadataEvent(const Process& process, const Track* track, std::string_view name,
                                           std::string_view key, int64_t value) {
    beginEvent('M');
    m_json.key("name").text(name);
    writePlace(process, track);
    m_json.key("args").beginObject().key(key).integer(value).endObject().endObject();
}

void ChromeTraceWriter::writeMetadata() {
    for (const Process& process : m_trace.processes()) {
        if (process.file != m_file) {
            continue;
        }
        if (process.name) {
            writeMetadataEvent(process, nullptr, "process_name", "name", m_trace.string(*process.name));
        }
        if (!process.labels.empty()) {
            writeMetadataEvent(process, nullptr, "process_labels", "labels", m_trace.string(process.labels));
        }
        if (process.sortIndex != 0) {
            writeMetadataEvent(process, nullptr, "process_sort_index", "sort_index", process.sortIndex);
        }
    }
    for (const Track& track : m_trace.tracks()) {
        const Process& process = m_trace.process(track.process);
        if (process.file != m_file) {
            continue;
        }
        if (track.name) {
            writeMetadataEvent(process, &track, "thread_name", "name", m_trace.string(*track.name));
        }
        if (track.sortIndex != 0) {
            writeMetadataEvent(process, &track, "thread_sort_index", "sort_index", track.sortIndex);
        }
    }
}

Result<std::vector<ChromeTraceWriter::Item>> ChromeTraceWriter::itemsInFileOrder() const {
    std::vector<Item> items;
    items.reserve(m_trace.sliceCount() + m_trace.instants().size());
    const SliceColumns& slices = m_trace.slices();
    for (uint32_t row = 0; row < slices.size(); ++row) {
        if (isOurs(slices.track[row])) {
            items.push_back({slices.sourceOffset[row], Sort::Slice, row});
            if (isPair(EventRow(row))) {
                items.push_back({m_trace.endSourceOf(EventRow(row))->offset, Sort::SliceEnd, row});
            }
        }
    }
    const auto add = [&](const auto& events, Sort sort) {
        for (uint32_t i = 0; i < events.size(); ++i) {
            if (isOurs(events[i].track)) {
                items.push_back({events[i].source.offset, sort, i});
            }
        }
    };
    add(m_trace.instants(), Sort::Instant);
    add(m_trace.asyncSlices(), Sort::AsyncSlice);
    add(m_trace.asyncInstants(), Sort::AsyncInstant);
    if (!stableSortByKeyUnlessStopped(
            items, [](const Item& item) { return item.offset; }, m_job)) {
        return Error::cancelled();
    }
    return items;
}

Status ChromeTraceWriter::writeItem(const Item& item) {
    switch (item.sort) {
        case Sort::Slice:
            return writeSlice(EventRow(item.index));
        case Sort::SliceEnd:
            writeSliceEnd(EventRow(item.index));
            return {};
        case Sort::Instant:
            return writeInstant(item.index);
        case Sort::AsyncSlice:
            return writeAsyncSlice(item.index);
        case Sort::AsyncInstant:
            return writeAsyncInstant(m_trace.asyncInstants()[item.index]);
    }
    return {};
}

void ChromeTraceWriter::findForcedEnds() {
    const SliceColumns& slices = m_trace.slices();
    m_hasForcedEnds.assign(m_trace.tracks().size(), 0);
    for (uint32_t row = 0; row < slices.size(); ++row) {
        if ((slices.flags[row] & (kSliceUnfinished | kSliceNoEnd)) == kSliceUnfinished) {
            m_hasForcedEnds[slices.track[row].value] = 1;
        }
    }
}

bool ChromeTraceWriter::isPair(EventRow row) const {
    // Only what is open when an end comes is closed by it, so all ends of such a track stay.
    return m_hasForcedEnds[m_trace.slices().track[row.value].value] != 0 && m_trace.endSourceOf(row).has_value();
}

Status ChromeTraceWriter::writeSlice(EventRow row) {
    const SliceColumns& slices = m_trace.slices();
    const uint32_t r = row.value;
    const bool noEnd = (slices.flags[r] & kSliceNoEnd) != 0;
    // A begin without an end reaches to the end of the trace, an X without dur has no length. At the end of the trace
    // they look alike; that there is an X without dur is in the report.
    // One that ends before that has an end that is not its own: its duration is as unknown.
    const bool reachesEnd = slices.end(r) >= m_end;
    const bool isOpen =
        noEnd && reachesEnd && (slices.duration[r] > 0 || m_trace.report().countOf("missing_duration") == 0);
    const bool isForced = !noEnd && (slices.flags[r] & kSliceUnfinished) != 0;
    const bool isBegin = isOpen || isForced || isPair(row);
    beginEvent(isBegin ? 'B' : 'X');
    writeName(slices.name[r], slices.category[r]);
    writePlace(slices.track[r]);
    writeTime(slices.begin[r]);
    if (!isBegin && !noEnd) {
        m_json.key("dur").raw(microsTextFromNs(slices.duration[r]));
    }
    return endEvent(m_args.read(row));
}

void ChromeTraceWriter::writeSliceEnd(EventRow row) {
    const SliceColumns& slices = m_trace.slices();
    beginEvent('E');
    writeName(slices.name[row.value], slices.category[row.value]);
    writePlace(slices.track[row.value]);
    writeTime(slices.end(row.value));
    m_json.endObject();
}

Status ChromeTraceWriter::writeInstant(uint32_t index) {
    const Instant& instant = m_trace.instants()[index];
    beginEvent('i');
    writeName(instant.name, instant.category);
    writePlace(instant.track);
    writeTime(instant.time);
    m_json.key("s").text({&instant.scope, 1});
    const uint32_t memory = m_memoryOfInstants.empty() ? kNoMemoryEvent : m_memoryOfInstants[index];
    return endEvent(memory == kNoMemoryEvent ? m_args.read(instant.track, instant.source)
                                             : Result<std::string>(memoryArgs(m_trace.memoryEvents()[memory])));
}

Status ChromeTraceWriter::findFurtherIds() {
    auto numbers = furtherAsyncIds(m_trace, m_file, m_job);
    if (!numbers) {
        return Error::cancelled();
    }
    const auto slices = m_trace.asyncSlices();
    std::set<std::string> taken;
    for (size_t i = 0; i < slices.size(); ++i) {
        if (isOurs(slices[i].track) && slices[i].id && !slices[i].id->isNumber()) {
            taken.insert(m_trace.idText(*slices[i].id));
        }
    }
    const auto isTaken = [&](size_t i) {
        const std::string id = slices[i].id ? m_trace.idText(*slices[i].id) : std::string();
        return (*numbers)[i] != 0 && taken.contains(id + m_idMark + std::to_string((*numbers)[i] + 1));
    };
    m_idMark = "#";
    for (size_t i = 0; i < slices.size();) {
        const bool isFree = !isTaken(i);
        m_idMark += isFree ? "" : "#";
        i = isFree ? i + 1 : 0;  // one mark for all
    }
    m_furtherIds = std::move(*numbers);
    return {};
}

Status ChromeTraceWriter::writeAsyncSlice(uint32_t index) {
    const AsyncSlice& slice = m_trace.asyncSlices()[index];
    const uint32_t further = m_furtherIds[index];
    const auto writeHalf = [&](char phase, TimeNs time) {
        beginEvent(phase);
        writeName(slice.name, slice.category);
        if (further != 0) {
            const std::string text = (slice.id ? m_trace.idText(*slice.id) : std::string()) + m_idMark;
            // What has no id is joined within its process.
            const ProcessId scope = slice.id ? slice.idScope : m_trace.track(slice.track).process;
            writeIdText(text + std::to_string(further + 1), scope);
        } else {
            writeId(slice.id, slice.idScope);
        }
        writeScope(slice.scope);
        writePlace(slice.track);
        writeTime(time);
    };
    writeHalf('b', slice.begin);
    Status status = endEvent(m_args.read(slice.track, slice.source, slice.endSource));
    if (status.ok() && !slice.unfinished) {
        writeHalf('e', slice.begin + slice.duration);
        m_json.endObject();
    }
    return status;
}

Status ChromeTraceWriter::writeAsyncInstant(const AsyncInstant& instant) {
    beginEvent('n');
    writeName(instant.name, instant.category);
    writeId(instant.id, instant.idScope);
    writeScope(instant.scope);
    writePlace(instant.track);
    writeTime(instant.time);
    return endEvent(m_args.read(instant.track, instant.source));
}

/// One event a time, with all series that have a value then.
Status ChromeTraceWriter::writeCounter(const Counter& counter) {
    std::vector<size_t> next(counter.series.size(), 0);
    for (;;) {
        std::optional<TimeNs> time;
        for (size_t s = 0; s < next.size(); ++s) {
            const auto& times = counter.series[s].time;
            if (next[s] < times.size() && (!time || times[next[s]] < *time)) {
                time = times[next[s]];
            }
        }
        if (!time) {
            return {};
        }
        beginEvent('C');
        m_json.key("name").text(m_trace.string(counter.name));
        writePlace(m_trace.process(counter.process), nullptr);
        if (counter.id) {
            writeWord("id", m_trace.idText(*counter.id));
        }
        writeTime(*time);
        m_json.key("args").beginObject();
        for (size_t s = 0; s < next.size(); ++s) {
            const CounterSeries& series = counter.series[s];
            if (next[s] >= series.time.size() || series.time[next[s]] != *time) {
                continue;
            }
            m_json.key(m_trace.string(series.name));
            const double value = series.value[next[s]];
            if (!series.whole.empty()) {
                m_json.integer(series.whole[next[s]]);
            } else {
                m_json.real(value);
            }
            ++next[s];
        }
        m_json.endObject().endObject();
        if (Status status = goOn(); !status.ok()) {
            return status;
        }
    }
}

Status ChromeTraceWriter::writeCounters() {
    for (const Counter& counter : m_trace.counters()) {
        if (m_trace.process(counter.process).file != m_file) {
            continue;
        }
        if (Status status = writeCounter(counter); !status.ok()) {
            return status;
        }
    }
    return {};
}

/// A time at which the slice itself, and none of its children, is the innermost; its begin if children cover it all.
TimeNs ChromeTraceWriter::findUncoveredTime(EventRow row) const {
    const SliceColumns& slices = m_trace.slices();
    TimeNs time = slices.begin[row.value];
    for (const EventRow child : m_trace.childrenOf(row)) {
        if (slices.begin[child.value] > time) {
            break;
        }
        time = std::max(time, slices.end(child.value));
    }
    return time < slices.end(row.value) ? time : slices.begin[row.value];
}

TimeNs ChromeTraceWriter::uncoveredTime(EventRow row) {
    const auto [known, isNew] = m_uncovered.try_emplace(row, 0);
    if (isNew) {
        known->second = findUncoveredTime(row);
    }
    return known->second;
}

void ChromeTraceWriter::writeFlowPoint(char phase, EventRow row, std::string_view category, EventId id, ProcessId scope,
                                       TimeNs time) {
    beginEvent(phase);
    if (phase == 'f') {
        m_json.key("bp").text("e");
    }
    writeName(category, category);
    writeId(id, scope);
    writePlace(m_trace.slices().track[row.value]);
    writeTime(time);
    m_json.endObject();
}

/// A capture joins launches and their work by number alone. Other readers draw an arrow where the file has one, so
/// these are written as Kineto writes them.
Status ChromeTraceWriter::writeLaunchArrows() {
    const SliceColumns& slices = m_trace.slices();
    const auto calls = m_trace.launchCalls();
    const auto work = m_trace.launchedWork();
    for (size_t i = 0; i < calls.size(); ++i) {
        const EventRow call = calls[i];
        if (!isOurs(slices.track[call.value]) || slices.correlation[call.value] > EventId::kMaxNumber) {
            continue;
        }
        const EventId id = EventId::ofNumber(slices.correlation[call.value]);
        if (i == 0 || calls[i - 1] != call) {
            writeFlowPoint('s', call, "ac2g", id, ProcessId(), findUncoveredTime(call));
        }
        writeFlowPoint('f', work[i], "ac2g", id, ProcessId(), findUncoveredTime(work[i]));
        if (Status status = goOn(); !status.ok()) {
            return status;
        }
    }
    return {};
}

/// A slice where an arrow of an id ends and another one of it starts is a step of that flow, unless it is the same
/// arrow: a step does not join itself.
Status ChromeTraceWriter::writeFlows() {
    const auto arrows = m_trace.flows();
    using Point = std::tuple<StringId, EventId, ProcessId, EventRow>;
    std::set<Point> starts, finishes, loops;
    for (const FlowArrow& arrow : arrows) {
        if (m_poll.stopRequested()) {
            return Error::cancelled();
        }
        if (isOurs(m_trace.slices().track[arrow.from.value])) {
            starts.emplace(arrow.category, arrow.id, arrow.idScope, arrow.from);
            finishes.emplace(arrow.category, arrow.id, arrow.idScope, arrow.to);
            if (arrow.from == arrow.to) {
                loops.emplace(arrow.category, arrow.id, arrow.idScope, arrow.from);
            }
        }
    }
    FlowKeys keys;
    for (const auto& [category, id, scope, row] : starts) {
        keys.emplace(category, id, scope);
    }
    for (const auto& point : starts) {
        const auto& [category, id, scope, row] = point;
        const bool isStep = loops.count(point) == 0 && finishes.erase(point) > 0;
        writeFlowPoint(isStep ? 't' : 's', row, m_trace.string(category), id, scope, uncoveredTime(row));
        if (Status status = goOn(); !status.ok()) {
            return status;
        }
    }
    for (const auto& [category, id, scope, row] : finishes) {
        writeFlowPoint('f', row, m_trace.string(category), id, scope, uncoveredTime(row));
        if (Status status = goOn(); !status.ok()) {
            return status;
        }
    }
    return writeDanglingFlows(keys);
}

/// Arrows are written at times of their slices, not of their ends, so an end that shares their id and lies in a slice
/// could join them: such a one is left out and counted.
Status ChromeTraceWriter::writeDanglingFlows(const FlowKeys& arrows) {
    for (const DanglingFlow& flow : m_trace.danglingFlows()) {
        if (!isOurs(flow.track)) {
            continue;
        }
        if (flow.id && flow.slice && arrows.count({flow.category, *flow.id, flow.idScope}) != 0) {
            ++m_losses.arrowEnds;
            continue;
        }
        beginEvent(flow.phase == FlowPhase::Start ? 's' : flow.phase == FlowPhase::Step ? 't' : 'f');
        if (flow.bindsToEnclosing) {
            m_json.key("bp").text("e");
        }
        writeName(flow.category, flow.category);
        writeId(flow.id, flow.idScope);
        writePlace(flow.track);
        writeTime(flow.time);
        m_json.endObject();
        if (Status status = goOn(); !status.ok()) {
            return status;
        }
    }
    return {};
}

Result<ChromeTraceLosses> ChromeTraceWriter::write() {
    const Status status = writeAll();
    m_losses.args = m_args.issues();
    return status.ok() ? Result<ChromeTraceLosses>(m_losses) : Result<ChromeTraceLosses>(status.error());
}

Status ChromeTraceWriter::writeAll() {
    findForcedEnds();
    if (Status status = findFurtherIds(); !status.ok()) {
        return status;
    }
    if (m_isCapture) {
        auto memory = memoryEventsOfInstants(m_trace, m_file, m_job);
        if (!memory) {
            return Error::cancelled();
        }
        m_memoryOfInstants = std::move(*memory);
    }
    writeHead();
    m_json.key("traceEvents").beginArray();
    writeMetadata();
    m_job.setPhase("writing");
    const Result<std::vector<Item>> sorted = itemsInFileOrder();
    if (!sorted) {
        return sorted.error();
    }
    const std::vector<Item>& items = sorted.value();
    for (size_t i = 0; i < items.size(); ++i) {
        Status status = writeItem(items[i]);
        if (status.ok()) {
            status = flushIfFull();
        }
        if (!status.ok()) {
            return status;
        }
        if (i % 256 == 0) {
            m_job.setProgress(i, items.size());
            if (m_job.stopRequested()) {
                return Error::cancelled();
            }
        }
    }
    Status status = writeCounters();
    if (status.ok()) {
        status = writeFlows();
    }
    if (status.ok() && m_isCapture) {
        status = writeLaunchArrows();
    }
    if (!status.ok()) {
        return status;
    }
    m_json.endArray().endObject();
    m_out += '\n';
    return flushIfFull(0);
}

}  // namespace

Result<ChromeTraceLosses> writeChromeTrace(const Trace& trace, FileId file, ByteSink& sink, JobControl& job) {
    return ChromeTraceWriter(trace, file, sink, job).write();
}

}  // namespace warpline::exporters
