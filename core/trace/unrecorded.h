// SPDX-License-Identifier: MIT
#pragma once
// Stretches in which a recording says that it recorded nothing: slices of a category of their own, on a track of the
// process that they are about. Where nothing else lies in them, nobody knows what ran. Pure; any thread.

#include <string_view>
#include <vector>

#include "core/base/time.h"
#include "core/trace/trace.h"

namespace warpline {

inline constexpr std::string_view kUnrecordedCategory = "not_recorded";
inline constexpr std::string_view kUnrecordedTrack = "Not recorded";

/// Of all processes of the file, by begin, without overlap.
std::vector<TimeRange> unrecordedTimes(const Trace& trace, FileId file);

}  // namespace warpline
