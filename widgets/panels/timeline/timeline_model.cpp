// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/timeline/timeline_model.h"

#include <algorithm>
#include <map>
#include <queue>
#include <tuple>
#include <utility>

#include "core/analyses/row_titles.h"
#include "core/trace/process_title.h"
#include "widgets/panels/timeline/overlap_lanes.h"
#include "widgets/support/discard.h"

namespace warpline::timeline {

namespace {

struct AsyncItem {
    TimeNs begin;
    TimeNs end;
    uint32_t index;
};

/// First free lane for each item, in order of begin; the lane that was freed first is used first.
void packLanes(std::vector<AsyncItem>& items, std::vector<AsyncLane>& lanes) {
    std::stable_sort(items.begin(), items.end(),
                     [](const AsyncItem& a, const AsyncItem& b) { return a.begin < b.begin; });
    using Busy = std::pair<TimeNs, size_t>;
    std::priority_queue<Busy, std::vector<Busy>, std::greater<>> busyUntil;
    std::priority_queue<size_t, std::vector<size_t>, std::greater<>> free;
    const size_t base = lanes.size();
    for (const AsyncItem& item : items) {
        while (!busyUntil.empty() && busyUntil.top().first <= item.begin) {
            free.push(busyUntil.top().second);
            busyUntil.pop();
        }
        size_t lane = lanes.size();
        if (free.empty()) {
            lanes.emplace_back();
        } else {
            lane = free.top();
            free.pop();
        }
        lanes[lane].begin.push_back(item.begin);
        lanes[lane].duration.push_back(item.end - item.begin);
        lanes[lane].index.push_back(item.index);
        busyUntil.emplace(item.end, lane);
    }
    for (size_t lane = base; lane < lanes.size(); ++lane) {
        lanes[lane].lod = LodPyramid::build(lanes[lane].begin, lanes[lane].duration);
    }
}

bool isStopped(const JobControl* job) {
    return job != nullptr && job->stopRequested();
}

void buildAsync(const Trace& trace, TimelineModel& model, const JobControl* job) {
    const auto slices = trace.asyncSlices();
    const auto instants = trace.asyncInstants();
    if (slices.empty() && instants.empty()) {
        return;
    }
    const TimeNs traceEnd = trace.range().value_or(TimeRange{}).end;
    const AsyncRows rows(trace);
    using Key = std::pair<uint32_t, std::string_view>;
    std::map<Key, std::vector<AsyncItem>> groups;
    const auto add = [&](TrackId track, StringId name, StringId category, AsyncItem item) {
        groups[{rows.processOf(track).value, trace.string(rows.titleOf(track, name, category))}].push_back(item);
    };
    for (uint32_t i = 0; i < slices.size(); ++i) {
        const AsyncSlice& slice = slices[i];
        const TimeNs end =
            slice.unfinished || slice.duration < 0 ? std::max(slice.begin, traceEnd) : slice.begin + slice.duration;
        add(slice.track, slice.name, slice.category, {slice.begin, end, i});
    }
    for (uint32_t i = 0; i < instants.size(); ++i) {
        add(instants[i].track, instants[i].name, instants[i].category,
            {instants[i].time, instants[i].time, static_cast<uint32_t>(slices.size()) + i});
    }
    model.asyncLaneOf.resize(slices.size() + instants.size());
    model.asyncPlaceOf.resize(model.asyncLaneOf.size());
    for (auto& [key, items] : groups) {
        if (isStopped(job)) {
            return;
        }
        AsyncGroup group;
        group.process = ProcessId(key.first);
        group.title = key.second.empty() ? "async" : std::string(key.second);
        group.firstLane = static_cast<uint32_t>(model.asyncLanes.size());
        packLanes(items, model.asyncLanes);
        group.laneCount = static_cast<uint32_t>(model.asyncLanes.size()) - group.firstLane;
        for (uint32_t lane = group.firstLane; lane < group.firstLane + group.laneCount; ++lane) {
            const std::vector<uint32_t>& index = model.asyncLanes[lane].index;
            for (uint32_t place = 0; place < index.size(); ++place) {
                model.asyncLaneOf[index[place]] = lane;
                model.asyncPlaceOf[index[place]] = place;
            }
        }
        model.asyncGroups.push_back(std::move(group));
    }
}

void buildCounters(const Trace& trace, TimelineModel& model, const JobControl* job) {
    const auto counters = trace.counters();
    for (uint32_t c = 0; c < counters.size() && !isStopped(job); ++c) {
        const Counter& counter = counters[c];
        for (uint32_t s = 0; s < counter.series.size(); ++s) {
            const CounterSeries& series = counter.series[s];
            CounterLane lane;
            lane.process = counter.process;
            lane.counter = c;
            lane.series = s;
            lane.title = counterRowTitle(trace, counter, series);
            lane.pyramid = CounterPyramid::build(series.value);
            lane.range = lane.pyramid.range(series.value, 0, series.value.size());
            model.counters.push_back(std::move(lane));
        }
    }
    std::stable_sort(model.counters.begin(), model.counters.end(),
                     [](const CounterLane& a, const CounterLane& b) { return a.process < b.process; });
}

constexpr uint32_t kSamples = 64;

bool isMostlyPython(const Trace& trace, const Lane& lane) {
    const uint32_t samples = std::min(lane.count, kSamples);
    uint32_t python = 0;
    for (uint32_t i = 0; i < samples; ++i) {
        const uint32_t row = lane.firstRow + static_cast<uint32_t>(static_cast<uint64_t>(i) * lane.count / samples);
        python += trace.slices().kind[row] == EventKind::Python ? 1 : 0;
    }
    return python * 2 > samples;
}

}  // namespace

uint64_t timelineModelCost(const Trace& trace) {
    uint64_t cost = trace.asyncSlices().size() + trace.asyncInstants().size() + trace.memoryEvents().size() +
                    overlapLanesCost(trace);
    for (const Lane& lane : trace.lanes()) {
        cost += std::min(lane.count, kSamples);
    }
    for (const Counter& counter : trace.counters()) {
        for (const CounterSeries& series : counter.series) {
            cost += series.time.size();
        }
    }
    return cost;
}

std::shared_ptr<const TimelineModel> buildTimelineModel(const Trace& trace, const JobControl* job) {
    TimelineModel model;
    buildAsync(trace, model, job);
    buildCounters(trace, model, job);
    model.derived = derivedRows(trace, job);
    model.overlapLane = findOverlapLanes(trace, job);
    model.pythonLane.reserve(trace.lanes().size());
    for (const Lane& lane : trace.lanes()) {
        if (isStopped(job)) {
            return nullptr;
        }
        model.pythonLane.push_back(isMostlyPython(trace, lane) ? 1 : 0);
        if (lane.count > 0) {
            const uint32_t last = lane.firstRow + lane.count - 1;
            const TimeRange range{trace.slices().begin[lane.firstRow], trace.slices().end(last)};
            model.slices = model.slices.empty() ? range
                                                : TimeRange{std::min(model.slices.begin, range.begin),
                                                            std::max(model.slices.end, range.end)};
        }
    }
    return isStopped(job) ? nullptr : makeDiscarded(std::move(model));
}

}  // namespace warpline::timeline
