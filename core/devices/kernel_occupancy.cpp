// SPDX-License-Identifier: MIT
#include "core/devices/kernel_occupancy.h"

namespace warpline {

namespace {

KernelOccupancy gap(OccupancyGap why) {
    return {why, std::nullopt, std::nullopt};
}

}  // namespace

KernelOccupancy kernelOccupancy(const Trace& trace, FileId file, const KernelFacts& facts) {
    const DeviceInfo* device = facts.device >= 0 ? trace.findDevice(file, facts.device) : nullptr;
    const std::optional<SmLimits> limits = device != nullptr ? smLimitsOf(*device) : std::nullopt;
    if (!limits) {
        return gap(OccupancyGap::Device);
    }
    const std::optional<int64_t> threads = shapeSize(facts.block);
    if (!threads || *threads == 0) {
        return gap(OccupancyGap::Block);
    }
    if (facts.registersPerThread < 0 || facts.sharedBytes < 0) {
        return gap(OccupancyGap::Resources);
    }
    KernelOccupancy out;
    out.occupancy = computeOccupancy(*limits, *threads, facts.registersPerThread, facts.sharedBytes);
    if (!out.occupancy || out.occupancy->activeBlocks == 0) {
        return gap(OccupancyGap::Limits);
    }
    if (const std::optional<int64_t> blocks = shapeSize(facts.grid); blocks && device->smCount) {
        out.waves = computeWaves(*out.occupancy, *blocks, *device->smCount);
    }
    return out;
}

}  // namespace warpline
