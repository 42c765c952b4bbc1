// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <utility>

#include "core/analyses/op_table/op_table.h"

namespace warpline::analyses::op_table {

namespace {

constexpr std::array<std::pair<std::string_view, OpGrouping>, 4> kGroupings = {
    {{"name", OpGrouping::Name},
     {"shape", OpGrouping::Shape},
     {"stack", OpGrouping::Stack},
     {"annotation", OpGrouping::Annotation}}};

/// Asking for a category that Python functions have is asking for them.
bool asksForPython(const Trace& trace, const TraceFilter& filter) {
    const SliceColumns& slices = trace.slices();
    return std::any_of(filter.categories.begin(), filter.categories.end(), [&](const std::string& category) {
        const auto id = trace.findString(category);
        for (uint32_t row = 0; id && row < slices.size(); ++row) {
            if (slices.category[row] == *id) {
                return slices.kind[row] == EventKind::Python;
            }
        }
        return false;
    });
}

class OpTableAnalysis final : public Analysis {
public:
    const AnalysisInfo& info() const override {
        static const AnalysisInfo kInfo = {"op_table", "Op table", {"name", "shape", "stack", "annotation"}};
        return kInfo;
    }

    Result<AnalysisResult> run(const Trace& trace, const AnalysisOptions& options, JobControl& job) const override {
        const auto* grouping = std::find_if(kGroupings.begin(), kGroupings.end(),
                                            [&](const auto& known) { return known.first == options.groupBy; });
        if (grouping == kGroupings.end()) {
            return Error::failed("cannot group by \"" + options.groupBy + "\": name, shape, stack or annotation");
        }
        return computeOpTable(trace, {options.filter, grouping->second, asksForPython(trace, options.filter)}, job);
    }
};

}  // namespace

std::unique_ptr<Analysis> make() {
    return std::make_unique<OpTableAnalysis>();
}

}  // namespace warpline::analyses::op_table
