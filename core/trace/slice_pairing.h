// SPDX-License-Identifier: MIT
#pragma once
// Makes whole slices out of begins and ends that may come in any order.

#include <cstdint>
#include <optional>
#include <vector>

#include "core/base/ids.h"
#include "core/base/job_control.h"
#include "core/base/time.h"

namespace warpline {

/// A begin or an end of one slice.
struct SliceEdge {
    TimeNs time = 0;
    uint64_t order = 0;  ///< place in the input, among equal times
    TrackId track;
    StringId name;       ///< of an end, "" closes the innermost
    uint32_t index = 0;  ///< the caller's number for this begin, or for this end
    bool isBegin = false;
};

struct PairedSlice {
    uint32_t begin = 0;  ///< index of the begin's edge
    TimeNs endTime = 0;  ///< meaningless if `open`
    uint32_t end = 0;    ///< index of the end's edge, if `own`
    bool own = false;    ///< closed by an end of its own; else unfinished
    bool open = false;   ///< never closed at all
};

struct Pairing {
    std::vector<PairedSlice> slices;      ///< one for each begin
    std::vector<uint32_t> unmatchedEnds;  ///< indices of ends that close nothing
};

/// By time, then input order: an end with a name closes the innermost open slice of that name on its track, one without
/// the innermost; what is open above it ends there too, unfinished.
/// nullopt when stopped.
std::optional<Pairing> pairSlices(std::vector<SliceEdge> edges, const JobControl& job);

}  // namespace warpline
