// SPDX-License-Identifier: MIT
#pragma once
// Memory straight from the system, in whole pages: what is never touched takes none, growing moves it without a copy,
// and what is freed is given back at once, which a heap that others use as well does not promise.

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

namespace warpline {

/// Owns a stretch of memory, aligned for any plain type; what is new in it is zero. Large ones ask for huge pages,
/// small ones (under 32 KiB) come from the heap.
class PageMemory {
public:
    PageMemory() = default;
    ~PageMemory();
    PageMemory(PageMemory&& other) noexcept;
    PageMemory& operator=(PageMemory&& other) noexcept;

    void* data() const { return m_data; }
    size_t bytes() const { return m_bytes; }
    /// Keeps what is there, maybe at another place. Throws std::bad_alloc, and is as before, if there is not as much.
    void growTo(size_t bytes);

private:
    void* m_data = nullptr;
    size_t m_bytes = 0;
};

/// Memory that is no longer needed, for who needs some soon: fresh pages cost more than what is mostly done with them.
/// For needs that become smaller. Any thread.
class SparePages {
public:
    /// At least `bytes`, at most twice as many, or none; what is larger is given up.
    PageMemory take(size_t bytes);
    void give(PageMemory memory);

private:
    std::mutex m_mutex;
    std::vector<PageMemory> m_spare;
};

/// What this machine has; 2^62 where it does not say. Any thread.
uint64_t physicalMemoryBytes();

/// Makes large blocks of the process's heap like that too, from 256 KiB on: a vector that is freed is then given back.
/// For main(), before anything large is allocated; where the C library knows no such setting, it does nothing.
void returnLargeBlocksWhenFreed();

}  // namespace warpline
