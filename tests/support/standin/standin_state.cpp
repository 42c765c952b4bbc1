// SPDX-License-Identifier: MIT
#include "tests/support/standin/standin_state.h"

#include <pthread.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <thread>

namespace warpline::test {

uint64_t standinNumber(const char* variable, uint64_t otherwise) {
    const char* text = std::getenv(variable);
    return text != nullptr ? std::strtoull(text, nullptr, 10) : otherwise;
}

uint64_t standinTime() {
    timespec time{};
    clock_gettime(CLOCK_REALTIME, &time);
    return static_cast<uint64_t>(time.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(time.tv_nsec);
}

void standinPause(uint64_t milliseconds) {
    if (milliseconds != 0) {
        std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
    }
}

State::State() : owner(getpid()) {}

State& state() {
    static auto* const instance = [] {
        static auto* const made = new State;
        // A child of threads that launch can go on with it.
        pthread_atfork([] { made->mutex.lock(); }, [] { made->mutex.unlock(); }, [] { made->mutex.unlock(); });
        return made;
    }();
    return *instance;
}

Lane& lane() {
    thread_local Lane* own = nullptr;
    State& all = state();
    const std::scoped_lock lock(all.mutex);
    if (!all.buffersPerThread) {
        return *all.lanes.front();
    }
    if (own == nullptr) {
        own = new Lane;
        all.lanes.push_back(own);
    }
    return *own;
}

void hand(const Buffer& buffer) {
    if (buffer.bytes != nullptr && state().complete != nullptr) {
        state().complete(nullptr, 0, buffer.bytes, buffer.size, buffer.valid);
    }
}

bool isEnabled(int kind) {
    State& all = state();
    const std::scoped_lock lock(all.mutex);
    return all.owner == getpid() && !all.isTaken && all.kinds.contains(kind);
}

bool isCallEnabled(int domain, int kind, uint32_t id) {
    State& all = state();
    const std::scoped_lock lock(all.mutex);
    const auto single = all.calls.find({domain, id});
    return all.owner == getpid() && !all.isTaken &&
           (single != all.calls.end() ? single->second : all.kinds.contains(kind));
}

uint8_t* append(const std::string& record, bool isRunning) {
    State& all = state();
    Lane& into = lane();
    std::unique_lock lock(into.mutex);
    if (into.current.bytes == nullptr || into.current.size - into.current.valid < record.size()) {
        const Buffer full = into.current;
        into.current = {};
        if (into.running != nullptr && full.bytes != nullptr) {
            into.heldBack.push_back(full);
        } else {
            hand(full);
        }
        size_t most = 0;
        if (all.request != nullptr) {
            all.request(&into.current.bytes, &into.current.size, &most);
        }
        if (into.current.bytes == nullptr) {
            ++all.dropped;
            return nullptr;
        }
    }
    uint8_t* const at = into.current.bytes + into.current.valid;
    std::memcpy(at, record.data(), record.size());
    into.current.valid += record.size();
    into.running = isRunning ? at : into.running;
    return at;
}

void callBack(CUpti_CallbackDomain domain, CUpti_CallbackId id, const void* data) {
    State& all = state();
    CUpti_CallbackFunc function = nullptr;
    {
        const std::scoped_lock lock(all.mutex);
        if (all.domains.contains(domain) || all.callbacks.contains({domain, id})) {
            function = all.function;
        }
    }
    if (function != nullptr) {
        function(all.userData, domain, id, data);
    }
}

}  // namespace warpline::test
