// SPDX-License-Identifier: MIT
#pragma once
// What rows of async work and of counters hold within a time. Pure functions of a sealed trace; any thread.
//
// Async work counts if it touches the time (see area_scan.h), with the part of its length that lies inside. A counter's
// value holds from its sample to the next one, the last one's to the end of the trace; NaN is a gap, in no figure.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/job_control.h"
#include "core/base/result.h"
#include "core/base/sum.h"
#include "core/base/time.h"
#include "core/trace/trace.h"

namespace warpline {

/// A row of the timeline by what it says, see row_titles.h.
struct RowTitle {
    enum class Kind : uint8_t { Async, Counter };
    Kind kind = Kind::Async;
    ProcessId process;
    std::string title;
};

/// Async slices of one name.
struct AsyncNameSum {
    StringId name;
    uint64_t count = 0;
    uint64_t unknownCount = 0;               ///< of these, without an end in the file: in no time
    Sum insideNs;                            ///< parallel ones count each
    std::optional<DurationNs> minNs, maxNs;  ///< of whole lengths
};

struct AsyncRowArea {
    size_t row = 0;                   ///< of those asked for
    std::vector<AsyncNameSum> names;  ///< the longest inside first, then the most, then by name
    uint64_t instants = 0;            ///< moments in the time
};

struct CounterRowArea {
    size_t row = 0;
    uint64_t samples = 0;            ///< in the time
    std::optional<double> min, max;  ///< of the samples in the time, and of the value that holds when it begins
    std::optional<double> mean;      ///< by how long each value holds in the time
    std::optional<double> last;      ///< what holds when it ends
};

struct RowsArea {
    std::vector<AsyncRowArea> async;
    std::vector<CounterRowArea> counters;
};

/// Of each row asked for that is in the trace, in their order. Fails only when cancelled. Cost: the async work that
/// begins before the end of the time, and the samples in it.
Result<RowsArea> computeRowsArea(const Trace& trace, TimeRange range, std::span<const RowTitle> rows, JobControl& job);

/// nullopts where no value is known in the time. `traceEnd`: until when the last value holds.
CounterRowArea counterInRange(const CounterSeries& series, TimeRange range, TimeNs traceEnd);

}  // namespace warpline
