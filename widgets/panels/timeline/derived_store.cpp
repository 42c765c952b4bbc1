// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/timeline/derived_store.h"

#include <utility>

#include "widgets/support/discard.h"

namespace warpline::timeline {

void DerivedStore::setTrace(std::shared_ptr<const Trace> trace) {
    m_job->cancel();
    m_tracks = {};
    m_problems = {};
    m_trace = std::move(trace);
    computeNext();
}

void DerivedStore::want(DerivedKinds kinds) {
    m_wanted = kinds | bitOf(DerivedKind::Busy);
    for (const DerivedKind kind : kDerivedKinds) {
        if ((m_wanted & bitOf(kind)) == 0) {
            m_tracks[static_cast<size_t>(kind)].reset();
            m_problems[static_cast<size_t>(kind)].clear();
        }
    }
    if (m_job->busy() && (m_wanted & bitOf(m_running)) == 0) {
        m_job->cancel();
    }
    computeNext();
}

DerivedView DerivedStore::view() const {
    DerivedView view;
    for (const DerivedKind kind : kDerivedKinds) {
        view.kinds[static_cast<size_t>(kind)] = tracks(kind).get();
    }
    return view;
}

void DerivedStore::computeNext() {
    if (!m_trace || m_job->busy()) {
        return;
    }
    using Tracks = std::shared_ptr<const DerivedTracks>;
    for (const DerivedKind kind : kDerivedKinds) {
        const auto index = static_cast<size_t>(kind);
        if ((m_wanted & bitOf(kind)) == 0 || m_tracks[index] || !m_problems[index].isEmpty()) {
            continue;
        }
        m_running = kind;
        m_job->start<Tracks>(
            [trace = m_trace, kind](JobControl& job) -> Result<Tracks> {
                Result<DerivedTracks> found = computeDerived(trace, kind, job);
                return found.ok() ? Result<Tracks>(makeDiscarded(std::move(found).value())) : found.error();
            },
            [this, kind, index](Result<Tracks> found) {
                if (found.ok()) {
                    m_tracks[index] = std::move(found).value();
                } else {
                    m_problems[index] = QString::fromStdString(found.error().message);
                }
                emit ready(kind);
                computeNext();
            });
        return;
    }
}

}  // namespace warpline::timeline
