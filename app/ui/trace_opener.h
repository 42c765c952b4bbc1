// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Loads traces on a thread, one attempt at a time; a newer one replaces the one before. Tells how far it is. What took
// long is put into the cache by another thread once it is open. GUI thread.

#include <QObject>
#include <QStringList>
#include <QTimer>

#include <memory>
#include <vector>

#include "app/ui/file_watch.h"
#include "core/base/result.h"
#include "core/cache/cached_load.h"
#include "core/loaders/load_trace.h"
#include "core/trace/trace.h"
#include "widgets/support/job_runner.h"

namespace warpline::ui {

class TraceOpener : public QObject {
    Q_OBJECT

public:
    explicit TraceOpener(QObject* parent = nullptr);

    /// `cache`: cache(), or default-made for files that are not worth keeping.
    void open(const QStringList& paths, const FileOffsets& offsets, const LoadOptions& options,
              const CacheSettings& cache);
    /// Ends with cancelled(), if something was being opened.
    void cancel();
    bool busy() const { return m_job.busy(); }
    const QStringList& paths() const { return m_paths; }
    /// Whether what was opened last came from the cache.
    bool isFromCache() const { return m_isFromCache; }

    /// What the environment allows and the user has not switched off.
    static CacheSettings cache();
    /// How the files stood just before they were read, one a path; of the last trace that was opened.
    const std::vector<FileStamp>& stamps() const { return m_stamps; }

signals:
    void started();
    /// Some times a second. `total` 0: not known.
    void progress(const QString& phase, quint64 doneBytes, quint64 totalBytes);
    void opened(std::shared_ptr<const warpline::Trace> trace);
    void failed(const warpline::Error& error);
    void cancelled();

private:
    void keep(const std::shared_ptr<const Trace>& trace, LoadedFiles files);

    JobRunner m_job;
    JobRunner m_keep;
    QTimer m_poll;
    QStringList m_paths;
    bool m_isFromCache = false;
    std::vector<FileStamp> m_stamps;
};

}  // namespace warpline::ui
