// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/trace_opener.h"

#include <QFile>

#include <utility>

#include "widgets/support/settings.h"

namespace warpline::ui {

namespace {
using TracePtr = std::shared_ptr<const Trace>;
struct Loaded {
    CachedLoad load;
    std::vector<FileStamp> stamps;
};
constexpr int kPollMs = 60;
}  // namespace

TraceOpener::TraceOpener(QObject* parent) : QObject(parent) {
    m_poll.setInterval(kPollMs);
    connect(&m_poll, &QTimer::timeout, this, [this] {
        if (const JobControl* control = m_job.control()) {
            emit progress(QString::fromUtf8(control->phase()), control->done(), control->total());
        }
    });
}

void TraceOpener::open(const QStringList& paths, const FileOffsets& offsets, const LoadOptions& options,
                       const CacheSettings& cache) {
    m_paths = paths;
    m_job.start<Loaded>(
        [paths, offsets, options, settings = cache](JobControl& job) -> Result<Loaded> {
            std::vector<std::string> names;
            for (const QString& path : paths) {
                names.push_back(QFile::encodeName(path).toStdString());
            }
            // Before they are read: what is written meanwhile is a change.
            std::vector<FileStamp> stamps = stampsOf(paths);
            auto load = loadTraceCached(names, options, settings, job, offsets);
            return load.ok() ? Result<Loaded>(Loaded{std::move(load).value(), std::move(stamps)}) : load.error();
        },
        [this](Result<Loaded> result) {
            m_poll.stop();
            if (!result.ok()) {
                emit failed(result.error());
                return;
            }
            CachedLoad& load = result.value().load;
            m_stamps = std::move(result.value().stamps);
            m_isFromCache = load.isFromCache;
            emit opened(load.trace);
            if (load.toStore) {
                keep(load.trace, std::move(*load.toStore));
            }
        });
    m_poll.start();
    emit started();
}

CacheSettings TraceOpener::cache() {
    CacheSettings settings = cacheSettings();
    if (!settings::store().value(settings::kKeepTraces, true).toBool()) {
        settings.limitBytes = 0;
    }
    return settings;
}

void TraceOpener::keep(const std::shared_ptr<const Trace>& trace, LoadedFiles files) {
    // The job gives its hold of the trace up where it runs: freeing one that was closed meanwhile takes longer than a
    // frame.
    auto held = std::make_shared<TracePtr>(trace);
    m_keep.start<bool>(
        [held, files = std::move(files), settings = cache()](JobControl& job) -> Result<bool> {
            const TracePtr mine = std::move(*held);
            return storeTrace(*mine, files, settings, job).ok();
        },
        // A full disk is no matter of who looks at a trace; the next load takes as long as this one.
        [](Result<bool>) {});
}

void TraceOpener::cancel() {
    if (busy()) {
        m_poll.stop();
        m_job.cancel();
        emit cancelled();
    }
}

}  // namespace warpline::ui
