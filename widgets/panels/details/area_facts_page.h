// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What lies in a selected area: counts and times by kind. Pure; any thread.

#include <array>
#include <cstdint>
#include <memory>

#include "core/base/job_control.h"
#include "core/base/result.h"
#include "core/trace/trace.h"
#include "widgets/panels/details/fact_tree.h"
#include "widgets/support/session.h"

namespace warpline {

struct KindSum {
    uint64_t count = 0;       ///< slices that touch the area
    DurationNs insideNs = 0;  ///< the part of their time that lies inside; nested slices count each
};

/// By EventKind, of what passes the filter. Fails only when cancelled.
Result<std::array<KindSum, kEventKindCount>> sumArea(const Trace& trace, const AreaSelection& area,
                                                     const GlobalFilter& filter, JobControl& job);
/// Of what passes the filter, as in every other panel.
Result<std::shared_ptr<const FactTree>> areaFacts(const Trace& trace, const AreaSelection& area,
                                                  const GlobalFilter& filter, JobControl& job);

}  // namespace warpline
