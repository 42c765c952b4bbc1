// SPDX-License-Identifier: MIT
#pragma once
// Floating-point operations of an operator from its input shapes, by torch.profiler's formulas.

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace warpline::op_table {

/// The tensors' shapes out of `Input Dims` ("[[4096, 4096], [], 3]"): one entry an input, empty for what is no plain
/// list of whole numbers. nullopt if the text is no list.
std::optional<std::vector<std::vector<int64_t>>> parseShapes(std::string_view json);

/// Is there a formula for this name?
bool hasFlopsFormula(std::string_view opName);

/// nullopt: no formula, shapes that do not fit it, or more than 64 bits hold.
std::optional<int64_t> computeFlops(std::string_view opName, std::string_view inputDims);

}  // namespace warpline::op_table
