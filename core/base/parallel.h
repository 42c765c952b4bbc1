// SPDX-License-Identifier: MIT
#pragma once
// Independent pieces of one computation, done on several threads while the caller waits.

#include <cstddef>
#include <functional>

namespace warpline {

/// How many threads are worth starting here: the cores this process may use, 32 at most; at least 1.
unsigned usableThreads();

/// Calls work(0) … work(count - 1), each once, on up to `threads` threads, the caller's among them; returns when all
/// are done. What a piece throws is thrown here, after the others have ended; pieces not begun by then are left out.
void parallelFor(size_t count, unsigned threads, const std::function<void(size_t)>& work);

}  // namespace warpline
