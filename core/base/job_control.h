// SPDX-License-Identifier: MIT
#pragma once
// How a long computation is watched and stopped from another thread.

#include <atomic>
#include <cstdint>
#include <memory>

namespace warpline {

/// Shared between the one who waits and the one who works. All members may be called from any thread.
/// The worker asks stopRequested() at least every few milliseconds and returns Error::cancelled() when it is set.
class JobControl {
public:
    JobControl() = default;
    /// A part of `whole`, which must outlive it: stops with it, and shows its progress there. Stopping the part leaves
    /// the whole running, so that what a worker gives up for reasons of its own is not taken for the user's wish.
    explicit JobControl(JobControl* whole) : m_whole(whole) {}

    void requestStop() { m_stop.store(true, std::memory_order_relaxed); }
    bool stopRequested() const {
        return m_stop.load(std::memory_order_relaxed) || (m_whole != nullptr && m_whole->stopRequested());
    }

    /// Work done of work known, in units of the worker's choice (bytes of the file while loading); total 0 = unknown.
    void setProgress(uint64_t done, uint64_t total) {
        m_done.store(done, std::memory_order_relaxed);
        m_total.store(total, std::memory_order_relaxed);
        if (m_whole != nullptr) {
            m_whole->setProgress(done, total);
        }
    }
    uint64_t done() const { return m_done.load(std::memory_order_relaxed); }
    uint64_t total() const { return m_total.load(std::memory_order_relaxed); }

    /// What is being done now; a string literal, so that it can be swapped without a lock.
    void setPhase(const char* literal) {
        m_phase.store(literal, std::memory_order_relaxed);
        if (m_whole != nullptr) {
            m_whole->setPhase(literal);
        }
    }
    const char* phase() const { return m_phase.load(std::memory_order_relaxed); }

private:
    JobControl* m_whole = nullptr;
    std::atomic<bool> m_stop{false};
    std::atomic<uint64_t> m_done{0};
    std::atomic<uint64_t> m_total{0};
    std::atomic<const char*> m_phase{""};
};

}  // namespace warpline
