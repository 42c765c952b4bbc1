// SPDX-License-Identifier: MIT
#include "core/analyses/intervals.h"

#include <numeric>

#include "core/base/stoppable.h"

namespace warpline {

namespace {

/// Calls visit(TimeRange) for the pieces of `a` that have a part in `range`, cut to it.
template <class Visit>
void forEachInside(const Intervals& a, TimeRange range, Visit visit) {
    // Pieces do not touch, so the only one that can reach into the range from before it is the last to begin there.
    const auto after = std::upper_bound(a.begin.begin(), a.begin.end(), range.begin);
    size_t i = static_cast<size_t>(after - a.begin.begin());
    for (i -= i > 0 ? 1 : 0; i < a.size() && a.begin[i] < range.end; ++i) {
        const TimeRange inside = a[i].intersected(range);
        if (!inside.empty()) {
            visit(inside);
        }
    }
}

}  // namespace

void Intervals::append(TimeRange piece) {
    if (piece.empty()) {
        return;
    }
    if (!empty() && piece.begin <= begin.back() + duration.back()) {
        duration.back() = std::max(duration.back(), piece.end - begin.back());
        return;
    }
    begin.push_back(piece.begin);
    duration.push_back(piece.length());
}

bool sortByBegin(std::vector<TimeRange>& ranges, const JobControl& job) {
    return stableSortByKeyUnlessStopped(
        ranges, [](const TimeRange& range) { return range.begin; }, job);
}

std::optional<Intervals> unionOf(std::vector<TimeRange>& ranges, const JobControl& job) {
    if (!sortByBegin(ranges, job)) {
        return std::nullopt;
    }
    Intervals out;
    StopPoll poll(job);
    for (const TimeRange& range : ranges) {
        if (poll.stopRequested()) {
            return std::nullopt;
        }
        out.append(range);
    }
    return out;
}

Intervals intersectionOf(const Intervals& a, const Intervals& b) {
    Intervals out;
    for (size_t i = 0, k = 0; i < a.size() && k < b.size();) {
        out.append(a[i].intersected(b[k]));
        if (a[i].end < b[k].end) {
            ++i;
        } else {
            ++k;
        }
    }
    return out;
}

Intervals complementOf(const Intervals& a, TimeRange range) {
    Intervals out;
    TimeNs reached = range.begin;
    forEachInside(a, range, [&](TimeRange piece) {
        out.append({reached, piece.begin});
        reached = piece.end;
    });
    out.append({reached, range.end});
    return out;
}

Intervals clipped(const Intervals& a, TimeRange range) {
    Intervals out;
    forEachInside(a, range, [&](TimeRange piece) { out.append(piece); });
    return out;
}

DurationNs lengthOf(const Intervals& a) {
    return std::accumulate(a.duration.begin(), a.duration.end(), DurationNs{0});
}

DurationNs lengthOf(const Intervals& a, TimeRange range) {
    DurationNs length = 0;
    forEachInside(a, range, [&](TimeRange piece) { length += piece.length(); });
    return length;
}

}  // namespace warpline
