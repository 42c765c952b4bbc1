// SPDX-License-Identifier: MIT
#include "core/analyses/area_filter.h"

#include <algorithm>
#include <atomic>
#include <utility>

#include "core/analyses/accepted_ids.h"
#include "core/base/parallel.h"

namespace warpline {

Result<AreaFilter> AreaFilter::compile(const Trace& trace, const TraceFilter& filter, const JobControl& job) {
    AreaFilter out;
    out.m_trace = &trace;
    out.m_filter = &filter;
    out.m_spans = areaSpans(trace, filter.range, filter.tracks);
    out.m_trackAccepted = acceptedTracks(trace, filter.tracks);
    out.m_categoryAccepted = acceptedCategories(trace, filter.categories);
    if (!filter.text.empty()) {
        const auto names = out.usedNames(job);
        if (!names) {
            return names.error();
        }
        auto verdicts = NameVerdicts::decide(trace, names.value(), filter.text, filter.textIsRegex,
                                             filter.textIsRegex ? Case::Matters : Case::Ignored, job);
        if (!verdicts) {
            return verdicts.error();
        }
        out.m_names = std::move(verdicts).value();
    }
    return out;
}

Result<std::vector<uint8_t>> AreaFilter::usedNames(const JobControl& job) const {
    std::vector<uint8_t> used(m_trace->stringCount(), 0);
    const SliceColumns& slices = m_trace->slices();
    parallelFor(m_spans.size(), usableThreads(), [&](size_t i) {
        for (uint32_t row = m_spans[i].first; row < m_spans[i].last && !job.stopRequested(); ++row) {
            const std::atomic_ref<uint8_t> isUsed(used[slices.name[row].value]);
            // Most are set already, and reading alone leaves the line in every core's cache.
            if (isUsed.load(std::memory_order_relaxed) == 0 && takes(EventRow(row))) {
                isUsed.store(1, std::memory_order_relaxed);
            }
        }
    });
    if (job.stopRequested()) {
        return Error::cancelled();
    }
    const auto use = [&](const auto& events) {
        for (const auto& event : events) {
            if (takes(event)) {
                used[event.name.value] = 1;
            }
        }
    };
    use(m_trace->instants());
    use(m_trace->asyncSlices());
    use(m_trace->asyncInstants());
    for (const Counter& counter : m_trace->counters()) {
        if (takes(counter)) {
            used[counter.name.value] = 1;
            for (const CounterSeries& series : counter.series) {
                used[series.name.value] = 1;
            }
        }
    }
    return used;
}

bool AreaFilter::isOnTrack(TrackId track) const {
    return m_trackAccepted.empty() || (track.value < m_trackAccepted.size() && m_trackAccepted[track.value] != 0);
}

bool AreaFilter::takes(const Instant& instant) const {
    return m_filter->leastDuration <= 0 && (!range() || range()->contains(instant.time)) && isOnTrack(instant.track) &&
           isOfCategory(instant.category) && m_names(instant.name);
}

bool AreaFilter::takes(const AsyncSlice& slice) const {
    // One without an end goes on to the end of the trace.
    const TimeNs end =
        slice.unfinished || slice.duration == kUnknownDuration ? kLatestTime : slice.begin + slice.duration;
    const DurationNs known = slice.unfinished ? kUnknownDuration : slice.duration;
    return (!range() || touches(*range(), slice.begin, end)) && isLongEnough(known, *m_filter) &&
           isOnTrack(slice.track) && isOfCategory(slice.category) && m_names(slice.name);
}

bool AreaFilter::takes(const AsyncInstant& instant) const {
    return m_filter->leastDuration <= 0 && (!range() || range()->contains(instant.time)) && isOnTrack(instant.track) &&
           isOfCategory(instant.category) && m_names(instant.name);
}

bool AreaFilter::takes(const Counter& counter) const {
    if (!m_trackAccepted.empty() || !m_categoryAccepted.empty() || m_filter->leastDuration > 0) {
        return false;
    }
    // Its last value holds on.
    const auto isInTime = [&](const CounterSeries& series) {
        return !range() || (!series.time.empty() && series.time.front() < range()->end && !range()->empty());
    };
    const auto hasName = [&](const CounterSeries& series) { return m_names(series.name); };
    return std::ranges::any_of(counter.series, isInTime) &&
           (m_names(counter.name) || std::ranges::any_of(counter.series, hasName));
}

}  // namespace warpline
