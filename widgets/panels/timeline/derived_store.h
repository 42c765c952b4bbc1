// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The one owner of what is derived from the shown trace: computes the kinds that are asked for, one after another on a
// thread, and lets go of the others. Busy time is always there, since the minimap shows it. GUI thread only.

#include <QObject>

#include <array>
#include <memory>

#include "widgets/panels/timeline/derived_tracks.h"
#include "widgets/support/job_runner.h"

namespace warpline::timeline {

class DerivedStore : public QObject {
    Q_OBJECT

public:
    explicit DerivedStore(QObject* parent = nullptr) : QObject(parent), m_job(new JobRunner(this)) {}

    /// Null: none. Nothing is known afterwards.
    void setTrace(std::shared_ptr<const Trace> trace);
    void want(DerivedKinds kinds);
    /// Null: not known yet, not wanted, or it could not be computed.
    const std::shared_ptr<const DerivedTracks>& tracks(DerivedKind kind) const {
        return m_tracks[static_cast<size_t>(kind)];
    }
    DerivedView view() const;
    /// Why it could not be computed; "" if it could, or that is not known yet.
    QString problem(DerivedKind kind) const { return m_problems[static_cast<size_t>(kind)]; }

signals:
    /// A kind is known now, or why it is not.
    void ready(warpline::timeline::DerivedKind kind);

private:
    void computeNext();

    std::shared_ptr<const Trace> m_trace;
    DerivedKinds m_wanted = bitOf(DerivedKind::Busy);
    JobRunner* m_job;
    DerivedKind m_running = DerivedKind::Busy;  ///< while m_job is busy
    std::array<std::shared_ptr<const DerivedTracks>, kDerivedKinds.size()> m_tracks;
    std::array<QString, kDerivedKinds.size()> m_problems;
};

}  // namespace warpline::timeline
