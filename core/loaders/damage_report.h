// SPDX-License-Identifier: MIT
#pragma once
// What is wrong with the compressed stream of an input, as lines of its import report. For loaders, once all is read.

#include "core/base/ids.h"
#include "core/loaders/text_source.h"
#include "core/trace/import_report.h"

namespace warpline {

/// `endedEarly`: the loader has reported itself that the text ends early, so that is not said twice.
void reportDamage(const TextSource& source, bool endedEarly, FileId file, ImportReport& report);

}  // namespace warpline
