// SPDX-License-Identifier: GPL-3.0-or-later
// How the timeline draws itself: the view, the canvas of the lanes, and what lies above them.

#include <QFontMetrics>
#include <QPainter>

#include <algorithm>
#include <cmath>

#include "core/base/units.h"
#include "widgets/panels/timeline/lane_canvas.h"
#include "widgets/panels/timeline/minimap.h"
#include "widgets/panels/timeline/timeline_widget.h"
#include "widgets/support/cell_text.h"

namespace warpline::timeline {

namespace {

/// Pinned tracks take so many hundredths of the lanes' height at most; those beyond scroll like the others.
constexpr int kMostPinned = 60;

}  // namespace

View TimelineWidget::currentView() const {
    View view;
    view.axis = m_axis;
    view.scrollY = scrollY();
    view.scale = devicePixelRatioF();
    const QRect lanes = lanesRect();
    view.frozen = m_layout.pinnedHeight(lanes.height() * kMostPinned / 100);
    view.width = static_cast<int>(std::lround(lanes.width() * view.scale));
    view.height = static_cast<int>(std::lround(lanes.height() * view.scale));
    return view;
}

void TimelineWidget::invalidate() {
    m_geometryStale = true;
    m_canvasStale = true;
    update();
}

const Geometry& TimelineWidget::geometry() {
    const View view = currentView();
    if (m_geometryStale || view != m_geometry.view) {
        if (m_trace && m_model) {
            const DerivedView derived = m_derived->view();
            computeGeometry(
                {*m_trace, *m_model, m_layout, *m_highlight, !m_highlight->empty(), view, m_session.selectedEvent(),
                 &derived, m_looks, m_session.filter().leastDuration, &m_laneBars},
                m_nameColors, m_geometry);
        } else {
            m_geometry = {};
            m_geometry.view = view;
        }
        m_geometryStale = false;
        m_canvasStale = true;
    }
    return m_geometry;
}

RulerTicks TimelineWidget::rulerTicks() const {
    const QFontMetrics metrics(m_smallFont);
    return computeRulerTicks(m_axis, lanesRect().width(), rulerOrigin(),
                             [&](std::string_view label) { return metrics.horizontalAdvance(fromUtf8(label)); });
}

QString TimelineWidget::timeLabel(TimeNs time) const {
    const auto step = std::max<DurationNs>(static_cast<DurationNs>(m_axis.nsPerPixel), 1);
    const RulerOrigin origin = rulerOrigin();
    const DurationNs since = distanceSaturated(origin.time, time);
    return fromUtf8(origin.isMidnight ? timeOfDayLabel(since, step) : rulerLabel(since, step, m_ticks.largestNs));
}

void TimelineWidget::ensureCanvas() {
    geometry();
    if (!m_canvasStale) {
        return;
    }
    m_ticks = rulerTicks();
    const BarColors colors = barColors(theme());
    CanvasStyle style{theme(), colors, {}};
    for (const RulerTick& tick : m_ticks.ticks) {
        if (!tick.label.empty()) {
            style.gridColumns.push_back(static_cast<int>(std::lround(tick.x * m_geometry.view.scale)));
        }
    }
    m_canvas.setDevicePixelRatio(1);
    renderLanes(m_geometry, m_layout, style, m_canvas);
    if (m_trace && m_model) {
        if (!m_labels.isFor(m_labelFont, m_geometry.view.scale)) {
            m_labels.reset(m_labelFont, m_geometry.view.scale);
        }
        renderLabels(m_geometry, m_layout, *m_trace, *m_model, colors, m_labels, m_canvas);
        drawFlows();
    }
    m_canvas.setDevicePixelRatio(m_geometry.view.scale);
    m_canvasStale = false;
}

std::vector<QRect> TimelineWidget::trackBands(const AreaSelection& area) const {
    const QRect lanes = lanesRect();
    if (area.isOfAll()) {
        return {lanes};
    }
    const View view = currentView();
    std::vector<QRect> bands;
    std::vector<char> isTaken(m_trace->tracks().size(), 0);
    std::vector<char> isDrawn(m_layout.sections().size(), 0);
    const auto add = [&](int section) {
        // Of a folded process only once.
        if (section >= 0 && std::exchange(isDrawn[static_cast<size_t>(section)], char{1}) == 0) {
            const Section& found = m_layout.sections()[static_cast<size_t>(section)];
            const QRect band(lanes.left(), lanes.top() + view.viewY(found.y), lanes.width(), found.height);
            bands.push_back(band & lanes.adjusted(0, view.clipTop(found.y), 0, 0));
        }
    };
    for (const TrackId track : area.tracks) {
        isTaken[track.value] = 1;
        add(m_layout.sectionOfTrack(track));
    }
    const std::vector<Section>& sections = m_layout.sections();
    // What tells of a device is in the area where all is that it tells of.
    for (size_t i = 0; i < sections.size(); ++i) {
        if (sections[i].kind == SectionKind::Derived) {
            const std::vector<TrackId> all = workingTracks(sections[i].process);
            if (!all.empty() && std::ranges::all_of(all, [&](TrackId track) { return isTaken[track.value] != 0; })) {
                add(static_cast<int>(i));
            }
        }
    }
    for (size_t i = 0; i < sections.size() && !area.rows.empty(); ++i) {
        // What is pinned, then what is seen below it.
        if (sections[i].y >= view.frozen) {
            i = std::max(i, m_layout.firstSectionBelow(view.layoutY(view.frozen)));
        }
        if (i >= sections.size() || view.viewY(sections[i].y) >= lanes.height()) {
            break;
        }
        const bool isRow = sections[i].kind == SectionKind::Async || sections[i].kind == SectionKind::Counter;
        if (isRow && std::ranges::find(area.rows, refOf(sections[i], *m_model)) != area.rows.end()) {
            add(static_cast<int>(i));
        }
    }
    return bands;
}

QString TimelineWidget::areaLabel(const AreaSelection& area) const {
    const QString label = fromUtf8(formatDuration(area.range.length()));
    return area.isOfAll()
               ? label
               : label + tr(" on %1").arg(fromUtf8(formatCountOf(area.tracks.size() + area.rows.size(), "track")));
}

void TimelineWidget::paintMarks(TimelinePainter& painter, const std::optional<RulerSpan>& areaPlace) const {
    for (const Mark& mark : m_session.notes().marks) {
        const bool isLost = mark.isWithoutTracks();
        const QString note = isLost ? tr("%1 (its track is gone)").arg(mark.note).trimmed() : mark.note;
        painter.mark(mark.area.range, isLost ? std::vector<QRect>() : trackBands(mark.area), note, mark.isKept);
    }
    if (m_session.filter().area) {
        painter.veil(m_session.filter().area->range, trackBands(*m_session.filter().area));
    }
    if (const std::optional<AreaSelection> area = shownArea()) {
        painter.area(area->range, areaLabel(*area), areaPlace, trackBands(*area));
    }
}

void TimelineWidget::paintEvent(QPaintEvent*) {
    QPainter p(this);
    const Theme& look = theme();
    if (!m_trace || (!m_empty->isHidden() && m_empty->y() == 0)) {
        p.fillRect(rect(), look.surface);
        return;
    }
    ensureCanvas();
    p.drawImage(lanesRect().topLeft(), m_canvas);
    paintAround(p, false);
}

void TimelineWidget::paintAround(QPainter& p, bool isPicture) {
    const Theme& look = theme();
    const QRect lanes = lanesRect();
    p.fillRect(QRect(0, 0, width(), kMinimapHeight), look.raised);
    p.fillRect(QRect(0, kMinimapHeight - 1, width(), 1), look.border);
    p.setFont(m_smallFont);
    p.setPen(look.mutedText);
    p.drawText(QRect(8, 0, m_headWidth - 14, kMinimapHeight), Qt::AlignLeft | Qt::AlignVCenter, m_minimap->title());
    p.fillRect(QRect(lanes.right() + 1, 0, width() - lanes.right() - 1, lanes.top()), look.raised);
    p.fillRect(QRect(lanes.right() + 1, lanes.top(), width() - lanes.right() - 1, lanes.height()), look.surface);
    const Frame frame{look, lanes, headsRect(), rulerRect(), m_headFont, m_smallFont};
    TimelinePainter painter(p, frame, m_geometry.view, m_titles);
    const std::optional<AreaSelection> shown = shownArea();
    const std::optional<RulerSpan> areaPlace =
        shown ? painter.areaLabel(shown->range, areaLabel(*shown), m_ticks) : std::nullopt;
    painter.ruler(m_ticks, areaPlace);
    if (!m_model) {
        p.fillRect(headsRect(), look.surface);
        return;
    }
    const std::vector<HeadScale> scales = headScalesAt(m_geometry, isPicture ? std::nullopt : pointedTime());
    painter.setScales(&scales);
    painter.heads(m_layout, *m_trace, isPicture ? -1 : m_hoveredSection,
                  hasFocus() && !isPicture ? focusedSection() : -1);
    painter.overlapEdges(m_layout, *m_model);

    paintMarks(painter, areaPlace);
    const SliceColumns& slices = m_trace->slices();
    if (m_hovered.valid() && !isPicture) {
        painter.outline(m_layout, m_layout.rowOfLane(m_trace->laneOf(m_hovered)),
                        {slices.begin[m_hovered.value], slices.end(m_hovered.value)}, look.hoverOutline, 1);
    }
    outlineProjections(painter);
    paintArrows(painter, !isPicture);
    if (m_selectedPlace) {
        painter.outline(m_layout, m_selectedPlace->layoutRow, m_selectedPlace->range, look.selectedOutline, 2);
    }
    painter.stickyHeader(m_layout, isPicture ? -1 : m_hoveredSection);
    if (isPicture) {
        return;
    }
    paintHeadDrag(painter);
    if (m_snapX && m_drag != Drag::Pending) {
        p.fillRect(*m_snapX, lanes.top(), 1, lanes.height(), look.accent);
    }
    if (m_pointer && m_pointer->x() >= lanes.left()) {
        const TimeNs at = xToTime(m_axis, m_pointer->x() - lanes.left());
        if (m_drag != Drag::Area) {
            painter.crosshair(m_pointer->x(), timeLabel(at));
        }
        if (m_readout && m_drag == Drag::None) {
            painter.readout(*m_readout, *m_pointer);
        }
    }
}

}  // namespace warpline::timeline
