// SPDX-License-Identifier: MIT
#pragma once
// Whether there is a GPU that sample kernels can run on, and what it is.

#include "core/base/result.h"
#include "kernels/runner.h"

namespace warpline::device {

/// Makes GPU number `ordinal` the current one. An error says what is missing: driver, GPU, compute capability.
Result<GpuFacts> openGpu(int ordinal);
/// Whether `chosen` can run on it: its version's capability, and enough free memory.
Status fits(const GpuFacts& gpu, const ChosenKernel& chosen);

}  // namespace warpline::device
