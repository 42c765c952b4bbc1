// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/support/recent_files.h"

#include <QFileInfo>

#include <utility>

#include "widgets/support/settings.h"

namespace warpline {

RecentFiles::RecentFiles(QObject* parent) : QObject(parent) {}

QStringList RecentFiles::paths() const {
    return settings::store().value(settings::kRecentFiles).toStringList();
}

void RecentFiles::add(const QString& path) {
    const QString absolute = QFileInfo(path).absoluteFilePath();
    QStringList list = paths();
    list.removeAll(absolute);
    list.prepend(absolute);
    write(list.mid(0, kMax));
}

void RecentFiles::remove(const QString& path) {
    QStringList list = paths();
    if (list.removeAll(path) > 0) {
        write(list);
    }
}

void RecentFiles::clear() {
    write({});
}

void RecentFiles::look() {
    using Missing = QSet<QString>;
    m_job.start<Missing>(
        [paths = paths()](JobControl& job) -> Result<Missing> {
            Missing missing;
            for (const QString& path : paths) {
                if (job.stopRequested()) {
                    return Error::cancelled();
                }
                if (!QFileInfo(path).isFile()) {
                    missing.insert(path);
                }
            }
            return missing;
        },
        [this](Result<Missing> missing) {
            if (missing.ok() && missing.value() != m_missing) {
                m_missing = std::move(missing).value();
                emit changed();
            }
        });
}

void RecentFiles::write(const QStringList& paths) {
    settings::store().setValue(settings::kRecentFiles, paths);
    emit changed();
    look();
}

}  // namespace warpline
