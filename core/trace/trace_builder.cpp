// SPDX-License-Identifier: MIT
#include "core/trace/trace_builder.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <functional>
#include <utility>

#include "core/base/parallel.h"
#include "core/trace/trace_builder_state.h"

namespace warpline {

namespace {

uint64_t keyOf(uint32_t owner, const std::optional<StringId>& id) {
    return (uint64_t{owner} << 33) | (id ? (uint64_t{1} << 32) | id->value : 0);
}

}  // namespace

std::string TraceBuilder::State::describe(TrackId trackId) const {
    const Track& track = data->tracks[trackId.value];
    const Process& process = data->processes[track.process.value];
    const auto text = [this](const std::optional<StringId>& id) {
        return id ? std::optional(data->strings.view(*id)) : std::nullopt;
    };
    std::string name(text(track.name).value_or(std::string_view()));
    name.erase(name.find_last_not_of(' ') + 1);
    return (name.empty() ? "" : name + ", ") +
           describeTrackIds(text(process.pid), text(track.tid), track.isDevice && name.empty());
}

std::string TraceBuilder::State::idText(EventId id) const {
    return id.isNumber() ? std::to_string(id.number()) : std::string(data->strings.view(id.text()));
}

void TraceBuilder::State::report(std::string_view code, Severity severity, TrackId track, SourceRef source) {
    const FileId file = fileOf(track);
    const auto offset = source.valid() ? std::optional(source.offset) : std::nullopt;
    const std::lock_guard lock(reporting);
    data->report.addOne(file, code, severity, offset, spaceOf(file), [&] { return describe(track); });
}

void TraceBuilder::State::report(FileId file, std::string_view code, Severity severity, std::string_view detail) {
    const std::lock_guard lock(reporting);
    data->report.add(file, code, severity, std::nullopt, OffsetSpace::File, detail);
}

std::string TraceBuilder::State::quotedName(uint32_t row) const {
    return "\"" + std::string(data->strings.view(data->slices.name[row])) + "\"";
}

uint64_t TraceBuilder::State::bytesHeld() const {
    const auto bytesOf = [](const auto& items) { return items.size() * sizeof(*items.data()); };
    // Of a slice: its cells in SliceColumns. Of a text, process or track: its entry in an index too.
    constexpr uint64_t kSliceBytes = 54;
    constexpr uint64_t kEntryBytes = 64;
    const TraceData& d = *data;
    const uint64_t entries = d.strings.size() + d.processes.size() + d.tracks.size();
    return slices.size() * kSliceBytes + bytesOf(begins) + bytesOf(ends) + bytesOf(asyncs) + bytesOf(flows) +
           bytesOf(counters) + bytesOf(d.instants) + bytesOf(d.memoryEvents) + bytesOf(d.kernelFacts) +
           bytesOf(d.copyFacts) + bytesOf(d.processes) + bytesOf(d.tracks) + d.strings.bytes() + entries * kEntryBytes +
           bytesOfLoader;
}

void TraceBuilder::State::checkSize() {
    if (limitedJob != nullptr && !isFull && bytesHeld() > mostBytes) {
        isFull = true;
        limitedJob->requestStop();
    }
}

bool TraceBuilder::State::holds(TimeNs time, DurationNs duration, TrackId track, SourceRef source) {
    countAdded();
    const bool held = isHeldTime(time) && addSaturated(time, std::max<DurationNs>(duration, 0)) <= kLatestTime;
    if (!held) {
        report("outlier", Severity::DataLoss, track, source);
    }
    return held;
}

bool TraceBuilder::State::holds(TimeNs time, FileId file) {
    countAdded();
    if (!isHeldTime(time)) {
        data->report.add(file, "outlier", Severity::DataLoss, std::nullopt, spaceOf(file));
    }
    return isHeldTime(time);
}

uint32_t TraceBuilder::State::appendSlice(const SliceRecord& slice) {
    SliceColumns& s = slices;
    const bool noEnd = slice.duration == kUnknownDuration;
    s.begin.push_back(slice.begin);
    s.duration.push_back(noEnd ? 0 : slice.duration);
    s.name.push_back(slice.name);
    s.category.push_back(slice.category);
    s.kind.push_back(slice.kind);
    s.flags.push_back(static_cast<uint8_t>(slice.flags | (noEnd ? kSliceNoEnd | kSliceUnfinished : 0)));
    s.track.push_back(slice.track);
    s.correlation.push_back(slice.correlation);
    s.externalId.push_back(slice.externalId);
    s.shapes.push_back(slice.shapes);
    s.sourceOffset.push_back(slice.source.offset);
    s.sourceLength.push_back(slice.source.length);
    return s.size() - 1;
}

TraceBuilder::TraceBuilder() : m_state(std::make_unique<State>()) {}
TraceBuilder::~TraceBuilder() = default;

FileId TraceBuilder::addFile(FileInfo info) {
    m_state->data->files.push_back(std::move(info));
    return FileId(m_state->data->files.size() - 1);
}

FileInfo& TraceBuilder::file(FileId id) {
    return m_state->data->files[id.value];
}

void TraceBuilder::addDevice(DeviceInfo device) {
    m_state->data->devices.push_back(std::move(device));
}

StringId TraceBuilder::intern(std::string_view text) {
    m_state->countAdded();
    return m_state->data->strings.intern(text);
}

std::string_view TraceBuilder::string(StringId id) const {
    return m_state->data->strings.view(id);
}

ProcessId TraceBuilder::process(FileId file, std::optional<std::string_view> pid) {
    const std::optional<StringId> id = pid ? std::optional(intern(*pid)) : std::nullopt;
    auto& processes = m_state->data->processes;
    const auto [it, isNew] = m_state->processByKey.try_emplace(keyOf(file.value, id), ProcessId(processes.size()));
    if (isNew) {
        Process process;
        process.file = file;
        process.pid = id;
        processes.push_back(std::move(process));
    }
    return it->second;
}

TrackId TraceBuilder::track(ProcessId process, std::optional<std::string_view> tid) {
    const std::optional<StringId> id = tid ? std::optional(intern(*tid)) : std::nullopt;
    auto& tracks = m_state->data->tracks;
    const auto [it, isNew] = m_state->trackByKey.try_emplace(keyOf(process.value, id), TrackId(tracks.size()));
    if (isNew) {
        Track track;
        track.process = process;
        track.tid = id;
        tracks.push_back(track);
    }
    return it->second;
}

ProcessId TraceBuilder::processOf(TrackId track) const {
    return m_state->data->tracks[track.value].process;
}

void TraceBuilder::nameProcess(ProcessId process, StringId name) {
    m_state->data->processes[process.value].name = name;
}

void TraceBuilder::labelProcess(ProcessId process, StringId labels) {
    m_state->data->processes[process.value].labels = labels;
}

void TraceBuilder::sortProcess(ProcessId process, int64_t index) {
    m_state->data->processes[process.value].sortIndex = index;
}

void TraceBuilder::nameTrack(TrackId track, StringId name) {
    m_state->data->tracks[track.value].name = name;
}

void TraceBuilder::sortTrack(TrackId track, int64_t index) {
    m_state->data->tracks[track.value].sortIndex = index;
}

uint32_t TraceBuilder::addSlice(const SliceRecord& slice) {
    assert(slice.duration >= 0 || slice.duration == kUnknownDuration);
    Track& track = m_state->data->tracks[slice.track.value];
    track.isDevice = track.isDevice || isDeviceSide(slice.kind);
    if (!m_state->holds(slice.begin, slice.duration, slice.track, slice.source)) {
        return kNoSlice;
    }
    return m_state->appendSlice(slice);
}

uint32_t TraceBuilder::beginSlice(const SliceRecord& slice) {
    if (!m_state->holds(slice.begin, 0, slice.track, slice.source)) {
        return kNoSlice;
    }
    m_state->begins.push_back(slice);
    return static_cast<uint32_t>(m_state->begins.size() - 1) | State::kBeginBit;
}

void TraceBuilder::endSlice(const SliceEnd& end) {
    if (m_state->holds(end.time, 0, end.track, end.source)) {
        m_state->ends.push_back(end);
    }
}

void TraceBuilder::addKernelFacts(uint32_t slice, KernelFacts facts) {
    if (slice != kNoSlice) {
        facts.row = EventRow(slice);
        m_state->data->kernelFacts.push_back(facts);
    }
}

void TraceBuilder::addCopyFacts(uint32_t slice, CopyFacts facts) {
    if (slice != kNoSlice) {
        facts.row = EventRow(slice);
        m_state->data->copyFacts.push_back(facts);
    }
}

void TraceBuilder::addInstant(const Instant& instant) {
    if (m_state->holds(instant.time, 0, instant.track, instant.source)) {
        m_state->data->instants.push_back(instant);
    }
}

void TraceBuilder::addAsync(const AsyncRecord& record) {
    if (m_state->holds(record.time, std::max<DurationNs>(record.duration, 0), record.track, record.source)) {
        m_state->asyncs.push_back(record);
    }
}

void TraceBuilder::addFlow(const FlowRecord& record) {
    if (m_state->holds(record.time, 0, record.track, record.source)) {
        m_state->flows.push_back(record);
    }
}

void TraceBuilder::addCounter(const CounterRecord& record) {
    if (m_state->holds(record.time, m_state->data->processes[record.process.value].file)) {
        m_state->counters.push_back(record);
    }
}

void TraceBuilder::addMemory(const MemoryEvent& event) {
    if (m_state->holds(event.time, event.file)) {
        m_state->data->memoryEvents.push_back(event);
    }
}

void TraceBuilder::countMetadata(uint64_t events) {
    m_state->data->counts.metadata += events;
}

void TraceBuilder::countCounterEvents(uint64_t events) {
    m_state->data->counts.counters += events;
}

void TraceBuilder::setTrackRoles(FileId file, TrackRoleFunction function) {
    m_state->trackRoles.emplace_back(file, function);
}

std::vector<std::optional<TimeRange>> TraceBuilder::ownRanges() const {
    return m_state->ownRanges();
}

void TraceBuilder::markSums(FileId file) {
    SliceColumns& s = m_state->slices;
    for (uint32_t i = 0; i < s.size(); ++i) {
        if (m_state->fileOf(s.track[i]) == file) {
            s.flags[i] |= kSliceIsSum;
        }
    }
    for (SliceRecord& begin : m_state->begins) {
        if (m_state->fileOf(begin.track) == file) {
            begin.flags |= kSliceIsSum;
        }
    }
}

ImportReport& TraceBuilder::report() {
    return m_state->data->report;
}

void TraceBuilder::limitBytes(uint64_t bytes, JobControl& job) {
    m_state->mostBytes = bytes;
    m_state->limitedJob = &job;
}

bool TraceBuilder::isFull() const {
    return m_state->isFull;
}

uint64_t TraceBuilder::bytesHeld() const {
    return m_state->bytesHeld();
}

void TraceBuilder::setBytesOfLoader(uint64_t bytes) {
    m_state->bytesOfLoader = bytes;
    m_state->checkSize();
}

Result<std::shared_ptr<const Trace>> TraceBuilder::seal(JobControl& job, unsigned threads) {
    const std::unique_ptr<State> state = std::exchange(m_state, std::make_unique<State>());
    State& s = *state;
    s.threads = threads == 0 ? usableThreads() : threads;
    job.setPhase("Sorting and linking events");
    s.moveToSharedAxis();
    s.applyTrackRoles();
    if (!s.sealAsync(job) || !s.measureRange(job) || !s.closeSlices(job) || !s.sortSlices(job)) {
        return Error::cancelled();
    }
    using Step = std::function<bool()>;
    const std::array steps = {
        Step([&] { return s.linkDeviceWork(job); }),
        Step([&] { return s.bindFlows(job); }),
        Step([&] { return s.findDepths(job) && s.findChildren(job); }),
        Step([&] { return s.checkStreams(job); }),
        Step([&] { return s.sealInstants(job) && s.sealCounters(job) && s.sealMemory(job) && s.chooseView(job); }),
    };
    std::array<bool, steps.size()> isDone{};
    parallelFor(steps.size(), s.threads, [&](size_t i) { isDone[i] = steps[i](); });
    if (std::ranges::find(isDone, false) != isDone.end() || !s.markOutliers(job) || !s.reportDanglingFlows(job)) {
        return Error::cancelled();
    }
    s.indexDevices();
    s.markShownTracks();
    s.labelTracks();
    s.orderTracks();
    s.reportDistantFiles();
    if (!s.buildLods(job)) {
        return Error::cancelled();
    }
    s.data->report.finish();
    return std::make_shared<const Trace>(std::move(s.data));
}

}  // namespace warpline
