// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/support/highlight.h"

#include <algorithm>
#include <ranges>

namespace warpline {

Selection Highlight::at(size_t index) const {
    if (!points) {
        return Selection::slice(events[index]);
    }
    // The points' places among all ascend: each has itself and all points before it besides the slices.
    const auto places = std::views::iota(size_t{0}, points->size());
    const auto found = std::ranges::lower_bound(places, index, {}, [this](size_t i) { return placeOf(i); });
    const auto before = static_cast<size_t>(found - places.begin());
    if (before < points->size() && placeOf(before) == index) {
        const HighlightPoint& point = (*points)[before];
        return {point.kind, point.index, point.series, 0};
    }
    return Selection::slice(events[index - before]);
}

TimeNs beginOf(const Trace& trace, const Selection& event) {
    switch (event.kind) {
        case Selection::Kind::Slice:
            return trace.slices().begin[event.index];
        case Selection::Kind::AsyncSlice:
            return trace.asyncSlices()[event.index].begin;
        case Selection::Kind::AsyncInstant:
            return trace.asyncInstants()[event.index].time;
        case Selection::Kind::Instant:
            return trace.instants()[event.index].time;
        case Selection::Kind::CounterSample:
            return trace.counters()[event.index].series[event.series].time[event.sample];
        case Selection::Kind::None:
            break;
    }
    return 0;
}

size_t firstFrom(const Trace& trace, const Highlight& highlight, TimeNs time) {
    const auto all = std::views::iota(size_t{0}, highlight.size());
    const auto found =
        std::ranges::lower_bound(all, time, {}, [&](size_t i) { return beginOf(trace, highlight.at(i)); });
    return static_cast<size_t>(found - all.begin());
}

std::optional<size_t> indexOf(const Trace& trace, const Highlight& highlight, const Selection& event) {
    if (!event.isIn(trace) || event.kind == Selection::Kind::None) {
        return std::nullopt;
    }
    const TimeNs begin = beginOf(trace, event);
    for (size_t i = firstFrom(trace, highlight, begin); i < highlight.size(); ++i) {
        const Selection other = highlight.at(i);
        if (other == event) {
            return i;
        }
        if (beginOf(trace, other) != begin) {
            break;
        }
    }
    return std::nullopt;
}

}  // namespace warpline
