// SPDX-License-Identifier: MIT
#include "core/base/page_memory.h"

#include <malloc.h>
#include <sys/mman.h>

#include <new>
#include <utility>

namespace warpline {

PageMemory::PageMemory(size_t bytes) : m_bytes(bytes) {
    m_data = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (m_data == MAP_FAILED) {
        m_data = nullptr;
        throw std::bad_alloc();
    }
}

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

void returnLargeBlocksWhenFreed() {
#ifdef M_MMAP_THRESHOLD
    constexpr int kLarge = 256 << 10;
    ::mallopt(M_MMAP_THRESHOLD, kLarge);
#endif
}

}  // namespace warpline
