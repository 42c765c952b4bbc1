// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Values over time as pixel columns, and columns as ink: what picture and SVG draw. Pure; costs pixels, never points.

#include <span>
#include <vector>

#include "core/analyses/device_activity.h"
#include "widgets/panels/timeline/counter_look.h"
#include "widgets/panels/timeline/step_view.h"
#include "widgets/support/theme.h"

namespace warpline::timeline {

/// A counter in one pixel column, as parts of the row's scale: 0 at the row's foot, 1 at its top.
struct CounterColumn {
    ValueRange range;
    double last = 0;  ///< at the column's end; NaN: unknown
    double zero = 0;  ///< where the value 0 lies
};

/// Pixel columns of time: column x holds [timeAt(x), timeAt(x + 1)).
struct ColumnAxis {
    TimeNs begin = 0;
    double nsPerPixel = 1;
    int width = 0;
    TimeNs timeAt(int x) const;
    TimeRange range() const { return {begin, timeAt(width)}; }
};

/// In values, not in parts. A column's range has all that holds in a part of it. `joined`: the points are joined by
/// straight lines.
void addColumns(const StepView& steps, const ColumnAxis& axis, bool joined, std::vector<CounterColumn>& out);
/// The share of each column that the pieces cover.
void addShares(const BusyPieces& pieces, const ColumnAxis& axis, std::vector<CounterColumn>& out);
/// From values to parts of `scale`.
void scaleColumns(std::span<CounterColumn> columns, const ValueRange& scale);

/// Painted as. A share is solid, since it is time that something took up.
enum class ValueInk : uint8_t { Area, Line, Solid };
/// What is painted of a column, top to bottom, the ends exclusive; nothing where they are equal.
struct ColumnInk {
    int fillTop = 0, fillEnd = 0;  ///< up to the value at the column's end
    int bandTop = 0, bandEnd = 0;  ///< all values of an area's column: weaker than the line, as there may be many
    int lineTop = 0, lineEnd = 0;
};
/// In a row of the lines [y0, y1), which keeps two lines free below and above. `hair`: a logical pixel.
ColumnInk inkOf(const CounterColumn& column, ValueInk style, int y0, int y1, int hair);

/// Colours of the three, by theme.
struct InkColors {
    QRgb fill, band, line;
};
InkColors inkColors(const Theme& theme);

}  // namespace warpline::timeline
