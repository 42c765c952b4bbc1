// SPDX-License-Identifier: MIT
#pragma once
// Writes a trace as Chrome Trace Event JSON, which Perfetto and chrome://tracing open and our own loader reads back
// with the same numbers: Kineto's field names, every event's args as they stood, events in their order in the file.

#include <cstdint>
#include <vector>

#include "core/base/ids.h"
#include "core/base/job_control.h"
#include "core/base/result.h"
#include "core/exporters/byte_sink.h"
#include "core/trace/trace.h"

namespace warpline::exporters {

/// What a trace holds and the written file does not.
struct ChromeTraceLosses {
    uint64_t arrowEnds = 0;   ///< without a partner, in a slice, and with the id of an arrow that they would disturb
    std::vector<Issue> args;  ///< that cannot be read again; one a file
};

/// Writes all of one input file, on that file's own clock, and leaves finish() to the caller. Arrows are written where
/// they are bound, ends without a partner where they stand. Slices are X events; where one was closed by the end of
/// another, its track keeps the file's begins and ends. Fails when the file can no longer be read, the sink
/// fails, or the job is stopped.
Result<ChromeTraceLosses> writeChromeTrace(const Trace& trace, FileId file, ByteSink& sink, JobControl& job);

}  // namespace warpline::exporters
