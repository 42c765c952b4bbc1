// SPDX-License-Identifier: MIT
#pragma once
// The one way from files to a trace: finds each file's loader by content, loads them onto one time axis, seals.

#include <memory>
#include <string>
#include <vector>

#include "core/base/job_control.h"
#include "core/base/result.h"
#include "core/loaders/loader.h"
#include "core/trace/trace.h"

namespace warpline {

/// Several files share the axis of the first; they are aligned by their base times (wall clock) where all give one.
/// Fails if nothing could be loaded (message names file, place and reason; code is an issue code) or when cancelled.
Result<std::shared_ptr<const Trace>> loadTrace(const std::vector<std::string>& paths, const LoadOptions& options,
                                               JobControl& job);

}  // namespace warpline
