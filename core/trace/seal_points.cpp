// SPDX-License-Identifier: MIT
// Sealing: instants, async work, counters and memory, and what span of time the trace has.

#include <algorithm>
#include <numeric>
#include <tuple>
#include <unordered_map>

#include "core/trace/async_pairing.h"
#include "core/trace/initial_view.h"
#include "core/trace/trace_builder_state.h"

namespace warpline {

namespace {

/// Largest whole number up to which a double holds every one.
constexpr int64_t kExactInDouble = int64_t{1} << 53;

}  // namespace

void TraceBuilder::State::sealAsync() {
    std::vector<AsyncEdge> edges;
    std::vector<uint32_t> recordOf;
    for (uint32_t i = 0; i < asyncs.size(); ++i) {
        const AsyncRecord& r = asyncs[i];
        if (r.phase == AsyncPhase::Instant) {
            data->asyncInstants.push_back({r.time, r.name, r.category, r.id, r.track, r.source});
            continue;
        }
        edges.push_back(
            {fileOf(r.track), r.category, r.id, r.name, r.time, r.source.offset, r.phase == AsyncPhase::Begin});
        recordOf.push_back(i);
    }
    AsyncPairs pairs = pairAsync(edges);
    std::ranges::sort(pairs.unmatchedEnds);
    for (const uint32_t end : pairs.unmatchedEnds) {
        const AsyncRecord& r = asyncs[recordOf[end]];
        report("unmatched_end", Severity::DataLoss, r.track, r.source, "async");
    }
    for (const AsyncPair& pair : pairs.slices) {
        const AsyncRecord& b = asyncs[recordOf[pair.begin]];
        const bool open = pair.end == AsyncPair::kOpen;
        DurationNs duration = kUnknownDuration;
        if (!open && __builtin_sub_overflow(asyncs[recordOf[pair.end]].time, b.time, &duration)) {
            duration = kUnknownDuration;
        }
        if (open) {
            report("unmatched_begin", Severity::Warning, b.track, b.source, "async");
        }
        data->asyncSlices.push_back({b.time, duration, b.name, b.category, b.id, b.track, open, b.source,
                                     open ? SourceRef() : asyncs[recordOf[pair.end]].source});
    }
    std::ranges::stable_sort(data->asyncSlices, {}, &AsyncSlice::begin);
    std::ranges::stable_sort(data->asyncInstants, {}, &AsyncInstant::time);
    data->counts.async = data->asyncSlices.size();
}

void TraceBuilder::State::measureRange() {
    const auto include = [this](TimeNs from, TimeNs to) {
        data->range = data->range ? TimeRange{std::min(data->range->begin, from), std::max(data->range->end, to)}
                                  : TimeRange{from, to};
    };
    const SliceColumns& s = data->slices;
    for (uint32_t i = 0; i < s.size(); ++i) {
        TimeNs end = 0;
        include(s.begin[i], __builtin_add_overflow(s.begin[i], s.duration[i], &end) ? s.begin[i] : end);
    }
    for (const SliceRecord& begin : begins) {
        include(begin.begin, begin.begin);
    }
    for (const Instant& instant : data->instants) {
        include(instant.time, instant.time);
    }
    for (const AsyncInstant& instant : data->asyncInstants) {
        include(instant.time, instant.time);
    }
    for (const AsyncSlice& slice : data->asyncSlices) {
        include(slice.begin, slice.begin + std::max<DurationNs>(slice.duration, 0));
    }
    for (const CounterRecord& counter : counters) {
        include(counter.time, counter.time);
    }
    data->counts.flows = flows.size();
}

void TraceBuilder::State::findOutliers() {
    const SliceColumns& s = data->slices;
    std::vector<Interval> events;
    events.reserve(s.size() + data->instants.size() + data->asyncSlices.size());
    for (uint32_t i = 0; i < s.size(); ++i) {
        events.push_back({s.begin[i], s.begin[i] + s.summedDuration(i)});
    }
    for (const Instant& instant : data->instants) {
        events.push_back({instant.time, instant.time});
    }
    for (const AsyncSlice& slice : data->asyncSlices) {
        events.push_back({slice.begin, slice.begin + std::max<DurationNs>(slice.duration, 0)});
    }
    for (const Counter& counter : data->counters) {
        for (const CounterSeries& series : counter.series) {
            for (const TimeNs time : series.time) {
                events.push_back({time, time});
            }
        }
    }
    std::optional<ViewChoice> choice = chooseInitialView(events);
    if (!choice) {
        for (size_t file = 0; file < data->files.size(); ++file) {
            data->report.add(FileId(file), "no_events", Severity::Warning, std::nullopt, OffsetSpace::File);
        }
        return;
    }
    data->initialView = choice->view;
    for (const uint32_t i : choice->outliers) {
        if (i < s.size()) {
            data->slices.flags[i] |= kSliceOutlier;
            report("outlier", Severity::Warning, s.track[i], s.source[i],
                   "\"" + std::string(data->strings.view(s.name[i])) + "\"");
        } else if (i < s.size() + data->instants.size()) {
            const Instant& instant = data->instants[i - s.size()];
            report("outlier", Severity::Warning, instant.track, instant.source,
                   "\"" + std::string(data->strings.view(instant.name)) + "\"");
        } else if (i < s.size() + data->instants.size() + data->asyncSlices.size()) {
            const AsyncSlice& slice = data->asyncSlices[i - s.size() - data->instants.size()];
            report("outlier", Severity::Warning, slice.track, slice.source,
                   "\"" + std::string(data->strings.view(slice.name)) + "\"");
        } else {
            data->report.add(FileId(size_t{0}), "outlier", Severity::Warning, std::nullopt, OffsetSpace::File,
                             "a counter's sample");
        }
    }
}

void TraceBuilder::State::sealInstants() {
    std::ranges::stable_sort(data->instants, {}, [](const Instant& i) { return std::tuple(i.track.value, i.time); });
    for (size_t i = 0; i < data->instants.size(); ++i) {
        Track& track = data->tracks[data->instants[i].track.value];
        if (track.instantCount++ == 0) {
            track.firstInstant = static_cast<uint32_t>(i);
        }
    }
    data->counts.instants = data->instants.size();
}

void TraceBuilder::State::sealCounters() {
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
    std::unordered_map<uint64_t, std::vector<uint32_t>> countersByName;  // those that share process and name
    std::unordered_map<uint64_t, Place> placeOfSeries;
    std::vector<Exactness> lines;
    std::vector<Place> places;
    places.reserve(counters.size());
    for (const CounterRecord& r : counters) {
        std::vector<uint32_t>& sameName = countersByName[(uint64_t{r.process.value} << 32) | r.name.value];
        auto it = std::ranges::find_if(sameName, [&](uint32_t c) { return data->counters[c].id == r.id; });
        if (it == sameName.end()) {
            sameName.push_back(static_cast<uint32_t>(data->counters.size()));
            it = sameName.end() - 1;
            data->counters.push_back({r.process, r.name, r.id, {}});
        }
        auto& series = data->counters[*it].series;
        const Place next{*it, static_cast<uint32_t>(series.size()), static_cast<uint32_t>(lines.size())};
        const auto [place, isNew] = placeOfSeries.try_emplace((uint64_t{*it} << 32) | r.series.value, next);
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
    std::ranges::stable_sort(order, {}, [this](uint32_t i) { return counters[i].time; });
    for (const uint32_t i : order) {
        CounterSeries& line = data->counters[places[i].counter].series[places[i].series];
        line.time.push_back(counters[i].time);
        line.value.push_back(counters[i].value);
        if (lines[places[i].line].allWhole && lines[places[i].line].someLarge) {
            line.whole.push_back(*counters[i].whole);
        }
    }
    counters.clear();
}

void TraceBuilder::State::sealMemory() {
    std::ranges::stable_sort(data->memoryEvents, {},
                             [](const MemoryEvent& e) { return std::tuple(e.file.value, e.time, e.order); });
}

}  // namespace warpline
