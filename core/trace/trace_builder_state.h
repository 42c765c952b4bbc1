// SPDX-License-Identifier: MIT
#pragma once
// What a TraceBuilder has collected so far, and the steps that seal it. For trace_builder.cpp and seal_*.cpp alone.

#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/trace/nesting.h"
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
    /// Its name, "stream 7", "pid 9, tid 9".
    std::string describe(TrackId track) const;
    /// Reports what does not fit on the time axis.
    bool holds(TimeNs time, DurationNs duration, TrackId track, SourceRef source);
    bool holds(TimeNs time, FileId file);
    void report(std::string_view code, Severity severity, TrackId track, SourceRef source, std::string detail = {});
    uint32_t appendSlice(const SliceRecord& slice);

    // The steps. Those that can take long return false when stopped; the builder's state is then thrown away.
    // seal_tracks.cpp
    void indexDevices();
    void applyTrackRoles();
    void markShownTracks();
    void labelTracks();
    void orderTracks();
    // seal_slices.cpp
    void moveToSharedAxis();
    bool closeSlices(const JobControl& job);
    bool sortSlices(const JobControl& job);
    bool buildLods(const JobControl& job);
    // seal_nesting.cpp
    struct NestedTracks;
    bool nestTrack(TrackId track, NestedTracks& out, const JobControl& job);
    bool bindFlowEnds(TrackId track, NestedTracks& out, const JobControl& job);
    // seal_points.cpp
    bool sealAsync(const JobControl& job);
    bool sealInstants(const JobControl& job);
    bool sealCounters(const JobControl& job);
    bool sealMemory(const JobControl& job);
    bool measureRange(const JobControl& job);
    bool findOutliers(const JobControl& job);
    // seal_links.cpp
    bool linkDeviceWork(const JobControl& job);
    bool bindFlows(const JobControl& job);
    bool checkStreams(const JobControl& job);
};

/// What becomes of the slices while their tracks are sorted one after the other.
struct TraceBuilder::State::NestedTracks {
    std::vector<uint32_t> order;      ///< by row: the slice's number
    std::vector<EventRow> parents;    ///< by row
    std::vector<uint32_t> depths;     ///< by row
    std::vector<DurationNs> selfs;    ///< by row
    std::vector<uint32_t> flowOrder;  ///< flows by track, then time
    size_t nextFlow = 0;              ///< in flowOrder
    // Of the track at hand, by position in time:
    Nesting nesting;
    std::vector<Interval> intervals;
    std::vector<uint32_t> rowOf;
};

}  // namespace warpline
