// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/search/search_run.h"

#include <algorithm>
#include <utility>

#include "widgets/support/cell_text.h"
#include "widgets/support/discard.h"

namespace warpline::search {

namespace {

using Found = std::shared_ptr<const FoundEvents>;

/// `query` in what is seen of its scope; nullopt if that is nothing, or so much that all takes hardly longer.
std::optional<SearchQuery> seenPart(const Trace& trace, const SearchQuery& query, TimeRange visible) {
    const std::optional<TimeRange> all = query.scope.range ? query.scope.range : trace.range();
    const TimeRange seen = all ? visible.intersected(*all) : TimeRange{};
    if (seen.empty() || seen.length() > all->length() / 2) {
        return std::nullopt;
    }
    SearchQuery part = query;
    part.scope.range = seen;
    return part;
}

Result<Found> searchNames(const Trace& trace, const SearchQuery& query, JobControl& job) {
    Result<SearchHits> hits = findByName(trace, query, job);
    if (!hits.ok()) {
        return hits.error();
    }
    return Found(makeDiscarded(foundEvents(trace, std::move(hits).value())));
}

Result<Found> searchArgs(const Trace& trace, const SearchQuery& query, const Found& byName, JobControl& job) {
    Result<SearchHits> hits = findInArgs(trace, query, job);
    if (!hits.ok()) {
        return hits.error();
    }
    SearchHits all = byName ? unionOf(trace, byName->hits, hits.value()) : std::move(hits).value();
    return Found(makeDiscarded(foundEvents(trace, std::move(all))));
}

}  // namespace

void SearchRun::start(std::shared_ptr<const Trace> trace, SearchQuery query, TimeRange visible) {
    m_job.cancel();
    m_trace = std::move(trace);
    m_query = std::move(query);
    m_visible = visible;
    m_error.clear();
    m_done = Step::None;
    m_wasStopped = false;
    if (!m_query.inNames) {
        run(Step::Args);
    } else {
        run(seenPart(*m_trace, m_query, m_visible) ? Step::Visible : Step::Names);
    }
}

void SearchRun::run(Step step) {
    // What ran before has found nothing of this search yet.
    const Found byName = m_done == Step::Names ? m_found : nullptr;
    std::optional<SearchQuery> seen;
    if (step == Step::Visible) {
        seen = seenPart(*m_trace, m_query, m_visible);
    }
    setStep(step);
    m_job.start<Found>(
        [trace = m_trace, query = seen ? std::move(*seen) : m_query, byName, step](JobControl& job) -> Result<Found> {
            return step == Step::Args ? searchArgs(*trace, query, byName, job) : searchNames(*trace, query, job);
        },
        [this, step](Result<Found> result) { finish(step, std::move(result)); });
}

void SearchRun::finish(Step step, Result<Found> result) {
    if (!result.ok()) {
        // Names that were found stay when it is args that fail.
        if (m_done == Step::None) {
            m_found.reset();
        }
        m_error = fromUtf8(result.error().message);
        m_trace.reset();
        setStep(Step::None);
        emit foundChanged();
        return;
    }
    m_error.clear();
    m_found = std::move(result).value();
    m_done = step;
    if (step == Step::Visible) {
        run(Step::Names);
    } else if (step == Step::Names && m_query.inArgs) {
        run(Step::Args);
    } else {
        m_trace.reset();
        setStep(Step::None);
    }
    emit foundChanged();
}

void SearchRun::stop() {
    if (busy()) {
        m_job.cancel();
        m_trace.reset();
        m_wasStopped = true;
        setStep(Step::None);
        dropOlder();
    }
}

void SearchRun::dropOlder() {
    if (m_done == Step::None && m_found) {
        m_found.reset();
        emit foundChanged();
    }
}

void SearchRun::clear() {
    m_job.cancel();
    m_trace.reset();
    m_found.reset();
    m_error.clear();
    m_done = Step::None;
    m_wasStopped = false;
    setStep(Step::None);
    emit foundChanged();
}

std::optional<double> SearchRun::progress() const {
    const JobControl* control = m_job.control();
    if (control == nullptr || control->total() == 0) {
        return std::nullopt;
    }
    return std::min(1.0, static_cast<double>(control->done()) / static_cast<double>(control->total()));
}

void SearchRun::setStep(Step step) {
    if (step != m_step) {
        m_step = step;
        emit stepChanged();
    }
}

}  // namespace warpline::search
