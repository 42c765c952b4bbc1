// SPDX-License-Identifier: MIT
#pragma once
// Tables whose keys come from files mix this into their hashes, so that no file can be made to fill one place of them.
// Any thread.

#include <cstdint>

namespace warpline {

/// Another number in each process. Nothing that is shown or written may depend on it.
uint64_t hashSeed();

}  // namespace warpline
