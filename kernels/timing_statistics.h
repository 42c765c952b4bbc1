// SPDX-License-Identifier: MIT
#pragma once
// What a set of measured times looks like, and what rate they stand for. Pure; any thread. Times in nanoseconds.

#include <cstdint>
#include <optional>
#include <vector>

namespace warpline {

struct TimingStatistics {
    uint64_t count = 0;
    double minNs = 0, maxNs = 0;
    double firstQuartileNs = 0, medianNs = 0, thirdQuartileNs = 0;
    double iqrNs() const { return thirdQuartileNs - firstQuartileNs; }
};

/// The value that a share of `share` (0…1) of the sorted values lies below, interpolated between the two next to it:
/// the place is share * (n - 1), counted from 0. REQUIRES: not empty, sorted.
double quantile(const std::vector<double>& sorted, double share);

/// nullopt for no samples.
std::optional<TimingStatistics> timingStatistics(std::vector<double> samplesNs);

/// Per second; nullopt if the amount is not known or no time has passed.
std::optional<double> ratePerSecond(std::optional<uint64_t> amount, double timeNs);

/// CUDA events tick in about half a microsecond, and the gap between two of them is of that size too; below this an
/// event pair says little about a single launch.
inline constexpr double kShortForEventsNs = 10'000;
inline bool isTooShortForEvents(double medianNs) {
    return medianNs < kShortForEventsNs;
}

/// How many runs go into one CUDA graph so that a replay lasts long enough to be timed: about a millisecond, 1 to
/// 1,000.
uint64_t runsInGraph(double runNs);

}  // namespace warpline
