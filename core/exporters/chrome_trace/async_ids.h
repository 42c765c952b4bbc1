// SPDX-License-Identifier: MIT
#pragma once
// Which async slices cannot share the id that they have in a file of begins and ends: there an end closes what was
// begun last of its category, id and name, which is right for slices that nest, and joins halves of two that cross. A
// producer that knows both times of a slice need not tell them apart by ids. Pure.

#include <cstdint>
#include <optional>
#include <vector>

#include "core/base/ids.h"
#include "core/base/job_control.h"
#include "core/trace/trace.h"

namespace warpline::exporters {

/// By place in trace.asyncSlices(), for those of `file`: 0 where the id serves, else which further id of the same text
/// it needs, counted from 1. Events are written in the order of their places in the file. nullopt when stopped.
std::optional<std::vector<uint32_t>> furtherAsyncIds(const Trace& trace, FileId file, const JobControl& job);

}  // namespace warpline::exporters
