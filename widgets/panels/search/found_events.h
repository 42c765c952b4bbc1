// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What a search has found, as the session's highlight takes it. Pure; any thread.

#include <memory>
#include <vector>

#include "core/analyses/event_search.h"
#include "widgets/support/highlight.h"

namespace warpline::search {

struct FoundEvents {
    SearchHits hits;
    std::vector<HighlightPoint> points;  ///< all of the hits that are no slices; a counter by its first sample
};

/// Cost: the slices among the hits, and the rest sorted by time. A counter without a sample is left out.
FoundEvents foundEvents(const Trace& trace, SearchHits hits);
/// Refers to `found`, which it keeps alive.
Highlight highlightOf(const std::shared_ptr<const FoundEvents>& found, const QString& title);

}  // namespace warpline::search
