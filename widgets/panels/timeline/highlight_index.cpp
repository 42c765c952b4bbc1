// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/timeline/highlight_index.h"

#include <algorithm>
#include <ranges>

namespace warpline::timeline {

namespace {

/// A folded track shows no more than where something is: above this its first lane alone tells it.
constexpr size_t kMostFolded = 2'000'000;

const HighlightLane* findIn(const std::unordered_map<uint32_t, HighlightLane>& lanes, uint32_t key) {
    const auto it = lanes.find(key);
    return it == lanes.end() ? nullptr : &it->second;
}

bool isStopped(const JobControl* job) {
    return job != nullptr && job->stopRequested();
}

void sortAndUnite(std::vector<uint32_t>& numbers) {
    std::ranges::sort(numbers);
    const auto rest = std::ranges::unique(numbers);
    numbers.erase(rest.begin(), rest.end());
}

}  // namespace

HighlightIndex HighlightIndex::build(const Trace& trace, std::span<const EventRow> events, const JobControl* job) {
    HighlightIndex index;
    index.addSlices(trace, events, job);
    return index;
}

HighlightIndex HighlightIndex::build(const Trace& trace, const TimelineModel* model, const Highlight& highlight,
                                     const JobControl* job) {
    HighlightIndex index;
    index.addSlices(trace, highlight.events.rows(), job);
    if (highlight.points && !isStopped(job)) {
        index.addPoints(trace, model, *highlight.points);
    }
    return index;
}

void HighlightIndex::addSlices(const Trace& trace, std::span<const EventRow> events, const JobControl* job) {
    std::vector<uint32_t> rows;
    rows.reserve(events.size());
    for (const EventRow row : events) {
        if (row.value < trace.sliceCount()) {
            rows.push_back(row.value);
        }
    }
    sortAndUnite(rows);
    const SliceColumns& slices = trace.slices();
    const auto rowsBefore = [&](size_t from, uint32_t row) {
        return static_cast<size_t>(std::lower_bound(rows.begin() + static_cast<std::ptrdiff_t>(from), rows.end(), row) -
                                   rows.begin());
    };
    for (size_t i = 0; i < rows.size() && !isStopped(job);) {
        const Track& track = trace.track(slices.track[rows[i]]);
        const size_t firstOfTrack = i;
        const Lane& lastLane = trace.lanes()[track.firstLane + track.laneCount - 1];
        const size_t endOfTrack = rowsBefore(i, lastLane.firstRow + lastLane.count);
        bool isDeep = false;
        while (i < endOfTrack && !isStopped(job)) {
            const uint32_t lane = trace.laneOf(EventRow(rows[i]));
            const Lane& extent = trace.lanes()[lane];
            const size_t end = rowsBefore(i, extent.firstRow + extent.count);
            HighlightLane& out = m_lanes[lane];
            isDeep = isDeep || lane != track.firstLane;
            out.isWhole = end - i == extent.count;
            if (!out.isWhole) {
                for (size_t k = i; k < end; ++k) {
                    out.row.push_back(rows[k]);
                    out.begin.push_back(slices.begin[rows[k]]);
                    out.duration.push_back(slices.duration[rows[k]]);
                }
                out.lod = LodPyramid::build(out.begin, out.duration);
            }
            i = end;
        }
        if (isDeep && endOfTrack - firstOfTrack <= kMostFolded) {
            addFolded(trace, track, std::span(rows).subspan(firstOfTrack, endOfTrack - firstOfTrack));
        }
    }
}

void HighlightIndex::addFolded(const Trace& trace, const Track& track, std::span<const uint32_t> rows) {
    const SliceColumns& slices = trace.slices();
    std::vector<uint32_t> byBegin(rows.begin(), rows.end());
    // Rows of outer lanes are smaller.
    std::ranges::sort(byBegin, {}, [&](uint32_t row) { return std::pair(slices.begin[row], row); });
    HighlightLane& out = m_folded[track.firstLane];
    TimeNs reached = kEarliestTime;
    for (const uint32_t row : byBegin) {
        const TimeNs begin = out.row.empty() ? slices.begin[row] : std::max(slices.begin[row], reached);
        const TimeNs end = slices.end(row);
        if (!out.row.empty() && (end < begin || (end == begin && slices.duration[row] > 0))) {
            continue;
        }
        out.row.push_back(row);
        out.begin.push_back(begin);
        out.duration.push_back(end - begin);
        reached = std::max(reached, end);
    }
    out.lod = LodPyramid::build(out.begin, out.duration);
}

void HighlightIndex::addPoints(const Trace& trace, const TimelineModel* model,
                               const std::vector<HighlightPoint>& points) {
    std::unordered_map<uint32_t, std::vector<uint32_t>> places;  ///< by async lane
    const auto firstInstant = static_cast<uint32_t>(trace.asyncSlices().size());
    for (const HighlightPoint& point : points) {
        switch (point.kind) {
            case Selection::Kind::Instant:
                m_instants.push_back(point.index);
                break;
            case Selection::Kind::CounterSample:
                m_counters.push_back(point.index);
                break;
            case Selection::Kind::AsyncSlice:
            case Selection::Kind::AsyncInstant: {
                const uint32_t item = point.index + (point.kind == Selection::Kind::AsyncSlice ? 0 : firstInstant);
                if (model != nullptr && item < model->asyncLaneOf.size()) {
                    places[model->asyncLaneOf[item]].push_back(model->asyncPlaceOf[item]);
                }
                break;
            }
            case Selection::Kind::None:
            case Selection::Kind::Slice:
                break;
        }
    }
    sortAndUnite(m_instants);
    sortAndUnite(m_counters);
    for (auto& [number, wanted] : places) {
        sortAndUnite(wanted);
        const AsyncLane& lane = model->asyncLanes[number];
        HighlightLane& out = m_asyncLanes[number];
        for (const uint32_t place : wanted) {
            out.row.push_back(lane.index[place]);
            out.begin.push_back(lane.begin[place]);
            out.duration.push_back(lane.duration[place]);
        }
        out.lod = LodPyramid::build(out.begin, out.duration);
    }
}

const HighlightLane* HighlightIndex::find(uint32_t lane) const {
    return findIn(m_lanes, lane);
}

const HighlightLane* HighlightIndex::findFolded(uint32_t firstLane) const {
    const HighlightLane* all = findIn(m_folded, firstLane);
    return all != nullptr ? all : find(firstLane);
}

const HighlightLane* HighlightIndex::findAsync(uint32_t asyncLane) const {
    return findIn(m_asyncLanes, asyncLane);
}

std::optional<uint32_t> HighlightIndex::firstInstant(uint32_t first, uint32_t last) const {
    const auto it = std::ranges::lower_bound(m_instants, first);
    return it != m_instants.end() && *it < last ? std::optional(*it) : std::nullopt;
}

bool HighlightIndex::hasCounter(uint32_t counter) const {
    return std::ranges::binary_search(m_counters, counter);
}

}  // namespace warpline::timeline
