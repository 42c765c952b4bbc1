// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/support/discard.h"

#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

namespace warpline {

namespace {

class Discarder {
public:
    ~Discarder() {
        {
            const std::lock_guard lock(m_mutex);
            m_ending = true;
        }
        m_wake.notify_all();
        if (m_thread.joinable()) {
            m_thread.join();
        }
    }
    void add(std::shared_ptr<const void> reference) {
        {
            const std::lock_guard lock(m_mutex);
            m_waiting.push_back(std::move(reference));
            ++m_pending;
            if (!m_thread.joinable()) {
                m_thread = std::thread([this] { run(); });
            }
        }
        m_wake.notify_all();
    }
    int pending() {
        const std::lock_guard lock(m_mutex);
        return m_pending;
    }

private:
    void run() {
        std::unique_lock lock(m_mutex);
        while (true) {
            m_wake.wait(lock, [this] { return m_ending || !m_waiting.empty(); });
            if (m_waiting.empty()) {
                return;
            }
            std::shared_ptr<const void> next = std::move(m_waiting.front());
            m_waiting.pop_front();
            lock.unlock();
            // May discard something in turn.
            next.reset();
            lock.lock();
            --m_pending;
        }
    }

    std::mutex m_mutex;
    std::condition_variable m_wake;
    std::deque<std::shared_ptr<const void>> m_waiting;
    int m_pending = 0;
    bool m_ending = false;
    std::thread m_thread;
};

Discarder& discarder() {
    static Discarder instance;
    return instance;
}

}  // namespace

void discard(std::shared_ptr<const void> reference) {
    if (reference) {
        discarder().add(std::move(reference));
    }
}

int pendingDiscards() {
    return discarder().pending();
}

}  // namespace warpline
