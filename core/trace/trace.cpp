// SPDX-License-Identifier: MIT
#include "core/trace/trace.h"

#include <algorithm>
#include <cassert>

#include "core/trace/trace_data.h"

namespace warpline {

namespace {

/// The entry of a table sorted by `row`, or null.
template <class T>
const T* findByRow(const EventColumn<T>& table, EventRow row) {
    const auto it = std::lower_bound(table.begin(), table.end(), row, [](const T& t, EventRow r) { return t.row < r; });
    return it != table.end() && it->row == row ? &*it : nullptr;
}

}  // namespace

Trace::Trace(std::unique_ptr<const TraceData> data) : m_data(std::move(data)) {}
Trace::~Trace() = default;

const TraceData& dataOf(const Trace& trace) {
    return *trace.m_data;
}

std::span<const FileInfo> Trace::files() const {
    return m_data->files;
}

std::span<const DeviceInfo> Trace::devices() const {
    return m_data->devices;
}

const DeviceInfo* Trace::findDevice(FileId file, int64_t id) const {
    const auto keyOf = [this](uint32_t i) { return std::pair(m_data->devices[i].file, m_data->devices[i].id); };
    const auto it = std::ranges::lower_bound(m_data->devicesById, std::pair(file, id), {}, keyOf);
    return it != m_data->devicesById.end() && keyOf(*it) == std::pair(file, id) ? &m_data->devices[*it] : nullptr;
}

const ImportReport& Trace::report() const {
    return m_data->report;
}

const EventCounts& Trace::counts() const {
    return m_data->counts;
}

std::string_view Trace::string(StringId id) const {
    return m_data->strings.view(id);
}

std::string Trace::idText(EventId id) const {
    return id.isNumber() ? std::to_string(id.number()) : std::string(string(id.text()));
}

std::optional<StringId> Trace::findString(std::string_view text) const {
    return m_data->strings.find(text);
}

uint32_t Trace::stringCount() const {
    return m_data->strings.size();
}

std::optional<TimeRange> Trace::range() const {
    return m_data->range;
}

std::optional<TimeRange> Trace::initialView() const {
    return m_data->initialView;
}

std::span<const Process> Trace::processes() const {
    return m_data->processes;
}

std::span<const Track> Trace::tracks() const {
    return m_data->tracks;
}

std::span<const ProcessId> Trace::processOrder() const {
    return m_data->processOrder;
}

std::span<const Lane> Trace::lanes() const {
    return m_data->lanes;
}

const LodPyramid& Trace::lod(uint32_t laneIndex) const {
    return m_data->lods[laneIndex];
}

uint32_t Trace::laneOf(EventRow row) const {
    const auto& lanes = m_data->lanes;
    const auto it = std::upper_bound(lanes.begin(), lanes.end(), row.value,
                                     [](uint32_t r, const Lane& lane) { return r < lane.firstRow; });
    assert(it != lanes.begin());
    return static_cast<uint32_t>(it - lanes.begin() - 1);
}

const SliceColumns& Trace::slices() const {
    return m_data->slices;
}

uint32_t Trace::sliceCount() const {
    return m_data->slices.size();
}

Result<std::string> Trace::argsJson(TrackId trackId, SourceRef source, SourceRef end) const {
    const auto& reader = files()[fileOf(trackId).value].source;
    if (!reader || !source.valid()) {
        return std::string("null");
    }
    return reader->argsJson(source, end);
}

Result<std::string> Trace::argsJson(EventRow row) const {
    const EndSource* end = findByRow(m_data->endSources, row);
    return argsJson(slices().track[row.value], slices().source(row.value), end != nullptr ? end->source : SourceRef());
}

std::optional<SourceRef> Trace::endSourceOf(EventRow row) const {
    const EndSource* end = findByRow(m_data->endSources, row);
    return end != nullptr ? std::optional(end->source) : std::nullopt;
}

std::span<const Instant> Trace::instants() const {
    return m_data->instants;
}

std::span<const AsyncSlice> Trace::asyncSlices() const {
    return m_data->asyncSlices;
}

std::span<const AsyncInstant> Trace::asyncInstants() const {
    return m_data->asyncInstants;
}

std::span<const Counter> Trace::counters() const {
    return m_data->counters;
}

std::span<const MemoryEvent> Trace::memoryEvents() const {
    return m_data->memoryEvents;
}

const KernelFacts* Trace::findKernelFacts(EventRow row) const {
    return findByRow(m_data->kernelFacts, row);
}

std::span<const KernelFacts> Trace::kernelFacts() const {
    return m_data->kernelFacts;
}

const CopyFacts* Trace::findCopyFacts(EventRow row) const {
    return findByRow(m_data->copyFacts, row);
}

EventRow Trace::launchOf(EventRow deviceWork) const {
    const DeviceLink* link = findByRow(m_data->deviceLinks, deviceWork);
    return link != nullptr ? link->launch : EventRow::none();
}

EventRow Trace::opOf(EventRow deviceSide) const {
    const DeviceLink* link = findByRow(m_data->deviceLinks, deviceSide);
    return link != nullptr ? link->op : EventRow::none();
}

std::span<const EventRow> Trace::deviceWorkOf(EventRow call) const {
    const auto& keys = m_data->launchedBy;
    const auto [first, last] = std::equal_range(keys.begin(), keys.end(), call);
    return std::span(m_data->launched)
        .subspan(static_cast<size_t>(first - keys.begin()), static_cast<size_t>(last - first));
}

std::span<const EventRow> Trace::launchCalls() const {
    return m_data->launchedBy;
}

std::span<const EventRow> Trace::launchedWork() const {
    return m_data->launched;
}

std::span<const FlowArrow> Trace::flows() const {
    return m_data->flows;
}

std::span<const uint32_t> Trace::flowsFrom(EventRow row) const {
    const auto key = [this](uint32_t flow) { return m_data->flows[flow].from; };
    const auto range = std::ranges::equal_range(m_data->flowsByFrom, row, {}, key);
    return {range.begin(), range.end()};
}

std::span<const uint32_t> Trace::flowsTo(EventRow row) const {
    const auto key = [this](uint32_t flow) { return m_data->flows[flow].to; };
    const auto range = std::ranges::equal_range(m_data->flowsByTo, row, {}, key);
    return {range.begin(), range.end()};
}

std::span<const DanglingFlow> Trace::danglingFlows() const {
    return m_data->danglingFlows;
}

DurationNs Trace::selfDuration(EventRow row) const {
    const std::span<const EventRow> children = childrenOf(row);
    if (children.size() <= kFewChildren) {
        return selfDurationOf(m_data->slices, row, children);
    }
    return std::ranges::lower_bound(m_data->selfDurations, row, {}, &SelfDuration::row)->duration;
}

std::span<const EventRow> Trace::childrenOf(EventRow row) const {
    const auto parentOf = [this](EventRow child) { return m_data->slices.parent[child.value]; };
    const auto range = std::ranges::equal_range(m_data->children, row, {}, parentOf);
    return {range.begin(), range.end()};
}

}  // namespace warpline
