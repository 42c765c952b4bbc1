// SPDX-License-Identifier: MIT
#pragma once
// What a call of the host that waits for the device waited for, and how busy the device was meanwhile. Told from what
// the trace holds; where that leaves several answers there is none, but the reason. Pure functions of a sealed trace;
// any thread.
//
// Which stream or event a call waits on does not stand in the call's own record. It is known
// - of a copy: it waits for its own copy;
// - from the wait's record on the device (Kineto's cuda_sync rows, nsys' synchronisations), found by correlation id;
// - else by exclusion: of the streams that still had work of this process to do when the call began, those cannot be
//   meant that still had it when the call returned. If one is left it is that one; if none had any, there was nothing
//   to wait for. An event without a record stays unknown, since the work behind it on its stream may have ended too.

#include <cstdint>
#include <optional>
#include <vector>

#include "core/analyses/device_lanes.h"
#include "core/analyses/wait_calls.h"
#include "core/analyses/wait_records.h"
#include "core/base/job_control.h"
#include "core/base/result.h"
#include "core/trace/trace.h"

namespace warpline {

enum class WaitAnswer : uint8_t {
    Work,         ///< for `work`, whose end the call waited for
    NothingLeft,  ///< all that it could have waited for had ended before it began
    Unknown,      ///< see `gap`
};

enum class WaitGap : uint8_t {
    None,
    NoEnd,           ///< the file gives no end of the call
    NoDeviceWork,    ///< no device work of the call's file is in the trace
    NoCopy,          ///< no copy carries the call's correlation id
    ReturnedBefore,  ///< what it should have waited for ended after it returned: it did not wait, or clocks disagree
    SeveralStreams,  ///< `candidates` were all running, and the file does not say which was meant
    SeveralDevices,  ///< the same with devices
    NoStream,        ///< the wait's record names no stream
    NoEvent,         ///< the file does not say which event, or where that was recorded
    WorkWithoutEnd,  ///< the work has no end in the file
    NoLaunch,        ///< work began during the call whose launch is not in the trace: before the call, or after?
};

enum class WaitSource : uint8_t {
    Call,      ///< its own copy
    Record,    ///< the wait's record on the device
    OnlyOne,   ///< the only stream (or device) in the file
    Exclusion  ///< the only one that had work left, and none when the call returned
};

struct HostWait {
    WaitOn on = WaitOn::Stream;
    WaitAnswer answer = WaitAnswer::Unknown;
    WaitGap gap = WaitGap::None;           ///< None unless the answer is Unknown
    WaitSource source = WaitSource::Call;  ///< of an answer
    EventRow work;                         ///< the last to end of what was waited for; none unless the answer is Work
    EventRow record;                       ///< the wait's record on the device; none if the file has none
    /// If Unknown for SeveralStreams, SeveralDevices or NoEvent: of each stream that may be meant, the work that ended
    /// last before the call returned.
    std::vector<EventRow> candidates;

    DurationNs waitedNs = kUnknownDuration;  ///< the call's duration
    /// From the call's begin to the end of `work`, and from there to the call's: waiting for the device, and the way
    /// back. Only if the answer is Work.
    DurationNs untilDoneNs = kUnknownDuration;
    DurationNs afterDoneNs = kUnknownDuration;
    /// The part of the call in which the device ran anything (union), and the rest of it. Unknown if it is not known
    /// which of several devices was meant.
    std::optional<DurationNs> busyNs, idleNs;
};

/// Answers for one trace, which must outlive it.
class HostWaits {
public:
    /// Fails only when cancelled.
    static Result<HostWaits> of(const Trace& trace, JobControl& job);

    /// For who asks of many calls: wait() then takes no time by all slices, nor by lanes without a record. Costs a walk
    /// over all slices, and a sort of the calls if events have records. Fails only when cancelled.
    Status prepareForMany(JobControl& job);

    /// REQUIRES: waitOn(trace, call). Takes time by the lanes of the devices and the work during the call; with a
    /// record of an event, also by all host slices unless prepared. Fails only when cancelled.
    Result<HostWait> wait(EventRow call, JobControl& job) const;

private:
    explicit HostWaits(const Trace& trace) : m_trace(&trace) {}
    const Trace* m_trace;
    std::vector<DeviceLanes> m_devices;
    std::optional<WaitIndex> m_index;
};

}  // namespace warpline
