// SPDX-License-Identifier: MIT
#pragma once
// Writes a trace as Chrome Trace Event JSON, which Perfetto and chrome://tracing open and our own loader reads back
// with the same numbers: Kineto's field names, every event's args as they stood, events in their order in the file.

#include "core/base/ids.h"
#include "core/base/job_control.h"
#include "core/base/result.h"
#include "core/exporters/byte_sink.h"
#include "core/trace/trace.h"

namespace warpline::exporters {

/// Writes all of one input file, on that file's own clock, and leaves finish() to the caller. Arrows are written where
/// they are bound; ends without a partner are not in a trace and so not written. Fails when the args cannot be read
/// back, the sink fails, or the job is stopped.
Status writeChromeTrace(const Trace& trace, FileId file, ByteSink& sink, JobControl& job);

}  // namespace warpline::exporters
