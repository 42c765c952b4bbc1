// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Draws what surrounds and overlays the lanes: ruler, heads, selection, area, arrows, readout. The lanes themselves are
// an image (lane_canvas.h). All coordinates are logical pixels of the widget.

#include <QFont>
#include <QPoint>
#include <QRect>
#include <QString>

#include <optional>
#include <vector>

#include "widgets/panels/timeline/arrows.h"
#include "widgets/panels/timeline/bar_geometry.h"
#include "widgets/panels/timeline/elided_title.h"
#include "widgets/panels/timeline/readout.h"
#include "widgets/panels/timeline/ruler.h"
#include "widgets/support/theme.h"

class QPainter;

namespace warpline::timeline {

inline constexpr int kRulerHeight = 28;

/// Where things are in the widget, and in which look.
struct Frame {
    const Theme& theme;
    QRect lanes;  ///< the viewport of the bars
    QRect heads;  ///< to the left of it, as high
    QRect ruler;  ///< above the lanes
    QFont font;
    QFont smallFont;
};

struct HeadScale;

class TimelinePainter {
public:
    /// `titles`: of the layout whose heads are drawn, in `frame.font`.
    TimelinePainter(QPainter& painter, const Frame& frame, const View& view, ElidedTitles& titles)
        : m_p(painter), m_f(frame), m_v(view), m_titles(titles) {}

    /// Labels that would be cut by what is drawn over them at `taken` (from the ruler's left edge) are left out.
    void ruler(const RulerTicks& ticks, const std::optional<RulerSpan>& taken);
    /// Where the label of an area goes in the ruler, from its left edge; nullopt if nothing of the area is in view.
    std::optional<RulerSpan> areaLabel(TimeRange range, const QString& label, const RulerTicks& ticks) const;
    /// For the heads that are drawn next; null: none. They outlive that.
    void setScales(const std::vector<HeadScale>* scales) { m_scales = scales; }
    /// `hovered` and `focused`: in layout.sections(), or -1.
    void heads(const LaneLayout& layout, const Trace& trace, int hovered, int focused);
    /// A broken edge beside lanes that hold slices which overlap, at the foot of the heads: it covers no bar.
    void overlapEdges(const LaneLayout& layout, const TimelineModel& model);
    /// The header of the process at the top, once it is scrolled out.
    void stickyHeader(const LaneLayout& layout, int hovered);
    /// Fades what is outside of the range and of the bands.
    void veil(TimeRange range, const std::vector<QRect>& trackBands);
    /// A stretch that stays visible: its bands tinted, its edges drawn, its note on the ruler.
    void mark(TimeRange range, const std::vector<QRect>& trackBands, const QString& note, bool isKept);
    /// `place`: of the label, see areaLabel().
    void area(TimeRange range, const QString& label, const std::optional<RulerSpan>& place,
              const std::vector<QRect>& trackBands);
    /// Outline of an event in a row of the layout; nothing if it is not in view, or the row is -1.
    void outline(const LaneLayout& layout, int layoutRow, TimeRange range, const QColor& color, int width);
    /// `amongOthers`: there are others below, from which these have to stand out.
    void arrows(const std::vector<Arrow>& arrows, bool amongOthers);
    /// In the lower right corner of the lanes: what the colours of arrows are, and a text. Not both empty.
    void arrowNote(const std::vector<ArrowKind>& kinds, const QString& text);
    /// Where a dragged head would land (y of the viewport), and what it is, beside the pointer.
    void headDrag(int lineY, const QString& title, QPoint pointer);
    void crosshair(int x, const QString& time);
    void readout(const Readout& readout, QPoint pointer);

private:
    // timeline_heads.cpp
    void headOf(const LaneLayout& layout, size_t index, const Trace& trace, const HeadScale* scale, bool hovered,
                bool focused);
    /// `scaleWidth`: of the right side, which a scale stands in.
    void head(const LaneLayout& layout, size_t index, QRect rect, bool hovered, QRgb mark, const QString& note,
              int scaleWidth = 0);
    // value_heads.cpp: at the right of a head, to the left of what lies in `taken`
    void drawScale(const HeadScale& scale, QRect head, QRect taken);
    int scaleWidth(const HeadScale& scale) const;
    /// The part of the lanes in which what begins at a y of the layout is seen.
    QRect clipOf(int layoutY) const { return m_f.lanes.adjusted(0, m_v.clipTop(layoutY), 0, 0); }
    void drawPin(QPoint center, bool isFilled);
    void drawOverlap(QPoint center);
    void chip(QRect rect, const QString& text, const QColor& fill, const QColor& pen);

    QPainter& m_p;
    const Frame& m_f;
    const View& m_v;
    ElidedTitles& m_titles;
    const std::vector<HeadScale>* m_scales = nullptr;
};

/// The arrow that folds a section; empty where it does not fold.
QRect chevronRect(const Section& section, QRect head);
/// The switch between compact and full height; empty where there is none.
QRect densityRect(const Section& section, QRect head);
/// The switch that pins and unpins.
QRect pinRect(const Section& section, QRect head);
/// The sign that slices overlap; empty where none do.
QRect overlapRect(const Section& section, QRect head);

}  // namespace warpline::timeline
