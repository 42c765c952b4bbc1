// SPDX-License-Identifier: MIT
#include "core/base/parallel.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace warpline {

unsigned usableThreads() {
    constexpr unsigned kMost = 32;
    return std::clamp(std::thread::hardware_concurrency(), 1U, kMost);
}

void parallelFor(size_t count, unsigned threads, const std::function<void(size_t)>& work) {
    std::atomic<size_t> next{0};
    std::mutex mutex;
    std::exception_ptr failure;
    const auto run = [&] {
        for (size_t i = next++; i < count; i = next++) {
            try {
                work(i);
            } catch (...) {
                const std::lock_guard lock(mutex);
                failure = std::current_exception();
                next = count;
            }
        }
    };
    std::vector<std::thread> helpers;
    try {
        for (size_t i = 1; i < std::min<size_t>(threads, count); ++i) {
            helpers.emplace_back(run);
        }
    } catch (const std::system_error&) {
        // No more threads are to be had; those that there are do the work.
    }
    run();
    for (std::thread& helper : helpers) {
        helper.join();
    }
    if (failure) {
        std::rethrow_exception(failure);
    }
}

}  // namespace warpline
