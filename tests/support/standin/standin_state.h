// SPDX-License-Identifier: MIT
#pragma once
// What the stand-in for CUPTI knows: its client, what is enabled, and the buffers that are being filled.
#include <cupti.h>
#include <sys/types.h>

#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace warpline::test {

/// What a variable of the environment says.
uint64_t standinNumber(const char* variable, uint64_t otherwise);
/// Nanoseconds of the epoch.
uint64_t standinTime();
void standinPause(uint64_t milliseconds);

struct Buffer {
    uint8_t* bytes = nullptr;
    size_t size = 0, valid = 0;
};

/// The buffers of one thread, or of all.
struct Lane {
    std::mutex mutex;
    Buffer current;
    std::vector<Buffer> heldBack;  ///< full, but behind a kernel that runs
    uint8_t* running = nullptr;    ///< the record of that kernel
};

/// All that there is. Never destroyed: threads look at it until the process ends.
struct State {
    const uint32_t version = static_cast<uint32_t>(standinNumber("STANDIN_VERSION", 130001));
    const uint64_t flushMs = standinNumber("STANDIN_FLUSH_MS", 0);
    const pid_t owner;  ///< not a child of it

    State();

    std::mutex mutex;
    CUpti_CallbackFunc function = nullptr;
    void* userData = nullptr;
    std::set<int> kinds;
    std::map<std::pair<int, uint32_t>, bool> calls;  ///< those that were enabled or disabled one by one
    std::set<std::pair<int, uint32_t>> callbacks;
    std::set<int> domains;
    bool buffersPerThread = false, hasNvtx = false;
    CUpti_BuffersCallbackRequestFunc request = nullptr;
    CUpti_BuffersCallbackCompleteFunc complete = nullptr;
    std::vector<Lane*> lanes{new Lane};  ///< the first serves all threads that have none of their own

    std::atomic<uint32_t> lastCorrelation{0}, lastRange{0};
    std::atomic<uint64_t> dropped{0}, flushes{0}, clocks{0};
    std::atomic<bool> isTaken{false}, isReadingHeld{false};
};

State& state();
/// Of this thread.
Lane& lane();
/// Gives a buffer back to the client.
void hand(const Buffer& buffer);
bool isEnabled(int kind);
bool isCallEnabled(int domain, int kind, uint32_t id);
/// Puts a record into the lane of this thread. Returns where it lies; nullptr: there was no buffer.
uint8_t* append(const std::string& record, bool isRunning = false);
void callBack(CUpti_CallbackDomain domain, CUpti_CallbackId id, const void* data);

}  // namespace warpline::test
