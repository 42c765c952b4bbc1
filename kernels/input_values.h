// SPDX-License-Identifier: MIT
#pragma once
// The inputs of the sample kernels, on the host, so that a result can be checked without copying them back: each value
// follows from its index. kernels/device/input_value.cuh says the same on the device.

#include <cstdint>

namespace warpline {

/// A multiple of 2^-10 in [-1, 1), which half precision holds exactly.
inline double inputValue(uint64_t index, uint32_t seed) {
    uint64_t mixed = index * 0x9E3779B97F4A7C15ULL + (seed + 1ULL) * 0xD1B54A32D192ED03ULL;
    mixed = (mixed ^ (mixed >> 30U)) * 0xBF58476D1CE4E5B9ULL;
    mixed = (mixed ^ (mixed >> 27U)) * 0x94D049BB133111EBULL;
    mixed ^= mixed >> 31U;
    return static_cast<double>(static_cast<int64_t>(mixed >> 53U) - 1024) / 1024.0;
}

/// The value of a half-precision number from its bits.
double halfValue(uint16_t bits);

}  // namespace warpline
