// SPDX-License-Identifier: MIT
#pragma once
// The clocks of the process that is recorded.

#include <ctime>

#include <cstdint>

namespace warpline::record {

inline int64_t readClock(clockid_t clock) {
    timespec time{};
    clock_gettime(clock, &time);
    constexpr int64_t kSecond = 1'000'000'000;
    return int64_t{time.tv_sec} * kSecond + time.tv_nsec;
}

/// Nanoseconds of the epoch; what CUPTI's records are in.
inline int64_t readRealtime() {
    return readClock(CLOCK_REALTIME);
}

}  // namespace warpline::record
