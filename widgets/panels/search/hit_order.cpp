// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/search/hit_order.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <unordered_map>
#include <utility>

#include "core/base/stoppable.h"

namespace warpline::search {

namespace {

constexpr int64_t kLast = std::numeric_limits<int64_t>::max();

/// What hits with one text have in common, so that it is made once for them all.
uint64_t textId(const Trace& trace, const Selection& hit, int column) {
    switch (column) {
        case NameColumn:
            switch (hit.kind) {
                case Selection::Kind::Slice:
                    return trace.slices().name[hit.index].value;
                case Selection::Kind::AsyncSlice:
                    return trace.asyncSlices()[hit.index].name.value;
                case Selection::Kind::AsyncInstant:
                    return trace.asyncInstants()[hit.index].name.value;
                case Selection::Kind::Instant:
                    return trace.instants()[hit.index].name.value;
                case Selection::Kind::CounterSample:
                    return trace.counters()[hit.index].name.value;
                case Selection::Kind::None:
                    break;
            }
            return 0;
        case TrackColumn: {
            const TrackId track = trackOf(trace, hit);
            return track.valid() ? track.value : (uint64_t{1} << 32) | processOf(trace, hit).value;
        }
        default:
            return hit.kind == Selection::Kind::Slice ? static_cast<uint64_t>(trace.slices().kind[hit.index])
                                                      : (uint64_t{1} << 32) | static_cast<uint64_t>(hit.kind);
    }
}

/// By textId(), the place of the text among all; equal texts have the same. nullopt when stopped.
std::optional<std::unordered_map<uint64_t, int64_t>> ranksOf(const Trace& trace, const Highlight& hits, int column,
                                                             StopPoll& poll) {
    std::unordered_map<uint64_t, int64_t> ranks;
    std::vector<std::pair<QString, uint64_t>> texts;
    for (size_t i = 0; i < hits.size(); ++i) {
        if (poll.stopRequested()) {
            return std::nullopt;
        }
        const Selection hit = hits.at(i);
        const uint64_t id = textId(trace, hit, column);
        if (ranks.try_emplace(id, 0).second) {
            texts.emplace_back(hitText(trace, hit, column), id);
        }
    }
    std::ranges::sort(texts);
    int64_t rank = 0;
    for (size_t i = 0; i < texts.size(); ++i) {
        rank += i > 0 && texts[i].first != texts[i - 1].first ? 1 : 0;
        ranks[texts[i].second] = rank;
    }
    return ranks;
}

}  // namespace

std::optional<HitOrder> sortedHits(const Trace& trace, const Highlight& hits, const HitSort& sort, JobControl& job) {
    if (sort.isByTime()) {
        return HitOrder();
    }
    struct Key {
        int64_t value;
        uint32_t hit;
    };
    StopPoll poll(job);
    std::optional<std::unordered_map<uint64_t, int64_t>> ranks;
    if (sort.column != StartColumn && sort.column != DurationColumn) {
        ranks = ranksOf(trace, hits, sort.column, poll);
        if (!ranks) {
            return std::nullopt;
        }
    }
    std::vector<Key> keys;
    keys.reserve(hits.size());
    for (size_t i = 0; i < hits.size(); ++i) {
        if (poll.stopRequested()) {
            return std::nullopt;
        }
        const Selection hit = hits.at(i);
        const auto number = static_cast<uint32_t>(i);
        if (ranks) {
            const int64_t rank = ranks->at(textId(trace, hit, sort.column));
            keys.push_back({sort.isDescending ? -rank : rank, number});
        } else if (sort.column == StartColumn) {
            const TimeNs begin = beginOf(trace, hit);
            keys.push_back({sort.isDescending ? -begin : begin, number});
        } else {
            const DurationNs duration = durationOf(trace, hit).value_or(kUnknownDuration);
            keys.push_back({duration < 0 ? kLast : sort.isDescending ? -duration : duration, number});
        }
    }
    if (!stableSortUnlessStopped(
            keys, [](const Key& a, const Key& b) { return a.value < b.value; }, job)) {
        return std::nullopt;
    }
    auto order = std::make_shared<std::vector<uint32_t>>();
    order->reserve(keys.size());
    for (const Key& key : keys) {
        order->push_back(key.hit);
    }
    return HitOrder(std::move(order));
}

}  // namespace warpline::search
