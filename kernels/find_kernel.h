// SPDX-License-Identifier: MIT
#pragma once
// A sample kernel by its name on the command line.

#include <memory>
#include <string>
#include <vector>

#include "kernels/sample_kernel.h"

namespace warpline {

struct ChosenKernel {
    std::unique_ptr<SampleKernel> kernel;
    KernelVersion version;
    ParameterValues values;
};

/// "gemm", "gemm:tiled" and settings "M=4096", out of `kernels`. An error names what would be right.
Result<ChosenKernel> chooseKernel(std::vector<std::unique_ptr<SampleKernel>> kernels, const std::string& name,
                                  const std::vector<std::string>& settings);

}  // namespace warpline
