// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What lies under a pixel: the same rectangles that are drawn, found by binary search.

#include <optional>

#include "widgets/panels/timeline/bar_geometry.h"

namespace warpline::timeline {

/// A bar of few logical pixels is hit so many beside it too.
inline constexpr int kPointerReach = 3;

struct Hit {
    uint32_t row = 0;  ///< in Geometry::rows
    RowKind kind = RowKind::Lane;
    const Bar* bar = nullptr;  ///< null among values; there only failed requests have one
};

/// Device pixels, as in the geometry. Highlighted slices lie above the others. A bar of few pixels is also hit up to
/// `reach` beside it where nothing else is.
std::optional<Hit> hitTest(const Geometry& geometry, int x, int y, int reach = 0);

}  // namespace warpline::timeline
