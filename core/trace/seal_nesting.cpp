// SPDX-License-Identifier: MIT
// Sealing: the slices of each track get their parents and lanes, arrow ends their slices, and then all that
// follows from who holds whom.

#include <algorithm>
#include <atomic>
#include <cassert>
#include <functional>
#include <numeric>
#include <optional>
#include <span>
#include <tuple>
#include <utility>

#include "core/base/parallel.h"
#include "core/base/stoppable.h"
#include "core/trace/trace_builder_state.h"

namespace warpline {

/// REQUIRES: the track's numbers are in out.order, in the order in which the slices came. Touches nothing but its parts
/// of `out`, the flags of the track's slices, `flowSlices` of its arrow ends and `found`.
bool TraceBuilder::State::nestTrack(TrackId id, SlicesInOrder& out, NestedTrack& found, const JobControl& job) {
    const Track& track = data->tracks[id.value];
    const std::span<uint32_t> numbers = std::span(out.order).subspan(track.firstRow, track.sliceCount);
    const auto isBefore = [this](uint32_t a, uint32_t b) {
        if (slices.begin[a] != slices.begin[b]) {
            return slices.begin[a] < slices.begin[b];
        }
        return slices.duration[a] != slices.duration[b]
                   ? slices.duration[a] > slices.duration[b]
                   : std::pair(slices.sourceOffset[a], a) < std::pair(slices.sourceOffset[b], b);
    };
    if (!stableSortUnlessStopped(numbers, isBefore, job)) {
        return false;
    }
    found.order.resize(numbers.size());
    std::ranges::copy(numbers, found.order.begin());
    std::optional<Nesting> nested = nestSlices({slices.begin, slices.duration, found.order}, job);
    if (!nested) {
        return false;
    }
    const Nesting& nesting = found.nesting = std::move(*nested);
    for (const uint32_t k : nesting.overlapping) {
        slices.flags[found.order[k]] |= kSliceOverlaps;
        found.overlapping.push_back(found.order[k]);
    }

    // Lanes one after the other, each by time.
    const auto count = static_cast<uint32_t>(numbers.size());
    found.lanes.resize(nesting.laneCount);
    for (uint32_t k = 0; k < count; ++k) {
        ++found.lanes[nesting.laneOf(k)].count;
    }
    std::vector<uint32_t> nextInLane;
    uint32_t row = track.firstRow;
    for (Lane& lane : found.lanes) {
        lane.firstRow = row;
        nextInLane.push_back(row);
        row += lane.count;
    }
    found.rows.resize(count);
    for (uint32_t k = 0; k < count; ++k) {
        found.rows[k] = nextInLane[nesting.laneOf(k)]++;
    }
    const size_t firstFlow = out.firstFlow[id.value];
    const std::span<uint32_t> arrowEnds =
        std::span(out.flowOrder).subspan(firstFlow, out.firstFlow[id.value + 1] - firstFlow);
    const auto timeOf = [this](uint32_t flow) { return flows[flow].time; };
    if (!stableSortByKeyUnlessStopped(arrowEnds, timeOf, job) || !bindFlowEnds(arrowEnds, found, job)) {
        return false;
    }

    for (uint32_t k = 0; k < count; ++k) {
        const uint32_t at = found.rows[k];
        const uint32_t parent = nesting.parent[k];
        out.order[at] = found.order[k];
        out.parents[at] = parent == Nesting::kNoParent ? EventRow::none() : EventRow(found.rows[parent]);
    }
    found.order.clear();
    found.nesting = {};
    found.rows.clear();
    return true;
}

/// `arrowEnds` are those of the track, by time.
bool TraceBuilder::State::bindFlowEnds(std::span<const uint32_t> arrowEnds, const NestedTrack& track,
                                       const JobControl& job) {
    const TrackSlices placed{slices.begin, slices.duration, track.order};
    std::vector<uint32_t> open;  // slices begun, the innermost last
    size_t begun = 0;
    size_t next = 0;
    StopPoll poll(job);
    for (const uint32_t end : arrowEnds) {
        const FlowRecord& flow = flows[end];
        if (poll.stopRequested()) {
            return false;
        }
        uint32_t found = Nesting::kNoParent;
        if (flow.phase == FlowPhase::Finish && !flow.bindsToEnclosing) {
            while (next < placed.size() && placed[next].begin < flow.time) {
                ++next;
            }
            found = next < placed.size() ? static_cast<uint32_t>(next) : found;
        } else {
            for (; begun < placed.size() && placed[begun].begin <= flow.time; ++begun) {
                while (!open.empty() && open.back() != track.nesting.parent[begun]) {
                    open.pop_back();
                }
                open.push_back(static_cast<uint32_t>(begun));
            }
            // What is over by now holds nothing that begins later either.
            const auto covers = [&](const Interval& slice) {
                return flow.time < slice.end || (slice.begin == flow.time && slice.end == flow.time);
            };
            while (!open.empty() && !covers(placed[open.back()])) {
                open.pop_back();
            }
            found = open.empty() ? found : open.back();
        }
        if (found != Nesting::kNoParent) {
            flowSlices[end] = EventRow(track.rows[found]);
        }
    }
    return true;
}

bool TraceBuilder::State::nestTracks(SlicesInOrder& out, const JobControl& job) {
    const size_t trackCount = data->tracks.size();
    std::vector<NestedTrack> found(trackCount);
    // The largest first, so that no thread is left with it at the end.
    std::vector<uint32_t> bySize(trackCount);
    std::iota(bySize.begin(), bySize.end(), 0U);
    std::ranges::stable_sort(bySize, std::ranges::greater(), [this](uint32_t t) { return data->tracks[t].sliceCount; });
    std::atomic<bool> isStopped{false};
    parallelFor(trackCount, threads, [&](size_t i) {
        if (isStopped || job.stopRequested() || !nestTrack(TrackId(bySize[i]), out, found[bySize[i]], job)) {
            isStopped = true;
        }
    });
    if (isStopped) {
        return false;
    }
    StopPoll poll(job);
    for (size_t t = 0; t < trackCount; ++t) {
        NestedTrack& nested = found[t];
        Track& track = data->tracks[t];
        track.firstLane = static_cast<uint32_t>(data->lanes.size());
        track.laneCount = static_cast<uint32_t>(nested.lanes.size());
        data->lanes.insert(data->lanes.end(), nested.lanes.begin(), nested.lanes.end());
        track.overlaps = static_cast<uint32_t>(nested.overlapping.size());
        for (const uint32_t number : nested.overlapping) {
            if (poll.stopRequested()) {
                return false;
            }
            report("overlap", Severity::Warning, TrackId(t), slices.source(number),
                   [&] { return data->strings.view(slices.name[number]); });
        }
    }
    return true;
}

/// A parent's row is before those of its children, as its lane is above theirs.
bool TraceBuilder::State::findDepths(const JobControl& job) {
    SliceColumns& s = data->slices;
    StopPoll poll(job);
    s.depth.resize(s.size());
    for (uint32_t row = 0; row < s.size(); ++row) {
        if (poll.stopRequested()) {
            return false;
        }
        const EventRow parent = s.parent[row];
        assert(!parent.valid() || parent.value < row);
        s.depth[row] = parent.valid() ? s.depth[parent.value] + 1 : 0;
    }
    return true;
}

bool TraceBuilder::State::findChildren(const JobControl& job) {
    const SliceColumns& s = data->slices;
    EventColumn<EventRow>& children = data->children;
    EventColumn<uint32_t> next;  // by parent
    next.resize(size_t{s.size()} + 1);
    StopPoll poll(job);
    for (const EventRow parent : s.parent) {
        if (poll.stopRequested()) {
            return false;
        }
        if (parent.valid()) {
            ++next[parent.value + 1];
        }
    }
    std::partial_sum(next.begin(), next.end(), next.begin());
    children.resize(next.back());
    for (uint32_t row = 0; row < s.size(); ++row) {
        if (poll.stopRequested()) {
            return false;
        }
        if (s.parent[row].valid()) {
            children[next[s.parent[row].value]++] = EventRow(row);
        }
    }
    // Those of one parent came by lane; where they lie on several lanes, that is not by time.
    const auto isBefore = [&s](EventRow a, EventRow b) {
        return std::tuple(s.begin[a.value], -s.duration[a.value], s.sourceOffset[a.value], a.value) <
               std::tuple(s.begin[b.value], -s.duration[b.value], s.sourceOffset[b.value], b.value);
    };
    for (size_t first = 0; first < children.size();) {
        const EventRow parent = s.parent[children[first].value];
        const size_t last = next[parent.value];
        const std::span<EventRow> group = std::span(children).subspan(first, last - first);
        if (poll.stopRequested() || !stableSortUnlessStopped(group, isBefore, job)) {
            return false;
        }
        if (group.size() > Trace::kFewChildren) {
            data->selfDurations.push_back({parent, selfDurationOf(s, parent, group)});
        }
        first = last;
    }
    return true;
}

}  // namespace warpline
