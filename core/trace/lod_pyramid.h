// SPDX-License-Identifier: MIT
#pragma once
// Answers "what is visible?" for one lane without visiting every event.
// A node stands for 16 neighbouring rows {begin, end, busy, longest row} and becomes one bar once all of it fits in a
// pixel, so a gap wider than a pixel is never painted over. Immutable; const calls from any thread.

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/time.h"

namespace warpline {

/// What to draw: one slice, or several that share a pixel.
struct LodBar {
    TimeNs begin = 0;
    TimeNs end = 0;
    uint32_t row = 0;    ///< the slice, or the longest of those it stands for; counted from the lane's first row
    uint32_t first = 0;  ///< it stands for the rows [first, first + count)
    uint32_t count = 1;
    DurationNs busy = 0;  ///< sum of their durations
};

class LodPyramid {
public:
    LodPyramid() = default;
    /// REQUIRES: `begin` ascending, rows do not overlap, durations >= 0, both spans of equal length. The spans are only
    /// read here; collect() gets the same ones again, so that a lane's columns are kept once.
    static LodPyramid build(std::span<const TimeNs> begin, std::span<const DurationNs> duration);

    /// Appends the bars that touch `view` (one that ends where it begins does), by begin, at most two a pixel. A slice
    /// of a pixel or more is always a bar of its own; what is put together spans at most `nsPerPixel` and depends on
    /// the zoom alone, so panning does not flicker. A bar's longest row is the first of equals.
    void collect(std::span<const TimeNs> begin, std::span<const DurationNs> duration, TimeRange view, double nsPerPixel,
                 std::vector<LodBar>& out) const;

    /// How much of `range` the rows cover, to the nanosecond. REQUIRES: the spans it was built from. Takes time by the
    /// logarithm of the rows.
    DurationNs busyWithin(std::span<const TimeNs> begin, std::span<const DurationNs> duration, TimeRange range) const;

private:
    class Collector;
    static constexpr uint32_t kFanOut = 16;
    struct Node {
        TimeNs begin;
        TimeNs end;
        DurationNs busy;
        uint32_t longest;
        uint32_t count;
    };
    uint32_t m_rowCount = 0;
    std::vector<std::vector<Node>> m_levels;  ///< m_levels[0]: 16 rows a node; each further one 16 nodes a node
};

}  // namespace warpline
