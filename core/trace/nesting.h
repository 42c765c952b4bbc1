// SPDX-License-Identifier: MIT
#pragma once
// Which slice of a track holds which, and on which row of the track each is drawn.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/base/job_control.h"
#include "core/base/time.h"

namespace warpline {

/// For each slice of one track, in the order given to nestSlices().
struct Nesting {
    static constexpr uint32_t kNoParent = 0xffffffffU;
    std::vector<uint32_t> parent;       ///< innermost slice that holds it wholly, or kNoParent
    std::vector<uint32_t> depth;        ///< number of ancestors
    std::vector<uint32_t> lane;         ///< see laneOf()
    std::vector<uint32_t> overlapping;  ///< slices that overlap an earlier one, neither holding the other
    uint32_t laneCount = 0;

    /// The row to draw on: below its parent, and free of overlap. Without overlaps on the track it is the depth.
    uint32_t laneOf(size_t i) const { return lane.empty() ? depth[i] : lane[i]; }
};

struct Interval {
    TimeNs begin = 0;
    TimeNs end = 0;
};

/// The slices of a track: columns of the slices of all tracks, and which of these are the track's, in which order.
struct TrackSlices {
    std::span<const TimeNs> begin;
    std::span<const DurationNs> duration;
    std::span<const uint32_t> order;

    size_t size() const { return order.size(); }
    Interval operator[](size_t i) const { return {begin[order[i]], begin[order[i]] + duration[order[i]]}; }
};

/// REQUIRES: sorted by begin, then longer first, then the one that shall be the parent first; end >= begin.
/// A slice covers its begin but not its end; one of length 0 lies in what covers its moment, and in an equal one before
/// it. O(n) on a track without overlaps, O(n log n) with them.
/// nullopt when stopped.
std::optional<Nesting> nestSlices(const TrackSlices& slices, const JobControl& job);

}  // namespace warpline
