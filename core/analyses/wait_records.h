// SPDX-License-Identifier: MIT
#pragma once
// The records of waits on the device's tracks (Kineto's cuda_sync rows, nsys' synchronisations), found from the call
// that waited, and what they tell. Pure functions of a sealed trace; any thread.

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/base/job_control.h"
#include "core/base/result.h"
#include "core/base/stoppable.h"
#include "core/trace/trace.h"

namespace warpline {

/// For who asks of many calls: without it each question takes time by all tracks of devices, and for events by all
/// slices.
struct WaitIndex {
    std::vector<uint32_t> recordLanes;  ///< of Trace::lanes(): those of devices that hold records
    std::vector<uint32_t> calls;        ///< rows of calls by correlation id, then begin; none without records
};
/// Costs a walk over all slices. Fails only when cancelled.
Result<WaitIndex> indexWaits(const Trace& trace, JobControl& job);

/// The record lies on the device's tracks at the time of the call and carries its correlation id. None without one.
EventRow recordOfWait(const Trace& trace, EventRow call, const WaitIndex* index, StopPoll& poll);

/// Where an event was recorded; what was put on the stream after that is not waited for.
struct WaitedEvent {
    int64_t stream = 0;
    TimeNs recordedAt = 0;  ///< the begin of the call that recorded it
};
/// Of the record of a wait for an event; nullopt if it does not tell, or the trace does not have that call.
std::optional<WaitedEvent> eventOfRecord(const Trace& trace, EventRow record, EventRow call, const WaitIndex* index,
                                         StopPoll& poll);

/// A text that is a whole number and nothing else.
std::optional<int64_t> wholeNumber(std::string_view text);

}  // namespace warpline
