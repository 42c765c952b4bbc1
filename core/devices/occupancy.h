// SPDX-License-Identifier: MIT
#pragma once
// Theoretical occupancy: how many of a multiprocessor's warps a kernel's launch shape and resources let it hold.
// A ceiling from the launch, not a measurement. Pure; any thread.

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "core/trace/event_facts.h"
#include "core/trace/file_info.h"

namespace warpline {

/// What one multiprocessor offers.
struct SmLimits {
    int64_t warpSize = 32;
    int64_t maxThreadsPerBlock = 1024;
    int64_t maxWarps = 0;
    int64_t maxBlocks = 0;
    int64_t registers = 0;
    int64_t registersPerBlock = 0;
    int64_t registerUnit = 256;  ///< registers are handed out to a warp in multiples of this
    int64_t maxRegistersPerThread = 255;
    int64_t subPartitions = 4;
    int64_t sharedBytes = 0;
    int64_t sharedBytesPerBlock = 0;  ///< what a kernel can opt in to
    int64_t sharedUnit = 128;         ///< shared memory is handed out in multiples of this
    int64_t sharedReserved = 0;       ///< taken by the system from every block
};

/// By compute capability 7.0 to 12.x; nullopt for others.
std::optional<SmLimits> smLimitsOf(int64_t computeMajor, int64_t computeMinor);
/// The same, with what the trace tells of its device in place of the table's numbers.
std::optional<SmLimits> smLimitsOf(const DeviceInfo& device);

enum class OccupancyLimiter : uint8_t { Warps, Registers, SharedMemory, Blocks };
/// "warps", "registers", "shared_memory", "blocks".
std::string_view occupancyLimiterName(OccupancyLimiter limiter);

struct Occupancy {
    int64_t activeBlocks = 0;                            ///< blocks that fit on one multiprocessor; 0: cannot run
    double ratio = 0;                                    ///< active warps over the most that fit, 0…1
    OccupancyLimiter limiter = OccupancyLimiter::Warps;  ///< of several, the first in the enum's order
};

/// nullopt if a number is negative (unknown) or the block is empty. `sharedBytes`: static + dynamic, per block.
std::optional<Occupancy> computeOccupancy(const SmLimits& sm, int64_t threadsPerBlock, int64_t registersPerThread,
                                          int64_t sharedBytes);

/// How often the whole device is filled: blocks over the blocks that fit at once. nullopt if none fits.
std::optional<double> computeWaves(const Occupancy& occupancy, int64_t gridBlocks, int64_t smCount);

}  // namespace warpline
