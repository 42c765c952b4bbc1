// SPDX-License-Identifier: MIT
// Sealing: one time axis, begins get their ends, and the slices are sorted by track, lane and time.

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>
#include <span>
#include <tuple>

#include "core/base/parallel.h"
#include "core/base/stoppable.h"
#include "core/trace/trace_builder_state.h"

namespace warpline {

namespace {

/// On the trace's axis; what would leave it stays at its end.
TimeNs shifted(TimeNs time, DurationNs offset) {
    return std::clamp(addSaturated(time, offset), kEarliestTime, kLatestTime);
}

}  // namespace

template <class Visit>
void TraceBuilder::State::visitTimes(Visit visit) {
    std::vector<FileId> files;
    for (size_t i = 0; i < data->tracks.size(); ++i) {
        files.push_back(fileOf(TrackId(i)));
    }
    const auto visitAt = [&](TimeNs& time, TrackId track) { visit(time, files[track.value]); };
    for (uint32_t i = 0; i < slices.size(); ++i) {
        visitAt(slices.begin[i], slices.track[i]);
    }
    for (SliceRecord& begin : begins) {
        visitAt(begin.begin, begin.track);
    }
    for (SliceEnd& end : ends) {
        visitAt(end.time, end.track);
    }
    for (AsyncRecord& async : asyncs) {
        visitAt(async.time, async.track);
    }
    for (FlowRecord& flow : flows) {
        visitAt(flow.time, flow.track);
    }
    for (Instant& instant : data->instants) {
        visitAt(instant.time, instant.track);
    }
    for (MemoryEvent& event : data->memoryEvents) {
        visit(event.time, event.file);
    }
    for (CounterRecord& counter : counters) {
        visit(counter.time, data->processes[counter.process.value].file);
    }
}

std::vector<std::optional<TimeRange>> TraceBuilder::State::ownRanges() {
    std::vector<std::optional<TimeRange>> ranges(data->files.size());
    const auto include = [&](TimeNs time, FileId file) {
        std::optional<TimeRange>& range = ranges[file.value];
        range = range ? TimeRange{std::min(range->begin, time), std::max(range->end, time)} : TimeRange{time, time};
    };
    visitTimes(include);
    for (uint32_t i = 0; i < slices.size(); ++i) {
        include(addSaturated(slices.begin[i], std::max<DurationNs>(slices.duration[i], 0)), fileOf(slices.track[i]));
    }
    return ranges;
}

void TraceBuilder::State::moveToSharedAxis() {
    if (std::ranges::all_of(data->files, [](const FileInfo& file) { return file.axisOffsetNs == 0; })) {
        return;
    }
    visitTimes([this](TimeNs& time, FileId file) { time = shifted(time, data->files[file.value].axisOffsetNs); });
    for (uint32_t i = 0; i < slices.size(); ++i) {
        slices.duration[i] = std::min(slices.duration[i], kLatestTime - slices.begin[i]);
    }
}

bool TraceBuilder::State::closeSlices(const JobControl& job) {
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
            data->range->end = std::max(data->range->end, pair.endTime);
            auto& ofFile = data->files[fileOf(begins[pair.begin].track).value].range;
            ofFile->end = std::max(ofFile->end, pair.endTime);
        }
    }
    sliceOfBegin.resize(begins.size());
    StopPoll poll(job);
    for (const PairedSlice& pair : pairing.slices) {
        if (poll.stopRequested()) {
            return false;
        }
        SliceRecord slice = begins[pair.begin];
        // One that never ends goes on as long as its own file does: of others it knows nothing.
        const auto& ofFile = data->files[fileOf(slice.track).value].range;
        const TimeNs end = pair.open ? std::max(ofFile->end, slice.begin) : pair.endTime;
        slice.duration = end - slice.begin;
        slice.flags =
            static_cast<uint8_t>(slice.flags | (pair.own ? 0 : kSliceUnfinished) | (pair.open ? kSliceNoEnd : 0));
        const uint32_t row = appendSlice(slice);
        sliceOfBegin[pair.begin] = row;
        if (!pair.own) {
            report("unmatched_begin", Severity::Warning, slice.track, slice.source,
                   [&] { return data->strings.view(slice.name); });
        } else if (ends[pair.end].source.valid()) {
            data->endSources.push_back({EventRow(row), ends[pair.end].source});
        }
    }
    data->counts.slices = slices.size();
    return true;
}

bool TraceBuilder::State::sortSlices(const JobControl& job) {
    const uint32_t n = slices.size();
    SlicesInOrder sorted;
    // By track, keeping the order within.
    for (uint32_t i = 0; i < n; ++i) {
        ++data->tracks[slices.track[i].value].sliceCount;
    }
    std::vector<uint32_t> next;
    uint32_t total = 0;
    for (Track& track : data->tracks) {
        track.firstRow = total;
        next.push_back(total);
        total += track.sliceCount;
    }
    sorted.order.resize(n);
    for (uint32_t i = 0; i < n; ++i) {
        sorted.order[next[slices.track[i].value]++] = i;
    }
    slices.track.clear();
    sorted.parents.resize(n);
    flowSlices.append(flows.size(), EventRow::none());
    // Flows by track too.
    sorted.firstFlow.assign(data->tracks.size() + 1, 0);
    for (const FlowRecord& flow : flows) {
        ++sorted.firstFlow[flow.track.value + 1];
    }
    std::partial_sum(sorted.firstFlow.begin(), sorted.firstFlow.end(), sorted.firstFlow.begin());
    sorted.flowOrder.resize(flows.size());
    next.assign(sorted.firstFlow.begin(), sorted.firstFlow.end());
    for (uint32_t f = 0; f < flows.size(); ++f) {
        sorted.flowOrder[next[flows[f].track.value]++] = f;
    }
    if (job.stopRequested() || !nestTracks(sorted, job)) {
        return false;
    }
    const EventColumn<uint32_t>& order = sorted.order;
    SliceColumns& s = data->slices;
    // A column is there twice while it is moved. The largest come first, so that others can take over their memory.
    SparePages spare;
    const std::array<std::function<void()>, 12> moves = {
        [&] { s.begin = takeInOrder(slices.begin, order, spare, job); },
        [&] { s.duration = takeInOrder(slices.duration, order, spare, job); },
        [&] { s.sourceOffset = takeInOrder(slices.sourceOffset, order, spare, job); },
        [&] { s.name = takeInOrder(slices.name, order, spare, job); },
        [&] { s.correlation = slices.correlation.takeInOrder(order, spare, job); },
        [&] { s.externalId = slices.externalId.takeInOrder(order, spare, job); },
        [&] { s.category = takeInOrder(slices.category, order, spare, job); },
        [&] { s.sourceLength = takeInOrder(slices.sourceLength, order, spare, job); },
        [&] { s.shapes = takeInOrder(slices.shapes, order, spare, job); },
        [&] { s.kind = takeInOrder(slices.kind, order, spare, job); },
        [&] { s.flags = takeInOrder(slices.flags, order, spare, job); },
        [&] {
            for (size_t t = 0; t < data->tracks.size(); ++t) {
                s.track.append(data->tracks[t].sliceCount, TrackId(t));
            }
        },
    };
    s.parent = std::move(sorted.parents);
    s.track.reserve(n);
    sorted.flowOrder.clear();
    parallelFor(moves.size(), threads, [&](size_t i) { moves[i](); });
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
    data->lods.resize(data->lanes.size());
    // Lanes come in bundles: there may be many, and most are short.
    constexpr size_t kBundle = 16;
    parallelFor((data->lanes.size() + kBundle - 1) / kBundle, threads, [&](size_t bundle) {
        for (size_t i = bundle * kBundle; i < std::min(data->lanes.size(), (bundle + 1) * kBundle); ++i) {
            if (job.stopRequested()) {
                return;
            }
            const Lane& lane = data->lanes[i];
            data->lods[i] = LodPyramid::build(std::span(s.begin).subspan(lane.firstRow, lane.count),
                                              std::span(s.duration).subspan(lane.firstRow, lane.count));
        }
    });
    return !job.stopRequested();
}

}  // namespace warpline
