// SPDX-License-Identifier: MIT
#pragma once
// Makes one stream of the captures of several processes while these are still being written: frames get the number of
// their source and are packed.

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/capture/capture_writer.h"
#include "core/capture/frame_reader.h"

namespace warpline::record {

/// What went through so far.
struct MergeCounts {
    uint64_t kernels = 0, launches = 0, copies = 0, allocations = 0, ranges = 0, events = 0;
    uint64_t notedLaunches = 0;  ///< our own notes, which come at once
    uint64_t lost = 0;           ///< records that the processes say are missing
    uint64_t takeOvers = 0;      ///< another client took CUPTI from a process: what is missing cannot be counted
    uint64_t bytes = 0;          ///< of the stream
    uint64_t damagedBytes = 0;   ///< of what the processes wrote
    int64_t completeToNs = 0;    ///< the latest end of a kernel
    uint64_t bytesRead = 0;      ///< of what the processes wrote
    uint64_t sources = 0, ended = 0;
    uint64_t unreadable = 0;            ///< captures of processes that cannot be opened now
    std::vector<std::string> refusals;  ///< why processes could not be recorded, each "process 12: why"
};

/// One thread.
class CaptureMerger {
public:
    /// Takes a piece of the stream. False: it cannot be written.
    using Sink = std::function<bool(std::string_view)>;

    explicit CaptureMerger(Sink sink);
    ~CaptureMerger();

    /// Reads on from a capture, which is noted as a new source the first time; gives the disk back what was read. No
    /// more than kMostAtOnce, so that who calls comes to other things while a process writes as fast as this reads.
    /// False: the stream could not be written.
    bool readOn(const std::string& path);
    static constexpr uint64_t kMostAtOnce = uint64_t{16} << 20;
    /// Whether its end has been read.
    bool hasEnded(const std::string& path) const;
    /// Of the recording side itself: source 0.
    capture::CaptureWriter& own() { return m_own; }
    const MergeCounts& counts() const { return m_counts; }

private:
    struct Source;
    struct Packer;

    Source* sourceOf(const std::string& path);
    bool take(Source& source, const capture::Frame& frame);
    static void count(Source& source, const capture::Frame& frame, MergeCounts& counts);
    bool passOn(capture::FrameType type, uint32_t source, uint64_t sequence, std::string_view payload);

    Sink m_sink;
    bool m_isBroken = false;
    std::unique_ptr<Packer> m_packer;
    std::vector<std::unique_ptr<Source>> m_sources;
    capture::CaptureWriter m_own;
    MergeCounts m_counts;
};

}  // namespace warpline::record
