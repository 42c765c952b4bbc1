// SPDX-License-Identifier: MIT
#pragma once
// What is to be recorded of a program. The side that starts it writes this as text; the library that is loaded into the
// program reads it.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace warpline::record {

enum class ApiLevel { None, Launch, All };
enum class GraphLevel { Node, Launch };

/// Recording in turns, counted in launches, in ranges of a name, or in nanoseconds.
struct Schedule {
    enum class Unit { Launches, Ranges, Nanoseconds };
    Unit unit = Unit::Launches;
    uint64_t skipFirst = 0;
    uint64_t wait = 0;
    uint64_t warmup = 0;  ///< CUPTI is on, and what it gives is dropped
    uint64_t active = 0;  ///< 0: there is no schedule
    uint64_t repeat = 0;  ///< cycles; 0: until the program ends

    bool isSet() const { return active != 0; }
    /// Which cycle, from 0, is active at a step; nullopt: none is. REQUIRES: it is set.
    std::optional<uint64_t> cycleAt(uint64_t step) const;
    /// Whether a cycle is active at a step, or is being warmed up for. REQUIRES: it is set.
    bool isOnAt(uint64_t step) const;
};

struct RecordOptions {
    ApiLevel api = ApiLevel::Launch;
    GraphLevel graph = GraphLevel::Node;
    bool hasMemory = true;             ///< allocations and pools
    bool hasAllocationSource = false;  ///< and which shared object asked for them
    bool hasSynchronization = true;
    bool hasRanges = true;  ///< NVTX
    bool hasOverhead = true;
    bool hasCode = true;            ///< of modules as they are loaded
    bool hasPython = false;         ///< what PyTorch knows: allocations, record_function ranges
    bool isLive = false;            ///< somebody watches: launches are noted as they happen
    bool followsChildren = true;    ///< else the first process alone is recorded
    std::vector<uint32_t> devices;  ///< by CUDA's number; empty: all
    std::string kernelPattern;      ///< regular expression; "": all kernels
    uint64_t skip = 0;              ///< matching launches
    uint64_t count = 0;             ///< matching launches; 0: all
    std::string range;              ///< NVTX range within which is recorded; "": always
    bool isProfilerRange = false;   ///< from cudaProfilerStart() to cudaProfilerStop() alone
    Schedule schedule;
    int64_t startedNs = 0;   ///< when the program was started, of the epoch; 0: when it first used CUDA
    int64_t delayNs = 0;     ///< from then
    int64_t durationNs = 0;  ///< 0: until the program ends
    uint64_t mostBytes = 0;  ///< a capture of one process; 0: no limit
    std::string cuptiPath;   ///< "": chosen among those that are there

    /// Whether launches are chosen one by one.
    bool selectsLaunches() const {
        return !kernelPattern.empty() || skip != 0 || count != 0 || !range.empty() || isProfilerRange ||
               (schedule.isSet() && schedule.unit != Schedule::Unit::Nanoseconds);
    }
};

/// One "key=value" a line. What a value cannot hold (line ends) is replaced by blanks.
std::string toText(const RecordOptions& options);
/// Fails with the line that is wrong. Keys that are unknown are passed over: the other side may be newer.
Result<RecordOptions> optionsOf(std::string_view text);

/// "skip_first=10,wait=2,warmup=1,active=3,repeat=2"; a number may end in "ns", "us", "ms" or "s", then all of them do.
/// Counts launches, or ranges if `countsRanges`. Fails with what is wrong.
Result<Schedule> scheduleOf(std::string_view text, bool countsRanges);

}  // namespace warpline::record
