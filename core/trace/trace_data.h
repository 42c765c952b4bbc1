// SPDX-License-Identifier: MIT
#pragma once
// The storage behind Trace. Only the builder writes it, only Trace reads it; nobody else includes this.

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "core/trace/event_facts.h"
#include "core/trace/file_info.h"
#include "core/trace/import_report.h"
#include "core/trace/lod_pyramid.h"
#include "core/trace/point_events.h"
#include "core/trace/slices.h"
#include "core/trace/string_pool.h"
#include "core/trace/trace.h"
#include "core/trace/track.h"

namespace warpline {

/// What a device-side slice belongs to.
struct DeviceLink {
    EventRow row;
    EventRow launch;
    EventRow op;
};

struct TraceData {
    StringPool strings;
    std::vector<FileInfo> files;
    std::vector<DeviceInfo> devices;
    ImportReport report;
    EventCounts counts;
    std::optional<TimeRange> range;
    std::optional<TimeRange> initialView;

    std::vector<Process> processes;
    std::vector<Track> tracks;
    std::vector<ProcessId> processOrder;
    std::vector<Lane> lanes;
    std::vector<LodPyramid> lods;  ///< one a lane

    SliceColumns slices;
    std::vector<std::pair<uint32_t, SourceRef>> endSources;  ///< by row: the E event of a B/E pair
    std::vector<Instant> instants;
    std::vector<AsyncSlice> asyncSlices;
    std::vector<AsyncInstant> asyncInstants;
    std::vector<Counter> counters;
    std::vector<MemoryEvent> memoryEvents;
    std::vector<KernelFacts> kernelFacts;
    std::vector<CopyFacts> copyFacts;

    std::vector<DeviceLink> deviceLinks;  ///< by row
    std::vector<EventRow> launchedBy;     ///< sorted calls, one entry a launched slice …
    std::vector<EventRow> launched;       ///< … and that slice, by begin within a call
    std::vector<FlowArrow> flows;         ///< by begin of `from`
    std::vector<uint32_t> flowsByFrom;    ///< indices into flows, by `from`
    std::vector<uint32_t> flowsByTo;      ///< indices into flows, by `to`
};

}  // namespace warpline
