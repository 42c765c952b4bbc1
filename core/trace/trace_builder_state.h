// SPDX-License-Identifier: MIT
#pragma once
// What a TraceBuilder has collected so far, and the steps that seal it. For trace_builder.cpp and seal_*.cpp alone.

#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/trace/slice_pairing.h"
#include "core/trace/trace_builder.h"
#include "core/trace/trace_data.h"

namespace warpline {

struct TraceBuilder::State {
    std::unique_ptr<TraceData> data = std::make_unique<TraceData>();

    std::unordered_map<uint64_t, ProcessId> processByKey;  ///< key: (file, has pid, pid)
    std::unordered_map<uint64_t, TrackId> trackByKey;      ///< key: (process, has tid, tid)
    std::vector<std::pair<FileId, TrackRoleFunction>> trackRoles;

    // data->slices holds the slices in the order they came, without parent and depth, until sortSlices().
    std::vector<SliceRecord> begins;
    std::vector<SliceEnd> ends;
    std::vector<uint32_t> sliceOfBegin;  ///< where each begin became a slice
    std::vector<AsyncRecord> asyncs;
    std::vector<FlowRecord> flows;
    std::vector<EventRow> flowSlices;  ///< by flow: the slice it lies in, once sorted
    std::vector<CounterRecord> counters;

    /// Facts know a slice by number: of addSlice(), or of beginSlice() with this bit.
    static constexpr uint32_t kBeginBit = 0x80000000U;

    FileId fileOf(TrackId track) const { return data->processes[data->tracks[track.value].process.value].file; }
    OffsetSpace spaceOf(FileId file) const { return data->files[file.value].offsetSpace; }
    /// "stream 7", "pid 9, tid 9".
    std::string describe(TrackId track) const;
    void report(std::string_view code, Severity severity, TrackId track, SourceRef source, std::string detail = {});
    uint32_t appendSlice(const SliceRecord& slice);

    // seal_tracks.cpp
    void applyTrackRoles();
    void markShownTracks();
    void labelTracks();
    void orderTracks();
    // seal_slices.cpp
    void moveToSharedAxis();
    void closeSlices();
    bool sortSlices(JobControl& job);
    void buildLods();
    // seal_points.cpp
    void sealAsync();
    void sealInstants();
    void sealCounters();
    void sealMemory();
    void measureRange();
    void findOutliers();
    // seal_links.cpp
    void linkDeviceWork();
    void bindFlows();
    void checkStreams();
};

}  // namespace warpline
