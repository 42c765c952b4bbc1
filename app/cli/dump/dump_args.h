// SPDX-License-Identifier: MIT
#pragma once
// The args of everything that `warpline dump --json` prints, read before the first line of the document is written: its
// head says which cannot be read.

#include <string>
#include <vector>

#include "core/base/job_control.h"
#include "core/base/result.h"
#include "core/trace/import_report.h"
#include "core/trace/trace.h"

namespace warpline::cli {

struct DumpArgs {
    std::vector<std::string> slices;  ///< by row
    std::vector<std::string> asyncSlices, asyncInstants, instants;
    std::vector<Issue> issues;  ///< args that cannot be read, and are null here
};

/// Fails when a file cannot be read any more, or when stopped.
Result<DumpArgs> readDumpArgs(const Trace& trace, const JobControl& job);

}  // namespace warpline::cli
