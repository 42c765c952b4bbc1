// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/timeline/event_place.h"

#include <algorithm>

namespace warpline::timeline {

std::optional<TimeRange> rangeOf(const Trace& trace, const Selection& selection) {
    if (!selection.isIn(trace)) {
        return std::nullopt;
    }
    const TimeNs traceEnd = trace.range().value_or(TimeRange{}).end;
    switch (selection.kind) {
        case Selection::Kind::None:
            break;
        case Selection::Kind::Slice:
            return TimeRange{trace.slices().begin[selection.index], trace.slices().end(selection.index)};
        case Selection::Kind::AsyncSlice: {
            const AsyncSlice& slice = trace.asyncSlices()[selection.index];
            const bool hasEnd = !slice.unfinished && slice.duration >= 0;
            return TimeRange{slice.begin, hasEnd ? slice.begin + slice.duration : std::max(slice.begin, traceEnd)};
        }
        case Selection::Kind::AsyncInstant: {
            const TimeNs time = trace.asyncInstants()[selection.index].time;
            return TimeRange{time, time};
        }
        case Selection::Kind::Instant: {
            const TimeNs time = trace.instants()[selection.index].time;
            return TimeRange{time, time};
        }
        case Selection::Kind::CounterSample: {
            const CounterSeries& series = trace.counters()[selection.index].series[selection.series];
            const TimeNs time = series.time[selection.sample];
            const bool isLast = selection.sample + 1 == series.time.size();
            return TimeRange{time, isLast ? std::max(time, traceEnd) : series.time[selection.sample + 1]};
        }
    }
    return std::nullopt;
}

std::optional<EventPlace> placeOf(const Trace& trace, const TimelineModel& model, const LaneLayout& layout,
                                  const Selection& selection) {
    const std::optional<TimeRange> range = rangeOf(trace, selection);
    if (!range) {
        return std::nullopt;
    }
    EventPlace place{-1, *range};
    switch (selection.kind) {
        case Selection::Kind::None:
            break;
        case Selection::Kind::Slice:
            place.layoutRow = layout.rowOfLane(trace.laneOf(EventRow(selection.index)));
            break;
        case Selection::Kind::AsyncSlice:
        case Selection::Kind::AsyncInstant: {
            const size_t item =
                selection.index + (selection.kind == Selection::Kind::AsyncSlice ? 0 : trace.asyncSlices().size());
            if (item < model.asyncLaneOf.size()) {
                place.layoutRow = layout.rowOfAsyncLane(model.asyncLaneOf[item]);
            }
            break;
        }
        case Selection::Kind::Instant:
            place.layoutRow = layout.rowOfInstants(trace.instants()[selection.index].track);
            break;
        case Selection::Kind::CounterSample:
            for (uint32_t i = 0; i < model.counters.size(); ++i) {
                const CounterLane& lane = model.counters[i];
                if (lane.counter == selection.index && lane.series == selection.series) {
                    place.layoutRow = layout.rowOfCounter(i);
                    break;
                }
            }
            break;
    }
    return place.layoutRow >= 0 ? std::optional(place) : std::nullopt;
}

std::optional<SectionRef> sectionOf(const Trace& trace, const TimelineModel& model, const Selection& selection) {
    if (!selection.isIn(trace)) {
        return std::nullopt;
    }
    const auto ofTrack = [&](TrackId id) { return SectionRef::ofTrack(trace.track(id).process, id); };
    const auto ofAsync = [&](size_t item) -> std::optional<SectionRef> {
        for (const AsyncGroup& group : model.asyncGroups) {
            const uint32_t lane = item < model.asyncLaneOf.size() ? model.asyncLaneOf[item] : 0;
            if (group.firstLane <= lane && lane < group.firstLane + group.laneCount) {
                return SectionRef{SectionRef::Kind::Async, group.process, TrackId::none(), group.title};
            }
        }
        return std::nullopt;
    };
    switch (selection.kind) {
        case Selection::Kind::None:
            break;
        case Selection::Kind::Slice:
            return ofTrack(trace.slices().track[selection.index]);
        case Selection::Kind::Instant:
            return ofTrack(trace.instants()[selection.index].track);
        case Selection::Kind::AsyncSlice:
            return ofAsync(selection.index);
        case Selection::Kind::AsyncInstant:
            return ofAsync(trace.asyncSlices().size() + selection.index);
        case Selection::Kind::CounterSample:
            for (const CounterLane& lane : model.counters) {
                if (lane.counter == selection.index && lane.series == selection.series) {
                    return SectionRef{SectionRef::Kind::Counter, lane.process, TrackId::none(), lane.title};
                }
            }
            break;
    }
    return std::nullopt;
}

void unfold(const Trace& trace, const TimelineModel& model, const Selection& selection, LayoutState& state) {
    const auto openTrack = [&](TrackId track) {
        state.processCollapsed[trace.track(track).process.value] = 0;
        state.tracks[track.value].collapsed = false;
    };
    const auto openAsync = [&](TrackId track, size_t item) {
        state.processCollapsed[trace.track(track).process.value] = 0;
        for (size_t group = 0; item < model.asyncLaneOf.size() && group < model.asyncGroups.size(); ++group) {
            const uint32_t lane = model.asyncLaneOf[item];
            const AsyncGroup& lanes = model.asyncGroups[group];
            if (lanes.firstLane <= lane && lane < lanes.firstLane + lanes.laneCount) {
                state.asyncCollapsed[group] = 0;
            }
        }
    };
    switch (selection.kind) {
        case Selection::Kind::None:
            break;
        case Selection::Kind::Slice:
            openTrack(trace.slices().track[selection.index]);
            break;
        case Selection::Kind::Instant:
            openTrack(trace.instants()[selection.index].track);
            break;
        case Selection::Kind::AsyncSlice:
            openAsync(trace.asyncSlices()[selection.index].track, selection.index);
            break;
        case Selection::Kind::AsyncInstant:
            openAsync(trace.asyncInstants()[selection.index].track, trace.asyncSlices().size() + selection.index);
            break;
        case Selection::Kind::CounterSample:
            state.processCollapsed[trace.counters()[selection.index].process.value] = 0;
            break;
    }
}

Selection selectionOf(const Trace& trace, const TimelineModel& model, const LaneLayout& layout,
                      const Geometry& geometry, const Hit& hit, TimeNs time) {
    using Kind = Selection::Kind;
    switch (hit.kind) {
        case RowKind::Lane:
        case RowKind::Projection:
            return Selection::slice(EventRow(hit.bar->item));
        case RowKind::Async: {
            const auto slices = static_cast<uint32_t>(trace.asyncSlices().size());
            return hit.bar->item < slices ? Selection{Kind::AsyncSlice, hit.bar->item}
                                          : Selection{Kind::AsyncInstant, hit.bar->item - slices};
        }
        case RowKind::Instants:
            return {Kind::Instant, hit.bar->item};
        case RowKind::Counter: {
            const CounterLane& lane = model.counters[layout.rows()[geometry.rows[hit.row].layoutRow].index];
            const std::vector<TimeNs>& times = trace.counters()[lane.counter].series[lane.series].time;
            const auto next = std::upper_bound(times.begin(), times.end(), time);
            // Before the first point there is no value.
            return next == times.begin() ? Selection()
                                         : Selection{Kind::CounterSample, lane.counter, lane.series,
                                                     static_cast<uint64_t>(next - times.begin()) - 1};
        }
        case RowKind::Series:
            break;  // it is made of many events
    }
    return {};
}

}  // namespace warpline::timeline
