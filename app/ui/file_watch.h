// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Notices that files on disk are no longer those that were loaded. The system's notices alone do not do: network file
// systems give none, so files are also looked at every few seconds, off the GUI thread, which a sleeping disk would
// hold up. GUI thread only.

#include <QElapsedTimer>
#include <QFileSystemWatcher>
#include <QObject>
#include <QStringList>
#include <QTimer>

#include <vector>

#include "widgets/support/job_runner.h"

namespace warpline::ui {

/// How a file stood on disk at one moment.
struct FileStamp {
    qint64 bytes = -1;  ///< -1: there is no such file
    qint64 modifiedNs = 0;
    quint64 device = 0;
    quint64 inode = 0;
    bool operator==(const FileStamp&) const = default;
};
/// Any thread; may block on the disk.
FileStamp stampOf(const QString& path);
std::vector<FileStamp> stampsOf(const QStringList& paths);

class FileWatch : public QObject {
    Q_OBJECT

public:
    explicit FileWatch(QObject* parent = nullptr);

    /// `loaded`, one a path: how the files stood just before they were read. Forgets what was watched before.
    void watch(const QStringList& paths, std::vector<FileStamp> loaded);
    void stop();
    /// Looks now and not only at the next turn.
    void look();

    const QStringList& paths() const { return m_paths; }
    const std::vector<FileStamp>& loaded() const { return m_loaded; }
    /// As found by the last look.
    const std::vector<FileStamp>& current() const { return m_current; }
    bool differs() const { return m_current != m_loaded; }

signals:
    /// The files stand otherwise than at the last look.
    void changed();
    /// They differ from what was loaded, and have stood still for a second. Once a change.
    void settled();

private:
    void take(std::vector<FileStamp> now);

    QFileSystemWatcher m_watcher;
    QTimer m_poll;
    JobRunner m_job;
    QStringList m_paths;
    std::vector<FileStamp> m_loaded, m_current;
    QElapsedTimer m_still;  ///< since they were found to stand otherwise
    bool m_isSettled = true;
};

}  // namespace warpline::ui
