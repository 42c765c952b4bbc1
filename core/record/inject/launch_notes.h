// SPDX-License-Identifier: MIT
#pragma once
// Notes of launches as they happen, for who watches and for who selects. CUPTI's own records of them may be held back
// behind a kernel that runs; these are not.

#include <cupti.h>

#include <atomic>
#include <cstdint>
#include <deque>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>

#include "core/capture/records.h"
#include "core/record/inject/launch_ring.h"
#include "core/record/select/launch_selector.h"

namespace warpline::record {

/// Noted on any thread, within CUPTI's callbacks, without a call of CUPTI; taken by one.
class LaunchNotes {
public:
    /// `selector` nullptr: all are noted.
    LaunchNotes(LaunchSelector* selector, bool isLive) : m_selector(selector), m_isLive(isLive), m_ring(kCapacity) {}

    enum class Work : uint8_t { Copy, Graph, Kernel };  ///< a kernel's name is known at its launch
    /// The beginning of a call of the driver that launches.
    void onLaunch(const CUpti_CallbackData& data, Work work);
    /// A call of NVTX.
    void onRange(CUpti_CallbackId id, const CUpti_NvtxData& data);

    struct Note {
        capture::LaunchRecord record;  ///< its name is a number of name()
        bool isKept = true;
        uint32_t cycle = 0;  ///< of a schedule that counts; 0: there is none
    };
    /// The next of those that there were when `upTo` was read; waits for one that is being put in. False: that was all.
    bool take(Note& note, size_t upTo);
    size_t noted() const { return m_ring.claimed(); }
    /// Nobody takes them any more, so no thread is to wait for that.
    void close() { m_isClosed = true; }
    std::string_view name(uint32_t number) const;
    uint64_t lost() const { return m_lost; }

private:
    static constexpr size_t kCapacity = size_t{1} << 15;
    static constexpr size_t kMostNameBytes = size_t{2} << 20;

    uint32_t numberOf(const char* name);

    LaunchSelector* m_selector;
    const bool m_isLive;
    LaunchRing<Note> m_ring;
    std::atomic<uint64_t> m_lost{0};
    std::atomic<int64_t> m_napsLeft{2000};  ///< of a millisecond, for all launches together
    std::atomic<bool> m_isClosed{false};
    mutable std::mutex m_mutex;
    std::deque<std::string> m_names;  ///< from 1
    std::unordered_map<std::string_view, uint32_t> m_numbers;
    std::unordered_map<const void*, std::string> m_registered;  ///< texts of NVTX, by their handles
    size_t m_nameBytes = 0;                                     ///< about what all these take
};

/// Whether a call of the driver, by its name, launches; and whether it is one kernel.
bool isDriverLaunch(std::string_view name);
bool isKernelLaunch(std::string_view name);

}  // namespace warpline::record
