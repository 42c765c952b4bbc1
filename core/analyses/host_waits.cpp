// SPDX-License-Identifier: MIT
#include "core/analyses/host_waits.h"

#include <algorithm>
#include <utility>

#include "core/analyses/area_scan.h"
#include "core/analyses/intervals.h"
#include "core/base/stoppable.h"

namespace warpline {

namespace {

/// Kineto before torch 2.11 puts the waits of stream N on a track of this number more.
constexpr int64_t kSyncTrackOffset = 1'000'000;
/// What is more is no stream: 4294967295 stands for none in older files.
constexpr int64_t kLargestStream = 0x7fffffff;

/// One stream, as far as a call may have waited for it.
struct StreamState {
    EventRow last;               ///< put there before the call began, and begun before it returned: the last to end
    bool outlastsCall = false;   ///< something put there before the call began ended after it returned
    bool hasUnknownEnd = false;  ///< `last` has no end in the file
    bool isUnclear = false;      ///< something began during the call, and when it was put there is not known
};

/// The streams that one answer is about.
struct Unit {
    ProcessId device;
    std::vector<const StreamLanes*> streams;
    StreamState state;
};

class Question {
public:
    Question(const Trace& trace, const std::vector<DeviceLanes>& devices, const WaitIndex* index, EventRow call,
             JobControl& job)
        : m_trace(trace),
          m_slices(trace.slices()),
          m_devices(devices),
          m_index(index),
          m_call(call),
          m_job(job),
          m_poll(job) {
        m_file = trace.fileOf(m_slices.track[call.value]);
        m_process = trace.track(m_slices.track[call.value]).process;
        m_range = {m_slices.begin[call.value], m_slices.end(call.value)};
        m_launchedBefore = m_range.begin;
    }

    HostWait answer() {
        m_out.on = *waitOn(m_trace, m_call);
        m_out.waitedNs = m_slices.knownDuration(m_call.value);
        if (m_out.waitedNs == kUnknownDuration) {
            return unknown(WaitGap::NoEnd);
        }
        if (m_out.on == WaitOn::OwnCopy) {
            answerOwnCopy();
        } else {
            answerSynchronize();
        }
        return m_out;
    }

private:
    HostWait& unknown(WaitGap gap) {
        m_out.answer = WaitAnswer::Unknown;
        m_out.gap = gap;
        return m_out;
    }
    void foundWork(EventRow work, WaitSource source) {
        m_out.answer = WaitAnswer::Work;
        m_out.source = source;
        m_out.work = work;
        m_out.untilDoneNs = std::max<DurationNs>(0, m_slices.end(work.value) - m_range.begin);
        m_out.afterDoneNs = m_out.waitedNs - m_out.untilDoneNs;
    }
    ProcessId deviceOf(EventRow work) const { return m_trace.track(m_slices.track[work.value]).process; }

    void answerOwnCopy() {
        EventRow last;
        for (const EventRow copy : m_trace.deviceWorkOf(m_call)) {
            last = last && m_slices.end(last.value) >= m_slices.end(copy.value) ? last : copy;
        }
        if (!last) {
            unknown(WaitGap::NoCopy);
            return;
        }
        if (m_slices.knownDuration(last.value) == kUnknownDuration) {
            unknown(WaitGap::WorkWithoutEnd);
        } else if (m_slices.end(last.value) > m_range.end) {
            unknown(WaitGap::ReturnedBefore);
        } else {
            foundWork(last, WaitSource::Call);
        }
        addBusy(deviceOf(last));
    }

    void answerSynchronize() {
        m_out.record = recordOfWait(m_trace, m_call, m_index, m_poll);
        std::vector<Unit> units = unitsOf();
        if (units.empty()) {
            unknown(WaitGap::NoDeviceWork);
            return;
        }
        const bool isOnlyOne = units.size() == 1;
        const std::optional<ProcessId> onlyDevice = soleDeviceOf(units);
        if (m_out.record && !restrictToRecord(units)) {
            addBusy(onlyDevice);
            return;
        }
        const WaitSource source = m_out.record ? WaitSource::Record : WaitSource::OnlyOne;
        for (Unit& unit : units) {
            look(unit);
        }
        if (!m_job.stopRequested()) {
            decide(units, m_out.record || isOnlyOne ? source : WaitSource::Exclusion);
            addBusy(m_out.work ? deviceOf(m_out.work) : m_out.record ? units.front().device : onlyDevice);
        }
    }

    std::vector<Unit> unitsOf() const {
        std::vector<Unit> units;
        for (const DeviceLanes& device : m_devices) {
            if (m_trace.process(device.process).file != m_file) {
                continue;
            }
            if (m_out.on == WaitOn::Device) {
                units.push_back({device.process, {}, {}});
            }
            for (const StreamLanes& stream : device.streams) {
                if (m_out.on != WaitOn::Device) {
                    units.push_back({device.process, {}, {}});
                }
                units.back().streams.push_back(&stream);
            }
        }
        return units;
    }
    static std::optional<ProcessId> soleDeviceOf(const std::vector<Unit>& units) {
        const bool isSole =
            std::ranges::all_of(units, [&](const Unit& unit) { return unit.device == units.front().device; });
        return isSole ? std::optional(units.front().device) : std::nullopt;
    }

    /// False, with the reason in the answer, if the record does not lead to one of them.
    bool restrictToRecord(std::vector<Unit>& units) {
        const ProcessId device = deviceOf(m_out.record);
        std::erase_if(units, [&](const Unit& unit) { return unit.device != device; });
        if (m_out.on == WaitOn::Device) {
            return !units.empty() || (unknown(WaitGap::NoDeviceWork), false);
        }
        std::optional<int64_t> stream;
        if (m_out.on == WaitOn::Event) {
            const auto event = eventOfRecord(m_trace, m_out.record, m_call, m_index, m_poll);
            if (!event) {
                unknown(WaitGap::NoEvent);
                return false;
            }
            stream = event->stream;
            m_launchedBefore = event->recordedAt;
        } else {
            stream = wholeNumber(tidOf(m_slices.track[m_out.record.value]));
        }
        if (!stream || *stream < 0 || *stream > kLargestStream) {
            unknown(WaitGap::NoStream);
            return false;
        }
        std::erase_if(units, [&](const Unit& unit) {
            const std::optional<int64_t> tid = wholeNumber(tidOf(unit.streams.front()->track));
            return tid != *stream && tid != *stream - kSyncTrackOffset;
        });
        if (units.empty()) {
            // A stream without any work in the trace.
            m_out.answer = WaitAnswer::NothingLeft;
            m_out.source = WaitSource::Record;
        }
        return !units.empty();
    }
    std::string_view tidOf(TrackId track) const {
        const std::optional<StringId> tid = m_trace.track(track).tid;
        return tid ? m_trace.string(*tid) : std::string_view();
    }

    /// Whether the call waits for this, if it waits for its stream. What has no launch in the trace was put there
    /// before the recording began, if it ran before the call did.
    bool countsFor(uint32_t work) const {
        const EventRow launch = m_trace.launchOf(EventRow(work));
        if (!launch) {
            return m_slices.begin[work] < m_launchedBefore;
        }
        return m_slices.begin[launch.value] < m_launchedBefore &&
               m_trace.track(m_slices.track[launch.value]).process == m_process;
    }

    void look(Unit& unit) {
        for (const StreamLanes* stream : unit.streams) {
            // Inner lanes first: work lies below the annotations around it.
            for (auto lane = stream->lanes.rbegin(); lane != stream->lanes.rend(); ++lane) {
                look(m_trace.lanes()[*lane], unit.state);
            }
        }
    }
    /// Work of a stream runs in the order that it was put there, so of each lane only the last that counts matters.
    void look(const Lane& lane, StreamState& state) {
        const TimeNs* begins = m_slices.begin.data();
        const TimeNs* first = begins + lane.firstRow;
        const TimeNs* end = first + lane.count;
        const auto split = static_cast<uint32_t>(std::lower_bound(first, end, m_range.end) - begins);
        for (uint32_t row = split; row < lane.firstRow + lane.count && !m_poll.stopRequested(); ++row) {
            if (isDeviceWork(m_slices.kind[row])) {
                state.outlastsCall = state.outlastsCall || (m_trace.launchOf(EventRow(row)) && countsFor(row));
                break;
            }
        }
        for (uint32_t row = split; row-- > lane.firstRow && !m_poll.stopRequested();) {
            if (state.last && m_slices.end(row) <= m_slices.end(state.last.value)) {
                break;
            }
            if (!isDeviceWork(m_slices.kind[row])) {
                continue;
            }
            if (!countsFor(row)) {
                state.isUnclear = state.isUnclear || !m_trace.launchOf(EventRow(row));
                continue;
            }
            const bool hasEnd = m_slices.knownDuration(row) != kUnknownDuration;
            if (hasEnd && m_slices.end(row) > m_range.end) {
                state.outlastsCall = true;
            }
            state.hasUnknownEnd = state.hasUnknownEnd || !hasEnd;
            state.last = EventRow(row);
            break;
        }
    }

    bool hadWorkLeft(const Unit& unit) const {
        return unit.state.hasUnknownEnd || (unit.state.last && m_slices.end(unit.state.last.value) > m_range.begin);
    }

    void decide(const std::vector<Unit>& units, WaitSource source) {
        std::vector<const Unit*> possible;
        for (const Unit& unit : units) {
            if (!unit.state.outlastsCall) {
                possible.push_back(&unit);
            }
        }
        std::vector<const Unit*> waitedFor;
        std::ranges::copy_if(possible, std::back_inserter(waitedFor), [&](const Unit* u) { return hadWorkLeft(*u); });
        if (possible.empty()) {
            // An event may have been recorded before what was still running.
            const bool isEvent = m_out.on == WaitOn::Event && !m_out.record;
            unknown(isEvent ? WaitGap::NoEvent : WaitGap::ReturnedBefore);
        } else if (std::ranges::any_of(possible, [](const Unit* unit) { return unit->state.isUnclear; })) {
            unknown(WaitGap::NoLaunch);
        } else if (waitedFor.empty() && !isEventOfRunningStream(units)) {
            m_out.answer = WaitAnswer::NothingLeft;
            m_out.source = source;
        } else if (m_out.on == WaitOn::Event && !m_out.record) {
            unknown(WaitGap::NoEvent);
            addCandidates(waitedFor);
        } else if (waitedFor.size() > 1) {
            unknown(m_out.on == WaitOn::Device ? WaitGap::SeveralDevices : WaitGap::SeveralStreams);
            addCandidates(waitedFor);
        } else if (waitedFor.front()->state.hasUnknownEnd) {
            unknown(WaitGap::WorkWithoutEnd);
        } else {
            foundWork(waitedFor.front()->state.last, source);
        }
    }
    /// An event without a record may stand before work that was running all the time of the call.
    bool isEventOfRunningStream(const std::vector<Unit>& units) const {
        return m_out.on == WaitOn::Event && !m_out.record &&
               std::ranges::any_of(units, [](const Unit& unit) { return unit.state.outlastsCall; });
    }
    void addCandidates(const std::vector<const Unit*>& units) {
        for (const Unit* unit : units) {
            if (unit->state.last && !unit->state.hasUnknownEnd) {
                m_out.candidates.push_back(unit->state.last);
            }
        }
    }

    void addBusy(std::optional<ProcessId> device) {
        const auto lanes = std::ranges::find_if(
            m_devices, [&](const DeviceLanes& known) { return device && known.process == *device; });
        if (lanes == m_devices.end()) {
            return;
        }
        std::vector<TimeRange> pieces;
        for (const StreamLanes& stream : lanes->streams) {
            for (const uint32_t lane : stream.lanes) {
                const RowSpan rows = rowsTouching(m_slices, m_trace.lanes()[lane], m_range);
                forEachWork(m_slices, rows.first, rows.last, m_poll, [&](uint32_t row) {
                    const TimeNs begin = m_slices.begin[row];
                    pieces.push_back(m_range.intersected({begin, begin + m_slices.summedDuration(row)}));
                });
            }
        }
        if (const std::optional<Intervals> busy = unionOf(pieces, m_job)) {
            m_out.busyNs = lengthOf(*busy);
            m_out.idleNs = m_out.waitedNs - *m_out.busyNs;
        }
    }

    const Trace& m_trace;
    const SliceColumns& m_slices;
    const std::vector<DeviceLanes>& m_devices;
    const WaitIndex* m_index;  ///< null: not prepared
    EventRow m_call;
    JobControl& m_job;
    StopPoll m_poll;
    FileId m_file;
    ProcessId m_process;
    TimeRange m_range;
    TimeNs m_launchedBefore = 0;  ///< what was put on a stream from here on is not waited for
    HostWait m_out;
};

}  // namespace

Result<HostWaits> HostWaits::of(const Trace& trace, JobControl& job) {
    std::optional<std::vector<DeviceLanes>> devices = deviceLanes(trace, {}, job);
    if (!devices) {
        return Error::cancelled();
    }
    HostWaits waits(trace);
    waits.m_devices = std::move(*devices);
    return waits;
}

Status HostWaits::prepareForMany(JobControl& job) {
    Result<WaitIndex> index = indexWaits(*m_trace, job);
    if (!index.ok()) {
        return index.error();
    }
    m_index = std::move(index).value();
    return Status::success();
}

Result<HostWait> HostWaits::wait(EventRow call, JobControl& job) const {
    HostWait answer = Question(*m_trace, m_devices, m_index ? &*m_index : nullptr, call, job).answer();
    if (job.stopRequested()) {
        return Error::cancelled();
    }
    return answer;
}

}  // namespace warpline
