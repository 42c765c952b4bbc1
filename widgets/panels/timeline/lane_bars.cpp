// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/timeline/lane_bars.h"

#include <algorithm>
#include <cmath>

namespace warpline::timeline {

namespace {

/// Some tens of megabytes at most; a screen has a hundred lanes.
constexpr size_t kMostLanes = 400;
/// What is collected beyond the view that way it moves: this part of its length.
constexpr DurationNs kAhead = 16;
/// More than so many views are not kept.
constexpr DurationNs kMostViews = 3;

size_t firstFrom(const std::vector<LodBar>& bars, TimeNs begin) {
    return static_cast<size_t>(
        std::partition_point(bars.begin(), bars.end(), [begin](const LodBar& bar) { return bar.begin < begin; }) -
        bars.begin());
}

auto at(std::vector<LodBar>& bars, size_t index) {
    return bars.begin() + static_cast<std::ptrdiff_t>(index);
}

}  // namespace

struct LaneBars::Query {
    const LodPyramid& lod;
    std::span<const TimeNs> begin;
    std::span<const DurationNs> duration;
    double nsPerPixel;
    TimeRange range;
    std::vector<LodBar>& strip;

    void collect(TimeRange within, std::vector<LodBar>& out) const {
        out.clear();
        lod.collect(begin, duration, within, nsPerPixel, out);
    }
};

/// Bars are put together within the cells of a grid that does not depend on the view. So they are the same whatever was
/// asked for, but for the last pixel or two, where a part of them was not looked at: what is added overlaps by four
/// pixels what is there, and they are joined in the middle of these.
void LaneBars::extend(Entry& entry, const Query& query) {
    constexpr double kLongestPixel = 1e17;
    const auto pixel = static_cast<DurationNs>(std::ceil(std::clamp(query.nsPerPixel, 1.0, kLongestPixel)));
    const DurationNs ahead = query.range.length() / kAhead;
    std::vector<LodBar>& bars = entry.bars;
    if (query.range.end > entry.covered.end) {
        const TimeNs seam = addSaturated(entry.covered.end, -2 * pixel);
        const TimeNs end = addSaturated(query.range.end, ahead);
        query.collect({addSaturated(entry.covered.end, -4 * pixel), end}, query.strip);
        bars.resize(firstFrom(bars, seam));
        bars.insert(bars.end(), at(query.strip, firstFrom(query.strip, seam)), query.strip.end());
        entry.covered.end = end;
    }
    if (query.range.begin < entry.covered.begin) {
        const TimeNs seam = addSaturated(entry.covered.begin, 2 * pixel);
        const TimeNs begin = addSaturated(query.range.begin, -ahead);
        query.collect({begin, addSaturated(entry.covered.begin, 4 * pixel)}, query.strip);
        query.strip.resize(firstFrom(query.strip, seam));
        const size_t kept = firstFrom(bars, seam);
        bars.erase(bars.begin(), at(bars, kept));
        bars.insert(bars.begin(), query.strip.begin(), query.strip.end());
        entry.covered.begin = begin;
    }
}

std::span<const LodBar> LaneBars::of(const Trace& trace, uint32_t lane, TimeRange range, double nsPerPixel) {
    if (nsPerPixel != m_nsPerPixel) {
        m_nsPerPixel = nsPerPixel;
        for (auto& [index, entry] : m_entries) {
            entry.covered = {};
        }
    }
    if (m_entries.size() >= kMostLanes && !m_entries.contains(lane)) {
        m_entries.clear();
    }
    const Lane& rows = trace.lanes()[lane];
    const SliceColumns& slices = trace.slices();
    const Query query{trace.lod(lane),
                      {slices.begin.data() + rows.firstRow, rows.count},
                      {slices.duration.data() + rows.firstRow, rows.count},
                      nsPerPixel,
                      range,
                      m_strip};
    Entry& entry = m_entries[lane];
    const bool isLong = entry.covered.length() / kMostViews > range.length();
    if (isLong || !entry.covered.overlaps(range)) {
        entry.covered = range;
        query.collect(range, entry.bars);
        return entry.bars;
    }
    extend(entry, query);
    const auto first = std::partition_point(entry.bars.begin(), entry.bars.end(),
                                            [&](const LodBar& bar) { return bar.end < range.begin; });
    const auto last =
        std::partition_point(first, entry.bars.end(), [&](const LodBar& bar) { return bar.begin < range.end; });
    return {first, last};
}

}  // namespace warpline::timeline
