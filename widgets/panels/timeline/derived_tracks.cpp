// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/timeline/derived_tracks.h"

#include <algorithm>
#include <utility>

namespace warpline::timeline {

namespace {

ActivityParts partOf(DerivedKind kind) {
    switch (kind) {
        case DerivedKind::Busy:
            return kActivityBusy;
        case DerivedKind::Streams:
            return kActivityConcurrency;
        case DerivedKind::Queue:
            return kActivityQueues;
        case DerivedKind::Copies:
            return kActivityCopyRate;
        case DerivedKind::Memory:
        case DerivedKind::Annotations:
            break;
    }
    return 0;
}

StepView viewOf(const CountSeries& series) {
    StepView view;
    view.time = series.time;
    view.counts = series.value;
    view.before = 0;
    return view;
}

StepView viewOf(const ValueSeries& series, double before) {
    StepView view;
    view.time = series.time;
    view.values = series.value;
    view.before = before;
    return view;
}

class Maker {
public:
    explicit Maker(DerivedTracks& out) : m_out(out) {}

    void addActivity(const DeviceActivity& activity) {
        DerivedTrack track;
        track.process = activity.process;
        track.activity = &activity;
        track.range.add(0);
        switch (m_out.kind) {
            case DerivedKind::Busy:
                track.pieces = busyPieces(*m_out.trace, activity);
                track.range.add(1);
                break;
            case DerivedKind::Streams:
                addLine(track, {}, viewOf(activity.concurrency));
                break;
            case DerivedKind::Queue:
                if (const CountSeries* queue = launchQueue(activity)) {
                    addLine(track, {}, viewOf(*queue));
                }
                break;
            case DerivedKind::Copies:
                addLine(track, {}, viewOf(activity.copyBytesPerSecond, 0));
                break;
            case DerivedKind::Memory:
            case DerivedKind::Annotations:
                break;
        }
        m_out.tracks.push_back(std::move(track));
    }

    void addProjection(const DeviceProjection& projection) {
        DerivedTrack track;
        track.process = projection.device;
        if (!projection.fileHasOwn) {
            track.lanes.resize(projection.laneCount);
            for (const ProjectedRange& range : projection.ranges) {
                ProjectedLane& lane = track.lanes[range.lane];
                lane.begin.push_back(range.begin);
                lane.duration.push_back(range.duration);
                lane.annotation.push_back(range.annotation.value);
            }
            for (ProjectedLane& lane : track.lanes) {
                lane.lod = LodPyramid::build(lane.begin, lane.duration);
            }
            track.ranges = projection.ranges;
            std::sort(track.ranges.begin(), track.ranges.end(),
                      [](const ProjectedRange& a, const ProjectedRange& b) { return a.annotation < b.annotation; });
        }
        m_out.tracks.push_back(std::move(track));
    }

    void addMemory(const MemoryLevels& levels) {
        constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
        DerivedTrack track;
        track.memory = {levels.file, levels.host, levels.rawDeviceType, levels.device};
        track.range.add(0);
        addLine(track, "allocated", viewOf(levels.allocated, kUnknown));
        addLine(track, "reserved", viewOf(levels.reserved, kUnknown));
        track.failures = levels.outOfMemory;
        m_out.tracks.push_back(std::move(track));
    }

private:
    void addLine(DerivedTrack& track, std::string name, StepView steps) {
        m_out.pyramids.push_back(std::make_unique<CounterPyramid>(
            steps.counts.empty() ? CounterPyramid::build(steps.values) : CounterPyramid::build(steps.counts)));
        steps.pyramid = m_out.pyramids.back().get();
        track.range.add(steps.range(0, steps.size()));
        track.lines.push_back({std::move(name), steps});
    }

    DerivedTracks& m_out;
};

}  // namespace

const ProjectedRange* DerivedTrack::rangeOf(EventRow annotation) const {
    const auto found = std::partition_point(
        ranges.begin(), ranges.end(), [annotation](const ProjectedRange& r) { return r.annotation < annotation; });
    return found != ranges.end() && found->annotation == annotation ? &*found : nullptr;
}

const DerivedTrack* DerivedTracks::find(const DerivedRow& row) const {
    const auto found = std::find_if(tracks.begin(), tracks.end(), [&](const DerivedTrack& track) {
        return row.kind == DerivedKind::Memory ? track.memory == row.memory : track.process == row.process;
    });
    return found != tracks.end() ? &*found : nullptr;
}

Result<DerivedTracks> computeDerived(const std::shared_ptr<const Trace>& trace, DerivedKind kind, JobControl& job) {
    DerivedTracks out;
    out.trace = trace;
    out.kind = kind;
    if (const ActivityParts part = partOf(kind)) {
        Result<std::vector<DeviceActivity>> found = computeDeviceActivity(*trace, part, job);
        if (!found.ok()) {
            return found.error();
        }
        out.activity = std::move(found).value();
        for (const DeviceActivity& activity : out.activity) {
            Maker(out).addActivity(activity);
        }
    } else if (kind == DerivedKind::Memory) {
        Result<std::vector<MemoryLevels>> found = computeMemoryLevels(*trace, job);
        if (!found.ok()) {
            return found.error();
        }
        out.levels = std::move(found).value();
        for (const MemoryLevels& levels : out.levels) {
            Maker(out).addMemory(levels);
        }
    } else if (kind == DerivedKind::Annotations) {
        const Result<AnnotationProjection> found = projectAnnotations(*trace, job);
        if (!found.ok()) {
            return found.error();
        }
        for (const DeviceProjection& projection : found.value().devices) {
            Maker(out).addProjection(projection);
        }
    }
    return out;
}

}  // namespace warpline::timeline
