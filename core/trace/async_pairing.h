// SPDX-License-Identifier: MIT
#pragma once
// Joins begins and ends of work that is not bound to a thread: by file, category, id and its scope, and within those by
// name.

#include <cstdint>
#include <optional>
#include <vector>

#include "core/base/ids.h"
#include "core/base/job_control.h"
#include "core/base/time.h"
#include "core/trace/event_id.h"

namespace warpline {

struct AsyncEdge {
    FileId file;
    StringId category;
    std::optional<EventId> id;
    ProcessId idScope;  ///< the process that counts this id, or has none, for itself
    StringId name;      ///< of an end, "" closes the innermost of its id
    TimeNs time = 0;
    uint64_t order = 0;  ///< place in the input, among equal times
    bool isBegin = false;
    StringId scope;  ///< the word within which the id counts
};

struct AsyncPair {
    static constexpr uint32_t kOpen = 0xffffffffU;
    uint32_t begin = 0;  ///< indices into the edges given
    uint32_t end = kOpen;
};

struct AsyncPairs {
    std::vector<AsyncPair> slices;        ///< one for each begin
    std::vector<uint32_t> unmatchedEnds;  ///< edges that close nothing
};

/// By time, then input order: an end closes the begin of its name that was opened last; others stay open.
/// nullopt when stopped.
std::optional<AsyncPairs> pairAsync(const std::vector<AsyncEdge>& edges, const JobControl& job);

}  // namespace warpline
