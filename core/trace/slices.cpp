// SPDX-License-Identifier: MIT
#include "core/trace/slices.h"

#include <algorithm>

namespace warpline {

DurationNs selfDurationOf(const SliceColumns& slices, EventRow row, std::span<const EventRow> children) {
    DurationNs self = slices.knownDuration(row.value);
    if (self == kUnknownDuration) {
        return self;
    }
    // Children come by begin, so what overlaps was covered by those before.
    TimeNs covered = slices.begin[row.value];
    const TimeNs end = slices.end(row.value);
    for (const EventRow child : children) {
        const TimeNs begin = slices.begin[child.value];
        const TimeNs from = std::max(covered, begin);
        const TimeNs to = std::min(end, begin + slices.summedDuration(child.value));
        if (to > from) {
            self -= to - from;
            covered = to;
        }
    }
    return self;
}

}  // namespace warpline
