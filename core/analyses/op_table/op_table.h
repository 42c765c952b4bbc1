// SPDX-License-Identifier: MIT
#pragma once
// The op table: where time went, by operator, annotation, API call and device work, by torch.profiler's definitions.
//
// The tree of a thread holds operators, annotations, API calls and the profiler's overhead; a slice is a child of the
// one that holds it wholly. A single child of its parent's name is folded into it. CPU time is a slice's length, its
// self time what its children leave over; device time is that of the work launched under it (by External id), added up
// even where it ran at the same time. Device-side rows have CPU times 0, API calls and overhead have device times 0.
// In a trace without any operator, annotation or API call the slices of kind Other stand in for operators.

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "core/analyses/analysis.h"
#include "core/base/sum.h"

namespace warpline {

enum class OpGrouping : uint8_t {
    Name,
    Shape,       ///< and input shapes
    Stack,       ///< and the Python functions around it, else the operators and annotations (innermost first, five)
    Annotation,  ///< and the innermost annotation around it, for device work around its launch
};

struct OpTableOptions {
    TraceFilter filter;  ///< which slices count in rows; self times always come from the whole tree
    OpGrouping groupBy = OpGrouping::Name;
    bool withPython = false;  ///< rows of kind python as well; they change no other row
};

/// Rows by self device time, then self CPU time, then name. Columns: those of `ops --json`, shares of the totals, and
/// "stack" or "annotation" where grouped so. Totals: total_self_cpu_ns, total_self_device_ns (annotations left out);
/// where the filter leaves out names, categories or short ones, shown_self_cpu_ns and shown_self_device_ns of the rest.
Result<AnalysisResult> computeOpTable(const Trace& trace, const OpTableOptions& options, JobControl& job);

/// The same sums by name alone, nothing folded, renamed or hidden: operators, annotations and API calls.
struct PlainOpRow {
    StringId name;
    uint64_t count = 0;
    Sum cpu, selfCpu, device, selfDevice;  ///< ns
};
/// In order of first appearance by row. For small traces.
std::vector<PlainOpRow> computePlainOpTable(const Trace& trace);

namespace analyses::op_table {
std::unique_ptr<Analysis> make();
}

}  // namespace warpline
