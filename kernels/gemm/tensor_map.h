// SPDX-License-Identifier: MIT
#pragma once
// How the tensor memory accelerator finds a box of a matrix.

#include <array>
#include <cstdint>

#include "core/base/result.h"

namespace warpline::kernels::gemm {

/// The words of a CUtensorMap, which a kernel takes by value.
using TensorMap = std::array<uint64_t, 16>;

/// For a half-precision matrix on the device, row by row, read in boxes of `boxRows` x `boxColumns` with the 128-byte
/// swizzle. What is outside of the matrix reads as 0. REQUIRES: boxColumns is 64, `columns` a multiple of 8.
Result<TensorMap> makeTensorMap(void* matrix, uint64_t rows, uint64_t columns, uint32_t boxRows, uint32_t boxColumns);

}  // namespace warpline::kernels::gemm
