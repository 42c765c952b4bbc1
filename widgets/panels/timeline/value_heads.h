// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What stands in the heads of rows that show values: the ends of their scale and the value under the pointer. Pure.

#include <QRect>
#include <QString>

#include <optional>
#include <vector>

#include "widgets/panels/timeline/bar_geometry.h"

namespace warpline::timeline {

struct HeadScale {
    uint32_t section = 0;  ///< in LaneLayout::sections()
    int height = 0;        ///< of its row, logical pixels
    QString top, bottom;   ///< what its edges stand for; "" where that is not known, or no amount
    QString held;          ///< the value at the pointer; "" without one
};

/// Those that are in view, by section. `at`: the time under the pointer.
std::vector<HeadScale> headScales(const Geometry& geometry, const LaneLayout& layout, const Trace& trace,
                                  const TimelineModel& model, const DerivedView& derived, std::optional<TimeNs> at);
struct ScaleLabel {
    QString text;
    int y = 0;  ///< from the section's top
    int height = 0;
    bool isHeld = false;  ///< the value under the pointer, not an end of the scale
};
/// Where they stand at the right of the head, `kScaleMargin` from its edge: top and bottom where two lines have room.
std::vector<ScaleLabel> scaleLabels(const HeadScale& scale, int lineHeight);
inline constexpr int kScaleMargin = 6;
/// Where a label is drawn, at the right of it: to the left of `taken` (a pin), where that is as high.
QRect labelRoom(const ScaleLabel& label, QRect head, QRect taken);
/// Null if the section has none.
const HeadScale* findScale(const std::vector<HeadScale>& scales, uint32_t section);

}  // namespace warpline::timeline
