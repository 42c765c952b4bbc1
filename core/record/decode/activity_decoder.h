// SPDX-License-Identifier: MIT
#pragma once
// CUPTI's activity records into records of a capture. Pure: bytes in, records out; no CUPTI, no GPU, so that fabricated
// records of every version test it.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "core/capture/capture_writer.h"

namespace warpline::record {

/// What the CUPTI at hand can do that its records do not show.
struct CuptiTraits {
    uint32_t version = 0;              ///< as cuptiGetVersion() gives it
    bool hasAllocationSource = false;  ///< its records of memory say who asked for it
};

/// What is to be left out. Asked on the thread that decodes.
class RecordFilter {
public:
    virtual ~RecordFilter() = default;
    virtual bool keepsKernel(uint32_t correlation, std::string_view mangledName, const capture::KernelRecord&) = 0;
    /// Calls, copies, sets, synchronisations and graphs.
    /// `begin`: of the epoch. `device`: of work on one.
    virtual bool keepsWork(uint32_t correlation, capture::FrameType type, int64_t begin,
                           std::optional<uint32_t> device) = 0;
};

/// One thread.
class ActivityDecoder {
public:
    /// The name of a call by CUPTI's number of it.
    using CallName = std::function<std::string_view(capture::CallDomain, uint32_t cbid)>;

    ActivityDecoder(capture::CaptureWriter& writer, CuptiTraits traits, CallName callName)
        : m_writer(writer), m_traits(traits), m_callName(std::move(callName)) {}

    /// nullptr: all is kept. REQUIRES: it lives as long as this.
    void setFilter(RecordFilter* filter) { m_filter = filter; }
    /// These kernels are replayed, to count: their records without times are no loss.
    void setReplays(bool replays) { m_replays = replays; }

    /// One record; `bytes` is all that belongs to it or at least no other record's, so members that lie behind are not
    /// there. What cannot be decoded is counted.
    void decode(const void* record, size_t bytes);

    struct Counts {
        uint64_t records = 0;  ///< all that came
        uint64_t kernels = 0;  ///< that were kept
        uint64_t launches = 0;
        uint64_t filtered = 0;
        uint64_t unreadable = 0;    ///< too short for their kind
        uint64_t unknownKinds = 0;  ///< of kinds that are not decoded
        uint64_t withoutTimes = 0;
        int64_t lastEnd = 0;  ///< the latest end of work on a device
    };
    const Counts& counts() const { return m_counts; }

private:
    void takeKernel(const void* record);
    void takeCopy(const void* record);
    void takePeerCopy(const void* record);
    void takeSet(const void* record);
    void takeCall(const void* record, capture::CallDomain domain);
    void takeMemory(const void* record, size_t bytes);
    void takePool(const void* record);
    void takeDevice(const void* record);
    void takeMarker(const void* record);
    void takeName(const void* record);
    void takeOverhead(const void* record);
    void takeCompilation(const void* record, size_t bytes);
    template <class Record>
    void addWork(Record& record);
    bool keeps(uint32_t correlation, capture::FrameType type, int64_t begin, std::optional<uint32_t> device = {});
    void noteThread(uint32_t thread);
    uint32_t number(const char* text) { return text == nullptr ? 0 : m_writer.number(text); }

    capture::CaptureWriter& m_writer;
    CuptiTraits m_traits;
    CallName m_callName;
    RecordFilter* m_filter = nullptr;
    bool m_replays = false;
    Counts m_counts;
    std::unordered_set<uint32_t> m_threads;
};

}  // namespace warpline::record
