// SPDX-License-Identifier: MIT
#include "core/base/page_memory.h"

#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <new>
#include <utility>

namespace warpline {

namespace {

/// What is smaller comes from the heap: a call of the system takes microseconds, and there may be a million of them.
constexpr size_t kLeastPages = size_t{32} << 10;

void* newPages(size_t bytes) {
    return ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
}

#ifdef WARPLINE_THREAD_SANITIZER
// ThreadSanitizer knows of mmap and munmap, but takes pages that mremap moved for those which were there before.
void* morePages(void* old, size_t oldBytes, size_t bytes) {
    void* place = newPages(bytes);
    if (place != MAP_FAILED) {
        std::memcpy(place, old, oldBytes);
        ::munmap(old, oldBytes);
    }
    return place;
}
#else
void* morePages(void* old, size_t oldBytes, size_t bytes) {
    return ::mremap(old, oldBytes, bytes, MREMAP_MAYMOVE);
}
#endif

void release(void* data, size_t bytes) {
    if (bytes < kLeastPages) {
        std::free(data);
    } else {
        ::munmap(data, bytes);
    }
}

}  // namespace

PageMemory::~PageMemory() {
    if (m_data != nullptr) {
        release(m_data, m_bytes);
    }
}

PageMemory::PageMemory(PageMemory&& other) noexcept
    : m_data(std::exchange(other.m_data, nullptr)), m_bytes(std::exchange(other.m_bytes, 0)) {}

PageMemory& PageMemory::operator=(PageMemory&& other) noexcept {
    std::swap(m_data, other.m_data);
    std::swap(m_bytes, other.m_bytes);
    return *this;
}

void PageMemory::growTo(size_t bytes) {
    constexpr size_t kPage = 4096;
    constexpr size_t kLarge = size_t{4} << 20;
    if (bytes <= m_bytes) {
        return;
    }
    if (bytes > std::numeric_limits<size_t>::max() - kPage) {
        throw std::bad_alloc();
    }
    const bool isSmall = bytes <= kLeastPages / 2;
    bytes = isSmall ? std::bit_ceil(bytes) : std::max(kLeastPages, (bytes + kPage - 1) / kPage * kPage);
    void* place = nullptr;
    if (m_bytes >= kLeastPages) {
        place = morePages(m_data, m_bytes, bytes);
    } else {
        place = isSmall ? std::calloc(bytes, 1) : newPages(bytes);
    }
    if (place == nullptr || place == MAP_FAILED) {
        throw std::bad_alloc();
    }
    if (m_data != nullptr && m_bytes < kLeastPages) {
        std::memcpy(place, m_data, m_bytes);
        std::free(m_data);
    }
    m_data = place;
    m_bytes = bytes;
    if (bytes >= kLarge) {
        // A hint: where it is not heard, there are more page faults.
        ::madvise(m_data, m_bytes, MADV_HUGEPAGE);
    }
}

PageMemory SparePages::take(size_t bytes) {
    const std::lock_guard lock(m_mutex);
    std::erase_if(m_spare, [bytes](const PageMemory& memory) { return memory.bytes() / 2 > bytes; });
    const auto found =
        std::ranges::find_if(m_spare, [bytes](const PageMemory& memory) { return memory.bytes() >= bytes; });
    if (found == m_spare.end()) {
        return {};
    }
    PageMemory taken = std::move(*found);
    m_spare.erase(found);
    return taken;
}

void SparePages::give(PageMemory memory) {
    if (memory.bytes() > 0) {
        const std::lock_guard lock(m_mutex);
        m_spare.push_back(std::move(memory));
    }
}

uint64_t physicalMemoryBytes() {
    const long pages = ::sysconf(_SC_PHYS_PAGES);
    const long pageBytes = ::sysconf(_SC_PAGESIZE);
    return pages > 0 && pageBytes > 0 ? static_cast<uint64_t>(pages) * static_cast<uint64_t>(pageBytes)
                                      : uint64_t{1} << 62;
}

void returnLargeBlocksWhenFreed() {
#ifdef M_MMAP_THRESHOLD
    constexpr int kLarge = 256 << 10;
    ::mallopt(M_MMAP_THRESHOLD, kLarge);
#endif
}

}  // namespace warpline
