// SPDX-License-Identifier: MIT
#include "core/record/inject/buffer_pool.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>

namespace warpline::record {

BufferPool::BufferPool(size_t mostBuffers) : m_most(mostBuffers) {
    const size_t bytes = (m_most + kSpares) * kBufferBytes;
    void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) {
        return;
    }
    m_memory = static_cast<uint8_t*>(memory);
    m_free.reserve(m_most);
    m_freeSpares.reserve(kSpares);
    const size_t first = std::min(kFirstBuffers, m_most);
    std::memset(m_memory, 0, first * kBufferBytes);
    while (m_made < first) {
        m_free.push_back(m_memory + kBufferBytes * m_made++);
    }
}

BufferPool::~BufferPool() {
    if (m_memory != nullptr) {
        munmap(m_memory, (m_most + kSpares) * kBufferBytes);
    }
}

uint8_t* BufferPool::take() {
    const std::scoped_lock lock(m_mutex);
    if (!m_free.empty()) {
        uint8_t* bytes = m_free.back();
        m_free.pop_back();
        return bytes;
    }
    if (m_memory != nullptr && m_made < m_most) {
        return m_memory + kBufferBytes * m_made++;
    }
    if (!m_freeSpares.empty()) {
        uint8_t* bytes = m_freeSpares.back();
        m_freeSpares.pop_back();
        return bytes;
    }
    return m_memory != nullptr && m_sparesMade < kSpares ? m_memory + kBufferBytes * (m_most + m_sparesMade++)
                                                         : nullptr;
}

/// Behind the last one: it is none of these.
size_t BufferPool::indexOf(const uint8_t* bytes) const {
    const size_t behind = m_most + kSpares;
    if (m_memory == nullptr || bytes < m_memory || bytes >= m_memory + behind * kBufferBytes) {
        return behind;
    }
    const auto offset = static_cast<size_t>(bytes - m_memory);
    return offset % kBufferBytes == 0 ? offset / kBufferBytes : behind;
}

void BufferPool::takeFilled(uint8_t* bytes, size_t validBytes) {
    const std::scoped_lock lock(m_mutex);
    const size_t index = indexOf(bytes);
    if (index >= m_most + kSpares) {
        ++m_foreign;
        return;
    }
    const bool isSpare = index >= m_most;
    if (validBytes == 0) {
        (isSpare ? m_freeSpares : m_free).push_back(bytes);
        return;
    }
    m_filled.push_back({bytes, std::min(validBytes, kBufferBytes), isSpare});
    m_filledOrWoken.notify_one();
}

bool BufferPool::next(FilledBuffer& buffer, std::chrono::milliseconds wait) {
    std::unique_lock lock(m_mutex);
    m_filledOrWoken.wait_for(lock, wait, [this] { return !m_filled.empty() || m_isWoken; });
    m_isWoken = false;
    if (m_filled.empty()) {
        return false;
    }
    buffer = m_filled.front();
    m_filled.pop_front();
    return true;
}

void BufferPool::giveBack(const FilledBuffer& buffer) {
    const std::scoped_lock lock(m_mutex);
    (buffer.isSpare ? m_freeSpares : m_free).push_back(buffer.bytes);
}

void BufferPool::growAheadOfNeed() {
    constexpr size_t kLow = 16;
    for (;;) {
        uint8_t* bytes = nullptr;
        {
            const std::scoped_lock lock(m_mutex);
            if (m_memory == nullptr || m_free.size() >= kLow || m_made >= m_most) {
                return;
            }
            bytes = m_memory + kBufferBytes * m_made++;
        }
        std::memset(bytes, 0, kBufferBytes);
        const std::scoped_lock lock(m_mutex);
        m_free.push_back(bytes);
    }
}

void BufferPool::wake() {
    const std::scoped_lock lock(m_mutex);
    m_isWoken = true;
    m_filledOrWoken.notify_all();
}

size_t BufferPool::bytesHeld() const {
    const std::scoped_lock lock(m_mutex);
    return (m_made + m_sparesMade) * kBufferBytes;
}

uint64_t BufferPool::foreignBuffers() const {
    const std::scoped_lock lock(m_mutex);
    return m_foreign;
}

}  // namespace warpline::record
