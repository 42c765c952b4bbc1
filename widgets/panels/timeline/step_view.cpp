// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/timeline/step_view.h"

#include <algorithm>

namespace warpline::timeline {

size_t StepView::firstAt(TimeNs moment, size_t from) const {
    return static_cast<size_t>(std::lower_bound(time.begin() + static_cast<std::ptrdiff_t>(from), time.end(), moment) -
                               time.begin());
}

size_t StepView::firstAfter(TimeNs moment) const {
    return static_cast<size_t>(std::upper_bound(time.begin(), time.end(), moment) - time.begin());
}

TimeRange StepView::stepAt(TimeNs moment, TimeRange all) const {
    const size_t next = firstAfter(moment);
    const TimeNs begin = next > 0 ? time[next - 1] : std::min(all.begin, moment);
    return {begin, next < size() ? time[next] : std::max({all.end, moment, begin})};
}

ValueRange StepView::rangeWithin(TimeRange range) const {
    const size_t first = firstAfter(range.begin);
    ValueRange found = this->range(first, firstAt(range.end, std::min(first, size())));
    found.add(heldBefore(first));
    return found;
}

}  // namespace warpline::timeline
