// SPDX-License-Identifier: MIT
#include "core/analyses/annotation_projection.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <map>
#include <tuple>

#include "core/analyses/area_scan.h"
#include "core/base/stoppable.h"
#include "core/trace/nesting.h"

namespace warpline {

namespace {

/// What a stretch of calls put on a device.
struct Extent {
    TimeNs begin = std::numeric_limits<TimeNs>::max();
    TimeNs end = std::numeric_limits<TimeNs>::min();
    uint64_t work = 0;
    bool openEnd = false;

    void add(const Extent& other) {
        begin = std::min(begin, other.begin);
        end = std::max(end, other.end);
        work += other.work;
        openEnd = openEnd || other.openEnd;
    }
};

Extent extentOf(const SliceColumns& slices, EventRow work) {
    const bool isOpen = slices.knownDuration(work.value) == kUnknownDuration;
    const TimeNs begin = slices.begin[work.value];
    return {begin, isOpen ? begin : slices.end(work.value), 1, isOpen};
}

/// The extent of any stretch of a list: a tree whose node i holds that of its two below it, 2i and 2i + 1.
class ExtentTree {
public:
    explicit ExtentTree(const std::vector<Extent>& leaves) : m_size(leaves.size()), m_nodes(2 * leaves.size()) {
        std::copy(leaves.begin(), leaves.end(), m_nodes.begin() + static_cast<std::ptrdiff_t>(m_size));
        for (size_t node = m_size; node-- > 1;) {
            m_nodes[node] = m_nodes[2 * node];
            m_nodes[node].add(m_nodes[2 * node + 1]);
        }
    }
    /// Of the leaves [first, last).
    Extent of(size_t first, size_t last) const {
        Extent out;
        for (first += m_size, last += m_size; first < last; first /= 2, last /= 2) {
            if (first % 2 == 1) {
                out.add(m_nodes[first++]);
            }
            if (last % 2 == 1) {
                out.add(m_nodes[--last]);
            }
        }
        return out;
    }

private:
    size_t m_size;
    std::vector<Extent> m_nodes;
};

struct LaunchOnDevice {
    uint32_t device;  ///< process
    TimeNs callBegin;
    Extent extent;
};

/// Of what one call launched, for each device on its own.
void addLaunches(const Trace& trace, EventRow call, std::vector<LaunchOnDevice>& out) {
    const SliceColumns& slices = trace.slices();
    const size_t first = out.size();
    for (const EventRow work : trace.deviceWorkOf(call)) {
        const uint32_t device = trace.track(slices.track[work.value]).process.value;
        const auto known = std::find_if(out.begin() + static_cast<std::ptrdiff_t>(first), out.end(),
                                        [device](const LaunchOnDevice& launch) { return launch.device == device; });
        const Extent extent = extentOf(slices, work);
        if (known == out.end()) {
            out.push_back({device, slices.begin[call.value], extent});
        } else {
            known->extent.add(extent);
        }
    }
}

/// Annotations that the file projects itself, by the device it does so on.
class RangesOfFile {
public:
    /// False when stopped.
    bool find(const Trace& trace, StopPoll& poll) {
        const SliceColumns& slices = trace.slices();
        m_hasOwn.assign(trace.processes().size(), false);
        for (const Track& track : trace.tracks()) {
            for (uint32_t row = track.firstRow; row < track.firstRow + track.sliceCount; ++row) {
                if (poll.stopRequested()) {
                    return false;
                }
                if (slices.kind[row] == EventKind::GpuAnnotation) {
                    m_hasOwn[track.process.value] = true;
                    if (const EventRow annotation = trace.opOf(EventRow(row))) {
                        m_pairs.emplace_back(track.process.value, annotation.value);
                    }
                }
            }
        }
        std::sort(m_pairs.begin(), m_pairs.end());
        return true;
    }
    bool contain(ProcessId device, EventRow annotation) const {
        return std::binary_search(m_pairs.begin(), m_pairs.end(), std::pair(device.value, annotation.value));
    }
    bool haveAnyOn(ProcessId device) const { return m_hasOwn[device.value]; }

private:
    std::vector<std::pair<uint32_t, uint32_t>> m_pairs;
    std::vector<bool> m_hasOwn;
};

class Projector {
public:
    Projector(const Trace& trace, const JobControl& job)
        : m_trace(trace), m_slices(trace.slices()), m_job(job), m_poll(job) {}

    /// nullopt when stopped.
    std::optional<AnnotationProjection> run() {
        if (m_job.stopRequested() || !m_ofFile.find(m_trace, m_poll)) {
            return std::nullopt;
        }
        for (const Track& track : m_trace.tracks()) {
            if (!projectTrack(track)) {
                return std::nullopt;
            }
        }
        for (auto& [process, device] : m_devices) {
            device.device = ProcessId(process);
            device.fileHasOwn = m_ofFile.haveAnyOn(device.device);
            if (!layOut(device)) {
                return std::nullopt;
            }
            m_out.devices.push_back(std::move(device));
        }
        return std::move(m_out);
    }

private:
    bool projectTrack(const Track& track) {
        std::vector<uint32_t> annotations;
        std::vector<LaunchOnDevice> launches;
        for (uint32_t row = track.firstRow; row < track.firstRow + track.sliceCount; ++row) {
            if (m_poll.stopRequested()) {
                return false;
            }
            if (m_slices.kind[row] == EventKind::Annotation) {
                annotations.push_back(row);
            } else if (isApiCall(m_slices.kind[row])) {
                addLaunches(m_trace, EventRow(row), launches);
            }
        }
        m_out.annotations += annotations.size();
        if (annotations.empty()) {
            return true;
        }
        const auto place = [](const LaunchOnDevice& launch) { return std::pair(launch.device, launch.callBegin); };
        if (!stableSortByKeyUnlessStopped(launches, place, m_job)) {
            return false;
        }
        std::vector<bool> launched(annotations.size(), false);
        for (size_t first = 0; first < launches.size();) {
            size_t last = first;
            while (last < launches.size() && launches[last].device == launches[first].device) {
                ++last;
            }
            if (!projectOnDevice(annotations, std::span(launches).subspan(first, last - first), launched)) {
                return false;
            }
            first = last;
        }
        m_out.withoutWork += static_cast<uint64_t>(std::count(launched.begin(), launched.end(), false));
        return true;
    }

    /// `launches`: those of one device, by the begin of their calls.
    bool projectOnDevice(const std::vector<uint32_t>& annotations, std::span<const LaunchOnDevice> launches,
                         std::vector<bool>& launched) {
        std::vector<Extent> extents;
        extents.reserve(launches.size());
        for (const LaunchOnDevice& launch : launches) {
            extents.push_back(launch.extent);
        }
        const ExtentTree tree(extents);
        const ProcessId device(launches.front().device);
        const auto placeOf = [&](TimeNs time) {
            return static_cast<size_t>(std::ranges::lower_bound(launches, time, {}, &LaunchOnDevice::callBegin) -
                                       launches.begin());
        };
        for (size_t i = 0; i < annotations.size(); ++i) {
            if (m_poll.stopRequested()) {
                return false;
            }
            const uint32_t row = annotations[i];
            const Extent extent = tree.of(placeOf(m_slices.begin[row]), placeOf(m_slices.end(row)));
            if (extent.work == 0) {
                continue;
            }
            launched[i] = true;
            m_devices[device.value].ranges.push_back({extent.begin, extent.end - extent.begin, EventRow(row), 0,
                                                      extent.work, m_ofFile.contain(device, EventRow(row)),
                                                      extent.openEnd});
        }
        return true;
    }

    bool layOut(DeviceProjection& device) {
        const auto place = [this](const ProjectedRange& range) {
            const uint32_t row = range.annotation.value;
            // An annotation with nothing but another one in it has the same range: the one that holds it comes first.
            return std::tuple(range.begin, -range.duration, m_slices.begin[row], -m_slices.duration[row], row);
        };
        if (!stableSortByKeyUnlessStopped(device.ranges, place, m_job)) {
            return false;
        }
        std::vector<TimeNs> begins;
        std::vector<DurationNs> durations;
        std::vector<uint32_t> order;
        for (const ProjectedRange& range : device.ranges) {
            begins.push_back(range.begin);
            durations.push_back(range.duration);
            order.push_back(static_cast<uint32_t>(order.size()));
        }
        const std::optional<Nesting> nesting = nestSlices({begins, durations, order}, m_job);
        if (!nesting) {
            return false;
        }
        for (size_t i = 0; i < device.ranges.size(); ++i) {
            device.ranges[i].lane = nesting->laneOf(i);
        }
        device.laneCount = nesting->laneCount;
        return true;
    }

    const Trace& m_trace;
    const SliceColumns& m_slices;
    const JobControl& m_job;
    StopPoll m_poll;
    RangesOfFile m_ofFile;
    std::map<uint32_t, DeviceProjection> m_devices;  ///< by process
    AnnotationProjection m_out;
};

/// Whether the file has a gpu_user_annotation of `annotation` on a device. False when stopped.
bool isInFile(const Trace& trace, ProcessId device, EventRow annotation, TimeRange range, StopPoll& poll) {
    const SliceColumns& slices = trace.slices();
    for (const TrackId id : trace.process(device).tracks) {
        const Track& track = trace.track(id);
        for (const Lane& lane : trace.lanes().subspan(track.firstLane, track.laneCount)) {
            const RowSpan rows = rowsTouching(slices, lane, range);
            for (uint32_t row = rows.first; row < rows.last && !poll.stopRequested(); ++row) {
                if (slices.kind[row] == EventKind::GpuAnnotation && trace.opOf(EventRow(row)) == annotation) {
                    return true;
                }
            }
        }
    }
    return false;
}

}  // namespace

Result<AnnotationProjection> projectAnnotations(const Trace& trace, JobControl& job) {
    std::optional<AnnotationProjection> projection = Projector(trace, job).run();
    return projection ? Result<AnnotationProjection>(std::move(*projection)) : Error::cancelled();
}

Result<std::vector<SliceProjection>> projectSlice(const Trace& trace, EventRow host, JobControl& job) {
    if (job.stopRequested()) {
        return Error::cancelled();
    }
    const SliceColumns& slices = trace.slices();
    const Track& track = trace.track(slices.track[host.value]);
    const TimeRange inside = {slices.begin[host.value], slices.end(host.value)};
    StopPoll poll(job);
    std::map<uint32_t, Extent> byDevice;
    std::vector<LaunchOnDevice> launches;
    for (const Lane& lane : trace.lanes().subspan(track.firstLane, track.laneCount)) {
        const RowSpan rows = rowsTouching(slices, lane, inside);
        for (uint32_t row = rows.first; row < rows.last; ++row) {
            if (poll.stopRequested()) {
                return Error::cancelled();
            }
            if (isApiCall(slices.kind[row]) && inside.contains(slices.begin[row])) {
                launches.clear();
                addLaunches(trace, EventRow(row), launches);
                for (const LaunchOnDevice& launch : launches) {
                    byDevice[launch.device].add(launch.extent);
                }
            }
        }
    }
    std::vector<SliceProjection> out;
    for (const auto& [device, extent] : byDevice) {
        const TimeRange range = {extent.begin, extent.end};
        out.push_back({ProcessId(device),
                       {range.begin, range.end - range.begin, host, 0, extent.work,
                        isInFile(trace, ProcessId(device), host, range, poll), extent.openEnd}});
    }
    if (job.stopRequested()) {
        return Error::cancelled();
    }
    return out;
}

}  // namespace warpline
