// SPDX-License-Identifier: MIT
#pragma once
// The storage behind Trace. The builder writes it and Trace reads it; core/cache writes it down as it is and fills it
// again. Nobody else includes this.

#include <memory>
#include <optional>
#include <vector>

#include "core/base/event_column.h"
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

/// The E event of a slice that is given as B and E.
struct EndSource {
    EventRow row;
    SourceRef source;
};

/// What its children leave of a slice.
struct SelfDuration {
    EventRow row;
    DurationNs duration = 0;
};

struct TraceData {
    StringPool strings;
    std::vector<FileInfo> files;
    std::vector<DeviceInfo> devices;
    std::vector<uint32_t> devicesById;  ///< indices into devices, by file and id
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
    EventColumn<EventRow> children;           ///< slices with a parent, by parent's row, then begin
    std::vector<SelfDuration> selfDurations;  ///< of slices with more than Trace::kFewChildren children, by row
    EventColumn<EndSource> endSources;        ///< by row
    EventColumn<Instant> instants;
    std::vector<AsyncSlice> asyncSlices;
    std::vector<AsyncInstant> asyncInstants;
    std::vector<Counter> counters;
    EventColumn<MemoryEvent> memoryEvents;
    EventColumn<KernelFacts> kernelFacts;
    EventColumn<CopyFacts> copyFacts;

    EventColumn<DeviceLink> deviceLinks;  ///< by row
    EventColumn<EventRow> launchedBy;     ///< sorted calls, one entry a launched slice …
    EventColumn<EventRow> launched;       ///< … and that slice, by begin within a call
    EventColumn<FlowArrow> flows;         ///< by begin of `from`
    EventColumn<uint32_t> flowsByFrom;    ///< indices into flows, by `from`
    EventColumn<uint32_t> flowsByTo;      ///< indices into flows, by `to`
    EventColumn<DanglingFlow> danglingFlows;
};

const TraceData& dataOf(const Trace& trace);

}  // namespace warpline
