// SPDX-License-Identifier: MIT
// Sealing: the slices of each track get their parents, lanes and children, and arrow ends their slices.

#include <algorithm>
#include <atomic>
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

/// REQUIRES: the track's numbers are in out.order, in the order in which the slices came. Touches nothing but that part
/// of `out`, the flags of the track's slices, `flowSlices` of its arrow ends and `found`.
bool TraceBuilder::State::nestTrack(TrackId id, SlicesInOrder& out, NestedTrack& found, const JobControl& job) {
    const Track& track = data->tracks[id.value];
    const std::span<const uint32_t> numbers = std::span(out.order).subspan(track.firstRow, track.sliceCount);
    found.slices.reserve(numbers.size());
    for (const uint32_t number : numbers) {
        found.slices.push_back({{slices.begin[number], slices.end(number)}, number});
    }
    const auto isBefore = [this](const PlacedSlice& a, const PlacedSlice& b) {
        if (a.begin != b.begin || a.end != b.end) {
            return a.begin != b.begin ? a.begin < b.begin : a.end > b.end;
        }
        return std::pair(slices.sourceOffset[a.number], a.number) < std::pair(slices.sourceOffset[b.number], b.number);
    };
    if (!stableSortUnlessStopped(found.slices, isBefore, job)) {
        return false;
    }
    std::optional<Nesting> nested = nestSlices(found.slices, job);
    if (!nested) {
        return false;
    }
    const Nesting& nesting = found.nesting = std::move(*nested);
    for (const uint32_t k : nesting.overlapping) {
        slices.flags[found.slices[k].number] |= kSliceOverlaps;
        found.overlapping.push_back(found.slices[k].number);
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
    const auto byTrack = [this](uint32_t flow) { return flows[flow].track; };
    const auto arrowEnds = std::ranges::equal_range(out.flowOrder, id, {}, byTrack);
    if (job.stopRequested() || !bindFlowEnds({arrowEnds.begin(), arrowEnds.end()}, found, job)) {
        return false;
    }

    std::vector<uint32_t> nextChild(size_t{count} + 1, 0);  // by parent's row within the track
    for (uint32_t k = 0; k < count; ++k) {
        const uint32_t at = found.rows[k];
        const uint32_t parent = nesting.parent[k];
        out.depths[at] = nesting.depth[k];
        out.order[at] = found.slices[k].number;
        out.parents[at] = parent == Nesting::kNoParent ? EventRow::none() : EventRow(found.rows[parent]);
        if (parent != Nesting::kNoParent) {
            ++nextChild[found.rows[parent] - track.firstRow + 1];
        }
    }
    if (job.stopRequested()) {
        return false;
    }
    std::partial_sum(nextChild.begin(), nextChild.end(), nextChild.begin());
    found.children.resize(nextChild.back());
    for (uint32_t k = 0; k < count; ++k) {
        if (const uint32_t parent = nesting.parent[k]; parent != Nesting::kNoParent) {
            found.children[nextChild[found.rows[parent] - track.firstRow]++] = EventRow(found.rows[k]);
        }
    }
    found.slices = {};
    found.nesting = {};
    found.rows = {};
    return true;
}

/// `arrowEnds` are those of the track, by time.
bool TraceBuilder::State::bindFlowEnds(std::span<const uint32_t> arrowEnds, const NestedTrack& track,
                                       const JobControl& job) {
    const std::vector<PlacedSlice>& placed = track.slices;
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
            const auto covers = [&](const PlacedSlice& slice) {
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
    size_t childCount = 0;
    for (const NestedTrack& nested : found) {
        childCount += nested.children.size();
    }
    data->children.reserve(childCount);
    StopPoll poll(job);
    for (size_t t = 0; t < trackCount; ++t) {
        NestedTrack& nested = found[t];
        Track& track = data->tracks[t];
        track.firstLane = static_cast<uint32_t>(data->lanes.size());
        track.laneCount = static_cast<uint32_t>(nested.lanes.size());
        data->lanes.insert(data->lanes.end(), nested.lanes.begin(), nested.lanes.end());
        data->children.insert(data->children.end(), nested.children.begin(), nested.children.end());
        nested.children = {};
        track.overlaps = static_cast<uint32_t>(nested.overlapping.size());
        for (const uint32_t number : nested.overlapping) {
            if (poll.stopRequested()) {
                return false;
            }
            report("overlap", Severity::Warning, TrackId(t), slices.source(number),
                   std::string(data->strings.view(slices.name[number])));
        }
    }
    return true;
}

}  // namespace warpline
