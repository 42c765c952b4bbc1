// SPDX-License-Identifier: MIT
#include "core/analyses/device_activity.h"

#include <cmath>
#include <functional>
#include <limits>

#include "core/analyses/device_lanes.h"
#include "core/base/stoppable.h"
#include "core/trace/device_work.h"

namespace warpline {

namespace {

/// Goes through the moments at which something begins or ends: calls end(item) and begin(item) for those of a moment,
/// then settle(moment). Each item that begins ends later, so whatever is counted never falls below 0.
/// False when stopped.
template <class Item, class TimeOf, class Begin, class End, class Settle>
bool sweep(std::vector<Item>& begins, std::vector<Item>& ends, TimeOf timeOf, Begin begin, End end, Settle settle,
           const JobControl& job) {
    const auto time = [&](const Item& item) { return std::invoke(timeOf, item); };
    if (!stableSortByKeyUnlessStopped(begins, time, job) || !stableSortByKeyUnlessStopped(ends, time, job)) {
        return false;
    }
    StopPoll poll(job);
    for (size_t i = 0, k = 0; k < ends.size();) {
        const TimeNs now = i < begins.size() ? std::min(time(begins[i]), time(ends[k])) : time(ends[k]);
        for (; k < ends.size() && time(ends[k]) == now; ++k) {
            end(ends[k]);
        }
        for (; i < begins.size() && time(begins[i]) == now; ++i) {
            begin(begins[i]);
        }
        settle(now);
        if (poll.stopRequested()) {
            return false;
        }
    }
    return true;
}

/// How many of the intervals are open. nullopt when stopped.
std::optional<CountSeries> openOver(std::vector<TimeNs>& begins, std::vector<TimeNs>& ends, const JobControl& job) {
    CountSeries out;
    uint32_t open = 0;
    const bool done = sweep(
        begins, ends, std::identity(), [&](TimeNs) { ++open; }, [&](TimeNs) { --open; },
        [&](TimeNs now) { out.set(now, open); }, job);
    return done ? std::optional(std::move(out)) : std::nullopt;
}

/// The series of one device.
class Device {
public:
    Device(const Trace& trace, const DeviceLanes& lanes, const JobControl& job)
        : m_trace(trace), m_slices(trace.slices()), m_lanes(lanes), m_job(job), m_poll(job) {
        m_out.process = lanes.process;
    }

    /// nullopt when stopped.
    std::optional<DeviceActivity> compute(ActivityParts parts) {
        const bool done = countUnknownEnds() && findNumber() && ((parts & kActivityBusy) == 0 || computeBusy()) &&
                          ((parts & kActivityConcurrency) == 0 || computeConcurrency()) &&
                          ((parts & kActivityQueues) == 0 || computeQueues()) &&
                          ((parts & kActivityCopyRate) == 0 || computeCopyRate());
        return done ? std::optional(std::move(m_out)) : std::nullopt;
    }

private:
    template <class Visit>
    bool forEachWorkOf(const StreamLanes& stream, Visit visit) {
        for (const uint32_t index : stream.lanes) {
            const Lane& lane = m_trace.lanes()[index];
            if (!forEachWork(m_slices, lane.firstRow, lane.firstRow + lane.count, m_poll, visit)) {
                return false;
            }
        }
        return true;
    }

    bool countUnknownEnds() {
        for (const StreamLanes& stream : m_lanes.streams) {
            const bool done = forEachWorkOf(
                stream, [&](uint32_t row) { m_out.unknownEnds += (m_slices.flags[row] & kSliceNoEnd) != 0 ? 1 : 0; });
            if (!done) {
                return false;
            }
        }
        return true;
    }

    bool findNumber() {
        bool agree = true;
        for (const StreamLanes& stream : m_lanes.streams) {
            const std::optional<int64_t> number = deviceNumberOf(m_trace, stream.lanes);
            agree = agree && (!number || !m_out.device || number == m_out.device);
            m_out.device = number ? number : m_out.device;
        }
        m_out.device = agree ? m_out.device : std::nullopt;
        return !m_job.stopRequested();
    }
    bool appendWork(const StreamLanes& stream, std::vector<TimeRange>& out) {
        return forEachWorkOf(stream, [&](uint32_t row) {
            out.push_back({m_slices.begin[row], m_slices.begin[row] + m_slices.summedDuration(row)});
        });
    }

    /// Whether the device's one lane holds nothing but work that has an end.
    bool isOneLane() {
        if (m_lanes.streams.size() != 1 || m_lanes.streams.front().lanes.size() != 1 || m_out.unknownEnds > 0) {
            return false;
        }
        uint32_t work = 0;
        forEachWorkOf(m_lanes.streams.front(), [&](uint32_t) { ++work; });
        return work == m_trace.lanes()[m_lanes.streams.front().lanes.front()].count;
    }

    bool computeBusy() {
        if (isOneLane()) {
            m_out.busyLane = m_lanes.streams.front().lanes.front();
            return true;
        }
        std::vector<TimeRange> work;
        for (const StreamLanes& stream : m_lanes.streams) {
            if (!appendWork(stream, work)) {
                return false;
            }
        }
        std::optional<Intervals> busy = unionOf(work, m_job);
        if (!busy) {
            return false;
        }
        m_out.busy = std::move(*busy);
        m_out.busyLod = LodPyramid::build(m_out.busy.begin, m_out.busy.duration);
        return true;
    }

    bool computeConcurrency() {
        std::vector<TimeNs> begins;
        std::vector<TimeNs> ends;
        std::vector<TimeRange> work;
        for (const StreamLanes& stream : m_lanes.streams) {
            work.clear();
            std::optional<Intervals> busy;
            if (!appendWork(stream, work) || !(busy = unionOf(work, m_job))) {
                return false;
            }
            begins.insert(begins.end(), busy->begin.begin(), busy->begin.end());
            for (size_t i = 0; i < busy->size(); ++i) {
                if (m_poll.stopRequested()) {
                    return false;
                }
                ends.push_back((*busy)[i].end);
            }
        }
        std::optional<CountSeries> open = openOver(begins, ends, m_job);
        m_out.concurrency = open ? std::move(*open) : CountSeries();
        return open.has_value();
    }

    bool computeQueues() {
        std::vector<TimeNs> launches;
        std::vector<TimeNs> starts;
        std::vector<TimeNs> allLaunches;
        std::vector<TimeNs> allStarts;
        for (const StreamLanes& stream : m_lanes.streams) {
            launches.clear();
            starts.clear();
            StreamQueue queue;
            queue.stream = stream.track;
            const bool done = forEachWorkOf(stream, [&](uint32_t row) {
                const std::optional<DurationNs> delay = launchDelayNs(m_trace, EventRow(row));
                queue.unknownLaunches += delay ? 0 : 1;
                queue.beforeLaunch += delay && *delay < 0 ? 1 : 0;
                if (delay && *delay > 0) {
                    launches.push_back(m_slices.begin[row] - *delay);
                    starts.push_back(m_slices.begin[row]);
                }
            });
            if (m_lanes.streams.size() > 1) {
                allLaunches.insert(allLaunches.end(), launches.begin(), launches.end());
                allStarts.insert(allStarts.end(), starts.begin(), starts.end());
            }
            std::optional<CountSeries> depth;
            if (!done || !(depth = openOver(launches, starts, m_job))) {
                return false;
            }
            queue.depth = std::move(*depth);
            m_out.queues.push_back(std::move(queue));
        }
        std::optional<CountSeries> all = openOver(allLaunches, allStarts, m_job);
        m_out.allQueues = all ? std::move(*all) : CountSeries();
        return all.has_value();
    }

    bool computeCopyRate() {
        /// A copy that begins or ends. In whole numbers, so that what is taken away again leaves nothing behind.
        struct Change {
            TimeNs time;
            uint64_t bytesPerSecond;
            uint64_t unknown;  ///< 1 if that is not known
        };
        std::vector<Change> begins;
        std::vector<Change> ends;
        const auto addCopy = [&](uint32_t row) {
            if (m_slices.kind[row] != EventKind::Memcpy) {
                return;
            }
            const CopyFacts* facts = m_trace.findCopyFacts(EventRow(row));
            const std::optional<double> rate = facts != nullptr ? copyBytesPerSecond(m_trace, *facts) : std::nullopt;
            const bool isKnown = rate && *rate <= kFastestCopy;
            const uint64_t unknown = isKnown ? 0 : 1;
            const uint64_t bytesPerSecond = isKnown ? static_cast<uint64_t>(std::llround(*rate)) : 0;
            m_out.unknownCopies += unknown;
            if (const DurationNs duration = m_slices.summedDuration(row); duration > 0) {
                begins.push_back({m_slices.begin[row], bytesPerSecond, unknown});
                ends.push_back({m_slices.begin[row] + duration, bytesPerSecond, unknown});
            }
        };
        for (const StreamLanes& stream : m_lanes.streams) {
            if (!forEachWorkOf(stream, addCopy)) {
                return false;
            }
        }
        uint64_t sum = 0;
        uint64_t unknown = 0;
        const auto begin = [&](const Change& change) {
            sum += change.bytesPerSecond;
            unknown += change.unknown;
        };
        const auto end = [&](const Change& change) {
            sum -= change.bytesPerSecond;
            unknown -= change.unknown;
        };
        const auto settle = [&](TimeNs now) {
            const double known = static_cast<double>(sum);
            m_out.copyBytesPerSecond.set(now, unknown > 0 ? std::numeric_limits<double>::quiet_NaN() : known);
        };
        return sweep(begins, ends, &Change::time, begin, end, settle, m_job);
    }

    /// Bytes a second that no copy reaches; above it the file is wrong. A thousand and more of them at once do not
    /// leave 64 bits.
    static constexpr double kFastestCopy = 1e16;

    const Trace& m_trace;
    const SliceColumns& m_slices;
    const DeviceLanes& m_lanes;
    const JobControl& m_job;
    StopPoll m_poll;
    DeviceActivity m_out;
};

}  // namespace

Result<std::vector<DeviceActivity>> computeDeviceActivity(const Trace& trace, ActivityParts parts, JobControl& job) {
    const std::optional<std::vector<DeviceLanes>> devices = deviceLanes(trace, {}, job);
    if (!devices) {
        return Error::cancelled();
    }
    std::vector<DeviceActivity> out;
    for (const DeviceLanes& lanes : *devices) {
        std::optional<DeviceActivity> activity = Device(trace, lanes, job).compute(parts);
        if (!activity) {
            return Error::cancelled();
        }
        out.push_back(std::move(*activity));
    }
    return out;
}

BusyPieces busyPieces(const Trace& trace, const DeviceActivity& activity) {
    if (!activity.busyLane) {
        return {activity.busy.begin, activity.busy.duration, &activity.busyLod};
    }
    const SliceColumns& slices = trace.slices();
    const Lane& lane = trace.lanes()[*activity.busyLane];
    return {std::span(slices.begin).subspan(lane.firstRow, lane.count),
            std::span(slices.duration).subspan(lane.firstRow, lane.count), &trace.lod(*activity.busyLane)};
}

const CountSeries* launchQueue(const DeviceActivity& activity) {
    return activity.queues.empty()       ? nullptr
           : activity.queues.size() == 1 ? &activity.queues.front().depth
                                         : &activity.allQueues;
}

}  // namespace warpline
