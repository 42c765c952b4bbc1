// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace warpline {

/// What this machine has, or the most that fits in 63 bits where it does not say. Any thread.
uint64_t physicalMemoryBytes();

}  // namespace warpline
