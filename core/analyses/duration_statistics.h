// SPDX-License-Identifier: MIT
#pragma once
// What a set of durations looks like. Pure; any thread. All of it is in nanoseconds.

#include <cstdint>
#include <span>

#include "core/base/sum.h"

namespace warpline {

struct DurationSummary {
    Sum total;
    int64_t minNs = 0, maxNs = 0;
    double medianNs = 0;  ///< mean of the middle two for an even count
    double meanNs = 0;
};
struct DurationStatistics : DurationSummary {
    int64_t p95Ns = 0;    ///< nearest rank
    double stddevNs = 0;  ///< of the population
};

/// The middle one, or the mean of the middle two. Linear. REQUIRES: not empty. Changes the order.
double medianOf(std::span<int64_t> values);
/// Linear. REQUIRES: not empty. Changes the order.
DurationSummary durationSummary(std::span<int64_t> durationsNs);
/// REQUIRES: not empty. Sorts `durationsNs`.
DurationStatistics durationStatistics(std::span<int64_t> durationsNs);

}  // namespace warpline
