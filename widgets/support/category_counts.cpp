// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/support/category_counts.h"

#include <algorithm>

namespace warpline {

Result<CategoryCounts> countCategories(const Trace& trace, JobControl& job) {
    constexpr size_t kStep = 1U << 16U;
    std::vector<uint64_t> counts(trace.stringCount(), 0);
    const std::vector<StringId>& categories = trace.slices().category;
    for (size_t row = 0; row < categories.size(); ++row) {
        if (row % kStep == 0 && job.stopRequested()) {
            return Error::cancelled();
        }
        ++counts[categories[row].value];
    }
    CategoryCounts result;
    for (size_t id = 0; id < counts.size(); ++id) {
        if (counts[id] > 0) {
            result.emplace_back(std::string(trace.string(StringId(static_cast<uint32_t>(id)))), counts[id]);
        }
    }
    std::sort(result.begin(), result.end(), [](const auto& a, const auto& b) {
        return a.second != b.second ? a.second > b.second : a.first < b.first;
    });
    return result;
}

}  // namespace warpline
