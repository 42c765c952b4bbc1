// SPDX-License-Identifier: MIT
#pragma once
// Writes the slices of a trace as CSV (RFC 4180, comma, CRLF): one row a slice, by track and time, times in ns.

#include "core/base/ids.h"
#include "core/base/job_control.h"
#include "core/base/result.h"
#include "core/exporters/byte_sink.h"
#include "core/trace/trace.h"

namespace warpline::exporters {

/// All slices of one input file, on that file's own clock; leaves finish() to the caller. Unknown cells are empty.
Status writeSliceCsv(const Trace& trace, FileId file, ByteSink& sink, JobControl& job);

}  // namespace warpline::exporters
