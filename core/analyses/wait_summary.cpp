// SPDX-License-Identifier: MIT
#include "core/analyses/wait_summary.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "core/analyses/area_scan.h"
#include "core/analyses/intervals.h"
#include "core/base/stoppable.h"

namespace warpline {

namespace {

class Summing {
public:
    Summing(const Trace& trace, TimeRange range, std::span<const TrackId> tracks, JobControl& job)
        : m_trace(trace),
          m_slices(trace.slices()),
          m_tracks(tracks),
          m_job(job),
          m_poll(job),
          m_verdicts(trace.stringCount(), kNotAsked) {
        m_out.range = range.intersected({kEarliestTime, kLatestTime});
    }

    Result<WaitSummary> compute() {
        if (!findCalls() || !findRecorded()) {
            return Error::cancelled();
        }
        if (m_calls.empty()) {
            return std::move(m_out);
        }
        Result<HostWaits> waits = HostWaits::of(m_trace, m_job);
        if (!waits.ok() || !waits.value().prepareForMany(m_job).ok()) {
            return Error::cancelled();
        }
        std::vector<TimeRange> pieces;
        for (const EventRow call : m_calls) {
            const Result<HostWait> wait = waits.value().wait(call, m_job);
            if (!wait.ok()) {
                return Error::cancelled();
            }
            add(call, wait.value());
            const TimeNs begin = m_slices.begin[call.value];
            pieces.push_back(m_out.range.intersected({begin, begin + m_slices.summedDuration(call.value)}));
        }
        const std::optional<Intervals> waited = unionOf(pieces, m_job);
        if (!waited) {
            return Error::cancelled();
        }
        m_out.waitedNs = lengthOf(*waited);
        m_out.count = m_calls.size();
        std::ranges::stable_sort(m_out.groups, [](const WaitSum& a, const WaitSum& b) {
            return std::pair(b.total, b.calls.size()) < std::pair(a.total, a.calls.size());
        });
        return std::move(m_out);
    }

private:
    static constexpr uint8_t kNotAsked = 2;

    bool isWait(EventRow row) {
        if (!isApiCall(m_slices.kind[row.value])) {
            return false;
        }
        const StringId name = m_slices.name[row.value];
        uint8_t& verdict = m_verdicts[name.value];
        if (verdict == kNotAsked) {
            verdict = mayWait(m_trace.string(name)) ? 1 : 0;
        }
        return verdict == 1 && waitOn(m_trace, row);
    }
    bool isInsideWait(EventRow row) {
        for (EventRow outer = m_slices.parent[row.value]; outer; outer = m_slices.parent[outer.value]) {
            if (m_poll.stopRequested() || isWait(outer)) {
                return true;
            }
        }
        return false;
    }

    bool findCalls() {
        const bool isWhole = forEachInArea(m_trace, m_out.range, m_tracks, m_job, [this](EventRow row) {
            if (isWait(row) && !isInsideWait(row)) {
                m_calls.push_back(row);
            }
        });
        const auto begin = [this](EventRow row) { return m_slices.begin[row.value]; };
        return isWhole && stableSortByKeyUnlessStopped(m_calls, begin, m_job);
    }

    /// That nothing waited is only known where calls were recorded at all.
    bool findRecorded() {
        if (!m_calls.empty()) {
            return true;
        }
        const auto hasCalls = [this](std::span<const TrackId> tracks) {
            for (const RowSpan& rows : areaSpans(m_trace, {}, tracks)) {
                for (uint32_t row = rows.first; row < rows.last && !m_poll.stopRequested(); ++row) {
                    if (isApiCall(m_slices.kind[row])) {
                        return true;
                    }
                }
            }
            return false;
        };
        using Recorded = WaitSummary::Recorded;
        m_out.recorded = hasCalls(m_tracks)                  ? Recorded::Yes
                         : !m_tracks.empty() && hasCalls({}) ? Recorded::NotOnTracks
                                                             : Recorded::NotInTrace;
        return !m_job.stopRequested();
    }

    void add(EventRow call, const HostWait& wait) {
        const StringId work = wait.answer == WaitAnswer::Work ? m_slices.name[wait.work.value] : StringId();
        const auto key = std::tuple(m_slices.name[call.value], wait.answer, wait.gap, work);
        const auto [place, isNew] = m_places.try_emplace(key, m_out.groups.size());
        if (isNew) {
            WaitSum& group = m_out.groups.emplace_back();
            std::tie(group.call, group.answer, group.gap, group.work) = key;
        }
        WaitSum& group = m_out.groups[place->second];
        group.calls.push_back(call);
        const DurationNs inside = insideNs(m_slices, call, m_out.range);
        if (inside == kUnknownDuration) {
            ++group.unknownEnds;
            return;
        }
        if (!group.longest || inside > group.longestNs) {
            group.longest = call;
            group.longestNs = inside;
        }
        group.total += inside;
        m_out.total += inside;
    }

    const Trace& m_trace;
    const SliceColumns& m_slices;
    std::span<const TrackId> m_tracks;
    JobControl& m_job;
    StopPoll m_poll;
    std::vector<uint8_t> m_verdicts;                                                 ///< by name: 1 if mayWait()
    std::vector<EventRow> m_calls;                                                   ///< by begin
    std::map<std::tuple<StringId, WaitAnswer, WaitGap, StringId>, size_t> m_places;  ///< in m_out.groups
    WaitSummary m_out;
};

}  // namespace

Result<WaitSummary> computeWaitSummary(const Trace& trace, TimeRange range, std::span<const TrackId> tracks,
                                       JobControl& job) {
    return Summing(trace, range, tracks, job).compute();
}

}  // namespace warpline
