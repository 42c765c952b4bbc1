// SPDX-License-Identifier: MIT
#pragma once
// The buffers that CUPTI fills, and the queue of those that it has filled. What CUPTI's callbacks call takes one mutex
// for a moment and calls no CUPTI.

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <vector>

namespace warpline::record {

struct FilledBuffer {
    uint8_t* bytes = nullptr;
    size_t validBytes = 0;
    bool isSpare = false;  ///< its records are to be counted and dropped
};

/// Any thread.
class BufferPool {
public:
    static constexpr size_t kBufferBytes = size_t{64} << 10;
    static constexpr size_t kFirstBuffers = 64;
    static constexpr size_t kMostBuffers = 480;  ///< 30 MiB
    /// For when these are all filled: a CUPTI that is refused a buffer may not count what it drops.
    static constexpr size_t kSpares = 64;

    /// `mostBuffers` smaller than kMostBuffers is for tests.
    explicit BufferPool(size_t mostBuffers = kMostBuffers);
    ~BufferPool();
    BufferPool(const BufferPool&) = delete;
    BufferPool& operator=(const BufferPool&) = delete;

    /// A buffer for CUPTI to fill. nullptr: there are no more.
    uint8_t* take();
    /// One that came back; an empty one needs no reading. A buffer that is none of these is counted and left alone.
    void takeFilled(uint8_t* bytes, size_t validBytes);
    /// The next filled one, waiting for it; false: none came in that time, or wake() was called.
    bool next(FilledBuffer& buffer, std::chrono::milliseconds wait);
    /// It has been read.
    void giveBack(const FilledBuffer& buffer);
    /// Touches fresh buffers ahead of need, so that no thread that launches work waits for pages. Not for callbacks.
    void growAheadOfNeed();
    void wake();

    /// Memory that is in use.
    size_t bytesHeld() const;
    uint64_t foreignBuffers() const;

private:
    size_t indexOf(const uint8_t* bytes) const;

    const size_t m_most;
    uint8_t* m_memory = nullptr;  ///< all of them; the system gives its pages when they are touched
    mutable std::mutex m_mutex;
    std::condition_variable m_filledOrWoken;
    std::vector<uint8_t*> m_free;
    std::vector<uint8_t*> m_freeSpares;
    std::deque<FilledBuffer> m_filled;
    size_t m_made = 0;
    size_t m_sparesMade = 0;
    uint64_t m_foreign = 0;
    bool m_isWoken = false;
};

}  // namespace warpline::record
