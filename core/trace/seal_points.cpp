// SPDX-License-Identifier: MIT
// Sealing: instants, async work, counters and memory, and what span of time the trace has.

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>
#include <span>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "core/base/stoppable.h"
#include "core/trace/async_pairing.h"
#include "core/trace/initial_view.h"
#include "core/trace/trace_builder_state.h"

namespace warpline {

namespace {

/// Largest whole number up to which a double holds every one.
constexpr int64_t kExactInDouble = int64_t{1} << 53;

__extension__ using Int128 = __int128;

}  // namespace

bool TraceBuilder::State::sealAsync(const JobControl& job) {
    std::vector<AsyncEdge> edges;
    std::vector<uint32_t> recordOf;
    StopPoll poll(job);
    for (uint32_t i = 0; i < asyncs.size(); ++i) {
        if (poll.stopRequested()) {
            return false;
        }
        const AsyncRecord& r = asyncs[i];
        if (r.phase == AsyncPhase::Instant) {
            data->asyncInstants.push_back({r.time, r.name, r.category, r.id, r.idScope, r.track, r.source, r.scope});
            continue;
        }
        if (r.phase == AsyncPhase::Begin && r.duration != kUnknownDuration) {
            data->asyncSlices.push_back(
                {r.time, r.duration, r.name, r.category, r.id, r.idScope, r.track, false, r.source, {}, r.scope});
            continue;
        }
        const ProcessId scope = r.id ? r.idScope : data->tracks[r.track.value].process;
        edges.push_back({fileOf(r.track), r.category, r.id, scope, r.name, r.time, r.source.offset,
                         r.phase == AsyncPhase::Begin, r.scope});
        recordOf.push_back(i);
    }
    std::optional<AsyncPairs> paired = pairAsync(edges, job);
    if (!paired || !stableSortUnlessStopped(paired->unmatchedEnds, std::less<>(), job)) {
        return false;
    }
    const AsyncPairs& pairs = *paired;
    for (const uint32_t end : pairs.unmatchedEnds) {
        if (poll.stopRequested()) {
            return false;
        }
        const AsyncRecord& r = asyncs[recordOf[end]];
        report("unmatched_end", Severity::DataLoss, r.track, r.source, [] { return "async"; });
    }
    for (const AsyncPair& pair : pairs.slices) {
        if (poll.stopRequested()) {
            return false;
        }
        const AsyncRecord& b = asyncs[recordOf[pair.begin]];
        const bool open = pair.end == AsyncPair::kOpen;
        const DurationNs duration = open ? kUnknownDuration : asyncs[recordOf[pair.end]].time - b.time;
        if (open) {
            report("unmatched_begin", Severity::Warning, b.track, b.source, [] { return "async"; });
        }
        data->asyncSlices.push_back({b.time, duration, b.name, b.category, b.id, b.idScope, b.track, open, b.source,
                                     open ? SourceRef() : asyncs[recordOf[pair.end]].source, b.scope});
    }
    data->counts.async = data->asyncSlices.size();
    return stableSortByKeyUnlessStopped(data->asyncSlices, std::mem_fn(&AsyncSlice::begin), job) &&
           stableSortByKeyUnlessStopped(data->asyncInstants, std::mem_fn(&AsyncInstant::time), job);
}

bool TraceBuilder::State::measureRange(const JobControl& job) {
    StopPoll poll(job);
    std::vector<uint32_t> fileOfTrack;
    for (size_t i = 0; i < data->tracks.size(); ++i) {
        fileOfTrack.push_back(fileOf(TrackId(i)).value);
    }
    std::vector<TimeRange> ranges(data->files.size(),
                                  {std::numeric_limits<TimeNs>::max(), std::numeric_limits<TimeNs>::min()});
    const auto includeIn = [&](uint32_t file, TimeNs from, TimeNs to) {
        ranges[file] = {std::min(ranges[file].begin, from), std::max(ranges[file].end, to)};
    };
    const auto include = [&](TrackId track, TimeNs from, TimeNs to) { includeIn(fileOfTrack[track.value], from, to); };
    const SliceColumns& s = slices;
    for (uint32_t i = 0; i < s.size(); ++i) {
        if (poll.stopRequested()) {
            return false;
        }
        include(s.track[i], s.begin[i], s.end(i));
    }
    for (const SliceRecord& begin : begins) {
        include(begin.track, begin.begin, begin.begin);
    }
    for (const Instant& instant : data->instants) {
        include(instant.track, instant.time, instant.time);
    }
    for (const AsyncInstant& instant : data->asyncInstants) {
        include(instant.track, instant.time, instant.time);
    }
    for (const AsyncSlice& slice : data->asyncSlices) {
        include(slice.track, slice.begin, slice.begin + std::max<DurationNs>(slice.duration, 0));
    }
    for (const CounterRecord& counter : counters) {
        includeIn(data->processes[counter.process.value].file.value, counter.time, counter.time);
    }
    for (size_t i = 0; i < ranges.size(); ++i) {
        if (ranges[i].begin <= ranges[i].end) {
            data->files[i].range = ranges[i];
            data->range = data->range ? TimeRange{std::min(data->range->begin, ranges[i].begin),
                                                  std::max(data->range->end, ranges[i].end)}
                                      : ranges[i];
        }
    }
    data->counts.flows = flows.size();
    return !job.stopRequested();
}

bool TraceBuilder::State::chooseView(const JobControl& job) {
    const SliceColumns& s = data->slices;
    const auto& instants = data->instants;
    const auto& spans = data->asyncSlices;
    // Of the samples, each series begins at the number that stands with it.
    std::vector<std::pair<size_t, const CounterSeries*>> lines;
    EventIntervals events;
    events.count = s.size() + instants.size() + spans.size();
    for (const Counter& counter : data->counters) {
        for (const CounterSeries& series : counter.series) {
            lines.emplace_back(events.count, &series);
            events.count += series.time.size();
        }
    }
    events.read = [&](size_t first, std::span<Interval> out) {
        size_t line = 0;
        for (size_t k = 0; k < out.size(); ++k) {
            size_t i = first + k;
            if (i < s.size()) {
                out[k] = {s.begin[i], s.begin[i] + s.summedDuration(static_cast<uint32_t>(i))};
            } else if ((i -= s.size()) < instants.size()) {
                out[k] = {instants[i].time, instants[i].time};
            } else if ((i -= instants.size()) < spans.size()) {
                out[k] = {spans[i].begin, spans[i].begin + std::max<DurationNs>(spans[i].duration, 0)};
            } else {
                while (line + 1 < lines.size() && lines[line + 1].first <= first + k) {
                    ++line;
                }
                const TimeNs time = lines[line].second->time[first + k - lines[line].first];
                out[k] = {time, time};
            }
        }
    };
    std::optional<ViewChoice> choice = chooseInitialView(events, job);
    if (job.stopRequested()) {
        return false;
    }
    if (!choice) {
        for (size_t file = 0; file < data->files.size(); ++file) {
            report(FileId(file), "no_events", Severity::Warning);
        }
        return true;
    }
    data->initialView = choice->view;
    outliers = std::move(choice->outliers);
    return true;
}

bool TraceBuilder::State::markOutliers(const JobControl& job) {
    const SliceColumns& s = data->slices;
    StopPoll poll(job);
    for (const uint32_t i : outliers) {
        if (poll.stopRequested()) {
            return false;
        }
        if (i < s.size()) {
            data->slices.flags[i] |= kSliceOutlier;
            report("outlier", Severity::Warning, s.track[i], s.source(i), [&] { return quotedName(i); });
        } else if (i < s.size() + data->instants.size()) {
            const Instant& instant = data->instants[i - s.size()];
            report("outlier", Severity::Warning, instant.track, instant.source,
                   [&] { return "\"" + std::string(data->strings.view(instant.name)) + "\""; });
        } else if (i < s.size() + data->instants.size() + data->asyncSlices.size()) {
            const AsyncSlice& slice = data->asyncSlices[i - s.size() - data->instants.size()];
            report("outlier", Severity::Warning, slice.track, slice.source,
                   [&] { return "\"" + std::string(data->strings.view(slice.name)) + "\""; });
        } else {
            report(FileId(size_t{0}), "outlier", Severity::Warning, "a counter's sample");
        }
    }
    return true;
}

bool TraceBuilder::State::sealInstants(const JobControl& job) {
    const auto place = [](const Instant& i) { return std::tuple(i.track.value, i.time); };
    if (!stableSortByKeyUnlessStopped(data->instants, place, job)) {
        return false;
    }
    for (size_t i = 0; i < data->instants.size(); ++i) {
        Track& track = data->tracks[data->instants[i].track.value];
        if (track.instantCount++ == 0) {
            track.firstInstant = static_cast<uint32_t>(i);
        }
    }
    data->counts.instants = data->instants.size();
    return true;
}

bool TraceBuilder::State::sealCounters(const JobControl& job) {
    // Counters and their series in the order of their first sample in the input.
    struct Place {
        uint32_t counter;
        uint32_t series;
        uint32_t line;
    };
    struct Exactness {
        bool allWhole = true;
        bool someLarge = false;
    };
    std::unordered_map<uint64_t, uint32_t> groupOfName;     // by process and name
    std::unordered_map<uint64_t, uint32_t> counterOfGroup;  // by group and id
    std::unordered_map<uint64_t, Place> placeOfSeries;
    std::unordered_map<uint64_t, uint32_t> numberOfId;
    std::vector<Exactness> lines;
    std::vector<Place> places;
    places.reserve(counters.size());
    StopPoll poll(job);
    for (const CounterRecord& r : counters) {
        if (poll.stopRequested()) {
            return false;
        }
        const auto nextGroup = static_cast<uint32_t>(groupOfName.size());
        const uint64_t name = (uint64_t{r.process.value} << 32) | r.name.value;
        const uint64_t group = groupOfName.try_emplace(name, nextGroup).first->second;
        const uint64_t key =
            (group << 33) |
            (r.id ? (uint64_t{1} << 32) |
                        numberOfId.try_emplace(r.id->bits(), static_cast<uint32_t>(numberOfId.size())).first->second
                  : 0);
        const auto [found, isNewCounter] =
            counterOfGroup.try_emplace(key, static_cast<uint32_t>(data->counters.size()));
        const uint32_t counter = found->second;
        if (isNewCounter) {
            data->counters.push_back({r.process, r.name, r.id, {}});
        }
        auto& series = data->counters[counter].series;
        const Place next{counter, static_cast<uint32_t>(series.size()), static_cast<uint32_t>(lines.size())};
        const auto [place, isNew] = placeOfSeries.try_emplace((uint64_t{counter} << 32) | r.series.value, next);
        if (isNew) {
            series.push_back({r.series, {}, {}, {}});
            lines.emplace_back();
        }
        places.push_back(place->second);
        Exactness& line = lines[place->second.line];
        line.allWhole = line.allWhole && r.whole.has_value();
        line.someLarge = line.someLarge || (r.whole && (*r.whole > kExactInDouble || *r.whole < -kExactInDouble));
    }
    std::vector<uint32_t> order(counters.size());
    std::iota(order.begin(), order.end(), 0U);
    if (!stableSortByKeyUnlessStopped(
            order, [this](uint32_t i) { return counters[i].time; }, job)) {
        return false;
    }
    for (const uint32_t i : order) {
        if (poll.stopRequested()) {
            return false;
        }
        CounterSeries& line = data->counters[places[i].counter].series[places[i].series];
        line.time.push_back(counters[i].time);
        line.value.push_back(counters[i].value);
        const std::optional<int64_t>& whole = counters[i].whole;
        if (lines[places[i].line].allWhole && lines[places[i].line].someLarge) {
            line.whole.push_back(*whole);
        } else if (whole && *whole != static_cast<Int128>(counters[i].value)) {
            report(data->processes[counters[i].process.value].file, "rounded_number", Severity::Info);
        }
    }
    counters.clear();
    return true;
}

bool TraceBuilder::State::sealMemory(const JobControl& job) {
    const auto place = [](const MemoryEvent& e) { return std::tuple(e.file.value, e.time, e.order); };
    return stableSortByKeyUnlessStopped(data->memoryEvents, place, job);
}

}  // namespace warpline
