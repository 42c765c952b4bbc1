// SPDX-License-Identifier: MIT
#include "core/analyses/duration_statistics.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace warpline {

double medianOf(std::span<int64_t> values) {
    const size_t middle = values.size() / 2;
    const auto upper = values.begin() + static_cast<std::ptrdiff_t>(middle);
    std::nth_element(values.begin(), upper, values.end());
    if (values.size() % 2 == 1) {
        return static_cast<double>(*upper);
    }
    const int64_t lower = *std::max_element(values.begin(), upper);
    return static_cast<double>(lower) +
           static_cast<double>(static_cast<uint64_t>(*upper) - static_cast<uint64_t>(lower)) / 2;
}

DurationSummary durationSummary(std::span<int64_t> durationsNs) {
    DurationSummary out;
    out.minNs = out.maxNs = durationsNs.front();
    // 2^32 slices of 2^62 ns need 94 bits.
    __extension__ using Int128 = __int128;
    Int128 total = 0;
    for (const int64_t duration : durationsNs) {
        out.total += duration;
        total += duration;
        out.minNs = std::min(out.minNs, duration);
        out.maxNs = std::max(out.maxNs, duration);
    }
    out.meanNs = static_cast<double>(total) / static_cast<double>(durationsNs.size());
    out.medianNs = medianOf(durationsNs);
    return out;
}

DurationStatistics durationStatistics(std::span<int64_t> durationsNs) {
    std::sort(durationsNs.begin(), durationsNs.end());
    DurationStatistics out{durationSummary(durationsNs), durationsNs[(durationsNs.size() * 95 + 99) / 100 - 1], 0};
    double squares = 0;
    for (const int64_t duration : durationsNs) {
        const double off = static_cast<double>(duration) - out.meanNs;
        squares += off * off;
    }
    out.stddevNs = std::sqrt(squares / static_cast<double>(durationsNs.size()));
    return out;
}

}  // namespace warpline
