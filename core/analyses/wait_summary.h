// SPDX-License-Identifier: MIT
#pragma once
// What the host waited for within a time: the calls that wait for a device (see wait_calls.h), by their name and what
// they waited for (see host_waits.h). Pure function of a sealed trace; any thread.
//
// The part of a call inside the time counts. A wait inside of another (the driver's call in that of the runtime) is the
// same wait and counts once. A call whose end is not in the file counts, but has no time.

#include <cstdint>
#include <span>
#include <vector>

#include "core/analyses/host_waits.h"
#include "core/base/job_control.h"
#include "core/base/result.h"
#include "core/base/sum.h"
#include "core/base/time.h"
#include "core/trace/trace.h"

namespace warpline {

/// The calls of one name that waited for work of one name, for nothing, or for what is unknown for one reason.
struct WaitSum {
    StringId call;
    WaitAnswer answer = WaitAnswer::Unknown;
    WaitGap gap = WaitGap::None;  ///< None unless the answer is Unknown
    StringId work;                ///< "" unless the answer is Work
    Sum total;                    ///< ns inside the time
    DurationNs longestNs = 0;     ///< inside the time; of equals, the first
    EventRow longest;             ///< none if no end is known
    uint64_t unknownEnds = 0;     ///< of the calls
    std::vector<EventRow> calls;  ///< by begin
};

struct WaitSummary {
    enum class Recorded : uint8_t {
        Yes,
        NotInTrace,   ///< the trace has no call of the runtime or the driver, so waits are unknown
        NotOnTracks,  ///< the trace has, but these tracks have not
    };
    Recorded recorded = Recorded::Yes;
    TimeRange range;
    DurationNs waitedNs = 0;      ///< in which any thread waited; what is at once counts once
    uint64_t count = 0;           ///< of all calls
    Sum total;                    ///< ns: of all threads together
    std::vector<WaitSum> groups;  ///< those of most time first
};

/// Of the threads among `tracks` (none: all). `range` is cut to what a trace can hold. Fails only when cancelled.
Result<WaitSummary> computeWaitSummary(const Trace& trace, TimeRange range, std::span<const TrackId> tracks,
                                       JobControl& job);

}  // namespace warpline
