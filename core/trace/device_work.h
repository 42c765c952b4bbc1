// SPDX-License-Identifier: MIT
#pragma once
// Figures of one piece of device work. Pure; any thread.

#include <optional>

#include "core/trace/trace.h"

namespace warpline {

/// From the start of the launching call to the start on the device, negative where the clocks disagree; nullopt if the
/// call is not known.
std::optional<DurationNs> launchDelayNs(const Trace& trace, EventRow deviceWork);

/// Bytes over duration; nullopt if either is unknown or the duration is 0.
std::optional<double> copyBytesPerSecond(const Trace& trace, const CopyFacts& copy);

}  // namespace warpline
