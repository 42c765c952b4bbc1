// SPDX-License-Identifier: MIT
#pragma once
// Times of a trace's many clocks on one axis, the trace's own clock: snapshots say what clocks showed at one moment.
// Clocks 64 … 127 belong to their packet sequence. One thread.

#include <cstdint>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/base/time.h"

namespace warpline::loaders::perfetto_proto {

inline constexpr uint32_t kRealtimeClock = 1;
inline constexpr uint32_t kMonotonicClock = 3;
inline constexpr uint32_t kBootClock = 6;

/// What one clock showed, in its own unit.
struct ClockReading {
    uint32_t clock = 0;
    uint64_t value = 0;
    bool isIncremental = false;  ///< later values of its sequence are what was added since
    uint64_t unitNs = 1;
};

class Clocks {
public:
    /// Readings taken together. `primary`: the clock of the trace, if the snapshot names it; the first one counts.
    void addSnapshot(uint32_t sequence, const std::vector<ClockReading>& readings, std::optional<uint32_t> primary);

    uint32_t traceClock() const { return m_traceClock.value_or(kBootClock); }

    /// What a packet's timestamp means. A packet counts for incremental clocks, so ask once a packet, in their order.
    struct Time {
        std::optional<TimeNs> ns;    ///< nullopt: more than 64 bits hold
        bool isOnTraceClock = true;  ///< false: no snapshot ties its clock to the trace's; ns is as it stands
    };
    Time packetTime(uint32_t sequence, uint32_t clock, uint64_t value);
    /// A time of a clock that the whole trace shares.
    Time sharedTime(uint32_t clock, TimeNs ns);

    /// Nanoseconds since 1970 at time 0 of the trace's clock; nullopt if no snapshot says.
    std::optional<int64_t> wallClockAtZero() const;

private:
    using Key = uint64_t;
    static Key keyOf(uint32_t sequence, uint32_t clock) {
        return clock >= 64 && clock < 128 ? Key{sequence} << 32 | clock : Key{clock};
    }
    struct Clock {
        uint64_t unitNs = 1;
        bool isIncremental = false;
        uint64_t last = 0;            ///< of an incremental clock
        std::vector<Key> neighbours;  ///< in a snapshot with it
        std::vector<Key> path;        ///< to the trace's clock, once found
        uint64_t searchedAt = ~uint64_t{0};
    };
    struct Pair {
        TimeNs from, to;
    };
    Time toTrace(Key key, TimeNs ns);
    bool findPath(Key key, Clock& clock);

    std::optional<uint32_t> m_traceClock;
    std::unordered_map<Key, Clock> m_clocks;
    std::map<std::pair<Key, Key>, std::vector<Pair>> m_pairs;  ///< ascending by `from`
    uint64_t m_snapshots = 0;
};

}  // namespace warpline::loaders::perfetto_proto
