// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The values of derived rows, as the timeline draws them: series of core/analyses with pyramids above them. One kind at
// a time, since each takes memory by the events; immutable, may be computed on any thread.

#include <array>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/analyses/annotation_projection.h"
#include "core/analyses/device_activity.h"
#include "core/analyses/memory_levels.h"
#include "widgets/panels/timeline/derived_rows.h"
#include "widgets/panels/timeline/step_view.h"

namespace warpline::timeline {

/// One series of a row.
struct DerivedLine {
    std::string name;  ///< "allocated"; "" where the row has no other
    StepView steps;
};

/// Projected annotations that do not overlap.
struct ProjectedLane {
    std::vector<TimeNs> begin;
    std::vector<DurationNs> duration;
    std::vector<uint32_t> annotation;  ///< rows of the host's slices
    LodPyramid lod;
};

/// What one row shows.
struct DerivedTrack {
    ProcessId process;                         ///< of a row that is no memory
    MemoryOwner memory;                        ///< of one that is
    std::vector<DerivedLine> lines;            ///< all but Busy; the first is drawn as an area
    const DeviceActivity* activity = nullptr;  ///< all but Memory
    BusyPieces pieces;                         ///< Busy
    std::span<const TimeNs> failures;          ///< Memory: requests that failed
    ValueRange range;                          ///< of all lines, and 0
    std::vector<ProjectedLane> lanes;          ///< Annotations: none where the file has such rows itself
    std::vector<ProjectedRange> ranges;        ///< Annotations: those of the lanes, by annotation

    /// Of a slice of the host; null if it is not projected here.
    const ProjectedRange* rangeOf(EventRow annotation) const;
};

/// All rows of one kind, and what they look at. It may be moved: only what lies on the heap is looked at.
struct DerivedTracks {
    std::shared_ptr<const Trace> trace;
    DerivedKind kind = DerivedKind::Busy;
    std::vector<DeviceActivity> activity;
    std::vector<MemoryLevels> levels;
    std::vector<std::unique_ptr<CounterPyramid>> pyramids;
    std::vector<DerivedTrack> tracks;

    /// Null: nothing is known of it, since it has no such work.
    const DerivedTrack* find(const DerivedRow& row) const;
};

/// Fails only when cancelled.
Result<DerivedTracks> computeDerived(const std::shared_ptr<const Trace>& trace, DerivedKind kind, JobControl& job);

/// What is known of the kinds now.
struct DerivedView {
    std::array<const DerivedTracks*, kDerivedKinds.size()> kinds{};  ///< null: not yet, or not shown

    const DerivedTracks* of(DerivedKind kind) const { return kinds[static_cast<size_t>(kind)]; }
    const DerivedTrack* find(const DerivedRow& row) const {
        const DerivedTracks* tracks = of(row.kind);
        return tracks != nullptr ? tracks->find(row) : nullptr;
    }
};

}  // namespace warpline::timeline
