// SPDX-License-Identifier: MIT
#include "core/analyses/same_name.h"

#include <algorithm>
#include <utility>

#include "core/base/stoppable.h"

namespace warpline {

Result<EventRow> besideWithSameName(const Trace& trace, EventRow from, int direction, const JobControl& job) {
    const SliceColumns& slices = trace.slices();
    const StringId name = slices.name[from.value];
    const TimeNs origin = slices.begin[from.value];
    using Key = std::pair<TimeNs, uint32_t>;
    const Key start{origin, from.value};
    EventRow best;
    StopPoll poll(job);
    for (const Lane& lane : trace.lanes()) {
        const TimeNs* const first = slices.begin.data() + lane.firstRow;
        const auto isNearer = [&](uint32_t row) {
            const Key key{slices.begin[row], row};
            const Key found{best.valid() ? slices.begin[best.value] : 0, best.value};
            return !best.valid() || (direction > 0 ? key < found : key > found);
        };
        if (direction > 0) {
            auto row = static_cast<uint32_t>(std::lower_bound(first, first + lane.count, origin) - slices.begin.data());
            for (; row < lane.firstRow + lane.count && isNearer(row); ++row) {
                if (poll.stopRequested()) {
                    return Error::cancelled();
                }
                if (slices.name[row] == name && Key{slices.begin[row], row} > start) {
                    best = EventRow(row);
                }
            }
        } else {
            auto row = static_cast<uint32_t>(std::upper_bound(first, first + lane.count, origin) - slices.begin.data());
            for (; row > lane.firstRow && isNearer(row - 1); --row) {
                if (poll.stopRequested()) {
                    return Error::cancelled();
                }
                if (slices.name[row - 1] == name && Key{slices.begin[row - 1], row - 1} < start) {
                    best = EventRow(row - 1);
                }
            }
        }
    }
    return best;
}

}  // namespace warpline
