// SPDX-License-Identifier: MIT
#pragma once
// What a device did over time, as series to draw below one another. Pure functions of a sealed trace; any thread.
// Work is kernels, copies and memsets; waits and annotations are none. Work whose end the file does not give has no
// length here, and is counted.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/analyses/intervals.h"
#include "core/analyses/step_series.h"
#include "core/base/job_control.h"
#include "core/base/result.h"
#include "core/trace/lod_pyramid.h"
#include "core/trace/trace.h"

namespace warpline {

/// What is asked for: bits. Series of ten million kernels take 100 MB and more, so ask for what is shown.
enum ActivityPart : uint8_t {
    kActivityBusy = 1,
    kActivityConcurrency = 2,
    kActivityQueues = 4,
    kActivityCopyRate = 8,
    kActivityAll = 15,
};
using ActivityParts = uint8_t;

/// Launches that wait: work counts from the start of the call that launched it to its own start on the device (HTA's
/// queue length, definitions.md 4.5, with all calls that launch; a graph launch counts each of its kernels).
struct StreamQueue {
    TrackId stream;
    CountSeries depth;             ///< 0 before the first step
    uint64_t unknownLaunches = 0;  ///< work without a launching call in the trace: in no depth
    uint64_t beforeLaunch = 0;     ///< work that starts before its launch does, as clocks differ: in no depth
};

/// A process that holds device work; in a profiler's trace that is one GPU.
struct DeviceActivity {
    ProcessId process;
    std::optional<int64_t> device;  ///< its number, told by facts of its work; nullopt: not told, or contradictory
    uint64_t unknownEnds = 0;       ///< work without an end

    /// Time in which anything ran. Where one lane is all of it, the lane's own columns are the pieces, and nothing is
    /// copied: see busyPieces().
    std::optional<uint32_t> busyLane;
    Intervals busy;
    LodPyramid busyLod;

    CountSeries concurrency;          ///< streams that run anything; 0 before the first step
    std::vector<StreamQueue> queues;  ///< of streams with work, in the order of Trace::tracks()
    CountSeries allQueues;            ///< their sum; empty where there is one stream: see launchQueue()

    /// Bytes over duration of each copy (memcpy) that runs, summed, to the byte a second; 0 before the first step. NaN
    /// while one runs whose bytes are not known.
    ValueSeries copyBytesPerSecond;
    uint64_t unknownCopies = 0;  ///< copies without bytes or a duration
};

/// In the order of Trace::processes(); what `parts` leaves out is empty. Fails only when cancelled.
Result<std::vector<DeviceActivity>> computeDeviceActivity(const Trace& trace, ActivityParts parts, JobControl& job);

/// Pieces of time in which the device was busy, by begin, without overlap (those of a lane may touch).
struct BusyPieces {
    std::span<const TimeNs> begin;
    std::span<const DurationNs> duration;
    const LodPyramid* lod = nullptr;
};
/// REQUIRES: `activity` is of `trace`, with kActivityBusy; both outlive what is returned.
BusyPieces busyPieces(const Trace& trace, const DeviceActivity& activity);

/// Launches that wait for the device, on whatever stream; null without kActivityQueues.
const CountSeries* launchQueue(const DeviceActivity& activity);

}  // namespace warpline
