// SPDX-License-Identifier: MIT
#pragma once
// Which tracks and categories a filter takes, as a byte an id, for asking once an event. Pure; any thread.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/trace/trace.h"

namespace warpline {

/// By TrackId; empty if `tracks` is, which takes all. A number that is no track's is skipped.
std::vector<uint8_t> acceptedTracks(const Trace& trace, std::span<const TrackId> tracks);
/// By StringId; empty if `categories` is, which takes all. What no event has is skipped.
std::vector<uint8_t> acceptedCategories(const Trace& trace, std::span<const std::string> categories);

}  // namespace warpline
