// SPDX-License-Identifier: MIT
#pragma once
// Whether a matrix is the product of two matrices of inputs. Pure; any thread.

#include <cstdint>
#include <vector>

#include "kernels/sample_kernel.h"

namespace warpline {

/// Seeds of the inputs.
inline constexpr uint32_t kSeedA = 1, kSeedB = 2;

/// `c`: the bits of `rows` x `columns` half-precision numbers, row by row; A and B are inputValue(index, kSeedA) and
/// (…, kSeedB), with `depth` columns and rows. All of C by C * x = A * (B * x) for a vector of ones with random signs,
/// which one wrong element disturbs; and single elements.
KernelCheck checkProduct(const std::vector<uint16_t>& c, uint64_t rows, uint64_t columns, uint64_t depth);

}  // namespace warpline
