// SPDX-License-Identifier: GPL-3.0-or-later
// Wheel and mouse buttons over the timeline: zoom, pan, areas, clicks.

#include <QApplication>
#include <QMouseEvent>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>
#include <utility>

#include "widgets/panels/timeline/event_place.h"
#include "widgets/panels/timeline/timeline_widget.h"
#include "widgets/support/settings.h"

namespace warpline::timeline {

double TimelineWidget::anchorX() const {
    const QRect lanes = lanesRect();
    return m_pointer && m_pointer->x() >= lanes.left() && m_pointer->x() <= lanes.right()
               ? m_pointer->x() - lanes.left()
               : lanes.width() / 2.0;
}

void TimelineWidget::zoomAt(double x, double factor) {
    if (m_trace) {
        setAxis(zoomed(m_axis, x, factor));
    }
}

void TimelineWidget::wheelEvent(QWheelEvent* event) {
    event->accept();
    if (!m_trace) {
        return;
    }
    const bool fine = !event->pixelDelta().isNull();
    // A notch is 120 units; as pixels it scrolls three rows.
    const QPointF pixels =
        fine ? QPointF(event->pixelDelta()) : QPointF(event->angleDelta()) * (3.0 * kLaneHeight / 120);
    const double main = std::abs(pixels.x()) > std::abs(pixels.y()) ? pixels.x() : pixels.y();
    if ((event->modifiers() & Qt::ControlModifier) != 0) {
        const double notches = fine ? main / 60 : (event->angleDelta().y() + event->angleDelta().x()) / 120.0;
        zoomAt(event->position().x() - lanesRect().left(), std::exp(-notches * 0.28));
    } else if ((event->modifiers() & Qt::ShiftModifier) != 0) {
        setAxis(panned(m_axis, -main * (fine ? 1 : 2)));
    } else {
        if (pixels.x() != 0 && std::abs(pixels.x()) >= std::abs(pixels.y())) {
            setAxis(panned(m_axis, -pixels.x() * (fine ? 1 : 2)));
        } else {
            setScrollY(scrollY() - static_cast<int>(std::lround(pixels.y())));
        }
    }
    updateHover(event->position().toPoint());
}

TimelineWidget::Drag TimelineWidget::areaEdgeAt(QPoint at) const {
    if (!m_session.area() || !lanesRect().united(rulerRect()).contains(at)) {
        return Drag::None;
    }
    const TimeRange range = m_session.area()->range;
    const double x = at.x() - lanesRect().left();
    if (std::abs(timeToX(m_axis, range.end) - x) <= kPointerReach) {
        return Drag::AreaEnd;
    }
    return std::abs(timeToX(m_axis, range.begin) - x) <= kPointerReach ? Drag::AreaBegin : Drag::None;
}

void TimelineWidget::updateCursorShape(QPoint at) {
    const bool onBorder = std::abs(at.x() - m_headWidth) <= 2;
    if (m_drag == Drag::Pan) {
        setCursor(Qt::ClosedHandCursor);
    } else if (m_drag == Drag::HeadWidth || (m_drag == Drag::None && onBorder)) {
        setCursor(Qt::SplitHCursor);
    } else if (areaEdgeAt(at) != Drag::None) {
        setCursor(Qt::SizeHorCursor);
    } else {
        unsetCursor();
    }
}

void TimelineWidget::mousePressEvent(QMouseEvent* event) {
    if (!m_trace || m_drag != Drag::None) {
        return;
    }
    if (event->button() == Qt::BackButton || event->button() == Qt::ForwardButton) {
        event->button() == Qt::BackButton ? goBack() : goForward();
        return;
    }
    const QPoint at = event->position().toPoint();
    m_press = at;
    m_lastDrag = at;
    const bool shift = (event->modifiers() & Qt::ShiftModifier) != 0;
    if (event->button() == Qt::MiddleButton || (event->button() == Qt::LeftButton && shift)) {
        m_drag = Drag::Pan;
    } else if (event->button() != Qt::LeftButton) {
        return;
    } else if (std::abs(at.x() - m_headWidth) <= 2) {
        m_drag = Drag::HeadWidth;
    } else if (at.x() < m_headWidth) {
        clickHead(at);
        return;
    } else {
        m_drag = areaEdgeAt(at);
        if (m_drag != Drag::None) {
            m_dragArea = *m_session.area();
        } else {
            m_drag = Drag::Pending;
            m_pressOnRuler = rulerRect().contains(at);
            m_dragTime = xToTime(m_axis, at.x() - lanesRect().left());
        }
    }
    updateCursorShape(at);
}

void TimelineWidget::mouseMoveEvent(QMouseEvent* event) {
    const QPoint at = event->position().toPoint();
    switch (m_drag) {
        case Drag::None:
            break;
        case Drag::Pending:
            if ((at - m_press).manhattanLength() >= QApplication::startDragDistance() / 2) {
                m_drag = Drag::Area;
                dragArea(at);
            }
            break;
        case Drag::Area:
        case Drag::AreaBegin:
        case Drag::AreaEnd:
            dragArea(at);
            break;
        case Drag::Pan:
            setAxis(panned(m_axis, m_lastDrag.x() - at.x()));
            setScrollY(scrollY() + m_lastDrag.y() - at.y());
            break;
        case Drag::HeadWidth: {
            const QRect before = lanesRect();
            m_headWidth = std::clamp(at.x(), kMinHeadWidth, std::clamp(width() / 2, kMinHeadWidth, kMaxHeadWidth));
            if (lanesRect().width() > 0 && before.width() > 0) {
                setAxis({m_axis.begin, m_axis.nsPerPixel * before.width() / lanesRect().width()});
            }
            placeMinimap();
            invalidate();
            break;
        }
    }
    m_lastDrag = at;
    updateHover(at);
    updateCursorShape(at);
}

void TimelineWidget::dragArea(QPoint to) {
    const QRect lanes = lanesRect();
    const TimeNs time = xToTime(m_axis, std::clamp(to.x() - lanes.left(), 0, std::max(lanes.width(), 0)));
    if (m_drag == Drag::AreaBegin || m_drag == Drag::AreaEnd) {
        (m_drag == Drag::AreaBegin ? m_dragArea.range.begin : m_dragArea.range.end) = time;
        if (m_dragArea.range.begin > m_dragArea.range.end) {
            std::swap(m_dragArea.range.begin, m_dragArea.range.end);
            m_drag = m_drag == Drag::AreaBegin ? Drag::AreaEnd : Drag::AreaBegin;
        }
    } else {
        m_dragArea.range = {std::min(m_dragTime, time), std::max(m_dragTime, time)};
        m_dragArea.tracks.clear();
        // A level drag is about time; one that reaches over rows is about the tracks it covers.
        if (!m_pressOnRuler && std::abs(to.y() - m_press.y()) > kLaneHeight) {
            const int y0 = std::min(to.y(), m_press.y()) - lanes.top() + scrollY();
            const int y1 = std::max(to.y(), m_press.y()) - lanes.top() + scrollY();
            for (const Section& section : m_layout.sections()) {
                if (section.kind == SectionKind::Track && section.y <= y1 && section.y + section.height > y0) {
                    m_dragArea.tracks.push_back(section.track);
                }
            }
        }
    }
    update();
}

void TimelineWidget::mouseReleaseEvent(QMouseEvent* event) {
    const QPoint at = event->position().toPoint();
    const Drag drag = std::exchange(m_drag, Drag::None);
    if (drag == Drag::HeadWidth) {
        settings::store().setValue(settings::kTimelineHeads, m_headWidth);
    }
    if (drag == Drag::Pending) {
        click(at);
    } else if (drag == Drag::Area || drag == Drag::AreaBegin || drag == Drag::AreaEnd) {
        if (m_dragArea.range.empty()) {
            m_session.setArea(std::nullopt);
        } else {
            m_session.setArea(m_dragArea);
        }
    }
    updateCursorShape(at);
    updateHover(at);
    update();
}

void TimelineWidget::click(QPoint at) {
    if (rulerRect().contains(at)) {
        m_session.setArea(std::nullopt);
        return;
    }
    const std::optional<Hit> hit = hitAt(at);
    const int section = sectionAtPoint(at);
    if (section >= 0) {
        m_focus = keyOf(m_layout.sections()[static_cast<size_t>(section)]);
    }
    if (const Selection chosen = hit ? selectionAt(*hit, at) : Selection(); chosen.kind != Selection::Kind::None) {
        m_session.select(chosen);
        return;
    }
    if (!hit && section >= 0 && m_layout.sections()[static_cast<size_t>(section)].kind == SectionKind::Process) {
        clickHead(at);
        return;
    }
    m_session.setArea(std::nullopt);
    m_session.select({});
}

bool TimelineWidget::clickHead(QPoint at) {
    const int index = sectionAtPoint(at);
    if (index < 0) {
        return false;
    }
    const Section section = m_layout.sections()[static_cast<size_t>(index)];
    const QRect head(0, lanesRect().top() + section.y - scrollY(), m_headWidth, section.height);
    m_focus = keyOf(section);
    update();
    switch (section.kind) {
        case SectionKind::Process:
            // Folded from its sticky header, the process is still there afterwards.
            if (section.y < scrollY()) {
                setScrollY(section.y);
            }
            toggleFold(section);
            return true;
        case SectionKind::Track:
            if (densityRect(section, head).contains(at)) {
                compactFocused();
                return true;
            }
            break;
        case SectionKind::Async:
        case SectionKind::Counter:
            break;
    }
    if (!chevronRect(section, head).adjusted(-6, 0, 2, 0).contains(at)) {
        return false;
    }
    toggleFold(section);
    return true;
}

void TimelineWidget::mouseDoubleClickEvent(QMouseEvent* event) {
    const QPoint at = event->position().toPoint();
    if (!m_trace || event->button() != Qt::LeftButton) {
        return;
    }
    if (rulerRect().contains(at)) {
        fitAll();
        return;
    }
    if (at.x() < m_headWidth) {
        const int index = sectionAtPoint(at);
        if (index >= 0 && !clickHead(at)) {
            const Section section = m_layout.sections()[static_cast<size_t>(index)];
            toggleFold(section);
        }
        return;
    }
    const std::optional<Hit> hit = hitAt(at);
    const std::optional<TimeRange> range = hit ? rangeOf(*m_trace, selectionAt(*hit, at)) : std::nullopt;
    if (range && !range->empty()) {
        settleView();
        setAxis(axisFitting(*range, lanesRect().width(), kSliceFitMargin));
        settleView();
    }
}

}  // namespace warpline::timeline
