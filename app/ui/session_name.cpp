// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/session_name.h"

#include <QDir>
#include <QFileInfo>

#include "widgets/support/save_file.h"
#include "widgets/support/session_file.h"

namespace warpline::ui {

QString suggestedSessionPath(const QStringList& paths, const QString& elsewhere) {
    const QFileInfo first(paths.isEmpty() ? QString() : paths.first());
    QString name = paths.isEmpty() ? QStringLiteral("session") : withoutFormat(first.fileName());
    if (paths.size() > 1) {
        name += QStringLiteral("+%1").arg(paths.size() - 1);
    }
    const bool canWrite = !paths.isEmpty() && first.exists() && QFileInfo(first.absolutePath()).isWritable();
    return QDir(canWrite ? first.absolutePath() : elsewhere).filePath(name + QLatin1String(kSessionSuffix));
}

}  // namespace warpline::ui
