// SPDX-License-Identifier: MIT
#pragma once
// A trace, sealed: everything that was loaded, sorted, linked and counted. Made by TraceBuilder::seal(), handed around
// as std::shared_ptr<const Trace> and read by any thread without a lock. Nothing in it ever changes.

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/ids.h"
#include "core/base/time.h"
#include "core/trace/event_facts.h"
#include "core/trace/file_info.h"
#include "core/trace/import_report.h"
#include "core/trace/point_events.h"
#include "core/trace/slices.h"
#include "core/trace/track.h"

namespace warpline {

class LodPyramid;
struct TraceData;

/// How many events of each sort the inputs hold, as `info --json` counts them.
struct EventCounts {
    uint64_t slices = 0, instants = 0, counters = 0, flows = 0, async = 0, metadata = 0;
};

class Trace {
public:
    explicit Trace(std::unique_ptr<const TraceData> data);
    ~Trace();
    Trace(const Trace&) = delete;
    Trace& operator=(const Trace&) = delete;

    // --- what was loaded
    std::span<const FileInfo> files() const;
    std::span<const DeviceInfo> devices() const;
    /// The device of a file by its number; null if the file does not describe it.
    const DeviceInfo* findDevice(FileId file, int64_t id) const;
    const ImportReport& report() const;
    const EventCounts& counts() const;
    std::string_view string(StringId id) const;
    /// As it stands in the file.
    std::string idText(EventId id) const;
    std::optional<StringId> findString(std::string_view text) const;
    uint32_t stringCount() const;

    // --- time
    /// First to last moment of any timed event; nullopt if nothing has a time. `end` is included.
    std::optional<TimeRange> range() const;
    /// What the window shows first: `range()` without outliers.
    std::optional<TimeRange> initialView() const;

    // --- tracks
    std::span<const Process> processes() const;
    std::span<const Track> tracks() const;
    /// Processes with something to show, top to bottom.
    std::span<const ProcessId> processOrder() const;
    std::span<const Lane> lanes() const;
    const Process& process(ProcessId id) const { return processes()[id.value]; }
    const Track& track(TrackId id) const { return tracks()[id.value]; }
    FileId fileOf(TrackId id) const { return process(track(id).process).file; }
    /// Level of detail of a lane, by its index in lanes().
    const LodPyramid& lod(uint32_t laneIndex) const;
    /// The lane (index in lanes()) that a slice lies in.
    uint32_t laneOf(EventRow row) const;

    // --- events
    const SliceColumns& slices() const;
    uint32_t sliceCount() const;
    std::string_view sliceName(EventRow row) const { return string(slices().name[row.value]); }
    /// Args of a slice as strict JSON text, read from the file; "null" without any. May block on disk.
    Result<std::string> argsJson(EventRow row) const;
    Result<std::string> argsJson(TrackId track, SourceRef source, SourceRef end = {}) const;
    /// The E event of a slice that is given as B and E; nullopt for all others.
    std::optional<SourceRef> endSourceOf(EventRow row) const;
    std::span<const Instant> instants() const;  ///< by track, then time
    std::span<const AsyncSlice> asyncSlices() const;
    std::span<const AsyncInstant> asyncInstants() const;
    std::span<const Counter> counters() const;
    std::span<const MemoryEvent> memoryEvents() const;  ///< by file, then time, then order in the file

    // --- facts and links
    const KernelFacts* findKernelFacts(EventRow row) const;
    std::span<const KernelFacts> kernelFacts() const;  ///< by row
    const CopyFacts* findCopyFacts(EventRow row) const;
    /// The runtime or driver call that launched this device work; none if unknown.
    EventRow launchOf(EventRow deviceWork) const;
    /// All device work of a call, by begin; empty if none.
    std::span<const EventRow> deviceWorkOf(EventRow call) const;
    /// All launches, by call and then by begin of the work: launchCalls()[i] put launchedWork()[i] on a device.
    std::span<const EventRow> launchCalls() const;
    std::span<const EventRow> launchedWork() const;
    /// The host op or annotation whose External id this device-side slice carries; none if there is none.
    EventRow opOf(EventRow deviceSide) const;
    std::span<const FlowArrow> flows() const;
    /// Indices into flows() of the arrows that leave from or arrive at a slice.
    std::span<const uint32_t> flowsFrom(EventRow row) const;
    std::span<const uint32_t> flowsTo(EventRow row) const;
    std::span<const DanglingFlow> danglingFlows() const;  ///< in their order in the input
    /// Direct children of a slice, by begin. Cost: a binary search.
    std::span<const EventRow> childrenOf(EventRow row) const;
    /// The part of a slice that its children do not cover; kUnknownDuration if its own is. Cost: a binary search, and
    /// at most kFewChildren steps.
    DurationNs selfDuration(EventRow row) const;
    static constexpr size_t kFewChildren = 256;

private:
    friend const TraceData& dataOf(const Trace& trace);
    std::unique_ptr<const TraceData> m_data;
};

}  // namespace warpline
