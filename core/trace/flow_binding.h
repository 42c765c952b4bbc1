// SPDX-License-Identifier: MIT
#pragma once
// Joins the ends of arrows: a finish to the nearest start at or before it with the same id and category, else to the
// nearest one after it. One start may have several finishes; a step is both.

#include <cstdint>
#include <optional>
#include <vector>

#include "core/base/ids.h"
#include "core/base/job_control.h"
#include "core/base/time.h"
#include "core/trace/point_events.h"

namespace warpline {

/// An end of an arrow, with the slice it was found to lie in.
struct FlowEnd {
    FileId file;
    StringId category;
    std::optional<EventId> id;  ///< nullopt joins nothing
    ProcessId idScope;          ///< the process that counts this id for itself; none: the id is the whole file's
    TimeNs time = 0;
    uint64_t order = 0;  ///< place in the input, among equal times
    FlowPhase phase = FlowPhase::Start;
    EventRow slice;  ///< none: there is no slice to bind to
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
std::optional<FlowPairs> pairFlows(const std::vector<FlowEnd>& ends, const JobControl& job);

}  // namespace warpline
