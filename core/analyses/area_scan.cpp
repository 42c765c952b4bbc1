// SPDX-License-Identifier: MIT
#include "core/analyses/area_scan.h"

#include <ranges>

namespace warpline {

RowSpan rowsTouching(const SliceColumns& slices, const Lane& lane, const std::optional<TimeRange>& range) {
    RowSpan rows{lane.firstRow, lane.firstRow + lane.count};
    if (!range) {
        return rows;
    }
    const auto all = std::views::iota(rows.first, rows.last);
    // Rows of a lane do not overlap, so their ends ascend as their begins do.
    const auto isBefore = [&](uint32_t row) { return !touches(*range, slices.begin[row], slices.end(row)); };
    const auto beginsInTime = [&](uint32_t row) { return slices.begin[row] < range->end; };
    rows.last = rows.first + static_cast<uint32_t>(std::ranges::partition_point(all, beginsInTime) - all.begin());
    const auto begun = std::views::iota(rows.first, rows.last);
    rows.first += static_cast<uint32_t>(std::ranges::partition_point(begun, isBefore) - begun.begin());
    return rows;
}

std::vector<RowSpan> areaSpans(const Trace& trace, const std::optional<TimeRange>& range,
                               std::span<const TrackId> tracks, uint32_t maxRows) {
    std::vector<RowSpan> spans;
    const auto addTrack = [&](const Track& track) {
        for (const Lane& lane : trace.lanes().subspan(track.firstLane, track.laneCount)) {
            RowSpan rows = rowsTouching(trace.slices(), lane, range);
            for (; rows.count() > maxRows; rows.first += maxRows) {
                spans.push_back({rows.first, rows.first + maxRows});
            }
            if (rows.count() > 0) {
                spans.push_back(rows);
            }
        }
    };
    const std::span<const Track> all = trace.tracks();
    if (tracks.empty()) {
        std::ranges::for_each(all, addTrack);
    } else {
        std::vector<TrackId> chosen(tracks.begin(), tracks.end());
        std::ranges::sort(chosen);
        chosen.erase(std::ranges::unique(chosen).begin(), chosen.end());
        for (const TrackId track : chosen) {
            if (track.value < all.size()) {
                addTrack(all[track.value]);
            }
        }
    }
    std::ranges::sort(spans, {}, &RowSpan::first);
    return spans;
}

}  // namespace warpline
