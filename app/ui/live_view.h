// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Loads a capture again and again while it grows, on a thread, and says when there is a newer trace of it to show. Of a
// long recording the newest part alone, as much as the window can take over within a frame. Keeps the view at the end
// until the user moves it. GUI thread.

#include <QElapsedTimer>
#include <QObject>
#include <QString>
#include <QTimer>

#include <functional>
#include <memory>

#include "core/base/time.h"
#include "core/trace/trace.h"
#include "widgets/support/job_runner.h"

namespace warpline {
class Session;
}

namespace warpline::ui {

class LiveView : public QObject {
    Q_OBJECT

public:
    explicit LiveView(Session& session, QObject* parent = nullptr);

    /// Forgets what was shown before.
    void start(const QString& path);
    void stop();
    bool isRunning() const { return m_timer.isActive(); }
    const QString& path() const { return m_path; }
    bool follows() const { return m_follows; }
    /// Back to the end, as wide as the view is now.
    void follow();

    /// Puts a trace into the session by `show`, and moves the view to its end if that is followed.
    void take(const std::function<void()>& show);
    /// What that cost the window's thread the last time.
    double lastTakeMs() const { return m_lastTakeMs; }
    uint64_t newestBytes() const { return m_newestBytes; }

signals:
    /// There is a newer trace; who shows it does so within take().
    void loaded(std::shared_ptr<const warpline::Trace> trace);
    void followChanged();

private:
    void tick();
    void adapt(const Trace& trace, uint64_t fileBytes, double loadMs);
    void showEnd();
    void setFollows(bool follows);

    Session& m_session;
    QString m_path;
    QTimer m_timer;
    JobRunner m_job;
    QElapsedTimer m_sinceBegin;  ///< of the latest load
    bool m_follows = true;
    bool m_isTaking = false;
    uint64_t m_loadedBytes = 0;  ///< of the file, when it was loaded last
    uint64_t m_newestBytes = 0;
    double m_lastTakeMs = 0;
    DurationNs m_width = 0;  ///< of the view that follows the end
    TimeRange m_shown;       ///< the view as it was put last
};

/// The view that follows the end: `width` long, or all if that is not longer. Pure.
TimeRange viewAtEnd(TimeRange all, DurationNs width);

}  // namespace warpline::ui
