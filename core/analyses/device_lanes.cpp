// SPDX-License-Identifier: MIT
#include "core/analyses/device_lanes.h"

#include <algorithm>

namespace warpline {

namespace {

constexpr uint32_t kCancelStride = 1U << 16;

/// nullopt when stopped.
std::optional<bool> holdsWork(const SliceColumns& slices, const Lane& lane, const JobControl& job) {
    for (uint32_t i = 0; i < lane.count; ++i) {
        if (i % kCancelStride == 0 && job.stopRequested()) {
            return std::nullopt;
        }
        if (isDeviceWork(slices.kind[lane.firstRow + i])) {
            return true;
        }
    }
    return false;
}

}  // namespace

std::optional<std::vector<DeviceLanes>> deviceLanes(const Trace& trace, std::span<const TrackId> tracks,
                                                    const JobControl& job) {
    std::vector<bool> chosen(trace.tracks().size(), tracks.empty());
    for (const TrackId track : tracks) {
        if (track.value < chosen.size()) {
            chosen[track.value] = true;
        }
    }
    std::vector<DeviceLanes> byProcess(trace.processes().size());
    for (uint32_t id = 0; id < chosen.size(); ++id) {
        if (job.stopRequested()) {
            return std::nullopt;
        }
        if (!chosen[id]) {
            continue;
        }
        const Track& track = trace.track(TrackId(id));
        StreamLanes stream = {TrackId(id), {}};
        for (uint32_t lane = track.firstLane; lane < track.firstLane + track.laneCount; ++lane) {
            const std::optional<bool> holds = holdsWork(trace.slices(), trace.lanes()[lane], job);
            if (!holds) {
                return std::nullopt;
            }
            if (*holds) {
                stream.lanes.push_back(lane);
            }
        }
        if (!stream.lanes.empty()) {
            byProcess[track.process.value].streams.push_back(std::move(stream));
        }
    }
    std::vector<DeviceLanes> out;
    for (uint32_t process = 0; process < byProcess.size(); ++process) {
        if (!byProcess[process].streams.empty()) {
            byProcess[process].process = ProcessId(process);
            out.push_back(std::move(byProcess[process]));
        }
    }
    return out;
}

std::optional<int64_t> deviceNumberOf(const Trace& trace, std::span<const uint32_t> lanes) {
    constexpr uint32_t kLookedAt = 64;  // facts are there for the first kernels, or for none
    for (const uint32_t index : lanes) {
        const Lane& lane = trace.lanes()[index];
        for (uint32_t row = lane.firstRow; row < lane.firstRow + std::min(lane.count, kLookedAt); ++row) {
            const KernelFacts* kernel = trace.findKernelFacts(EventRow(row));
            const CopyFacts* copy = trace.findCopyFacts(EventRow(row));
            const int32_t device = kernel != nullptr ? kernel->device : copy != nullptr ? copy->device : -1;
            if (device >= 0) {
                return device;
            }
        }
    }
    return std::nullopt;
}

}  // namespace warpline
