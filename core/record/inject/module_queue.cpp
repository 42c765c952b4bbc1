// SPDX-License-Identifier: MIT
#include "core/record/inject/module_queue.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <chrono>
#include <memory>

namespace warpline::record {

uint64_t ModuleQueue::hashOf(std::string_view code) {
    return XXH3_64bits(code.data(), code.size());
}

bool ModuleQueue::put(const capture::ModuleHead& head, std::string_view code) {
    std::unique_lock lock(m_mutex);
    if (m_isClosed) {
        return false;
    }
    auto entry = std::make_unique<Entry>();
    entry->head = head;
    if (code.size() <= kLargestCopied && m_copiedBytes + code.size() <= kMostBytes) {
        m_copiedBytes += code.size();
        lock.unlock();
        entry->copy = code;
        lock.lock();
        if (m_isClosed) {
            return false;
        }
        m_waiting.push_back(entry.release());
        return true;
    }
    entry->borrowed = code;
    m_waiting.push_back(entry.get());
    // The writer may be about to end, or be held up by what this thread holds: it is not waited for without end, until
    // it has begun to read the code.
    constexpr auto kPatience = std::chrono::seconds(3);
    m_changed.wait_for(lock, kPatience, [&] { return entry->state != Entry::Waiting || m_isClosed; });
    if (entry->state == Entry::Waiting) {
        std::erase(m_waiting, entry.get());
        return false;
    }
    m_changed.wait(lock, [&] { return entry->state == Entry::Done; });
    return true;
}

ModuleQueue::Entry* ModuleQueue::takeNext() {
    const std::scoped_lock lock(m_mutex);
    if (m_waiting.empty()) {
        return nullptr;
    }
    Entry* entry = m_waiting.front();
    m_waiting.pop_front();
    entry->state = Entry::Taken;
    m_changed.notify_all();
    return entry;
}

void ModuleQueue::finish(Entry* entry) {
    const std::scoped_lock lock(m_mutex);
    if (entry->borrowed.empty()) {
        m_copiedBytes -= entry->copy.size();
        delete entry;
    } else {
        entry->state = Entry::Done;
        m_changed.notify_all();
    }
}

size_t ModuleQueue::close() {
    const std::scoped_lock lock(m_mutex);
    m_isClosed = true;
    size_t lost = 0;
    for (Entry* entry : m_waiting) {
        if (entry->borrowed.empty()) {
            delete entry;
            ++lost;
        }
    }
    m_waiting.clear();
    m_changed.notify_all();
    return lost;
}

}  // namespace warpline::record
