// SPDX-License-Identifier: MIT
#include "core/trace/initial_view.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "core/base/stoppable.h"

namespace warpline {

namespace {

constexpr double kFar = 1000;
constexpr size_t kMostGaps = 8;

double distance(TimeNs from, TimeNs to) {
    return static_cast<double>(to) - static_cast<double>(from);  // the difference of two times may not fit 64 bits
}

TimeRange spanOf(const std::vector<Interval>& events) {
    TimeRange span{events.front().begin, events.front().end};
    for (const Interval& e : events) {
        span.begin = std::min(span.begin, e.begin);
        span.end = std::max(span.end, e.end);
    }
    return span;
}

/// Whether more than half of the events begin within a few thousandths of the span: else nothing can be far from them.
bool looksClustered(const std::vector<Interval>& events, TimeRange span) {
    constexpr size_t kBuckets = 4096;
    constexpr size_t kWindow = 6;  // a rest of a thousandth of the span touches at most this many
    std::array<uint32_t, kBuckets> begins{};
    const double scale = (kBuckets - 1) / std::max(1.0, distance(span.begin, span.end));
    for (const Interval& e : events) {
        ++begins[static_cast<size_t>(distance(span.begin, e.begin) * scale)];
    }
    size_t inWindow = 0;
    for (size_t i = 0; i < kBuckets; ++i) {
        inWindow += begins[i];
        inWindow -= i >= kWindow ? begins[i - kWindow] : 0;
        if (inWindow * 2 > events.size()) {
            return true;
        }
    }
    return false;
}

struct Cluster {
    uint32_t first, last;  ///< in the order of begin, both included
    TimeRange span;
};

/// Cuts the sorted events at the given gaps (positions before which to cut, ascending).
std::vector<Cluster> cut(const std::vector<Interval>& events, const std::vector<uint32_t>& order,
                         std::vector<uint32_t> gaps) {
    std::ranges::sort(gaps);
    gaps.push_back(static_cast<uint32_t>(order.size()));
    std::vector<Cluster> clusters;
    uint32_t first = 0;
    for (const uint32_t gap : gaps) {
        Cluster c{first, gap - 1, {events[order[first]].begin, events[order[first]].end}};
        for (uint32_t i = first; i < gap; ++i) {
            c.span.end = std::max(c.span.end, events[order[i]].end);
        }
        clusters.push_back(c);
        first = gap;
    }
    return clusters;
}

}  // namespace

std::optional<ViewChoice> chooseInitialView(const std::vector<Interval>& events, const JobControl& job) {
    if (events.empty()) {
        return std::nullopt;
    }
    ViewChoice all{spanOf(events), {}};
    if (events.size() < 3 || !looksClustered(events, all.view)) {
        return all;
    }
    std::vector<uint32_t> order(events.size());
    std::iota(order.begin(), order.end(), 0U);
    if (!stableSortByKeyUnlessStopped(
            order, [&events](uint32_t i) { return events[i].begin; }, job)) {
        return std::nullopt;
    }
    // The widest stretches that no event covers; only they can part outliers from the rest.
    std::vector<std::pair<double, uint32_t>> gaps;
    TimeNs reached = events[order[0]].end;
    for (uint32_t i = 1; i < order.size(); ++i) {
        const Interval& e = events[order[i]];
        if (e.begin > reached) {
            gaps.emplace_back(distance(reached, e.begin), i);
            std::ranges::push_heap(gaps, std::greater<>());
            if (gaps.size() > kMostGaps) {
                std::ranges::pop_heap(gaps, std::greater<>());
                gaps.pop_back();
            }
        }
        reached = std::max(reached, e.end);
    }
    std::ranges::sort(gaps, std::greater<>());
    std::vector<uint32_t> chosen;
    for (const auto& gap : gaps) {
        if (job.stopRequested()) {
            return std::nullopt;
        }
        chosen.push_back(gap.second);
        const std::vector<Cluster> clusters = cut(events, order, chosen);
        const auto isRest = [&](const Cluster& c) { return size_t{c.last - c.first + 1} * 2 > events.size(); };
        const auto rest = std::ranges::find_if(clusters, isRest);
        if (rest == clusters.end()) {
            break;
        }
        const double far = kFar * distance(rest->span.begin, rest->span.end);
        const auto isFar = [&](const Cluster& c) {
            return c.first == rest->first ||
                   std::max(distance(c.span.end, rest->span.begin), distance(rest->span.end, c.span.begin)) > far;
        };
        if (far > 0 && std::ranges::all_of(clusters, isFar)) {
            ViewChoice choice{rest->span, {}};
            for (uint32_t i = 0; i < order.size(); ++i) {
                if (i < rest->first || i > rest->last) {
                    choice.outliers.push_back(order[i]);
                }
            }
            return choice;
        }
    }
    return all;
}

}  // namespace warpline
