// SPDX-License-Identifier: MIT
#include "core/devices/occupancy.h"

#include <algorithm>
#include <limits>

namespace warpline {

namespace {

struct Generation {
    int64_t major, minor;
    int64_t warps, blocks;
    int64_t sharedKiB, sharedPerBlockKiB;
};

// CUDA C++ Programming Guide, "Technical Specifications per Compute Capability".
constexpr Generation kGenerations[] = {
    {7, 0, 64, 32, 96, 96},    {7, 2, 64, 32, 96, 96},    {7, 5, 32, 16, 64, 64},    {8, 0, 64, 32, 164, 163},
    {8, 6, 48, 16, 100, 99},   {8, 7, 48, 16, 164, 163},  {8, 9, 48, 24, 100, 99},   {9, 0, 64, 32, 228, 227},
    {10, 0, 64, 32, 228, 227}, {10, 1, 48, 24, 228, 227}, {10, 3, 64, 32, 228, 227}, {11, 0, 48, 24, 228, 227},
    {12, 0, 48, 24, 100, 99},  {12, 1, 48, 24, 100, 99},
};

constexpr int64_t kKiB = 1024;

int64_t roundUp(int64_t value, int64_t unit) {
    return (value + unit - 1) / unit * unit;
}

/// Takes the trace's number where it gives a sensible one.
void prefer(int64_t& limit, const std::optional<int64_t>& told) {
    if (told && *told > 0) {
        limit = *told;
    }
}

}  // namespace

std::optional<SmLimits> smLimitsOf(int64_t computeMajor, int64_t computeMinor) {
    const auto* found = std::find_if(std::begin(kGenerations), std::end(kGenerations), [&](const Generation& g) {
        return g.major == computeMajor && g.minor == computeMinor;
    });
    if (found == std::end(kGenerations)) {
        return std::nullopt;
    }
    SmLimits sm;
    sm.maxWarps = found->warps;
    sm.maxBlocks = found->blocks;
    sm.registers = 65536;
    sm.registersPerBlock = 65536;
    sm.sharedBytes = found->sharedKiB * kKiB;
    sm.sharedBytesPerBlock = found->sharedPerBlockKiB * kKiB;
    sm.sharedUnit = computeMajor >= 8 ? 128 : 256;
    sm.sharedReserved = computeMajor >= 8 ? kKiB : 0;
    return sm;
}

std::optional<SmLimits> smLimitsOf(const DeviceInfo& device) {
    if (!device.computeMajor || !device.computeMinor) {
        return std::nullopt;
    }
    std::optional<SmLimits> sm = smLimitsOf(*device.computeMajor, *device.computeMinor);
    if (sm) {
        prefer(sm->warpSize, device.warpSize);
        prefer(sm->maxThreadsPerBlock, device.maxThreadsPerBlock);
        if (device.maxThreadsPerSm && *device.maxThreadsPerSm >= sm->warpSize) {
            sm->maxWarps = *device.maxThreadsPerSm / sm->warpSize;
        }
        prefer(sm->registers, device.registersPerSm);
        prefer(sm->registersPerBlock, device.registersPerBlock);
        prefer(sm->sharedBytes, device.sharedBytesPerSm);
        prefer(sm->sharedBytesPerBlock, device.sharedBytesPerBlockOptin);
    }
    return sm;
}

std::string_view occupancyLimiterName(OccupancyLimiter limiter) {
    switch (limiter) {
        case OccupancyLimiter::Warps:
            return "warps";
        case OccupancyLimiter::Registers:
            return "registers";
        case OccupancyLimiter::SharedMemory:
            return "shared_memory";
        case OccupancyLimiter::Blocks:
            break;
    }
    return "blocks";
}

std::optional<Occupancy> computeOccupancy(const SmLimits& sm, int64_t threadsPerBlock, int64_t registersPerThread,
                                          int64_t sharedBytes) {
    // Bounds that no device reaches keep the products below in range.
    constexpr int64_t kFarTooMany = int64_t{1} << 40;
    if (threadsPerBlock <= 0 || registersPerThread < 0 || sharedBytes < 0 || sm.maxWarps <= 0 ||
        threadsPerBlock > kFarTooMany || sharedBytes > kFarTooMany) {
        return std::nullopt;
    }
    constexpr int64_t kNoLimit = std::numeric_limits<int64_t>::max();
    const int64_t warps = (threadsPerBlock + sm.warpSize - 1) / sm.warpSize;

    const int64_t byWarps = threadsPerBlock > sm.maxThreadsPerBlock ? 0 : sm.maxWarps / warps;

    int64_t byRegisters = kNoLimit;
    if (registersPerThread > sm.maxRegistersPerThread) {
        byRegisters = 0;
    } else if (registersPerThread > 0) {
        const int64_t perWarp = roundUp(registersPerThread * sm.warpSize, sm.registerUnit);
        // The hardware's check takes the registers of all sub-partitions to be handed out at once.
        const bool fits = perWarp * roundUp(warps, sm.subPartitions) <= sm.registersPerBlock;
        const int64_t warpsPerPartition = sm.registers / sm.subPartitions / perWarp;
        byRegisters = fits ? warpsPerPartition * sm.subPartitions / warps : 0;
    }

    int64_t byShared = kNoLimit;
    if (sharedBytes > sm.sharedBytesPerBlock) {
        byShared = 0;
    } else if (sharedBytes + sm.sharedReserved > 0) {
        byShared = sm.sharedBytes / roundUp(sharedBytes + sm.sharedReserved, sm.sharedUnit);
    }

    Occupancy out;
    out.activeBlocks = std::min({byWarps, byRegisters, byShared, sm.maxBlocks});
    out.ratio = static_cast<double>(out.activeBlocks * warps) / static_cast<double>(sm.maxWarps);
    if (out.activeBlocks == byWarps) {
        out.limiter = OccupancyLimiter::Warps;
    } else if (out.activeBlocks == byRegisters) {
        out.limiter = OccupancyLimiter::Registers;
    } else if (out.activeBlocks == byShared) {
        out.limiter = OccupancyLimiter::SharedMemory;
    } else {
        out.limiter = OccupancyLimiter::Blocks;
    }
    return out;
}

std::optional<double> computeWaves(const Occupancy& occupancy, int64_t gridBlocks, int64_t smCount) {
    if (occupancy.activeBlocks <= 0 || gridBlocks < 0 || smCount <= 0) {
        return std::nullopt;
    }
    return static_cast<double>(gridBlocks) /
           (static_cast<double>(smCount) * static_cast<double>(occupancy.activeBlocks));
}

}  // namespace warpline
