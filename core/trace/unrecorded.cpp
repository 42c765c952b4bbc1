// SPDX-License-Identifier: MIT
#include "core/trace/unrecorded.h"

#include <algorithm>

namespace warpline {

std::vector<TimeRange> unrecordedTimes(const Trace& trace, FileId file) {
    const auto category = trace.findString(kUnrecordedCategory);
    const auto name = trace.findString(kUnrecordedTrack);
    if (!category || !name) {
        return {};
    }
    const SliceColumns& slices = trace.slices();
    std::vector<TimeRange> all;
    for (const Track& track : trace.tracks()) {
        if (track.name != name || trace.process(track.process).file != file) {
            continue;
        }
        for (uint32_t row = track.firstRow; row < track.firstRow + track.sliceCount; ++row) {
            if (slices.category[row] == *category) {
                all.push_back({slices.begin[row], slices.end(row)});
            }
        }
    }
    std::ranges::sort(all, {}, &TimeRange::begin);
    std::vector<TimeRange> out;
    for (const TimeRange& range : all) {
        if (!out.empty() && range.begin <= out.back().end) {
            out.back().end = std::max(out.back().end, range.end);
        } else {
            out.push_back(range);
        }
    }
    return out;
}

}  // namespace warpline
