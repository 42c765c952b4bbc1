// SPDX-License-Identifier: MIT
#pragma once
// What an image of a trace holds, as a list of members a type. A member that is added to one of these types belongs
// here too; the sizes asserted below are there to remind of it.

#include <concepts>
#include <type_traits>

#include "core/cache/archive.h"
#include "core/trace/trace_data.h"

namespace warpline::cache {

template <class T, class U>
concept Of = std::same_as<std::remove_const_t<T>, U>;

template <>
inline constexpr Severity kLastValue<Severity> = Severity::Error;
template <>
inline constexpr OffsetSpace kLastValue<OffsetSpace> = OffsetSpace::Decompressed;
template <>
inline constexpr MemoryDeviceType kLastValue<MemoryDeviceType> = MemoryDeviceType::Other;
template <>
inline constexpr FlowPhase kLastValue<FlowPhase> = FlowPhase::Finish;

void fields(auto& all, Of<SourceRef> auto& x) {
    all(x.offset)(x.length);
}
void fields(auto& all, Of<SourceRecipe> auto& x) {
    all(x.loader)(x.facts);
}
void fields(auto& all, Of<EventCounts> auto& x) {
    all(x.slices)(x.instants)(x.counters)(x.flows)(x.async)(x.metadata);
}
/// Without its path and source, which belong to the file that is opened.
void fields(auto& all, Of<FileInfo> auto& x) {
    all(x.format)(x.compression)(x.bytes)(x.rank)(x.worldSize)(x.backend)(x.baseTimeNs)(x.axisOffsetNs)(x.range)(
        x.placedByHand)(x.offsetSpace)(x.properties);
}
void fields(auto& all, Of<DeviceInfo> auto& x) {
    all(x.file)(x.id)(x.name)(x.computeMajor)(x.computeMinor)(x.smCount)(x.memoryBytes)(x.warpSize)(
        x.maxThreadsPerBlock)(x.maxThreadsPerSm)(x.registersPerBlock)(x.registersPerSm)(x.sharedBytesPerBlock)(
        x.sharedBytesPerBlockOptin)(x.sharedBytesPerSm);
}
/// Without its message, which ImportReport::finish() makes of the rest.
void fields(auto& all, Of<Issue> auto& x) {
    all(x.code)(x.severity)(x.count)(x.file)(x.firstOffset)(x.space)(x.detail);
}
void fields(auto& all, Of<Process> auto& x) {
    all(x.file)(x.pid)(x.name)(x.labels)(x.label)(x.sortIndex)(x.hasEvents)(x.tracks);
}
void fields(auto& all, Of<Track> auto& x) {
    all(x.process)(x.tid)(x.name)(x.label)(x.sortIndex)(x.isDevice)(x.firstRow)(x.sliceCount)(x.firstLane)(x.laneCount)(
        x.firstInstant)(x.instantCount)(x.overlaps)(x.hasEvents);
}
void fields(auto& all, Of<AsyncSlice> auto& x) {
    all(x.begin)(x.duration)(x.name)(x.category)(x.id)(x.idScope)(x.track)(x.unfinished)(x.source)(x.endSource)(
        x.scope);
}
void fields(auto& all, Of<AsyncInstant> auto& x) {
    all(x.time)(x.name)(x.category)(x.id)(x.idScope)(x.track)(x.source)(x.scope);
}
void fields(auto& all, Of<CounterSeries> auto& x) {
    all(x.name)(x.time)(x.value)(x.whole);
}
void fields(auto& all, Of<Counter> auto& x) {
    all(x.process)(x.name)(x.id)(x.series);
}
void fields(auto& all, Of<MemoryEvent> auto& x) {
    all(x.time)(x.file)(x.track)(x.deviceType)(x.rawDeviceType)(x.device)(x.address)(x.bytes)(x.totalAllocated)(
        x.totalReserved)(x.outOfMemory)(x.order);
}
void fields(auto& all, Of<DanglingFlow> auto& x) {
    all(x.phase)(x.bindsToEnclosing)(x.time)(x.category)(x.id)(x.idScope)(x.track)(x.slice)(x.source);
}

/// The long arrays, which are written down as they lie in memory: none has a bool or an enum with values of its own in
/// it (kinds of slices are looked at when they are read), so that any bytes are values of it. `each` gets one of an
/// EventColumn, a std::vector or an IdColumn at a time, always in this order. Levels of detail are no part of it: to
/// build them takes less than to check them.
void columns(Of<TraceData> auto& data, auto&& each) {
    auto& s = data.slices;
    each(s.begin), each(s.duration), each(s.name), each(s.category), each(s.kind), each(s.flags), each(s.track);
    each(s.parent), each(s.depth), each(s.correlation), each(s.externalId), each(s.shapes), each(s.sourceOffset);
    each(s.sourceLength);
    each(data.children), each(data.selfDurations), each(data.endSources), each(data.instants);
    each(data.kernelFacts), each(data.copyFacts), each(data.deviceLinks), each(data.launchedBy), each(data.launched);
    each(data.flows), each(data.flowsByFrom), each(data.flowsByTo);
    each(data.lanes), each(data.processOrder), each(data.devicesById);
}

#if defined(__x86_64__) && defined(__GLIBCXX__) && !defined(_GLIBCXX_DEBUG)
template <class T, size_t kBytes>
constexpr bool isOfSize() {
    static_assert(sizeof(T) == kBytes, "put the new member into fields() or columns() above, then its size here");
    return true;
}
static_assert(isOfSize<FileInfo, 288>() && isOfSize<DeviceInfo, 240>() && isOfSize<Issue, 144>() &&
              isOfSize<Process, 72>() && isOfSize<Track, 72>() && isOfSize<AsyncSlice, 96>() &&
              isOfSize<AsyncInstant, 64>() && isOfSize<Counter, 48>() && isOfSize<CounterSeries, 80>() &&
              isOfSize<MemoryEvent, 80>() && isOfSize<DanglingFlow, 72>() && isOfSize<EventCounts, 48>() &&
              isOfSize<SliceColumns, 400>() && isOfSize<TraceData, 1232>());
#endif

}  // namespace warpline::cache
