// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Keeps, for each set of files that was open together, what the user had set and written on it, and sets it again when
// they are opened the next time. In the user's data folder, never beside the files. GUI thread only.

#include <QObject>
#include <QStringList>
#include <QTimer>

#include <atomic>
#include <memory>
#include <mutex>

#include "widgets/support/job_runner.h"
#include "widgets/support/session_file.h"

namespace warpline::ui {

class SessionStore : public QObject {
    Q_OBJECT

public:
    static constexpr int kMostKept = 500;
    /// Between the last change and its being saved.
    static constexpr int kSaveAfterMs = 2000;

    SessionStore(Session& session, QObject* parent);

    /// The session's trace is that of these files now. Restores what was kept for them if `restores`; returns what
    /// could not be found again. Standard input has no name to be known by: for it nothing is kept.
    QStringList open(const QStringList& paths, bool restores);
    /// To be called before the trace goes.
    void close();
    /// At once, if something has changed. What cannot be written is said on standard error, once.
    void save();
    /// The same on a thread of its own: a disk may take its time.
    void saveAside();

private:
    /// What one call to save writes. Of two that meet, the later one's stays.
    struct Kept {
        QString path;
        QByteArray text;
        uint64_t number = 0;
    };
    struct Order {
        std::mutex writing;
        std::atomic<uint64_t> newest = 0;
    };
    std::optional<Kept> takeChange();
    static QString write(const Kept& kept, Order& order);
    void sayFailure(const QString& path, const QString& problem);
    QString pathFor(const QStringList& paths) const;
    static void prune(const QString& folder);

    Session& m_session;
    QStringList m_paths;  ///< empty: nothing is kept
    QTimer m_soon;
    std::shared_ptr<Order> m_order = std::make_shared<Order>();
    JobRunner* m_job;
    bool m_isChanged = false;  ///< since it was saved
    bool m_failureSaid = false;
};

}  // namespace warpline::ui
