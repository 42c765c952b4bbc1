// SPDX-License-Identifier: MIT
#pragma once
// Memory straight from the system, in whole pages: what is never touched takes none, and what is freed is given back at
// once, which a heap that others use as well does not promise.

#include <cstddef>

namespace warpline {

/// Owns a zeroed stretch of memory, aligned to a page. Throws std::bad_alloc if there is none.
class PageMemory {
public:
    explicit PageMemory(size_t bytes);
    ~PageMemory();
    PageMemory(PageMemory&& other) noexcept;
    PageMemory& operator=(PageMemory&& other) noexcept;

    void* data() const { return m_data; }

private:
    void* m_data = nullptr;
    size_t m_bytes = 0;
};

/// Makes large blocks of the process's heap like that too, from 256 KiB on: a vector that is freed is then given back.
/// For main(), before anything large is allocated; where the C library knows no such setting, it does nothing.
void returnLargeBlocksWhenFreed();

}  // namespace warpline
