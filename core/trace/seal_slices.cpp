// SPDX-License-Identifier: MIT
// Sealing: closes begins, then sorts the slices by track, lane and time, and nests them.

#include <algorithm>
#include <limits>
#include <numeric>
#include <span>
#include <tuple>

#include "core/trace/nesting.h"
#include "core/trace/trace_builder_state.h"

namespace warpline {

namespace {

TimeNs shifted(TimeNs time, DurationNs offset) {
    TimeNs sum = 0;
    if (__builtin_add_overflow(time, offset, &sum)) {
        return offset > 0 ? std::numeric_limits<TimeNs>::max() : std::numeric_limits<TimeNs>::min();
    }
    return sum;
}

/// Moves column[rows[i]] to column[i].
template <class T>
void permute(std::vector<T>& column, std::span<const uint32_t> rows) {
    std::vector<T> sorted(column.size());
    for (size_t i = 0; i < rows.size(); ++i) {
        sorted[i] = column[rows[i]];
    }
    column = std::move(sorted);
}

}  // namespace

void TraceBuilder::State::moveToSharedAxis() {
    std::vector<DurationNs> offsetOfTrack;
    bool any = false;
    for (size_t i = 0; i < data->tracks.size(); ++i) {
        offsetOfTrack.push_back(data->files[fileOf(TrackId(i)).value].axisOffsetNs);
        any = any || offsetOfTrack.back() != 0;
    }
    if (!any) {
        return;
    }
    const auto move = [&](TimeNs& time, TrackId track) { time = shifted(time, offsetOfTrack[track.value]); };
    for (uint32_t i = 0; i < data->slices.size(); ++i) {
        move(data->slices.begin[i], data->slices.track[i]);
    }
    for (SliceRecord& begin : begins) {
        move(begin.begin, begin.track);
    }
    for (SliceEnd& end : ends) {
        move(end.time, end.track);
    }
    for (AsyncRecord& async : asyncs) {
        move(async.time, async.track);
    }
    for (FlowRecord& flow : flows) {
        move(flow.time, flow.track);
    }
    for (Instant& instant : data->instants) {
        move(instant.time, instant.track);
    }
    for (MemoryEvent& event : data->memoryEvents) {
        event.time = shifted(event.time, data->files[event.file.value].axisOffsetNs);
    }
    for (CounterRecord& counter : counters) {
        const FileId file = data->processes[counter.process.value].file;
        counter.time = shifted(counter.time, data->files[file.value].axisOffsetNs);
    }
}

void TraceBuilder::State::closeSlices() {
    // No end may pass the largest time: sums of begin and duration are taken everywhere.
    SliceColumns& s = data->slices;
    for (uint32_t i = 0; i < s.size(); ++i) {
        s.duration[i] = std::min(s.duration[i], s.begin[i] > 0 ? std::numeric_limits<TimeNs>::max() - s.begin[i]
                                                               : std::numeric_limits<TimeNs>::max());
    }
    std::vector<SliceEdge> edges;
    edges.reserve(begins.size() + ends.size());
    for (uint32_t i = 0; i < begins.size(); ++i) {
        const SliceRecord& b = begins[i];
        edges.push_back({b.begin, b.source.offset, b.track, b.name, i, true});
    }
    for (uint32_t i = 0; i < ends.size(); ++i) {
        edges.push_back({ends[i].time, ends[i].source.offset, ends[i].track, ends[i].name, i, false});
    }
    Pairing pairing = pairSlices(std::move(edges));
    std::ranges::sort(pairing.unmatchedEnds);
    for (const uint32_t end : pairing.unmatchedEnds) {
        report("unmatched_end", Severity::DataLoss, ends[end].track, ends[end].source);
    }
    std::ranges::sort(pairing.slices, {}, &PairedSlice::begin);
    for (const PairedSlice& pair : pairing.slices) {
        if (!pair.open) {
            data->range = TimeRange{data->range->begin, std::max(data->range->end, pair.endTime)};
        }
    }
    sliceOfBegin.resize(begins.size());
    for (const PairedSlice& pair : pairing.slices) {
        SliceRecord slice = begins[pair.begin];
        const TimeNs end = pair.open ? std::max(data->range->end, slice.begin) : pair.endTime;
        if (__builtin_sub_overflow(end, slice.begin, &slice.duration)) {
            slice.duration = std::numeric_limits<DurationNs>::max();
        }
        slice.flags =
            static_cast<uint8_t>(slice.flags | (pair.own ? 0 : kSliceUnfinished) | (pair.open ? kSliceNoEnd : 0));
        const uint32_t row = appendSlice(slice);
        sliceOfBegin[pair.begin] = row;
        if (!pair.own) {
            report("unmatched_begin", Severity::Warning, slice.track, slice.source,
                   std::string(data->strings.view(slice.name)));
        } else if (ends[pair.end].source.valid()) {
            data->endSources.emplace_back(row, ends[pair.end].source);
        }
    }
    data->counts.slices = s.size();
}

bool TraceBuilder::State::sortSlices(JobControl& job) {
    SliceColumns& s = data->slices;
    const uint32_t n = s.size();
    // By track, keeping the order within.
    for (const TrackId track : s.track) {
        ++data->tracks[track.value].sliceCount;
    }
    std::vector<uint32_t> next;
    uint32_t total = 0;
    for (Track& track : data->tracks) {
        track.firstRow = total;
        next.push_back(total);
        total += track.sliceCount;
    }
    std::vector<uint32_t> order(n);
    for (uint32_t i = 0; i < n; ++i) {
        order[next[s.track[i].value]++] = i;
    }
    // Flows by track and time, so that each track's are found in one walk along its slices.
    flowSlices.assign(flows.size(), EventRow::none());
    std::vector<uint32_t> flowOrder(flows.size());
    std::iota(flowOrder.begin(), flowOrder.end(), 0U);
    std::ranges::sort(flowOrder, {}, [this](uint32_t f) { return std::tuple(flows[f].track.value, flows[f].time, f); });
    size_t nextFlow = 0;

    std::vector<EventRow> parents(n);
    std::vector<uint32_t> depths(n);
    std::vector<uint32_t> rowOf;  // within a track: sorted position -> row
    std::vector<Interval> intervals;
    std::vector<uint32_t> sorted;  // the track's slices by time
    const auto isBefore = [&s](uint32_t a, uint32_t b) {
        return std::tuple(s.begin[a], -s.duration[a], s.source[a].offset, a) <
               std::tuple(s.begin[b], -s.duration[b], s.source[b].offset, b);
    };
    for (size_t t = 0; t < data->tracks.size(); ++t) {
        if (job.stopRequested()) {
            return false;
        }
        Track& track = data->tracks[t];
        track.firstLane = static_cast<uint32_t>(data->lanes.size());
        const std::span<uint32_t> rows = std::span(order).subspan(track.firstRow, track.sliceCount);
        if (!std::ranges::is_sorted(rows, isBefore)) {
            std::ranges::sort(rows, isBefore);
        }
        intervals.clear();
        for (const uint32_t i : rows) {
            intervals.push_back({s.begin[i], s.end(i)});
        }
        const Nesting nesting = nestSlices(intervals);
        for (const uint32_t k : nesting.overlapping) {
            s.flags[rows[k]] |= kSliceOverlaps;
            report("overlap", Severity::Warning, TrackId(t), s.source[rows[k]],
                   std::string(data->strings.view(s.name[rows[k]])));
        }
        track.overlaps = static_cast<uint32_t>(nesting.overlapping.size());
        // Lanes one after the other, each by time.
        track.laneCount = nesting.laneCount;
        data->lanes.resize(data->lanes.size() + nesting.laneCount);
        const std::span<Lane> lanes = std::span(data->lanes).subspan(track.firstLane);
        for (const uint32_t lane : nesting.lane) {
            ++lanes[lane].count;
        }
        uint32_t row = track.firstRow;
        for (Lane& lane : lanes) {
            lane.firstRow = row;
            row += lane.count;
        }
        rowOf.resize(rows.size());
        std::vector<uint32_t> nextInLane;
        for (const Lane& lane : lanes) {
            nextInLane.push_back(lane.firstRow);
        }
        for (size_t k = 0; k < rows.size(); ++k) {
            rowOf[k] = nextInLane[nesting.lane[k]]++;
        }
        // Arrow ends: the innermost slice at their time is the one begun last, or one that holds it.
        size_t begun = 0;
        for (; nextFlow < flowOrder.size() && flows[flowOrder[nextFlow]].track.value == t; ++nextFlow) {
            const FlowRecord& flow = flows[flowOrder[nextFlow]];
            const bool toNext = flow.phase == FlowPhase::Finish && !flow.bindsToEnclosing;
            while (begun < intervals.size() &&
                   (toNext ? intervals[begun].begin < flow.time : intervals[begun].begin <= flow.time)) {
                ++begun;
            }
            // A walk that went past this time for an enclosing end goes back for a "next" end at the same time.
            size_t position = begun;
            while (toNext && position > 0 && intervals[position - 1].begin >= flow.time) {
                --position;
            }
            uint32_t found = Nesting::kNoParent;
            if (toNext) {
                found = position < intervals.size() ? static_cast<uint32_t>(position) : found;
            } else if (begun > 0) {
                found = static_cast<uint32_t>(begun - 1);
                const auto covers = [&](const Interval& slice) {
                    return flow.time < slice.end || (slice.begin == flow.time && slice.end == flow.time);
                };
                while (found != Nesting::kNoParent && !covers(intervals[found])) {
                    found = nesting.parent[found];
                }
            }
            if (found != Nesting::kNoParent) {
                flowSlices[flowOrder[nextFlow]] = EventRow(rowOf[found]);
            }
        }
        for (size_t k = 0; k < rows.size(); ++k) {
            parents[rowOf[k]] =
                nesting.parent[k] == Nesting::kNoParent ? EventRow::none() : EventRow(rowOf[nesting.parent[k]]);
            depths[rowOf[k]] = nesting.depth[k];
        }
        sorted.assign(rows.begin(), rows.end());
        for (size_t k = 0; k < rows.size(); ++k) {
            order[rowOf[k]] = sorted[k];
        }
    }
    permute(s.begin, order);
    permute(s.duration, order);
    permute(s.name, order);
    permute(s.category, order);
    permute(s.kind, order);
    permute(s.flags, order);
    permute(s.track, order);
    permute(s.correlation, order);
    permute(s.externalId, order);
    permute(s.shapes, order);
    permute(s.source, order);
    s.parent = std::move(parents);
    s.depth = std::move(depths);

    // What knows a slice by number learns its row.
    std::vector<uint32_t> newRow(n);
    for (uint32_t row = 0; row < n; ++row) {
        newRow[order[row]] = row;
    }
    const auto rowOfNumber = [&](EventRow number) {
        const bool isBegin = (number.value & kBeginBit) != 0;
        return EventRow(newRow[isBegin ? sliceOfBegin[number.value & ~kBeginBit] : number.value]);
    };
    for (KernelFacts& facts : data->kernelFacts) {
        facts.row = rowOfNumber(facts.row);
    }
    for (CopyFacts& facts : data->copyFacts) {
        facts.row = rowOfNumber(facts.row);
    }
    for (auto& entry : data->endSources) {
        entry.first = newRow[entry.first];
    }
    std::ranges::sort(data->kernelFacts, {}, &KernelFacts::row);
    std::ranges::sort(data->copyFacts, {}, &CopyFacts::row);
    std::ranges::sort(data->endSources, {}, [](const auto& entry) { return entry.first; });
    return true;
}

void TraceBuilder::State::buildLods() {
    const SliceColumns& s = data->slices;
    data->lods.reserve(data->lanes.size());
    for (const Lane& lane : data->lanes) {
        data->lods.push_back(LodPyramid::build(std::span(s.begin).subspan(lane.firstRow, lane.count),
                                               std::span(s.duration).subspan(lane.firstRow, lane.count)));
    }
}

}  // namespace warpline
