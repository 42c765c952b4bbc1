// SPDX-License-Identifier: MIT
#include "core/trace/category_counts.h"

#include <algorithm>

#include "core/base/stoppable.h"

namespace warpline {

Result<std::vector<CategoryCount>> countCategories(const Trace& trace, const JobControl& job) {
    std::vector<uint64_t> counts(trace.stringCount(), 0);
    StopPoll poll(job);
    for (const StringId category : trace.slices().category) {
        if (poll.stopRequested()) {
            return Error::cancelled();
        }
        ++counts[category.value];
    }
    for (const Instant& instant : trace.instants()) {
        if (poll.stopRequested()) {
            return Error::cancelled();
        }
        ++counts[instant.category.value];
    }
    std::vector<CategoryCount> out;
    for (uint32_t id = 0; id < counts.size(); ++id) {
        if (counts[id] > 0) {
            out.push_back({std::string(trace.string(StringId(id))), counts[id]});
        }
    }
    std::ranges::sort(out, {}, &CategoryCount::category);
    return out;
}

}  // namespace warpline
