// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The files opened last, latest first, kept in the settings. GUI thread only.

#include <QObject>
#include <QSet>
#include <QString>
#include <QStringList>

#include "widgets/support/job_runner.h"

namespace warpline {

class RecentFiles : public QObject {
    Q_OBJECT

public:
    static constexpr int kMax = 10;

    explicit RecentFiles(QObject* parent = nullptr);

    /// Absolute paths; some may not be there any more.
    QStringList paths() const;
    void add(const QString& path);
    void remove(const QString& path);
    void clear();

    /// Looks, off the GUI thread, which are there: a disk may be asleep or far away.
    void look();
    /// As found by the last look().
    bool isMissing(const QString& path) const { return m_missing.contains(path); }

signals:
    /// The list is another one, or other files of it are missing.
    void changed();

private:
    void write(const QStringList& paths);

    QSet<QString> m_missing;
    JobRunner m_job;
};

}  // namespace warpline
