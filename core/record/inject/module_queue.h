// SPDX-License-Identifier: MIT
#pragma once
// Code that was loaded, on its way from the thread that loaded it to the one that writes. Small modules are copied; for
// a large one the loading thread waits until it is written, so that it needs no memory.

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>
#include <string>
#include <string_view>

#include "core/capture/records.h"

namespace warpline::record {

/// Any thread puts in, one takes out.
class ModuleQueue {
public:
    static constexpr size_t kLargestCopied = size_t{8} << 20;
    static constexpr size_t kMostBytes = size_t{12} << 20;  ///< of copies that wait

    /// Takes its time if there is no room for a copy; false: the writer did not come to it, and the code is lost.
    /// `head` needs its module, context and time.
    bool put(const capture::ModuleHead& head, std::string_view code);

    /// Calls `write(head, code)` for each that waits; head is complete.
    template <class Write>
    void takeAll(Write write) {
        while (Entry* entry = takeNext()) {
            capture::ModuleHead head = entry->head;
            const std::string_view code = entry->code();
            head.bytes = code.size();
            head.hash = hashOf(code);
            write(head, code);
            finish(entry);
        }
    }
    /// Nobody takes out any more: those that wait are let go. How many of them were taken for written by who put them
    /// in.
    size_t close();

    static uint64_t hashOf(std::string_view code);

private:
    struct Entry {
        capture::ModuleHead head;
        std::string copy;
        std::string_view borrowed;  ///< of a thread that waits
        enum { Waiting, Taken, Done } state = Waiting;

        std::string_view code() const { return borrowed.empty() ? std::string_view(copy) : borrowed; }
    };

    Entry* takeNext();
    void finish(Entry* entry);

    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::deque<Entry*> m_waiting;
    size_t m_copiedBytes = 0;
    bool m_isClosed = false;
};

}  // namespace warpline::record
