// SPDX-License-Identifier: MIT
#pragma once
// A question answered from a sealed trace as a table. One folder each under core/analyses, listed by registry.h.
// Lifecycle: made once, stateless; run() is a pure function of its arguments and may run on any thread.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/ids.h"
#include "core/base/job_control.h"
#include "core/base/result.h"
#include "core/base/time.h"
#include "core/table/table.h"
#include "core/trace/trace.h"

namespace warpline {

/// What of the trace counts. Empty members restrict nothing.
struct TraceFilter {
    std::optional<TimeRange> range;       ///< slices that begin inside (trace time)
    std::vector<TrackId> tracks;          ///< slices of these; what lies on no track is left out
    std::string text;                     ///< in the name: a part of it, ignoring case; or a regular expression
    bool textIsRegex = false;             ///< Perl's syntax (PCRE2), searched, not anchored
    std::vector<std::string> categories;  ///< as they stand in the file
    /// Events that last at least so long; 0: all. What has no known end may be longer than anything, and counts;
    /// moments and counters do not.
    DurationNs leastDuration = 0;
};

/// `duration`: kUnknownDuration without an end.
inline bool isLongEnough(DurationNs duration, const TraceFilter& filter) {
    return duration >= filter.leastDuration || duration == kUnknownDuration;
}

struct AnalysisOptions {
    TraceFilter filter;
    std::string groupBy = "name";
};

/// The slices behind each row of a table: what a click on the row highlights and steps through.
struct RowInstances {
    std::vector<uint32_t> offsets;  ///< rows + 1 entries, or empty if the table is not about slices
    std::vector<EventRow> events;   ///< by begin within a row
    std::span<const EventRow> of(size_t row) const {
        return offsets.empty() ? std::span<const EventRow>()
                               : std::span(events).subspan(offsets[row], offsets[row + 1] - offsets[row]);
    }
};

/// One figure about all rows.
struct Total {
    ColumnInfo info;  ///< id "total_self_cpu_ns", title "Total self CPU", unit
    Cell value;
};

struct AnalysisResult {
    Table table;
    RowInstances instances;
    std::vector<Total> totals;
};

struct AnalysisInfo {
    std::string id;     ///< folder, namespace and registry id: "op_table"
    std::string title;  ///< "Op table"
    std::vector<std::string>
        groupings;  ///< values of AnalysisOptions::groupBy, the default first; empty if there is one only
};

class Analysis {
public:
    virtual ~Analysis() = default;
    virtual const AnalysisInfo& info() const = 0;
    /// An empty trace gives an empty table. Fails on a bad filter (the reason in words) or when cancelled.
    virtual Result<AnalysisResult> run(const Trace& trace, const AnalysisOptions& options, JobControl& job) const = 0;
};

}  // namespace warpline
