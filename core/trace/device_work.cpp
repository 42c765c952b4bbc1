// SPDX-License-Identifier: MIT
#include "core/trace/device_work.h"

#include <algorithm>

namespace warpline {

namespace {

/// Of the work on a track that starts before `work` does, that which ends last.
EventRow workBefore(const Trace& trace, EventRow work) {
    const SliceColumns& slices = trace.slices();
    const Track& track = trace.track(slices.track[work.value]);
    const TimeNs start = slices.begin[work.value];
    EventRow last;
    // Inner lanes first: work lies below the annotations around it.
    for (uint32_t lane = track.firstLane + track.laneCount; lane-- > track.firstLane;) {
        const uint32_t first = trace.lanes()[lane].firstRow;
        const TimeNs* begins = slices.begin.data();
        const auto* after = std::lower_bound(begins + first, begins + first + trace.lanes()[lane].count, start);
        for (auto row = static_cast<uint32_t>(after - begins); row-- > first;) {
            // Whatever comes earlier on the lane ends earlier.
            if (last && slices.end(row) <= slices.end(last.value)) {
                break;
            }
            if (isDeviceWork(slices.kind[row])) {
                last = EventRow(row);
                break;
            }
        }
    }
    return last;
}

}  // namespace

std::optional<DurationNs> launchDelayNs(const Trace& trace, EventRow deviceWork) {
    const EventRow launch = trace.launchOf(deviceWork);
    const auto& begin = trace.slices().begin;
    return launch ? std::optional(begin[deviceWork.value] - begin[launch.value]) : std::nullopt;
}

LaunchWait launchWait(const Trace& trace, EventRow deviceWork) {
    const SliceColumns& slices = trace.slices();
    LaunchWait out;
    out.behind = workBefore(trace, deviceWork);
    const EventRow call = trace.launchOf(deviceWork);
    if (!call || slices.knownDuration(call.value) == kUnknownDuration) {
        return out;
    }
    const TimeNs start = slices.begin[deviceWork.value];
    const TimeNs callEnd = slices.end(call.value);
    out.delayNs = std::max<DurationNs>(0, start - callEnd);
    if (!out.behind) {
        out.queueNs = 0;
    } else if (slices.knownDuration(out.behind.value) != kUnknownDuration) {
        out.queueNs = std::max<DurationNs>(0, std::min(start, slices.end(out.behind.value)) - callEnd);
    }
    if (out.queueNs) {
        out.idleNs = *out.delayNs - *out.queueNs;
    }
    return out;
}

std::optional<double> copyBytesPerSecond(const Trace& trace, const CopyFacts& copy) {
    constexpr double kNsPerSecond = 1e9;
    const DurationNs duration = trace.slices().knownDuration(copy.row.value);
    if (copy.bytes < 0 || duration <= 0) {
        return std::nullopt;
    }
    return static_cast<double>(copy.bytes) * kNsPerSecond / static_cast<double>(duration);
}

}  // namespace warpline
