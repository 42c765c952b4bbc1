// SPDX-License-Identifier: MIT
#pragma once
// The one way from files to a trace: finds each file's loader by content, loads them onto one time axis, seals.

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/base/job_control.h"
#include "core/base/result.h"
#include "core/loaders/loader.h"
#include "core/trace/trace.h"

namespace warpline {

/// Where files stand that the user places by hand, by their place in the list from 0: what is to be added to the file's
/// own times to get times of the first file. The first file is the axis and has no offset.
using FileOffsets = std::map<size_t, DurationNs>;

/// Several files share the axis of the first; what `offsets` does not place is placed by its base time (wall clock).
/// Files that lie over an hour from all others are reported (clock_mismatch). Fails if a file cannot be placed
/// ("clock_mismatch"), if one is given twice, if nothing could be loaded (message names file, place and reason; code is
/// an issue code), or when cancelled.
Result<std::shared_ptr<const Trace>> loadTrace(const std::vector<std::string>& paths, const LoadOptions& options,
                                               JobControl& job, const FileOffsets& offsets = {});

}  // namespace warpline
