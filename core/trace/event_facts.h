// SPDX-License-Identifier: MIT
#pragma once
// Rare facts, kept beside the slice columns in tables sorted by row.

#include <array>
#include <cstdint>
#include <optional>

#include "core/base/ids.h"
#include "core/base/time.h"

namespace warpline {

inline constexpr int64_t kUnknownFact = -1;

/// Launch configuration of a kernel. Each number is kUnknownFact where the file does not say.
struct KernelFacts {
    EventRow row;
    int32_t device = -1;
    int64_t stream = kUnknownFact;
    int64_t context = kUnknownFact;
    std::array<int32_t, 3> grid = {-1, -1, -1};
    std::array<int32_t, 3> block = {-1, -1, -1};
    int32_t registersPerThread = -1;
    int64_t sharedBytes = kUnknownFact;        ///< static + dynamic
    int64_t staticSharedBytes = kUnknownFact;  ///< alone, where the file tells them apart
    int64_t dynamicSharedBytes = kUnknownFact;
    int64_t localBytesPerThread = kUnknownFact;
    float fileOccupancyPercent =
        -1;  ///< "est. achieved occupancy %" as the file has it; wrong above 48 KB of shared memory
    uint64_t graphNode = 0;

    bool hasLaunchShape() const { return grid[0] >= 0 && block[0] >= 0; }
};

/// Blocks of a grid, threads of a block; nullopt if a side is unknown or 64 bits do not hold the product (no device
/// takes such a launch).
constexpr std::optional<int64_t> shapeSize(const std::array<int32_t, 3>& sides) {
    int64_t size = 1;
    for (const int32_t side : sides) {
        if (side < 0 || __builtin_mul_overflow(size, int64_t{side}, &size)) {
            return std::nullopt;
        }
    }
    return size;
}

/// A memcpy or memset.
struct CopyFacts {
    EventRow row;
    int32_t device = -1;
    int64_t stream = kUnknownFact;
    int64_t bytes = kUnknownFact;
};

enum class MemoryDeviceType : uint8_t { Cpu = 0, Cuda = 1, Other = 2 };

/// One change of the allocator's level, or one failed request.
struct MemoryEvent {
    TimeNs time = 0;
    FileId file;
    TrackId track;
    MemoryDeviceType deviceType = MemoryDeviceType::Cpu;
    int64_t rawDeviceType = 0;  ///< the file's number
    int64_t device = -1;        ///< -1 for the host
    uint64_t address = 0;
    int64_t bytes = 0;            ///< signed: a free is negative; the request's size if `outOfMemory`
    int64_t totalAllocated = -1;  ///< level after the event; -1 unknown
    int64_t totalReserved = -1;
    bool outOfMemory = false;
    uint32_t order = 0;  ///< order in the file, among equal times
};

}  // namespace warpline
