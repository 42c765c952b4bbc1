// SPDX-License-Identifier: MIT
#pragma once
// What devices did within a time and on some tracks: how busy they were, where the gaps are, what ran at the same time.
// Pure functions of a sealed trace; any thread.
//
// Work is kernels, copies and memsets, and the part of it that lies inside the time counts. Times are unions: what
// runs twice at once counts once. Compute is kernels and memsets, copies are memcpys (TraceLens, definitions.md 4.6);
// a kernel that communicates is a kernel. Work of length 0 and work without an end take no time here.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/base/job_control.h"
#include "core/base/result.h"
#include "core/base/time.h"
#include "core/trace/trace.h"

namespace warpline {

/// Two pieces of work that ran at the same time, `first` the one that began first.
struct WorkPair {
    EventRow first;
    EventRow second;
    DurationNs overlapNs = 0;  ///< inside the area
    bool operator==(const WorkPair&) const = default;
};

/// Work of one sort that ran beside work of another, or of its own, on any streams.
struct WorkOverlap {
    static constexpr size_t kMostListed = 200;
    DurationNs ns = 0;              ///< time in which that was so, however many ran
    uint64_t pairCount = 0;         ///< of all pairs
    std::vector<WorkPair> longest;  ///< kMostListed of them at most, the longest first
};

struct StreamShare {
    TrackId stream;
    DurationNs busyNs = 0;
};
struct StreamOverlap {
    TrackId a;
    TrackId b;
    DurationNs ns = 0;  ///< time in which both ran something
    bool operator==(const StreamOverlap&) const = default;
};

/// A process that holds device work; in a profiler's trace that is one GPU.
struct DeviceArea {
    static constexpr size_t kMostGaps = 100;
    static constexpr size_t kMostStreams = 16;

    ProcessId process;
    TimeRange range;  ///< the area's
    DurationNs busyNs = 0;
    /// Of the rest of the range, what the recording says that it did not record: whether anything ran is not known.
    DurationNs unrecordedNs = 0;
    DurationNs idleNs = 0;  ///< the rest of that
    std::optional<double> busyRatio() const;

    uint64_t workCount = 0;              ///< pieces that take time in the area
    uint64_t unknownEnds = 0;            ///< that begin in it and have no end in the file: in no figure
    uint64_t gapCount = 0;               ///< pieces of idle time, those at the ends of the range among them
    std::vector<TimeRange> longestGaps;  ///< kMostGaps at most, the longest first

    std::vector<StreamShare> streams;  ///< all with work in the area, the busiest first
    /// Of the first kMostStreams of `streams`: the pairs that overlap, the longest first. All others do not.
    std::vector<StreamOverlap> streamOverlaps;

    DurationNs computeNs = 0;
    DurationNs copyNs = 0;
    WorkOverlap copyCompute;     ///< copies hidden behind compute
    WorkOverlap copyCopy;        ///< two copies or more
    WorkOverlap computeCompute;  ///< two kernels or memsets or more
};

/// Of each device with work on the tracks (none: all), idle ones too, in the order of Trace::processes(). `range` is
/// cut to what a trace can hold. Fails only when cancelled.
Result<std::vector<DeviceArea>> computeAreaSummary(const Trace& trace, TimeRange range, std::span<const TrackId> tracks,
                                                   JobControl& job);

}  // namespace warpline
