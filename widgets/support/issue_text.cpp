// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/support/issue_text.h"

#include <QCoreApplication>
#include <QStringList>

#include "core/base/units.h"
#include "widgets/support/cell_text.h"

namespace warpline {

namespace {

/// The context of what is translated here.
struct Text {
    Q_DECLARE_TR_FUNCTIONS(IssueText)
};

QString countText(Severity severity, uint64_t count) {
    const QString number = fromUtf8(formatCount(count));
    switch (severity) {
        case Severity::Info:
            return Text::tr("%1 info").arg(number);
        case Severity::Warning:
            return count == 1 ? Text::tr("1 warning") : Text::tr("%1 warnings").arg(number);
        case Severity::DataLoss:
            return Text::tr("%1 data loss").arg(number);
        case Severity::Error:
            break;
    }
    return count == 1 ? Text::tr("1 error") : Text::tr("%1 errors").arg(number);
}

}  // namespace

QString severityTitle(Severity severity) {
    switch (severity) {
        case Severity::Info:
            return Text::tr("Info");
        case Severity::Warning:
            return Text::tr("Warning");
        case Severity::DataLoss:
            return Text::tr("Data loss");
        case Severity::Error:
            break;
    }
    return Text::tr("Error");
}

QString issueCountsText(const ImportReport& report) {
    QStringList parts;
    for (const Severity severity : {Severity::Error, Severity::DataLoss, Severity::Warning, Severity::Info}) {
        if (const uint64_t count = report.countOf(severity); count > 0) {
            parts << countText(severity, count);
        }
    }
    return parts.join(QStringLiteral(", "));
}

}  // namespace warpline
