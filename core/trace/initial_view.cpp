// SPDX-License-Identifier: MIT
#include "core/trace/initial_view.h"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <span>

#include "core/base/stoppable.h"

namespace warpline {

namespace {

constexpr double kFar = 1000;
constexpr size_t kMostGaps = 8;

double distance(TimeNs from, TimeNs to) {
    return static_cast<double>(to) - static_cast<double>(from);  // the difference of two times may not fit 64 bits
}

/// A small piece at a time, as all at once would take as much memory as the trace has for their times. False when
/// stopped.
template <class Take>
bool forEachEvent(const EventIntervals& events, const JobControl& job, Take take) {
    std::array<Interval, 1024> piece;
    for (size_t first = 0; first < events.count; first += piece.size()) {
        const auto some = std::span(piece).first(std::min(piece.size(), events.count - first));
        events.read(first, some);
        for (const Interval& e : some) {
            take(e);
        }
        if (job.stopRequested()) {
            return false;
        }
    }
    return true;
}

/// Counts where events begin, to tell whether more than half of them do so within a few thousandths of the span: else
/// nothing can be far from them.
class Spread {
public:
    explicit Spread(TimeRange span)
        : m_begin(span.begin), m_scale((kBuckets - 1) / std::max(1.0, distance(span.begin, span.end))) {}
    void add(TimeNs begin) { ++m_begins[static_cast<size_t>(distance(m_begin, begin) * m_scale)]; }
    bool isClustered(size_t count) const {
        constexpr size_t kWindow = 6;  // a rest of a thousandth of the span touches at most this many
        size_t inWindow = 0;
        for (size_t i = 0; i < kBuckets; ++i) {
            inWindow += m_begins[i];
            inWindow -= i >= kWindow ? m_begins[i - kWindow] : 0;
            if (inWindow * 2 > count) {
                return true;
            }
        }
        return false;
    }

private:
    static constexpr size_t kBuckets = 4096;
    TimeNs m_begin;
    double m_scale;
    std::array<uint32_t, kBuckets> m_begins{};
};

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

std::optional<ViewChoice> chooseInitialView(const EventIntervals& intervals, const JobControl& job) {
    if (intervals.count == 0) {
        return std::nullopt;
    }
    ViewChoice all{{std::numeric_limits<TimeNs>::max(), std::numeric_limits<TimeNs>::min()}, {}};
    const auto extend = [&all](const Interval& e) {
        all.view = {std::min(all.view.begin, e.begin), std::max(all.view.end, e.end)};
    };
    if (!forEachEvent(intervals, job, extend)) {
        return std::nullopt;
    }
    Spread spread(all.view);
    if (!forEachEvent(intervals, job, [&spread](const Interval& e) { spread.add(e.begin); })) {
        return std::nullopt;
    }
    if (intervals.count < 3 || !spread.isClustered(intervals.count)) {
        return all;
    }
    std::vector<Interval> events(intervals.count);
    intervals.read(0, events);
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
