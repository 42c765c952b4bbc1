// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// One search at a time, in steps: names in what is seen, names in all, args. What each step has found is handed over at
// once and stands until the next one has more. GUI thread.

#include <QObject>
#include <QString>

#include <memory>
#include <optional>

#include "widgets/panels/search/found_events.h"
#include "widgets/support/job_runner.h"

namespace warpline::search {

class SearchRun : public QObject {
    Q_OBJECT

public:
    enum class Step { None, Visible, Names, Args };

    using QObject::QObject;

    /// Takes the place of what ran before; what was found before stays until there is something new. `visible`: where
    /// to look first.
    void start(std::shared_ptr<const Trace> trace, SearchQuery query, TimeRange visible);
    /// What was found stays.
    void stop();
    /// Forgets what the search before has found, if this one has nothing yet.
    void dropOlder();
    /// Stops, and forgets all.
    void clear();

    /// What runs; None: nothing does.
    Step step() const { return m_step; }
    bool busy() const { return m_step != Step::None; }
    /// The last step that has found what there is.
    Step done() const { return m_done; }
    bool wasStopped() const { return m_wasStopped; }
    /// Null: nothing yet, or an error.
    const std::shared_ptr<const FoundEvents>& found() const { return m_found; }
    /// Why it failed; "" if it did not.
    const QString& error() const { return m_error; }
    /// Of the step that runs; nullopt while it is not known.
    std::optional<double> progress() const;

signals:
    /// A step has found something, or the search has failed.
    void foundChanged();
    /// Something begins or ends.
    void stepChanged();

private:
    void run(Step step);
    void finish(Step step, Result<std::shared_ptr<const FoundEvents>> result);
    void setStep(Step step);

    std::shared_ptr<const Trace> m_trace;  ///< null unless something runs
    SearchQuery m_query;
    TimeRange m_visible;
    std::shared_ptr<const FoundEvents> m_found;
    QString m_error;
    Step m_step = Step::None;
    Step m_done = Step::None;
    bool m_wasStopped = false;
    JobRunner m_job;
};

}  // namespace warpline::search
