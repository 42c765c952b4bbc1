// SPDX-License-Identifier: MIT
#pragma once
// A capture of several turns of a schedule as one capture a turn.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/base/result.h"

namespace warpline::record {

/// More files than that help nobody.
inline constexpr size_t kMostTurns = 64;

/// Writes `pathOf(cycle)` for each turn that began in any process, cycles from 1; returns their paths. What belongs to
/// no turn is in none of them; what all of it leans on (texts, devices, threads, code, losses) is in each. Nothing is
/// written if there is no more than one turn, or if there are more than kMostTurns. Fails if a file cannot be read
/// whole or written; what was written then is removed.
Result<std::vector<std::string>> splitCycles(const std::string& capture,
                                             const std::function<std::string(uint32_t cycle)>& pathOf);

}  // namespace warpline::record
