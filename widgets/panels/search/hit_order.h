// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// In which order the hits of a search are listed. Pure; any thread.

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/base/job_control.h"
#include "core/trace/trace.h"
#include "widgets/panels/search/hit_facts.h"

namespace warpline::search {

/// By row, the place among the hits by time. Null: by time.
using HitOrder = std::shared_ptr<const std::vector<uint32_t>>;

struct HitSort {
    int column = StartColumn;
    bool isDescending = false;
    bool isByTime() const { return column == StartColumn && !isDescending; }
    bool operator==(const HitSort&) const = default;
};

/// Texts as they are shown, durations by length; those without one, and unknown ones, last either way. Hits that are
/// alike stay by time. nullopt when stopped. Cost: n log n of the hits; each text is made once.
std::optional<HitOrder> sortedHits(const Trace& trace, const Highlight& hits, const HitSort& sort, JobControl& job);

}  // namespace warpline::search
