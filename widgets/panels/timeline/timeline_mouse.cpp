// SPDX-License-Identifier: GPL-3.0-or-later
// Drags over the timeline: areas, spans, and moving the view.

#include <QApplication>
#include <QMouseEvent>

#include <algorithm>
#include <cmath>
#include <utility>

#include "widgets/panels/timeline/edge_snap.h"
#include "widgets/panels/timeline/timeline_widget.h"
#include "widgets/support/key_bindings.h"
#include "widgets/support/settings.h"

namespace warpline::timeline {

TimeNs TimelineWidget::dragTime(QPoint at) {
    const QRect lanes = lanesRect();
    const int x = std::clamp(at.x() - lanes.left(), 0, std::max(lanes.width(), 0));
    m_snapX.reset();
    if (m_trace && lanes.contains(at) && !m_dragModifiers.testFlag(Qt::AltModifier)) {
        const double scale = geometry().view.scale;
        const auto edge = edgeNear(*m_trace, m_geometry, x * scale, static_cast<int>((at.y() - lanes.top()) * scale),
                                   static_cast<int>(kSnapReach * scale));
        if (edge) {
            m_snapX = lanes.left() + static_cast<int>(std::floor(timeToX(m_axis, *edge)));
            return *edge;
        }
    }
    return xToTime(m_axis, x);
}

void TimelineWidget::setTool(Tool tool) {
    m_tool = tool;
    updateCursorShape(m_pointer.value_or(QPoint(-1, -1)));
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
    const bool pans = m_drag == Drag::Pan || (m_drag == Drag::Pending && m_dragKind == DragKind::Pan);
    if (pans || m_drag == Drag::Head) {
        setCursor(Qt::ClosedHandCursor);
    } else if (m_drag == Drag::RowHeight || (m_drag == Drag::None && counterEdgeAt(at) >= 0)) {
        setCursor(Qt::SizeVerCursor);
    } else if (m_drag == Drag::HeadWidth || (m_drag == Drag::None && onBorder)) {
        setCursor(Qt::SplitHCursor);
    } else if (m_drag == Drag::Zoom) {
        setCursor(Qt::SizeVerCursor);
    } else if (m_tool == Tool::Select && areaEdgeAt(at) != Drag::None) {
        setCursor(Qt::SizeHorCursor);
    } else if (m_tool == Tool::Select || !lanesRect().united(rulerRect()).contains(at)) {
        unsetCursor();
    } else {
        setCursor(cursorOf(m_tool));
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
    m_dragModifiers = event->modifiers();
    m_lastDrag = at;
    m_pressY = currentView().layoutY(at.y() - lanesRect().top());
    m_dragFrom = m_axis;
    m_dragFromScroll = scrollY();
    m_dragFromHeads = m_headWidth;
    m_dragKind = dragFor(keyBindings().scheme(), m_tool, event->button(), event->modifiers());
    if (m_dragKind == DragKind::None) {
        return;
    }
    m_dragButton = event->button();
    m_measured.reset();
    const bool plain =
        event->button() == Qt::LeftButton && (event->modifiers() & (Qt::ShiftModifier | Qt::ControlModifier)) == 0;
    const bool onHeads = at.x() < m_headWidth;
    if (plain && std::abs(at.x() - m_headWidth) <= 2) {
        m_drag = Drag::HeadWidth;
    } else if (plain && onHeads) {
        pressHead(at);
    } else if (onHeads && m_dragKind != DragKind::Pan) {
        return;
    } else {
        m_drag = plain && m_dragKind == DragKind::Area ? areaEdgeAt(at) : Drag::None;
        if (m_drag != Drag::None) {
            m_dragArea = *m_session.area();
        } else {
            m_drag = Drag::Pending;
            m_pressOnRuler = rulerRect().contains(at);
            m_dragTime =
                m_dragKind == DragKind::ZoomRange ? xToTime(m_axis, at.x() - lanesRect().left()) : dragTime(at);
        }
    }
    updateCursorShape(at);
}

void TimelineWidget::beginDrag() {
    switch (m_dragKind) {
        case DragKind::Area:
        case DragKind::AreaFilter:
            m_drag = Drag::Area;
            break;
        case DragKind::Pan:
            m_drag = Drag::Pan;
            break;
        case DragKind::Zoom:
            m_drag = Drag::Zoom;
            break;
        case DragKind::ZoomRange:
        case DragKind::Measure:
            m_drag = Drag::Span;
            break;
        case DragKind::None:
            break;
    }
}

void TimelineWidget::mouseMoveEvent(QMouseEvent* event) {
    const QPoint at = event->position().toPoint();
    m_dragModifiers = event->modifiers();
    if (m_drag == Drag::Pending && (at - m_press).manhattanLength() >= QApplication::startDragDistance() / 2) {
        beginDrag();
    }
    switch (m_drag) {
        case Drag::None:
        case Drag::Pending:
            break;
        case Drag::HeadPress:
        case Drag::Head:
            dragHead(at);
            break;
        case Drag::RowHeight:
            dragHeight(at);
            break;
        case Drag::Area:
        case Drag::AreaBegin:
        case Drag::AreaEnd:
        case Drag::Span:
            dragArea(at);
            break;
        case Drag::Pan:
            setAxis(panned(m_axis, m_lastDrag.x() - at.x()));
            setScrollY(scrollY() + m_lastDrag.y() - at.y());
            break;
        case Drag::Zoom:
            zoomAt(m_press.x() - lanesRect().left(), zoomOfDrag(at.y() - m_lastDrag.y()));
            break;
        case Drag::HeadWidth: {
            const QRect before = lanesRect();
            m_headWidth = std::clamp(at.x(), kMinHeadWidth, std::clamp(width() / 2, kMinHeadWidth, kMaxHeadWidth));
            if (lanesRect().width() > 0 && before.width() > 0) {
                setAxis({m_axis.begin, m_axis.nsPerPixel * before.width() / lanesRect().width()});
            }
            placeMinimap();
            updateHiddenNote();
            placeTrackFilter();
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
    const TimeNs time = m_dragKind == DragKind::ZoomRange && m_drag == Drag::Span
                            ? xToTime(m_axis, std::clamp(to.x() - lanes.left(), 0, std::max(lanes.width(), 0)))
                            : dragTime(to);
    if (m_drag == Drag::AreaBegin || m_drag == Drag::AreaEnd) {
        (m_drag == Drag::AreaBegin ? m_dragArea.range.begin : m_dragArea.range.end) = time;
        if (m_dragArea.range.begin > m_dragArea.range.end) {
            std::swap(m_dragArea.range.begin, m_dragArea.range.end);
            m_drag = m_drag == Drag::AreaBegin ? Drag::AreaEnd : Drag::AreaBegin;
        }
    } else {
        m_dragArea.range = {std::min(m_dragTime, time), std::max(m_dragTime, time)};
        if (m_drag == Drag::Area) {
            m_dragArea.range = m_dragArea.range.intersected(traceRange());
        }
        m_dragArea.tracks.clear();
        m_dragArea.rows.clear();
        // A level drag is about time; one that reaches over rows is about the tracks it covers, and one along a row
        // that tells of a device about that device's.
        if (m_drag == Drag::Area && !m_pressOnRuler) {
            const int section = m_layout.sectionAt(m_pressY);
            if (std::abs(to.y() - m_press.y()) > kLaneHeight) {
                takeDraggedRows(to);
            } else if (section >= 0 && m_layout.sections()[static_cast<size_t>(section)].kind == SectionKind::Derived) {
                m_dragArea.tracks = workingTracks(m_layout.sections()[static_cast<size_t>(section)].process);
            }
        }
        // Whoever drags to the edge wants to see what lies beyond.
        const int y = to.y() - lanes.top();
        if (m_drag == Drag::Area && (y > lanes.height() - kScrollZone || y < currentView().frozen + kScrollZone)) {
            if (!m_scrollTimer.isActive()) {
                m_scrollTimer.start(kScrollMs, this);
            }
        } else {
            m_scrollTimer.stop();
        }
    }
    update();
}

void TimelineWidget::takeDraggedRows(QPoint to) {
    const View view = currentView();
    const int end = to.y() - lanesRect().top();
    const int endY = view.layoutY(end);
    const bool isScrolled = m_pressY >= view.frozen && endY >= view.frozen;
    std::vector<char> isTaken(m_trace->tracks().size(), 0);
    const auto take = [&](TrackId track) {
        if (std::exchange(isTaken[track.value], char{1}) == 0) {
            m_dragArea.tracks.push_back(track);
        }
    };
    for (const Section& section : m_layout.sections()) {
        int top = section.y;
        int from = std::min(m_pressY, endY), last = std::max(m_pressY, endY);
        if (!isScrolled) {
            // One end is pinned: what is seen between them counts.
            const int press = view.viewY(m_pressY);
            top = std::max(view.viewY(section.y), view.clipTop(section.y));
            from = std::max(std::min(press, end), top);
            last = std::max(press, end);
        }
        const int bottom = isScrolled ? section.y + section.height : view.viewY(section.y) + section.height;
        if (top > last || bottom <= from || (isScrolled && section.y < view.frozen)) {
            continue;
        }
        if (section.kind == SectionKind::Track) {
            take(section.track);
        } else if (section.kind == SectionKind::Async || section.kind == SectionKind::Counter) {
            m_dragArea.rows.push_back(refOf(section, *m_model));
        } else if ((section.kind == SectionKind::Process && section.collapsed) ||
                   section.kind == SectionKind::Derived) {
            for (const TrackId track : workingTracks(section.process)) {
                take(track);
            }
            for (const TrackItem& item : orderedItems(*m_trace, *m_model, section.process, ArrangementIndex())) {
                const bool isRow =
                    item.ref.kind == SectionRef::Kind::Async || item.ref.kind == SectionRef::Kind::Counter;
                if (isRow && section.kind == SectionKind::Process) {
                    m_dragArea.rows.push_back(item.ref);
                }
            }
        }
    }
}

std::vector<TrackId> TimelineWidget::workingTracks(ProcessId process) const {
    std::vector<TrackId> tracks;
    for (const TrackId track : m_trace->process(process).tracks) {
        if (m_trace->track(track).sliceCount > 0) {
            tracks.push_back(track);
        }
    }
    return tracks;
}

void TimelineWidget::cancelDrag() {
    if (m_drag == Drag::Head || m_drag == Drag::RowHeight) {
        cancelHeadDrag();
        return;
    }
    const Drag drag = std::exchange(m_drag, Drag::None);
    m_snapX.reset();
    m_scrollTimer.stop();
    if (drag == Drag::HeadWidth) {
        m_headWidth = m_dragFromHeads;
        placeMinimap();
        updateHiddenNote();
        placeTrackFilter();
        setAxis(m_dragFrom);
        invalidate();
    } else if (drag == Drag::Pan || drag == Drag::Zoom) {
        setAxis(m_dragFrom);
        setScrollY(m_dragFromScroll);
    }
    updateCursorShape(m_lastDrag);
    update();
}

void TimelineWidget::mouseReleaseEvent(QMouseEvent* event) {
    if (m_drag != Drag::None && event->button() != m_dragButton) {
        return;  // another button beside the one that drags
    }
    const QPoint at = event->position().toPoint();
    m_snapX.reset();
    m_scrollTimer.stop();
    switch (std::exchange(m_drag, Drag::None)) {
        case Drag::HeadPress:
            clickHead(m_press);
            break;
        case Drag::Head:
            dropHead();
            break;
        case Drag::RowHeight:
            dropHeight();
            break;
        case Drag::HeadWidth:
            settings::store().setValue(settings::kTimelineHeads, m_headWidth);
            break;
        case Drag::Pending:
            if (m_dragButton == Qt::LeftButton && m_press.x() >= m_headWidth) {
                click(at);
            }
            break;
        case Drag::Area:
        case Drag::AreaBegin:
        case Drag::AreaEnd:
            if (m_dragArea.range.empty()) {
                m_session.setArea(std::nullopt);
            } else {
                m_session.setArea(m_dragArea);
            }
            if (m_dragKind == DragKind::AreaFilter && !m_dragArea.range.empty()) {
                m_session.applyFilter({filterOf(m_dragArea), m_session.filter().leastDuration});
            }
            break;
        case Drag::Span:
            if (m_dragKind == DragKind::ZoomRange && !m_dragArea.range.empty()) {
                setAxis(axisFitting(m_dragArea.range, lanesRect().width()));
            } else if (m_dragKind == DragKind::Measure) {
                m_measured = m_dragArea.range;
                refreshActions();
            }
            break;
        case Drag::None:
        case Drag::Pan:
        case Drag::Zoom:
            break;
    }
    updateCursorShape(at);
    updateHover(at);
    update();
}

std::optional<AreaSelection> TimelineWidget::shownArea() const {
    if (m_drag == Drag::Area || m_drag == Drag::AreaBegin || m_drag == Drag::AreaEnd || m_drag == Drag::Span) {
        return m_dragArea;
    }
    return m_measured ? AreaSelection{*m_measured, {}} : m_session.area();
}

}  // namespace warpline::timeline
