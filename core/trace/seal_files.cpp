// SPDX-License-Identifier: MIT
// Sealing: whether files that were placed by their clocks lie where they can have been recorded together.

#include <algorithm>
#include <vector>

#include "core/base/units.h"
#include "core/trace/trace_builder_state.h"

namespace warpline {

namespace {

/// Ranks of one run start within minutes, and recordings that follow each other lie closer than this. Clocks of
/// machines that were never set differ by hours or years.
constexpr DurationNs kFarApart = DurationNs{3600} * 1'000'000'000;

}  // namespace

void TraceBuilder::State::reportDistantFiles() {
    std::vector<uint32_t> order;
    for (uint32_t i = 0; i < data->files.size(); ++i) {
        // Where the user put a file is no mistake of a clock.
        if (data->files[i].range && !data->files[i].placedByHand) {
            order.push_back(i);
        }
    }
    const auto rangeOf = [this](uint32_t file) { return *data->files[file].range; };
    std::ranges::stable_sort(order, {}, [&](uint32_t file) { return rangeOf(file).begin; });
    uint32_t last = 0;  // of those before, the one that ends last
    for (size_t i = 0; i < order.size(); ++i) {
        const uint32_t file = order[i];
        if (i > 0) {
            const DurationNs gap = rangeOf(file).begin - rangeOf(last).end;
            if (gap > kFarApart) {
                // The first file is the axis, so it is the other one that lies far away.
                const bool isLater = file != 0;
                const uint32_t about = isLater ? file : last;
                // By its number, as in --offset: the report is kept in images of traces, whatever files are called.
                const std::string other = "file " + std::to_string((isLater ? last : file) + 1);
                data->report.add(FileId(about), "clock_mismatch", Severity::Warning, std::nullopt,
                                 spaceOf(FileId(about)),
                                 isLater ? "it begins " + formatDuration(gap) + " after the end of " + other
                                         : "it ends " + formatDuration(gap) + " before the begin of " + other);
            }
        }
        last = i == 0 || rangeOf(file).end > rangeOf(last).end ? file : last;
    }
}

}  // namespace warpline
