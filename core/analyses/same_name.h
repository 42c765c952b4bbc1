// SPDX-License-Identifier: MIT
#pragma once
// The slice of the same name that comes next, on whatever track. Pure function of a sealed trace; any thread.

#include "core/base/job_control.h"
#include "core/base/result.h"
#include "core/trace/trace.h"

namespace warpline {

/// The one that begins next after `from` (+1) or last before it (-1); of those that begin at one moment, by row. None
/// if there is no other. Looks outwards from `from`, so it takes long only where the name is rare; fails when
/// cancelled.
Result<EventRow> besideWithSameName(const Trace& trace, EventRow from, int direction, const JobControl& job);

}  // namespace warpline
