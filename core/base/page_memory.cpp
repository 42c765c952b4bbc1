// SPDX-License-Identifier: MIT
#include "core/base/page_memory.h"

#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <new>
#include <utility>

namespace warpline {

namespace {

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

}  // namespace

PageMemory::~PageMemory() {
    if (m_data != nullptr) {
        ::munmap(m_data, m_bytes);
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
    bytes = (bytes + kPage - 1) / kPage * kPage;
    void* place = m_data == nullptr ? newPages(bytes) : morePages(m_data, m_bytes, bytes);
    if (place == MAP_FAILED) {
        throw std::bad_alloc();
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
