// SPDX-License-Identifier: MIT
#include "core/analyses/search_scope.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <utility>

#include "core/analyses/name_matcher.h"
#include "core/base/parallel.h"

namespace warpline {

namespace {

/// Names decided by one thread at a time: more than the compilation of an expression costs.
constexpr size_t kNamesAtATime = 1024;

}  // namespace

Result<NameVerdicts> NameVerdicts::decide(const Trace& trace, const std::vector<uint8_t>& isUsed,
                                          const std::string& text, bool isRegex, Case letterCase,
                                          const JobControl& job) {
    const auto checked = NameMatcher::compile(text, isRegex, letterCase);
    if (!checked) {
        return checked.error();
    }
    NameVerdicts out;
    out.m_isYes.assign(isUsed.size(), 0);
    std::mutex mutex;
    std::optional<Error> error;
    std::atomic<bool> failed{false};
    const auto fail = [&](Error reason) {
        const std::lock_guard lock(mutex);
        error = error ? error : std::move(reason);
        failed = true;
    };
    const auto decideSome = [&](size_t piece) {
        if (failed) {
            return;
        }
        const auto matcher = NameMatcher::compile(text, isRegex, letterCase);
        if (!matcher) {
            fail(matcher.error());
            return;
        }
        const size_t end = std::min(isUsed.size(), (piece + 1) * kNamesAtATime);
        for (size_t id = piece * kNamesAtATime; id < end; ++id) {
            if (isUsed[id] == 0) {
                continue;
            }
            if (job.stopRequested()) {
                fail(Error::cancelled());
                return;
            }
            const auto found = matcher.value().matches(trace.string(StringId(static_cast<uint32_t>(id))));
            if (!found) {
                fail(found.error());
                return;
            }
            out.m_isYes[id] = found.value() ? 1 : 0;
        }
    };
    parallelFor((isUsed.size() + kNamesAtATime - 1) / kNamesAtATime, usableThreads(), decideSome);
    if (error) {
        return *error;
    }
    return out;
}

Result<SearchScope> SearchScope::compile(const Trace& trace, const TraceFilter& filter, const JobControl& job) {
    SearchScope out;
    out.m_trace = &trace;
    out.m_filter = &filter;
    out.m_spans = areaSpans(trace, filter.range, filter.tracks);
    if (!filter.tracks.empty()) {
        out.m_trackAccepted.assign(trace.tracks().size(), 0);
        for (const TrackId track : filter.tracks) {
            if (track.value < out.m_trackAccepted.size()) {
                out.m_trackAccepted[track.value] = 1;
            }
        }
    }
    if (!filter.categories.empty()) {
        out.m_categoryAccepted.assign(trace.stringCount(), 0);
        for (const std::string& category : filter.categories) {
            if (const auto id = trace.findString(category)) {
                out.m_categoryAccepted[id->value] = 1;
            }
        }
    }
    if (const Status found = out.findUsedNames(job); !found) {
        return found.error();
    }
    if (!filter.text.empty()) {
        auto names = NameVerdicts::decide(trace, out.m_usedNames, filter.text, filter.textIsRegex,
                                          filter.textIsRegex ? Case::Matters : Case::Ignored, job);
        if (!names) {
            return names.error();
        }
        out.m_names = std::move(names).value();
    }
    return out;
}

Status SearchScope::findUsedNames(const JobControl& job) {
    m_usedNames.assign(m_trace->stringCount(), 0);
    const SliceColumns& slices = m_trace->slices();
    parallelFor(m_spans.size(), usableThreads(), [&](size_t i) {
        for (uint32_t row = m_spans[i].first; row < m_spans[i].last && !job.stopRequested(); ++row) {
            const std::atomic_ref<uint8_t> isUsed(m_usedNames[slices.name[row].value]);
            // Most are set already, and reading alone leaves the line in every core's cache.
            if (isUsed.load(std::memory_order_relaxed) == 0 && isOfCategory(slices.category[row])) {
                isUsed.store(1, std::memory_order_relaxed);
            }
        }
    });
    if (job.stopRequested()) {
        return Error::cancelled();
    }
    // m_names says yes to all as yet.
    const auto use = [&](const auto& events) {
        for (const auto& event : events) {
            if (takes(event)) {
                m_usedNames[event.name.value] = 1;
            }
        }
    };
    use(m_trace->instants());
    use(m_trace->asyncSlices());
    use(m_trace->asyncInstants());
    use(m_trace->counters());
    for (const Counter& counter : m_trace->counters()) {
        for (const CounterSeries& series : counter.series) {
            m_usedNames[series.name.value] |= m_usedNames[counter.name.value];
        }
    }
    return Status::success();
}

bool SearchScope::isOnTrack(TrackId track) const {
    return m_trackAccepted.empty() || (track.value < m_trackAccepted.size() && m_trackAccepted[track.value] != 0);
}

bool SearchScope::takes(const Instant& instant) const {
    return (!range() || range()->contains(instant.time)) && isOnTrack(instant.track) &&
           isOfCategory(instant.category) && m_names(instant.name);
}

bool SearchScope::takes(const AsyncSlice& slice) const {
    // One without an end goes on to the end of the trace.
    const TimeNs end =
        slice.unfinished || slice.duration == kUnknownDuration ? kLatestTime : slice.begin + slice.duration;
    return (!range() || touches(*range(), slice.begin, end)) && isOnTrack(slice.track) &&
           isOfCategory(slice.category) && m_names(slice.name);
}

bool SearchScope::takes(const AsyncInstant& instant) const {
    return (!range() || range()->contains(instant.time)) && isOnTrack(instant.track) &&
           isOfCategory(instant.category) && m_names(instant.name);
}

bool SearchScope::takes(const Counter& counter) const {
    if (!m_trackAccepted.empty() || !m_categoryAccepted.empty()) {
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
