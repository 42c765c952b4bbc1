// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Lists the sections and rows of a layout, top to bottom, and gives them their places. Pure; any thread.

#include <cstddef>
#include <vector>

#include "widgets/panels/timeline/lane_layout.h"

namespace warpline::timeline {

struct BuiltLayout {
    std::vector<Section> sections;
    std::vector<LayoutRow> rows;
    int height = 0;
    size_t trackCount = 0;    ///< as LaneLayout::trackCount()
    size_t passingCount = 0;  ///< as LaneLayout::passingCount()
};
BuiltLayout buildLayout(const Trace& trace, const TimelineModel& model, const LayoutState& state);

}  // namespace warpline::timeline
