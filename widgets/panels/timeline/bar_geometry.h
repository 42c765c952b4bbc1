// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What is visible, as plain rectangles in device pixels: no painter, no theme. Painting, hit tests and tests all read
// the same numbers. x counts from the left edge of the lanes, y from the top of the viewport.

#include <cstdint>
#include <span>
#include <vector>

#include "core/trace/trace.h"
#include "widgets/panels/timeline/derived_tracks.h"
#include "widgets/panels/timeline/highlight_index.h"
#include "widgets/panels/timeline/lane_bars.h"
#include "widgets/panels/timeline/lane_layout.h"
#include "widgets/panels/timeline/time_axis.h"
#include "widgets/panels/timeline/timeline_palette.h"
#include "widgets/panels/timeline/value_geometry.h"

namespace warpline::timeline {

struct View {
    TimeAxis axis;    ///< in logical pixels
    int scrollY = 0;  ///< logical; how far the rows below `frozen` are scrolled
    int frozen =
        0;          ///< logical; what lies above it in the layout (pinned sections) is not scrolled, and hides the rest
    int width = 0;  ///< device pixels
    int height = 0;    ///< device pixels
    double scale = 1;  ///< device pixels a logical pixel

    bool operator==(const View&) const = default;

    /// From a y of the layout to one of the viewport; where something ends is counted from where it begins.
    int scrollOf(int layoutY) const { return layoutY < frozen ? 0 : scrollY; }
    int viewY(int layoutY) const { return layoutY - scrollOf(layoutY); }
    int layoutY(int viewY) const { return viewY < frozen ? viewY : viewY + scrollY; }
    /// Where what begins at this y of the layout is cut off: the top edge, or what is frozen.
    int clipTop(int layoutY) const { return layoutY < frozen ? 0 : frozen; }
};

/// Bars of a row are disjoint and ascend; each is at least a pixel wide.
struct Bar {
    int x0 = 0;
    int x1 = 0;         ///< exclusive
    uint32_t item = 0;  ///< Lane and Projection: event row; Instants: in Trace::instants(); Async: as AsyncLane::index;
                        ///< Counter drawn as states: in Geometry::states; Series: among its failures
    uint32_t count = 1;  ///< slices it stands for; `item` is the longest
    ColorKey color = 0;
    bool isQuiet = false;  ///< all of it is shorter than what the filter asks for
};

/// Where a label may stand: the part of a wide bar that is in view.
struct LabelSpot {
    uint32_t bar = 0;  ///< in Geometry::bars
    int x0 = 0;
    int x1 = 0;
};

struct RowGeometry {
    uint32_t layoutRow = 0;
    RowKind kind = RowKind::Lane;
    int y0 = 0;
    int y1 = 0;   ///< exclusive; a row keeps its last pixel free of bars where it is high enough
    int top = 0;  ///< the first line of it that is seen: above, it is scrolled away
    uint32_t firstBar = 0, barCount = 0;
    uint32_t firstMark = 0, markCount = 0;  ///< highlighted slices, drawn above the bars
    uint32_t firstLabel = 0, labelCount = 0;
    uint32_t firstColumn = 0;  ///< of what shows values: view.width columns a line, one line after another
    uint32_t lineCount = 0;
    ValueInk ink = ValueInk::Area;  ///< of the first line; the others are lines
    bool isStates = false;          ///< a Counter that has bars instead
    ValueRange scale;               ///< what foot and top stand for; empty where nothing is known
};

struct Geometry {
    View view;
    bool highlighting = false;  ///< bars fade; marks and the selected slice do not
    EventRow selected;
    std::vector<RowGeometry> rows;  ///< top to bottom
    std::vector<Bar> bars;
    std::vector<Bar> marks;
    std::vector<LabelSpot> labels;
    std::vector<CounterColumn> columns;
    std::vector<double> states;

    std::span<const Bar> barsOf(const RowGeometry& row) const { return {bars.data() + row.firstBar, row.barCount}; }
    std::span<const Bar> marksOf(const RowGeometry& row) const { return {marks.data() + row.firstMark, row.markCount}; }
    /// Logical pixels.
    int lanesWidth() const { return static_cast<int>(view.width / view.scale); }
    std::span<const CounterColumn> columnsOf(const RowGeometry& row, uint32_t line) const {
        const auto width = static_cast<size_t>(view.width);
        return {columns.data() + row.firstColumn + line * width, width};
    }
};

struct GeometryInput {
    const Trace& trace;
    const TimelineModel& model;
    const LaneLayout& layout;
    const HighlightIndex& highlight;
    bool highlighting = false;
    View view;
    EventRow selected;                        ///< a slice that does not fade
    const DerivedView* derived = nullptr;     ///< null: nothing is known of derived rows
    std::span<const CounterLook> looks = {};  ///< by TimelineModel::counters; beyond its end as at first
    DurationNs leastDuration = 0;             ///< what is shorter is quiet; 0: nothing
    LaneBars* laneBars = nullptr;             ///< of this trace, from the frame before; null: none
};

/// Cost: rows in view times pixels. `out` keeps its memory from call to call.
void computeGeometry(const GeometryInput& input, NameColors& colors, Geometry& out);

/// From this many logical pixels a bar may carry a label.
inline constexpr int kMinLabelWidth = 30;
/// Rows lower than this carry none.
inline constexpr int kMinLabelHeight = 13;

}  // namespace warpline::timeline
