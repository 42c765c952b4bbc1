// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Draws the geometry of all rows into an image, a scanline a row: it is composed once and copied to the row's height,
// so the cost is pixels and never bars. Labels stand above. Hovering replays the image.

#include <QImage>

#include <vector>

#include "widgets/panels/timeline/bar_geometry.h"
#include "widgets/panels/timeline/label_cache.h"
#include "widgets/panels/timeline/timeline_palette.h"
#include "widgets/support/theme.h"

namespace warpline::timeline {

struct CanvasStyle {
    const Theme& theme;
    const BarColors& colors;
    std::vector<int> gridColumns;  ///< device pixels
};

/// Fills `image`, which is made anew when its size does not match the view.
void renderLanes(const Geometry& geometry, const LaneLayout& layout, const CanvasStyle& style, QImage& image);
void renderLabels(const Geometry& geometry, const LaneLayout& layout, const Trace& trace, const TimelineModel& model,
                  const BarColors& colors, LabelCache& labels, QImage& image);

}  // namespace warpline::timeline
