// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Begins and ends that a drag snaps to, so that what is measured is from edge to edge and exact to the nanosecond.
// Pure; any thread.

#include <optional>

#include "widgets/panels/timeline/bar_geometry.h"

namespace warpline::timeline {

/// So many logical pixels beside an edge still mean it.
inline constexpr int kSnapReach = 6;

/// The edge next to `x` in the row under `y`, of slices, async work or instants that are drawn alone; device pixels, as
/// in the geometry. nullopt without one within `reach`. Where several slices are one bar no edge is to be seen, so
/// there is none to snap to.
std::optional<TimeNs> edgeNear(const Trace& trace, const Geometry& geometry, double x, int y, int reach);

}  // namespace warpline::timeline
