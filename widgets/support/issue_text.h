// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The import report in words, the same everywhere in the window: every line of it is an issue, of a severity that the
// command line names alike.

#include <QString>

#include "core/trace/import_report.h"

namespace warpline {

/// "Data loss".
QString severityTitle(Severity severity);
/// How often each severity occurs, worst first: "2 data loss, 1,200 warnings, 3 info"; "" if there is nothing.
QString issueCountsText(const ImportReport& report);

}  // namespace warpline
