// SPDX-License-Identifier: MIT
// Sealing: one time axis, begins get their ends, and the slices are sorted by track, lane and time.

#include <algorithm>
#include <functional>
#include <numeric>
#include <span>
#include <tuple>

#include "core/base/stoppable.h"
#include "core/trace/trace_builder_state.h"

namespace warpline {

namespace {

/// On the trace's axis; what would leave it stays at its end.
TimeNs shifted(TimeNs time, DurationNs offset) {
    return std::clamp(addSaturated(time, offset), kEarliestTime, kLatestTime);
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
        data->slices.duration[i] = std::min(data->slices.duration[i], kLatestTime - data->slices.begin[i]);
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

bool TraceBuilder::State::closeSlices(const JobControl& job) {
    SliceColumns& s = data->slices;
    std::vector<SliceEdge> edges;
    edges.reserve(begins.size() + ends.size());
    for (uint32_t i = 0; i < begins.size(); ++i) {
        const SliceRecord& b = begins[i];
        edges.push_back({b.begin, b.source.offset, b.track, b.name, i, true});
    }
    for (uint32_t i = 0; i < ends.size(); ++i) {
        edges.push_back({ends[i].time, ends[i].source.offset, ends[i].track, ends[i].name, i, false});
    }
    std::optional<Pairing> paired = pairSlices(std::move(edges), job);
    if (!paired || !stableSortUnlessStopped(paired->unmatchedEnds, std::less<>(), job) ||
        !stableSortByKeyUnlessStopped(paired->slices, std::mem_fn(&PairedSlice::begin), job)) {
        return false;
    }
    const Pairing& pairing = *paired;
    for (const uint32_t end : pairing.unmatchedEnds) {
        report("unmatched_end", Severity::DataLoss, ends[end].track, ends[end].source);
    }
    for (const PairedSlice& pair : pairing.slices) {
        if (!pair.open) {
            data->range = TimeRange{data->range->begin, std::max(data->range->end, pair.endTime)};
        }
    }
    sliceOfBegin.resize(begins.size());
    StopPoll poll(job);
    for (const PairedSlice& pair : pairing.slices) {
        if (poll.stopRequested()) {
            return false;
        }
        SliceRecord slice = begins[pair.begin];
        const TimeNs end = pair.open ? std::max(data->range->end, slice.begin) : pair.endTime;
        slice.duration = end - slice.begin;
        slice.flags =
            static_cast<uint8_t>(slice.flags | (pair.own ? 0 : kSliceUnfinished) | (pair.open ? kSliceNoEnd : 0));
        const uint32_t row = appendSlice(slice);
        sliceOfBegin[pair.begin] = row;
        if (!pair.own) {
            report("unmatched_begin", Severity::Warning, slice.track, slice.source,
                   std::string(data->strings.view(slice.name)));
        } else if (ends[pair.end].source.valid()) {
            data->endSources.push_back({EventRow(row), ends[pair.end].source});
        }
    }
    data->counts.slices = s.size();
    return true;
}

bool TraceBuilder::State::sortSlices(const JobControl& job) {
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
    NestedTracks nested;
    nested.order.resize(n);
    for (uint32_t i = 0; i < n; ++i) {
        nested.order[next[s.track[i].value]++] = i;
    }
    nested.parents.resize(n);
    nested.depths.resize(n);
    nested.selfs.resize(n);
    flowSlices.assign(flows.size(), EventRow::none());
    nested.flowOrder.resize(flows.size());
    std::iota(nested.flowOrder.begin(), nested.flowOrder.end(), 0U);
    const auto flowPlace = [this](uint32_t f) { return std::tuple(flows[f].track.value, flows[f].time, f); };
    if (!stableSortByKeyUnlessStopped(nested.flowOrder, flowPlace, job)) {
        return false;
    }
    for (size_t t = 0; t < data->tracks.size(); ++t) {
        if (job.stopRequested() || !nestTrack(TrackId(t), nested, job)) {
            return false;
        }
    }
    const std::vector<uint32_t>& order = nested.order;
    permute(s.begin, order);
    permute(s.duration, order);
    permute(s.name, order);
    permute(s.category, order);
    if (job.stopRequested()) {
        return false;
    }
    permute(s.kind, order);
    permute(s.flags, order);
    permute(s.track, order);
    permute(s.correlation, order);
    if (job.stopRequested()) {
        return false;
    }
    permute(s.externalId, order);
    permute(s.shapes, order);
    permute(s.sourceOffset, order);
    permute(s.sourceLength, order);
    s.parent = std::move(nested.parents);
    s.depth = std::move(nested.depths);
    s.selfDuration = std::move(nested.selfs);
    if (job.stopRequested()) {
        return false;
    }

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
    for (EndSource& end : data->endSources) {
        end.row = EventRow(newRow[end.row.value]);
    }
    return stableSortByKeyUnlessStopped(data->kernelFacts, std::mem_fn(&KernelFacts::row), job) &&
           stableSortByKeyUnlessStopped(data->copyFacts, std::mem_fn(&CopyFacts::row), job) &&
           stableSortByKeyUnlessStopped(data->endSources, std::mem_fn(&EndSource::row), job);
}

bool TraceBuilder::State::buildLods(const JobControl& job) {
    const SliceColumns& s = data->slices;
    data->lods.reserve(data->lanes.size());
    for (const Lane& lane : data->lanes) {
        if (job.stopRequested()) {
            return false;
        }
        data->lods.push_back(LodPyramid::build(std::span(s.begin).subspan(lane.firstRow, lane.count),
                                               std::span(s.duration).subspan(lane.firstRow, lane.count)));
    }
    return true;
}

}  // namespace warpline
