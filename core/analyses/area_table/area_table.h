// SPDX-License-Identifier: MIT
#pragma once
// What lies in a selected area: a row a name, kind or track, with how often it is there, how much of the area it fills
// and statistics of its durations.

#include <memory>

#include "core/analyses/analysis.h"

namespace warpline {

enum class AreaGrouping : uint8_t { Name, Kind, Track };  ///< Name: and kind

/// The filter's range takes what touches it (see area_scan.h), not what begins inside as in other tables; without one
/// it is the trace's. Rows by the time inside, longest first. That time is cut at the area's edges, nested slices and
/// those of several tracks count each; the statistics are of whole durations. What is unknown of a slice without an end
/// is left out of both, and such slices are counted; a row of these alone has no figures. Sums whose places are no
/// times (kSliceIsSum) are left out. Totals: range_ns, count, inside_ns.
Result<AnalysisResult> computeAreaTable(const Trace& trace, const TraceFilter& filter, AreaGrouping groupBy,
                                        JobControl& job);

namespace analyses::area_table {
std::unique_ptr<Analysis> make();
}

}  // namespace warpline
