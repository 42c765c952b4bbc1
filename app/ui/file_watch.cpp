// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/file_watch.h"

#include <QFile>

#include <sys/stat.h>

#include <utility>

namespace warpline::ui {

namespace {
constexpr int kPollMs = 2000;
constexpr int kPollWhileWrittenMs = 250;
constexpr int kPauseMs = 1000;  ///< writing has paused
}  // namespace

FileStamp stampOf(const QString& path) {
    struct stat status {};
    if (::stat(QFile::encodeName(path).constData(), &status) != 0) {
        return {};
    }
    return {status.st_size, qint64{status.st_mtim.tv_sec} * 1'000'000'000 + status.st_mtim.tv_nsec, status.st_dev,
            status.st_ino};
}

std::vector<FileStamp> stampsOf(const QStringList& paths) {
    std::vector<FileStamp> stamps;
    for (const QString& path : paths) {
        stamps.push_back(stampOf(path));
    }
    return stamps;
}

FileWatch::FileWatch(QObject* parent) : QObject(parent) {
    connect(&m_watcher, &QFileSystemWatcher::fileChanged, this, &FileWatch::look);
    connect(&m_poll, &QTimer::timeout, this, &FileWatch::look);
}

void FileWatch::watch(const QStringList& paths, std::vector<FileStamp> loaded) {
    stop();
    m_paths = paths;
    m_loaded = std::move(loaded);
    m_current = m_loaded;
    if (!m_paths.isEmpty()) {
        m_watcher.addPaths(m_paths);
        m_poll.start(kPollMs);
        // They may have changed while they were read.
        look();
    }
}

void FileWatch::stop() {
    m_job.cancel();
    m_poll.stop();
    if (!m_watcher.files().isEmpty()) {
        m_watcher.removePaths(m_watcher.files());
    }
    m_paths.clear();
    m_loaded.clear();
    m_current.clear();
    m_isSettled = true;
}

void FileWatch::look() {
    if (m_job.busy() || m_paths.isEmpty()) {
        return;
    }
    m_job.start<std::vector<FileStamp>>([paths = m_paths](JobControl& /*job*/) { return stampsOf(paths); },
                                        [this](Result<std::vector<FileStamp>> now) {
                                            if (now.ok()) {
                                                take(std::move(now).value());
                                            }
                                        });
}

void FileWatch::take(std::vector<FileStamp> now) {
    if (now != m_current) {
        m_current = std::move(now);
        m_still.start();
        m_isSettled = !differs();
        m_poll.start(m_isSettled ? kPollMs : kPollWhileWrittenMs);
        // What was replaced by another file of its name is watched no more.
        for (const QString& path : m_paths) {
            if (!m_watcher.files().contains(path)) {
                m_watcher.addPath(path);
            }
        }
        emit changed();
    } else if (!m_isSettled && m_still.elapsed() >= kPauseMs) {
        m_isSettled = true;
        m_poll.start(kPollMs);
        emit settled();
    }
}

}  // namespace warpline::ui
