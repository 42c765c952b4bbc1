// SPDX-License-Identifier: MIT
// Sealing: the slices of one track get their parents, lanes, self times and children, and arrow ends their slices.

#include <algorithm>
#include <numeric>
#include <optional>
#include <span>
#include <tuple>

#include "core/base/stoppable.h"
#include "core/trace/trace_builder_state.h"

namespace warpline {

namespace {

/// What children leave of each slice, by position in time. `summed`: the length that a slice takes from its parent.
std::vector<DurationNs> selfDurations(const Nesting& nesting, std::span<const Interval> intervals,
                                      std::span<const DurationNs> summed) {
    std::vector<DurationNs> self(intervals.size());
    std::vector<TimeNs> covered(intervals.size());
    for (size_t k = 0; k < intervals.size(); ++k) {
        self[k] = intervals[k].end - intervals[k].begin;
        covered[k] = intervals[k].begin;
        const uint32_t parent = nesting.parent[k];
        if (parent == Nesting::kNoParent) {
            continue;
        }
        // Children come by begin, so what overlaps was covered by those before.
        const TimeNs from = std::max(covered[parent], intervals[k].begin);
        const TimeNs to = std::min(intervals[parent].end, intervals[k].begin + summed[k]);
        if (to > from) {
            self[parent] -= to - from;
            covered[parent] = to;
        }
    }
    return self;
}

}  // namespace

bool TraceBuilder::State::nestTrack(TrackId id, NestedTracks& out, const JobControl& job) {
    SliceColumns& s = data->slices;
    Track& track = data->tracks[id.value];
    const std::span<uint32_t> rows = std::span(out.order).subspan(track.firstRow, track.sliceCount);
    const auto isBefore = [&s](uint32_t a, uint32_t b) {
        return std::tuple(s.begin[a], -s.duration[a], s.sourceOffset[a], a) <
               std::tuple(s.begin[b], -s.duration[b], s.sourceOffset[b], b);
    };
    if (!std::ranges::is_sorted(rows, isBefore) && !stableSortUnlessStopped(rows, isBefore, job)) {
        return false;
    }
    out.intervals.clear();
    std::vector<DurationNs> summed;
    summed.reserve(rows.size());
    for (const uint32_t i : rows) {
        out.intervals.push_back({s.begin[i], s.end(i)});
        summed.push_back(s.summedDuration(i));
    }
    std::optional<Nesting> nested = nestSlices(out.intervals, job);
    if (!nested) {
        return false;
    }
    out.nesting = std::move(*nested);
    const Nesting& nesting = out.nesting;
    StopPoll poll(job);
    for (const uint32_t k : nesting.overlapping) {
        if (poll.stopRequested()) {
            return false;
        }
        s.flags[rows[k]] |= kSliceOverlaps;
        report("overlap", Severity::Warning, id, s.source(rows[k]), std::string(data->strings.view(s.name[rows[k]])));
    }
    track.overlaps = static_cast<uint32_t>(nesting.overlapping.size());

    // Lanes one after the other, each by time.
    track.firstLane = static_cast<uint32_t>(data->lanes.size());
    track.laneCount = nesting.laneCount;
    data->lanes.resize(data->lanes.size() + nesting.laneCount);
    const std::span<Lane> lanes = std::span(data->lanes).subspan(track.firstLane);
    for (const uint32_t lane : nesting.lane) {
        ++lanes[lane].count;
    }
    std::vector<uint32_t> nextInLane;
    uint32_t row = track.firstRow;
    for (Lane& lane : lanes) {
        lane.firstRow = row;
        nextInLane.push_back(row);
        row += lane.count;
    }
    out.rowOf.resize(rows.size());
    for (size_t k = 0; k < rows.size(); ++k) {
        out.rowOf[k] = nextInLane[nesting.lane[k]]++;
    }
    if (job.stopRequested() || !bindFlowEnds(id, out, job)) {
        return false;
    }

    const std::vector<DurationNs> self = selfDurations(nesting, out.intervals, summed);
    const std::vector<uint32_t> sorted(rows.begin(), rows.end());
    std::vector<uint32_t> nextChild(rows.size() + 1, 0);  // by parent's row within the track
    for (size_t k = 0; k < rows.size(); ++k) {
        const uint32_t at = out.rowOf[k];
        const uint32_t parent = nesting.parent[k];
        out.depths[at] = nesting.depth[k];
        out.selfs[at] = (s.flags[sorted[k]] & kSliceNoEnd) != 0 ? kUnknownDuration : self[k];
        out.order[at] = sorted[k];
        out.parents[at] = parent == Nesting::kNoParent ? EventRow::none() : EventRow(out.rowOf[parent]);
        if (parent != Nesting::kNoParent) {
            ++nextChild[out.rowOf[parent] - track.firstRow + 1];
        }
    }
    std::partial_sum(nextChild.begin(), nextChild.end(), nextChild.begin());
    const size_t firstChild = data->children.size();
    data->children.resize(firstChild + nextChild.back());
    for (size_t k = 0; k < rows.size(); ++k) {
        if (const uint32_t parent = nesting.parent[k]; parent != Nesting::kNoParent) {
            data->children[firstChild + nextChild[out.rowOf[parent] - track.firstRow]++] = EventRow(out.rowOf[k]);
        }
    }
    return true;
}

bool TraceBuilder::State::bindFlowEnds(TrackId id, NestedTracks& out, const JobControl& job) {
    const std::vector<Interval>& intervals = out.intervals;
    std::vector<uint32_t> open;  // slices begun, the innermost last
    size_t begun = 0;
    size_t next = 0;
    StopPoll poll(job);
    for (; out.nextFlow < out.flowOrder.size(); ++out.nextFlow) {
        const FlowRecord& flow = flows[out.flowOrder[out.nextFlow]];
        if (flow.track != id) {
            break;
        }
        if (poll.stopRequested()) {
            return false;
        }
        uint32_t found = Nesting::kNoParent;
        if (flow.phase == FlowPhase::Finish && !flow.bindsToEnclosing) {
            while (next < intervals.size() && intervals[next].begin < flow.time) {
                ++next;
            }
            found = next < intervals.size() ? static_cast<uint32_t>(next) : found;
        } else {
            for (; begun < intervals.size() && intervals[begun].begin <= flow.time; ++begun) {
                while (!open.empty() && open.back() != out.nesting.parent[begun]) {
                    open.pop_back();
                }
                open.push_back(static_cast<uint32_t>(begun));
            }
            // What is over by now holds nothing that begins later either.
            const auto covers = [&](const Interval& slice) {
                return flow.time < slice.end || (slice.begin == flow.time && slice.end == flow.time);
            };
            while (!open.empty() && !covers(intervals[open.back()])) {
                open.pop_back();
            }
            found = open.empty() ? found : open.back();
        }
        if (found != Nesting::kNoParent) {
            flowSlices[out.flowOrder[out.nextFlow]] = EventRow(out.rowOf[found]);
        }
    }
    return true;
}

}  // namespace warpline
