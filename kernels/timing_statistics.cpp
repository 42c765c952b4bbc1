// SPDX-License-Identifier: MIT
#include "kernels/timing_statistics.h"

#include <algorithm>
#include <cmath>

namespace warpline {

double quantile(const std::vector<double>& sorted, double share) {
    const double place = share * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<size_t>(place);
    const size_t above = std::min(below + 1, sorted.size() - 1);
    return sorted[below] + (sorted[above] - sorted[below]) * (place - static_cast<double>(below));
}

std::optional<TimingStatistics> timingStatistics(std::vector<double> samplesNs) {
    if (samplesNs.empty()) {
        return std::nullopt;
    }
    std::sort(samplesNs.begin(), samplesNs.end());
    return TimingStatistics{samplesNs.size(),          samplesNs.front(),        samplesNs.back(),
                            quantile(samplesNs, 0.25), quantile(samplesNs, 0.5), quantile(samplesNs, 0.75)};
}

std::optional<double> ratePerSecond(std::optional<uint64_t> amount, double timeNs) {
    if (!amount || !(timeNs > 0)) {
        return std::nullopt;
    }
    return static_cast<double>(*amount) * 1e9 / timeNs;
}

uint64_t runsInGraph(double runNs) {
    constexpr double kReplayNs = 1e6;
    if (!(runNs > 0)) {
        return 1000;
    }
    return static_cast<uint64_t>(std::clamp(std::ceil(kReplayNs / runNs), 1.0, 1000.0));
}

}  // namespace warpline
