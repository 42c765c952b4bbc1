// SPDX-License-Identifier: MIT
#include "core/loaders/perfetto_proto/clocks.h"

#include <algorithm>
#include <limits>

namespace warpline::loaders::perfetto_proto {

namespace {

/// Real snapshots hold under ten clocks; what hostile ones hold beyond these is not looked at.
constexpr size_t kMostReadings = 16;
constexpr size_t kMostNeighbours = 64;

std::optional<TimeNs> inNs(uint64_t value, uint64_t unitNs) {
    uint64_t ns = 0;
    if (__builtin_mul_overflow(value, unitNs, &ns) || ns > uint64_t{std::numeric_limits<TimeNs>::max()}) {
        return std::nullopt;
    }
    return static_cast<TimeNs>(ns);
}

}  // namespace

void Clocks::addSnapshot(uint32_t sequence, const std::vector<ClockReading>& readings,
                         std::optional<uint32_t> primary) {
    if (!m_traceClock) {
        m_traceClock = primary;
    }
    ++m_snapshots;
    std::vector<std::pair<Key, TimeNs>> times;
    for (const ClockReading& reading : readings) {
        const uint64_t unit = reading.unitNs == 0 ? 1 : reading.unitNs;
        const Key key = keyOf(sequence, reading.clock);
        Clock& clock = m_clocks[key];
        clock.unitNs = unit;
        clock.isIncremental = reading.isIncremental;
        clock.last = reading.value;
        const auto ns = inNs(reading.value, unit);
        if (ns && times.size() < kMostReadings) {
            times.emplace_back(key, *ns);
        }
    }
    for (const auto& [from, fromNs] : times) {
        for (const auto& [to, toNs] : times) {
            if (from == to) {
                continue;
            }
            std::vector<Pair>& pairs = m_pairs[{from, to}];
            std::vector<Key>& neighbours = m_clocks[from].neighbours;
            if (pairs.empty() && neighbours.size() < kMostNeighbours) {
                neighbours.push_back(to);
            }
            if (pairs.empty() || pairs.back().from < fromNs) {
                pairs.push_back({fromNs, toNs});
            }
        }
    }
}

Clocks::Time Clocks::packetTime(uint32_t sequence, uint32_t clock, uint64_t value) {
    const Key key = keyOf(sequence, clock);
    Clock& state = m_clocks[key];
    if (state.isIncremental) {
        state.last += value;
        value = state.last;
    }
    const auto ns = inNs(value, state.unitNs);
    return ns ? toTrace(key, *ns) : Time{};
}

Clocks::Time Clocks::sharedTime(uint32_t clock, TimeNs ns) {
    return toTrace(keyOf(0, clock), ns);
}

bool Clocks::findPath(Key key, Clock& clock) {
    if (!clock.path.empty()) {
        return true;
    }
    if (clock.searchedAt == m_snapshots) {
        return false;
    }
    clock.searchedAt = m_snapshots;
    const Key target = traceClock();
    if (m_pairs.find({key, target}) != m_pairs.end()) {
        clock.path = {target};
        return true;
    }
    const auto it = std::ranges::find_if(clock.neighbours, [&](Key between) {
        return m_pairs.find({between, target}) != m_pairs.end();
    });
    if (it != clock.neighbours.end()) {
        clock.path = {*it, target};
    }
    return it != clock.neighbours.end();
}

Clocks::Time Clocks::toTrace(Key key, TimeNs ns) {
    if (key == traceClock()) {
        return {ns, true};
    }
    Clock& clock = m_clocks[key];
    if (!findPath(key, clock)) {
        return {ns, false};
    }
    for (const Key next : clock.path) {
        // The last snapshot before it; what is before all of them goes by the first.
        const std::vector<Pair>& pairs = m_pairs[{key, next}];
        const auto after = std::ranges::upper_bound(pairs, ns, {}, &Pair::from);
        const Pair& pair = after == pairs.begin() ? *after : *(after - 1);
        ns = addSaturated(pair.to, distanceSaturated(pair.from, ns));
        key = next;
    }
    return {ns, true};
}

std::optional<int64_t> Clocks::wallClockAtZero() const {
    const auto it = m_pairs.find({Key{traceClock()}, Key{kRealtimeClock}});
    if (traceClock() == kRealtimeClock) {
        return 0;
    }
    return it == m_pairs.end() ? std::nullopt : std::optional<int64_t>(it->second.front().to - it->second.front().from);
}

}  // namespace warpline::loaders::perfetto_proto
