// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Everything known of an event that is no slice of a track: async work, an instant, a counter's value. May read the
// event's arguments from its file; any thread.

#include <memory>

#include "core/base/job_control.h"
#include "core/base/result.h"
#include "core/trace/trace.h"
#include "widgets/panels/details/fact_tree.h"
#include "widgets/support/selection.h"

namespace warpline {

/// REQUIRES: a selection that is in the trace, and neither empty nor a slice. Fails only when cancelled.
Result<std::shared_ptr<const FactTree>> pointFacts(const Trace& trace, const Selection& selection, JobControl& job);

}  // namespace warpline
