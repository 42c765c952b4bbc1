// SPDX-License-Identifier: MIT
#pragma once
// Joins the ends of arrows: a finish to the nearest start at or before it with the same id and category, else to the
// nearest one after it. One start may have several finishes; a step is both.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/base/ids.h"
#include "core/base/job_control.h"
#include "core/trace/trace_builder.h"

namespace warpline {

/// The ends of arrows, in the order of the input.
struct FlowEnds {
    std::span<const FlowRecord> records;
    std::span<const EventRow> slices;  ///< by end: the slice it was found to lie in; none: there is none to bind to
    std::span<const FileId> fileOfTrack;
};

struct FlowPair {
    uint32_t from = 0;  ///< indices into the ends given
    uint32_t to = 0;
};

struct FlowPairs {
    std::vector<FlowPair> pairs;
    std::vector<uint32_t> dangling;  ///< ends without a partner
};

/// nullopt when stopped.
std::optional<FlowPairs> pairFlows(const FlowEnds& ends, const JobControl& job);

}  // namespace warpline
