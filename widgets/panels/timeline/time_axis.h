// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Time <-> pixel. The view's left edge is a whole nanosecond and differences are taken as integers, so a pixel maps to
// the same time near 0 and near 1.7e18 ns. x counts logical pixels from the left edge of the lanes.

#include "core/base/time.h"

namespace warpline::timeline {

/// Parts of the width that stay free on both sides of what is fitted: of all, and of one slice.
inline constexpr double kFitMargin = 0.01;
inline constexpr double kSliceFitMargin = 0.12;

struct TimeAxis {
    TimeNs begin = 0;       ///< time at x = 0
    double nsPerPixel = 1;  ///< > 0

    bool operator==(const TimeAxis&) const = default;
};

/// 20 pixels a nanosecond; nothing in a trace is finer.
inline constexpr double kMinNsPerPixel = 0.05;

double timeToX(const TimeAxis& axis, TimeNs time);
/// The nearest whole nanosecond; clamped to what 64 bits hold.
TimeNs xToTime(const TimeAxis& axis, double x);
/// What `width` pixels show; at least 1 ns.
TimeRange visibleRange(const TimeAxis& axis, int width);

/// Shows `range` on `width` pixels with `margin` (a share of the width) left free on both sides.
TimeAxis axisFitting(TimeRange range, int width, double margin = 0);
/// `factor` < 1 zooms in. The time at `anchorX` stays where it is, but for rounding to whole nanoseconds.
TimeAxis zoomed(const TimeAxis& axis, double anchorX, double factor);
/// Positive `pixels` shows later times.
TimeAxis panned(const TimeAxis& axis, double pixels);
/// Keeps the view on `trace` with half a view's room on both sides, and no wider than twice the trace.
TimeAxis clamped(const TimeAxis& axis, TimeRange trace, int width);

}  // namespace warpline::timeline
