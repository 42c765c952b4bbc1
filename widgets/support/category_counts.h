// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// How many slices each category of a trace has. Pure; any thread.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/base/job_control.h"
#include "core/base/result.h"
#include "core/trace/trace.h"

namespace warpline {

using CategoryCounts = std::vector<std::pair<std::string, uint64_t>>;

/// Categories as they stand in the file, most slices first, then by name. Fails only when cancelled.
Result<CategoryCounts> countCategories(const Trace& trace, JobControl& job);

}  // namespace warpline
