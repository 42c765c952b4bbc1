// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/session_name.h"

#include <QDir>
#include <QFileInfo>

#include "widgets/support/session_file.h"

namespace warpline::ui {

namespace {

QString withoutEndings(QString name) {
    static const QStringList kEndings = {"gz",     "zst",     "json",           "trace",   "pt",           "raw",
                                         "sqlite", "pftrace", "perfetto-trace", "hatchet", "chrome_trace", "pb"};
    for (;;) {
        const QString ending = QFileInfo(name).suffix().toLower();
        if (ending.isEmpty() || name.size() <= ending.size() + 1 || !kEndings.contains(ending)) {
            return name;
        }
        name.chop(ending.size() + 1);
    }
}

}  // namespace

QString suggestedSessionPath(const QStringList& paths, const QString& elsewhere) {
    const QFileInfo first(paths.isEmpty() ? QString() : paths.first());
    QString name = paths.isEmpty() ? QStringLiteral("session") : withoutEndings(first.fileName());
    if (paths.size() > 1) {
        name += QStringLiteral("+%1").arg(paths.size() - 1);
    }
    const bool canWrite = !paths.isEmpty() && first.exists() && QFileInfo(first.absolutePath()).isWritable();
    return QDir(canWrite ? first.absolutePath() : elsewhere).filePath(name + QLatin1String(kSessionSuffix));
}

}  // namespace warpline::ui
