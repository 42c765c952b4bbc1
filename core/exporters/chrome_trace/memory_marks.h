// SPDX-License-Identifier: MIT
#pragma once
// The marks by which Kineto writes what an allocator did: an instant each, whose args have the levels. Of a capture the
// levels stand in no record; they are made while it is loaded. Pure.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/job_control.h"
#include "core/trace/trace.h"

namespace warpline::exporters {

inline constexpr uint32_t kNoMemoryEvent = 0xffffffffU;

/// By instant: which of Trace::memoryEvents() it marks, if it is one of the file's. nullopt when stopped.
std::optional<std::vector<uint32_t>> memoryEventsOfInstants(const Trace& trace, FileId file, const JobControl& job);

/// As Kineto has them.
std::string memoryArgs(const MemoryEvent& event);

}  // namespace warpline::exporters
