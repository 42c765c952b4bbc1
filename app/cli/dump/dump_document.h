// SPDX-License-Identifier: MIT
#pragma once
// The document of `warpline dump`: everything that is known of small inputs, flat, in JSON or as text to read.

#include <string>

#include "core/base/job_control.h"
#include "core/base/result.h"
#include "core/trace/trace.h"

namespace warpline::cli {

/// Args that cannot be read again are null, and an issue. Fails when a file can no longer be read, or the job is
/// stopped.
Result<std::string> dumpJson(const Trace& trace, JobControl& job);
/// Files, issues, and every process, track and slice as an indented tree. Fails when the job is stopped.
Result<std::string> dumpText(const Trace& trace, const JobControl& job);

}  // namespace warpline::cli
