// SPDX-License-Identifier: MIT
#pragma once
// Figures of one piece of device work. Pure; any thread.

#include <optional>

#include "core/trace/trace.h"

namespace warpline {

/// From the start of the launching call to the start on the device, negative where the clocks disagree; nullopt if the
/// call is not known.
std::optional<DurationNs> launchDelayNs(const Trace& trace, EventRow deviceWork);

/// Where the time between a launch and its work went. All three are unknown (nullopt) if the call or its end is.
struct LaunchWait {
    /// HTA's launch delay (definitions.md 4.5), the Q of nsys' cuda_kern_exec (4.6): max(0, start on the device - end
    /// of the launching call).
    std::optional<DurationNs> delayNs;
    /// The part of it up to the end of the work before it on its stream, in which it could not run:
    /// max(0, min(start, end of `behind`) - end of the call). Gaps between pieces of earlier work are in it, since in a
    /// stream whatever starts earlier was also put there earlier. Unknown, too, if that work has no end in the file.
    std::optional<DurationNs> queueNs;
    /// The rest: the stream had nothing left to do, and the work still did not start. Transfer of the launch to the
    /// device, waits for events of other streams, a device without room.
    std::optional<DurationNs> idleNs;
    EventRow behind;  ///< of the work that starts earlier on its track, that which ends last; none if there is none
};

/// REQUIRES: a kernel, copy or memset. Cost: a binary search for each lane of its track.
LaunchWait launchWait(const Trace& trace, EventRow deviceWork);

/// Bytes over duration; nullopt if either is unknown or the duration is 0.
std::optional<double> copyBytesPerSecond(const Trace& trace, const CopyFacts& copy);

}  // namespace warpline
