// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/support/format_text.h"

#include <QCoreApplication>

#include "core/loaders/formats.h"
#include "widgets/support/cell_text.h"
#include "widgets/support/session_file.h"

namespace warpline {

QString formatsInBrief() {
    QStringList names;
    for (const QString& title : formatTitles()) {
        names << title.section(" (", 0, 0);
    }
    return QCoreApplication::translate("Formats", "%1; plain, gzip or zstd").arg(names.join(", "));
}

QStringList formatTitles() {
    QStringList titles;
    for (const std::string& title : readableFormats().titles) {
        titles << fromUtf8(title);
    }
    return titles;
}

QString openFilter() {
    QStringList patterns;
    for (const std::string& ending : readableFormats().endings) {
        patterns << "*" + fromUtf8(ending);
    }
    patterns << "*" + QLatin1String(kSessionSuffix);
    return QCoreApplication::translate("Formats", "Traces (%1);;All files (*)").arg(patterns.join(' '));
}

}  // namespace warpline
