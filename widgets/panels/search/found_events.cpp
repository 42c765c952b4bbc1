// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/search/found_events.h"

#include <algorithm>
#include <utility>

namespace warpline::search {

FoundEvents foundEvents(const Trace& trace, SearchHits hits) {
    std::vector<std::pair<TimeNs, HighlightPoint>> timed;
    const auto add = [&](Selection::Kind kind, uint32_t index, uint32_t series = 0) {
        timed.push_back({beginOf(trace, {kind, index, series, 0}), HighlightPoint{0, kind, index, series}});
    };
    for (const uint32_t i : hits.instants) {
        add(Selection::Kind::Instant, i);
    }
    for (const uint32_t i : hits.asyncSlices) {
        add(Selection::Kind::AsyncSlice, i);
    }
    for (const uint32_t i : hits.asyncInstants) {
        add(Selection::Kind::AsyncInstant, i);
    }
    for (const uint32_t i : hits.counters) {
        const std::vector<CounterSeries>& series = trace.counters()[i].series;
        const auto first = std::ranges::find_if(series, [](const CounterSeries& s) { return !s.time.empty(); });
        if (first != series.end()) {
            add(Selection::Kind::CounterSample, i, static_cast<uint32_t>(first - series.begin()));
        }
    }
    std::ranges::stable_sort(timed, {}, [](const auto& entry) { return entry.first; });
    FoundEvents found;
    found.points.reserve(timed.size());
    uint32_t slicesBefore = 0;
    for (auto& [time, point] : timed) {
        while (slicesBefore < hits.slices.size() && trace.slices().begin[hits.slices[slicesBefore].value] <= time) {
            ++slicesBefore;
        }
        point.slicesBefore = slicesBefore;
        found.points.push_back(point);
    }
    found.hits = std::move(hits);
    return found;
}

Highlight highlightOf(const std::shared_ptr<const FoundEvents>& found, const QString& title) {
    Highlight highlight;
    if (!found) {
        return highlight;
    }
    highlight.title = title;
    highlight.events = SharedRows(found, found->hits.slices);
    if (!found->points.empty()) {
        highlight.points = HighlightPoints(found, &found->points);
    }
    highlight.startsInView = true;
    return highlight;
}

}  // namespace warpline::search
