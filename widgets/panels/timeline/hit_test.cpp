// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/timeline/hit_test.h"

#include <algorithm>

namespace warpline::timeline {

namespace {

const Bar* findBar(std::span<const Bar> bars, int x, int reach) {
    const auto after = std::partition_point(bars.begin(), bars.end(), [x](const Bar& bar) { return bar.x1 <= x; });
    if (after != bars.end() && after->x0 <= x) {
        return &*after;
    }
    const int toNext = after != bars.end() ? after->x0 - x : reach + 1;
    const int toLast = after != bars.begin() ? x - (after - 1)->x1 + 1 : reach + 1;
    if (std::min(toNext, toLast) > reach) {
        return nullptr;
    }
    return toNext < toLast ? &*after : &*(after - 1);
}

}  // namespace

std::optional<Hit> hitTest(const Geometry& geometry, int x, int y, int reach) {
    const auto row = std::partition_point(geometry.rows.begin(), geometry.rows.end(),
                                          [y](const RowGeometry& r) { return r.y1 <= y; });
    if (row == geometry.rows.end() || row->top > y || x < 0 || x >= geometry.view.width) {
        return std::nullopt;
    }
    Hit hit;
    hit.row = static_cast<uint32_t>(row - geometry.rows.begin());
    hit.kind = row->kind;
    if (row->kind == RowKind::Counter) {
        return hit;
    }
    if (row->kind == RowKind::Series) {
        hit.bar = findBar(geometry.barsOf(*row), x, reach);
        return hit;
    }
    hit.bar = findBar(geometry.marksOf(*row), x, reach);
    if (hit.bar == nullptr) {
        hit.bar = findBar(geometry.barsOf(*row), x, 0);
    }
    if (hit.bar == nullptr) {
        hit.bar = findBar(geometry.barsOf(*row), x, reach);
    }
    return hit.bar != nullptr ? std::optional(hit) : std::nullopt;
}

}  // namespace warpline::timeline
