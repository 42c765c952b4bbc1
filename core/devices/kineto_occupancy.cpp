// SPDX-License-Identifier: MIT
#include "core/devices/kineto_occupancy.h"

#include <algorithm>
#include <cmath>

namespace warpline {

bool KinetoOccupancy::explains(double filePercent) const {
    // Kineto calculates in 32 bits, which may fall on the other side of a half.
    constexpr double kHalf = 0.5 + 1e-4;
    return std::abs(filePercent - percent) <= kHalf;
}

std::optional<KinetoOccupancy> kinetoOccupancy(const DeviceInfo& device, const KernelFacts& facts) {
    std::optional<SmLimits> limits = smLimitsOf(device);
    const std::optional<int64_t> threads = shapeSize(facts.block);
    const std::optional<int64_t> blocks = shapeSize(facts.grid);
    if (!limits || !threads || !blocks || !device.smCount || *device.smCount <= 0) {
        return std::nullopt;
    }
    const int64_t defaultShared = device.sharedBytesPerBlock.value_or(kDefaultSharedBytes);
    limits->sharedBytesPerBlock = defaultShared;
    const auto fits = computeOccupancy(*limits, *threads, facts.registersPerThread, facts.sharedBytes);
    if (!fits) {
        return std::nullopt;
    }
    const double blocksPerSm = static_cast<double>(*blocks) / static_cast<double>(*device.smCount);
    const double counted = std::min(static_cast<double>(fits->activeBlocks), blocksPerSm);
    KinetoOccupancy out;
    out.percent =
        100 * counted * static_cast<double>(*threads) / static_cast<double>(limits->maxWarps * limits->warpSize);
    out.sharedOverDefault = facts.sharedBytes > defaultShared;
    out.gridIsSmall = !out.sharedOverDefault && blocksPerSm < static_cast<double>(fits->activeBlocks);
    out.countsThreads = !out.sharedOverDefault && *threads % limits->warpSize != 0;
    return out;
}

}  // namespace warpline
