// SPDX-License-Identifier: MIT
#include "core/analyses/event_search.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "core/analyses/area_filter.h"
#include "core/base/parallel.h"
#include "core/base/stoppable.h"

namespace warpline {

namespace {

Case caseOf(const SearchQuery& query) {
    return query.matchCase ? Case::Matters : Case::Ignored;
}

TimeNs timeOf(const Instant& event) {
    return event.time;
}
TimeNs timeOf(const AsyncInstant& event) {
    return event.time;
}
TimeNs timeOf(const AsyncSlice& event) {
    return event.begin;
}

/// Indices of the events that are asked for, by time.
template <class Events, class Wanted>
bool collectPoints(const Events& events, Wanted wanted, std::vector<uint32_t>& out, const JobControl& job) {
    StopPoll poll(job);
    for (uint32_t i = 0; i < events.size(); ++i) {
        if (poll.stopRequested()) {
            return false;
        }
        if (wanted(events[i])) {
            out.push_back(i);
        }
    }
    return stableSortByKeyUnlessStopped(
        out, [&](uint32_t i) { return timeOf(events[i]); }, job);
}

/// The slices of the scope that have a name of these, by begin.
bool collectSlices(const Trace& trace, const AreaFilter& scope, const NameVerdicts& isFound, std::vector<EventRow>& out,
                   const JobControl& job) {
    const SliceColumns& slices = trace.slices();
    const std::vector<RowSpan>& spans = scope.spans();
    std::vector<std::vector<EventRow>> found(spans.size());
    parallelFor(spans.size(), usableThreads(), [&](size_t i) {
        for (uint32_t row = spans[i].first; row < spans[i].last && !job.stopRequested(); ++row) {
            if (isFound(slices.name[row]) && scope.takes(EventRow(row))) {
                found[i].push_back(EventRow(row));
            }
        }
    });
    size_t count = 0;
    for (const auto& rows : found) {
        count += rows.size();
    }
    out.reserve(count);
    for (auto& rows : found) {
        out.insert(out.end(), rows.begin(), rows.end());
        rows = {};
    }
    return stableSortByKeyUnlessStopped(
        out, [&](EventRow row) { return slices.begin[row.value]; }, job);
}

}  // namespace

Result<SearchHits> findByName(const Trace& trace, const SearchQuery& query, JobControl& job) {
    SearchHits hits;
    if (job.stopRequested()) {
        return Error::cancelled();
    }
    if (query.text.empty()) {
        return hits;
    }
    const auto compiled = AreaFilter::compile(trace, query.scope, job);
    if (!compiled) {
        return compiled.error();
    }
    const AreaFilter& scope = compiled.value();
    const auto used = scope.usedNames(job);
    if (!used) {
        return used.error();
    }
    const auto decided = NameVerdicts::decide(trace, used.value(), query.text, query.isRegex, caseOf(query), job);
    if (!decided) {
        return decided.error();
    }
    const NameVerdicts& isFound = decided.value();
    const auto isHit = [&](const auto& event) { return isFound(event.name) && scope.takes(event); };
    if (!collectSlices(trace, scope, isFound, hits.slices, job) ||
        !collectPoints(trace.instants(), isHit, hits.instants, job) ||
        !collectPoints(trace.asyncSlices(), isHit, hits.asyncSlices, job) ||
        !collectPoints(trace.asyncInstants(), isHit, hits.asyncInstants, job)) {
        return Error::cancelled();
    }
    const auto counters = trace.counters();
    for (uint32_t i = 0; i < counters.size(); ++i) {
        const auto hasName = [&](const CounterSeries& series) { return isFound(series.name); };
        if ((isFound(counters[i].name) || std::ranges::any_of(counters[i].series, hasName)) &&
            scope.takes(counters[i])) {
            hits.counters.push_back(i);
        }
    }
    return hits;
}

SearchHits unionOf(const Trace& trace, const SearchHits& a, const SearchHits& b) {
    SearchHits out;
    const auto& begins = trace.slices().begin;
    std::ranges::set_union(
        a.slices, b.slices, std::back_inserter(out.slices), {},
        [&](EventRow row) { return std::pair(begins[row.value], row); },
        [&](EventRow row) { return std::pair(begins[row.value], row); });
    const auto join = [](const auto& events, const std::vector<uint32_t>& x, const std::vector<uint32_t>& y,
                         std::vector<uint32_t>& to) {
        const auto key = [&](uint32_t i) { return std::pair(timeOf(events[i]), i); };
        std::ranges::set_union(x, y, std::back_inserter(to), {}, key, key);
    };
    join(trace.instants(), a.instants, b.instants, out.instants);
    join(trace.asyncSlices(), a.asyncSlices, b.asyncSlices, out.asyncSlices);
    join(trace.asyncInstants(), a.asyncInstants, b.asyncInstants, out.asyncInstants);
    std::ranges::set_union(a.counters, b.counters, std::back_inserter(out.counters));
    out.argsComplete = a.argsComplete && b.argsComplete;
    out.note = a.note.empty() || b.note == a.note ? b.note : b.note.empty() ? a.note : a.note + "; " + b.note;
    return out;
}

}  // namespace warpline
