// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The timeline as it is seen, as a drawing that stays sharp: bars and labels as SVG 1.1, from the same numbers that are
// painted; what surrounds them comes painted (svg_paint_device.h). Pure but for the fonts' measures, so GUI thread.

#include <QByteArray>
#include <QFont>
#include <QRect>
#include <QString>

#include <vector>

#include "widgets/panels/timeline/arrows.h"
#include "widgets/panels/timeline/bar_geometry.h"
#include "widgets/panels/timeline/ruler.h"
#include "widgets/support/theme.h"

namespace warpline::timeline {

struct SvgInput {
    const Trace& trace;
    const LaneLayout& layout;
    const Geometry& geometry;  ///< at scale 1
    const RulerTicks& ticks;
    const Theme& theme;
    QRect lanes;  ///< where they are in the picture, whose top left corner is 0, 0 and which ends with them
    QFont font;   ///< of the labels
    std::vector<Arrow> arrows;
    const TimelineModel* model = nullptr;  ///< for what counters drawn as states say; null: nothing
    QString around;                        ///< elements of all that surrounds and overlays the lanes
};

/// What is drawn: bars are one path a colour, so a picture has some tens of elements and its labels.
QByteArray timelineSvg(const SvgInput& input);

/// Text as it may stand in XML: the five signs escaped, what XML 1.0 cannot hold replaced by U+FFFD.
QString xmlText(const QString& text);

}  // namespace warpline::timeline
