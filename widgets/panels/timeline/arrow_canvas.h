// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Draws hundreds of arrows into the image of the lanes, which a painter takes many times longer for. GUI thread.

#include <QColor>
#include <QImage>

#include <vector>

#include "widgets/panels/timeline/arrows.h"
#include "widgets/support/theme.h"

namespace warpline::timeline {

QColor arrowColor(const Theme& theme, ArrowKind kind);

/// Thin curves with a small head, fainter the more there are. `image` is in device pixels, `scale` of them a logical
/// pixel, of Format_RGB32.
void drawArrows(const std::vector<Arrow>& arrows, const Theme& theme, double scale, QImage& image);

}  // namespace warpline::timeline
