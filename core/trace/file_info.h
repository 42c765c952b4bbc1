// SPDX-License-Identifier: MIT
#pragma once
// Facts about one input file and the devices it names.

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/ids.h"
#include "core/base/sum.h"
#include "core/base/time.h"
#include "core/trace/import_report.h"
#include "core/trace/source_ref.h"

namespace warpline {

/// A GPU as the file describes it. What it leaves out is nullopt.
struct DeviceInfo {
    FileId file;
    int64_t id = 0;
    std::string name;
    std::optional<int64_t> computeMajor, computeMinor;
    std::optional<int64_t> smCount;
    std::optional<int64_t> memoryBytes;
    std::optional<int64_t> warpSize;
    std::optional<int64_t> maxThreadsPerBlock, maxThreadsPerSm;
    std::optional<int64_t> registersPerBlock, registersPerSm;
    std::optional<int64_t> sharedBytesPerBlock, sharedBytesPerBlockOptin, sharedBytesPerSm;
};

/// Key of FileInfo::properties of a file whose slices are sums and not stretches of time: "timed", or "untimed" where
/// it gives no times at all. What is written of such a file says so by it, and is read as such again.
inline constexpr std::string_view kSumsProperty = "warplineSums";

struct FileInfo {
    std::string path;                  ///< as given by the user
    std::string format;                ///< stable word: "kineto-json", "chrome-json", …
    std::string compression = "none";  ///< "none", "gzip"
    uint64_t bytes = 0;                ///< as stored
    std::optional<int64_t> rank, worldSize;
    std::string backend;                ///< of a distributed run: "nccl"; "" if the file names none
    std::optional<int64_t> baseTimeNs;  ///< wall-clock ns of the file's own time 0
    DurationNs axisOffsetNs =
        0;  ///< trace time = the file's own time + this, for each of its events a time that a trace holds
    /// First to last moment of its events, in trace time, `end` included; nullopt if nothing in it has a time.
    std::optional<TimeRange> range;
    bool placedByHand = false;  ///< axisOffsetNs is what the user said, not what clocks say
    OffsetSpace offsetSpace = OffsetSpace::File;
    std::map<std::string, std::string>
        properties;                             ///< other top-level facts: driver version, options; values as JSON text
    std::shared_ptr<const EventSource> source;  ///< null if there is nothing to read on demand

    /// The file's own clock at a time of the trace; far from its events it may stop at the limits of 64 bits.
    TimeNs ownTime(TimeNs traceTime) const { return distanceSaturated(axisOffsetNs, traceTime); }
    /// Nanoseconds since 1970; nullopt if the file gives no base time, or one so odd that 64 bits do not hold the sum.
    std::optional<int64_t> wallClockNs(TimeNs traceTime) const {
        Sum sum(ownTime(traceTime));
        return baseTimeNs ? (sum += *baseTimeNs).value() : std::nullopt;
    }
};

}  // namespace warpline
