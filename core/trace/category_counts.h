// SPDX-License-Identifier: MIT
#pragma once
// How many events each category of a trace has. Pure; any thread.

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/job_control.h"
#include "core/base/result.h"
#include "core/trace/trace.h"

namespace warpline {

struct CategoryCount {
    std::string category;  ///< as it stands in the file; "": those without one
    uint64_t count = 0;    ///< slices and instants
};

/// By name. Fails only when cancelled.
Result<std::vector<CategoryCount>> countCategories(const Trace& trace, const JobControl& job);

}  // namespace warpline
