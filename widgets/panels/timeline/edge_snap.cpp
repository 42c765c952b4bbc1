// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/timeline/edge_snap.h"

#include <algorithm>
#include <cmath>

namespace warpline::timeline {

namespace {

/// What one bar shows; an empty range is a moment. nullopt: its end is not known, so only its begin is an edge.
struct Edges {
    TimeNs begin = 0;
    std::optional<TimeNs> end;
};

Edges edgesOf(const Trace& trace, RowKind kind, uint32_t item) {
    switch (kind) {
        case RowKind::Lane: {
            const SliceColumns& slices = trace.slices();
            const bool hasEnd = (slices.flags[item] & kSliceNoEnd) == 0;
            return {slices.begin[item], hasEnd ? std::optional(slices.end(item)) : std::nullopt};
        }
        case RowKind::Async: {
            const auto slices = trace.asyncSlices();
            if (item >= slices.size()) {
                return {trace.asyncInstants()[item - slices.size()].time, {}};
            }
            const AsyncSlice& slice = slices[item];
            const bool hasEnd = !slice.unfinished && slice.duration >= 0;
            return {slice.begin, hasEnd ? std::optional(slice.begin + slice.duration) : std::nullopt};
        }
        case RowKind::Instants:
            return {trace.instants()[item].time, {}};
        case RowKind::Counter:
        case RowKind::Series:
        case RowKind::Projection:  // its slice lies on the host, at another time
            break;
    }
    return {};
}

}  // namespace

std::optional<TimeNs> edgeNear(const Trace& trace, const Geometry& geometry, double x, int y, int reach) {
    const auto row = std::partition_point(geometry.rows.begin(), geometry.rows.end(),
                                          [y](const RowGeometry& r) { return r.y1 <= y; });
    if (row == geometry.rows.end() || row->top > y || showsValues(row->kind) || row->kind == RowKind::Projection) {
        return std::nullopt;
    }
    const auto bars = geometry.barsOf(*row);
    const double scale = geometry.view.scale;
    std::optional<TimeNs> best;
    double bestDistance = reach + 0.001;
    auto bar = std::partition_point(bars.begin(), bars.end(), [&](const Bar& b) { return b.x1 < x - reach; });
    for (; bar != bars.end() && bar->x0 <= x + reach; ++bar) {
        if (bar->count > 1) {
            continue;
        }
        const Edges edges = edgesOf(trace, row->kind, bar->item);
        for (const std::optional<TimeNs> edge : {std::optional(edges.begin), edges.end}) {
            const double distance = edge ? std::abs(timeToX(geometry.view.axis, *edge) * scale - x) : bestDistance;
            if (distance < bestDistance) {
                bestDistance = distance;
                best = edge;
            }
        }
    }
    return best;
}

}  // namespace warpline::timeline
