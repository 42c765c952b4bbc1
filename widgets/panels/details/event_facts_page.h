// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Everything known of one slice. Pure; any thread; may read the file for the arguments.

#include <cstdint>
#include <memory>

#include "core/base/job_control.h"
#include "core/base/result.h"
#include "core/trace/trace.h"
#include "widgets/panels/details/fact_tree.h"

namespace warpline {

enum class FactsDepth : uint8_t {
    Quick,  ///< what takes long is pending in the tree (Fact::isPending)
    Full,
};

/// Fails only when cancelled: what cannot be told is in the tree, with the reason. REQUIRES: a row of the trace.
Result<std::shared_ptr<const FactTree>> eventFacts(const Trace& trace, EventRow row, JobControl& job,
                                                   FactsDepth depth = FactsDepth::Full);

}  // namespace warpline
