// SPDX-License-Identifier: MIT
#pragma once
// Notes of launches, from the threads that launch to the one that writes, without a lock (a bounded queue of many
// producers with a sequence number a cell, after Vyukov).

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>

namespace warpline::record {

template <class Note>
class LaunchRing {
    static_assert(std::is_trivially_copyable_v<Note>);

public:
    /// REQUIRES: a power of two.
    explicit LaunchRing(size_t capacity) : m_mask(capacity - 1), m_cells(new Cell[capacity]) {
        for (size_t i = 0; i < capacity; ++i) {
            m_cells[i].sequence.store(i, std::memory_order_relaxed);
        }
    }

    /// Any thread. False: it is full.
    bool push(const Note& note) {
        size_t at = m_head.load(std::memory_order_relaxed);
        for (;;) {
            Cell& cell = m_cells[at & m_mask];
            const size_t sequence = cell.sequence.load(std::memory_order_acquire);
            const auto ahead = static_cast<ptrdiff_t>(sequence - at);
            if (ahead == 0) {
                if (m_head.compare_exchange_weak(at, at + 1, std::memory_order_relaxed)) {
                    cell.note = note;
                    cell.sequence.store(at + 1, std::memory_order_release);
                    return true;
                }
            } else if (ahead < 0) {
                return false;
            } else {
                at = m_head.load(std::memory_order_relaxed);
            }
        }
    }

    /// One thread. False: it is empty, or the next one is being put in.
    bool pop(Note& note) {
        Cell& cell = m_cells[m_tail & m_mask];
        if (cell.sequence.load(std::memory_order_acquire) != m_tail + 1) {
            return false;
        }
        note = cell.note;
        cell.sequence.store(m_tail + m_mask + 1, std::memory_order_release);
        ++m_tail;
        return true;
    }

    /// How many were put in, or are being put in, so far. One that is being put in hides those behind it from pop().
    size_t claimed() const { return m_head.load(std::memory_order_relaxed); }
    /// How many were taken out so far. The thread that takes.
    size_t taken() const { return m_tail; }

private:
    struct Cell {
        std::atomic<size_t> sequence;
        Note note;
    };

    size_t m_mask;
    std::unique_ptr<Cell[]> m_cells;
    alignas(64) std::atomic<size_t> m_head{0};
    alignas(64) size_t m_tail = 0;
};

}  // namespace warpline::record
