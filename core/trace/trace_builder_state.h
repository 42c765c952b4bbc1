// SPDX-License-Identifier: MIT
#pragma once
// What a TraceBuilder has collected so far, and the steps that seal it. For trace_builder.cpp and seal_*.cpp alone.

#include <memory>
#include <mutex>
#include <span>
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
    unsigned threads = 1;  ///< that seal() may use
    std::mutex reporting;  ///< guards data->report while several steps run

    std::unordered_map<uint64_t, ProcessId> processByKey;  ///< key: (file, has pid, pid)
    std::unordered_map<uint64_t, TrackId> trackByKey;      ///< key: (process, has tid, tid)
    std::vector<std::pair<FileId, TrackRoleFunction>> trackRoles;

    SliceColumns slices;  ///< in the order they came, without parent and depth; sortSlices() moves them to data->slices
    EventColumn<SliceRecord> begins;
    EventColumn<SliceEnd> ends;
    EventColumn<uint32_t> sliceOfBegin;  ///< where each begin became a slice
    EventColumn<AsyncRecord> asyncs;
    EventColumn<FlowRecord> flows;
    EventColumn<EventRow> flowSlices;  ///< by flow: the slice it lies in, once sorted
    EventColumn<CounterRecord> counters;

    uint64_t mostBytes = UINT64_MAX;
    uint64_t bytesOfLoader = 0;
    JobControl* limitedJob = nullptr;  ///< stopped when there are more
    uint32_t added = 0;                ///< since the start; looked at now and then
    bool isFull = false;

    /// Facts know a slice by number: of addSlice(), or of beginSlice() with this bit.
    static constexpr uint32_t kBeginBit = 0x80000000U;

    FileId fileOf(TrackId track) const { return data->processes[data->tracks[track.value].process.value].file; }
    OffsetSpace spaceOf(FileId file) const { return data->files[file.value].offsetSpace; }
    /// Its name, "stream 7", "pid 9, tid 9".
    std::string describe(TrackId track) const;
    std::string idText(EventId id) const;
    uint64_t bytesHeld() const;
    void checkSize();
    /// Called for every record, track and text that is new.
    void countAdded() {
        constexpr uint32_t kStride = 1U << 14;
        if ((++added & (kStride - 1)) == 0) {
            checkSize();
        }
    }
    /// Reports what does not fit on the time axis.
    bool holds(TimeNs time, DurationNs duration, TrackId track, SourceRef source);
    bool holds(TimeNs time, FileId file);
    /// Any thread. What the first one of each kind was is said with `what` before the track: a text, or what makes it.
    template <class What>
    void report(std::string_view code, Severity severity, TrackId track, SourceRef source, What what) {
        const FileId file = fileOf(track);
        const auto offset = source.valid() ? std::optional(source.offset) : std::nullopt;
        const std::lock_guard lock(reporting);
        data->report.addOne(file, code, severity, offset, spaceOf(file),
                            [&] { return std::string(what()) + ", " + describe(track); });
    }
    void report(std::string_view code, Severity severity, TrackId track, SourceRef source);
    void report(FileId file, std::string_view code, Severity severity, std::string_view detail = {});
    std::string quotedName(uint32_t row) const;
    uint32_t appendSlice(const SliceRecord& slice);

    /// visit(TimeNs&, FileId) for every time that was added, but no ends of slices that have a duration.
    template <class Visit>
    void visitTimes(Visit visit);
    std::vector<std::optional<TimeRange>> ownRanges();

    std::vector<uint32_t> outliers;  ///< found by chooseView()

    struct SlicesInOrder;
    struct NestedTrack;

    // The steps. Those that can take long return false when stopped; the builder's state is then thrown away. From
    // sealInstants() to checkStreams() each touches nothing that another does, but for the report.
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
    bool findDepths(const JobControl& job);
    bool findChildren(const JobControl& job);
    bool nestTracks(SlicesInOrder& out, const JobControl& job);
    bool nestTrack(TrackId track, SlicesInOrder& out, NestedTrack& found, const JobControl& job);
    bool bindFlowEnds(std::span<const uint32_t> arrowEnds, const NestedTrack& track, const JobControl& job);
    // seal_points.cpp
    bool sealAsync(const JobControl& job);
    bool sealInstants(const JobControl& job);
    bool sealCounters(const JobControl& job);
    bool sealMemory(const JobControl& job);
    bool measureRange(const JobControl& job);
    void reportDistantFiles();
    bool chooseView(const JobControl& job);
    bool markOutliers(const JobControl& job);
    // seal_links.cpp
    bool linkDeviceWork(const JobControl& job);
    bool bindFlows(const JobControl& job);
    bool reportDanglingFlows(const JobControl& job);
    bool checkStreams(const JobControl& job);
};

/// What becomes of the slices of all tracks; each track has rows of its own.
struct TraceBuilder::State::SlicesInOrder {
    EventColumn<uint32_t> order;      ///< by row: the slice's number
    EventColumn<EventRow> parents;    ///< by row
    EventColumn<uint32_t> flowOrder;  ///< flows by track; once that is nested, also by time
    std::vector<uint32_t> firstFlow;  ///< by track: its part of flowOrder begins there; one more at the end
};

/// What is found out about one track.
struct TraceBuilder::State::NestedTrack {
    EventColumn<uint32_t> order;  ///< its slices by begin; this and what follows is there while the track is nested
    Nesting nesting;              ///< of these
    EventColumn<uint32_t> rows;   ///< of these

    std::vector<Lane> lanes;
    std::vector<uint32_t> overlapping;  ///< numbers of slices
};

}  // namespace warpline
