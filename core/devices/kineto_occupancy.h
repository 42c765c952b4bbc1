// SPDX-License-Identifier: MIT
#pragma once
// What Kineto writes as "est. achieved occupancy %", worked out anew, so that it can be told why it is not the
// theoretical occupancy (definitions.md 4.3). Pure; any thread.

#include <cstdint>
#include <optional>

#include "core/devices/occupancy.h"

namespace warpline {

/// Kineto's formula: 100 * min(blocks that fit, blocks of the grid a multiprocessor) * threads of a block / threads
/// that fit, with the default limit of shared memory.
struct KinetoOccupancy {
    double percent = 0;  ///< before it is rounded to a whole number
    // Where it goes another way than the theoretical occupancy, by the strongest effect first:
    bool sharedOverDefault = false;  ///< more shared memory than a block gets without opting in, so no block is counted
    bool gridIsSmall = false;        ///< the grid has fewer blocks for each multiprocessor than fit on it
    bool countsThreads = false;      ///< the last warp of a block is not full; it counts threads, the device warps

    /// Whether that is what the file has.
    bool explains(double filePercent) const;
};

/// What a block gets of shared memory without opting in to more, on all devices so far.
inline constexpr int64_t kDefaultSharedBytes = 48 * 1024;

/// nullopt if the device, the shape or the resources are not known.
std::optional<KinetoOccupancy> kinetoOccupancy(const DeviceInfo& device, const KernelFacts& facts);

}  // namespace warpline
