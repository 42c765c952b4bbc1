// SPDX-License-Identifier: MIT
#pragma once
// The inputs of the sample kernels, on the device; kernels/input_values.h says the same on the host. Values are
// multiples of 2^-10 in [-1, 1), so half precision holds them exactly.

namespace warpline::device {

__device__ inline float inputValue(unsigned long long index, unsigned seed) {
    unsigned long long mixed = index * 0x9E3779B97F4A7C15ULL + (seed + 1ULL) * 0xD1B54A32D192ED03ULL;
    mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9ULL;
    mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EBULL;
    mixed ^= mixed >> 31;
    return static_cast<float>(static_cast<int>(mixed >> 53) - 1024) * (1.0f / 1024.0f);
}

}  // namespace warpline::device
