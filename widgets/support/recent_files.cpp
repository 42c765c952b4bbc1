// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/support/recent_files.h"

#include <QFileInfo>

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

void RecentFiles::write(const QStringList& paths) {
    settings::store().setValue(settings::kRecentFiles, paths);
    emit changed();
}

}  // namespace warpline
