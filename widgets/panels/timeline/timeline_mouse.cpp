// SPDX-License-Identifier: GPL-3.0-or-later
// Wheel and mouse buttons over the timeline: zoom, pan, areas, clicks.

#include <QApplication>
#include <QMouseEvent>
#include <QNativeGestureEvent>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>
#include <utility>

#include "widgets/panels/timeline/edge_snap.h"
#include "widgets/panels/timeline/event_place.h"
#include "widgets/panels/timeline/timeline_widget.h"
#include "widgets/support/key_bindings.h"
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

void TimelineWidget::panBy(double pixels) {
    const double whole = m_wholePixels.take(pixels, devicePixelRatioF());
    if (m_trace && whole != 0) {
        setAxis(panned(m_axis, whole));
    }
}

void TimelineWidget::wheelEvent(QWheelEvent* event) {
    event->accept();
    if (!m_trace) {
        return;
    }
    WheelInput input;
    input.pixels = event->pixelDelta();
    input.angle = event->angleDelta();
    input.modifiers = event->modifiers();
    input.phase = event->phase();
    input.touchPad = event->device() != nullptr && event->device()->type() == QInputDevice::DeviceType::TouchPad;
    input.milliseconds = event->timestamp();
    const WheelStep step = m_wheel.step(input, keyBindings().scheme());
    const double anchor = event->position().x() - lanesRect().left();
    if (step.isNotch && settings::store().value(settings::kTimelineSmooth, true).toBool()) {
        glide(step, anchor);
        updateHover(event->position().toPoint());
        return;
    }
    if (step.zoom != 1) {
        zoomAt(anchor, step.zoom);
    }
    if (step.pan != 0) {
        panBy(step.pan);
    }
    if (step.scroll != 0) {
        setScrollY(scrollY() + static_cast<int>(std::lround(step.scroll)));
    }
    updateHover(event->position().toPoint());
}

void TimelineWidget::glide(const WheelStep& step, double anchorX) {
    if (step.zoom != 1) {
        m_motion.zoom(step.zoom, anchorX);
    }
    m_motion.pan(step.pan);
    m_motion.scroll(step.scroll);
    constexpr int kFrameMs = 14;
    if (!m_motionTimer.isActive()) {
        m_motionClock.start();
        m_motionTimer.start(kFrameMs, Qt::PreciseTimer, this);
        moveOn(kFrameMs / 1000.0);  // the first part is seen at once
    }
}

void TimelineWidget::moveOn(double seconds) {
    const ViewMotion::Step step = m_motion.advance(seconds);
    if (step.zoom != 1 && m_trace) {
        if (m_axis != m_motionAxis || step.anchorX != m_motionX) {
            m_motionX = step.anchorX;
            m_motionTime = xToTime(m_axis, m_motionX);
        }
        const TimeAxis next = zoomed(m_axis, m_motionX, step.zoom);
        setAxis(panned(next, timeToX(next, m_motionTime) - m_motionX));
        m_motionAxis = m_axis;
    }
    if (step.pan != 0) {
        panBy(step.pan);
    }
    if (step.scroll != 0) {
        setScrollY(scrollY() + step.scroll);
        if (m_pointer) {
            updateHover(*m_pointer);
        }
    }
    if (m_motion.isAtRest()) {
        m_motionTimer.stop();
    }
}

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

bool TimelineWidget::pinch(const QNativeGestureEvent& event) {
    if (!m_trace || event.gestureType() != Qt::ZoomNativeGesture) {
        return false;
    }
    zoomAt(event.position().x() - lanesRect().left(), zoomOfPinch(event.value()));
    return true;
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
        m_dragArea.tracks.clear();
        // A level drag is about time; one that reaches over rows is about the tracks it covers.
        if (m_drag == Drag::Area && !m_pressOnRuler && std::abs(to.y() - m_press.y()) > kLaneHeight) {
            m_dragArea.tracks = draggedTracks(to);
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

std::vector<TrackId> TimelineWidget::draggedTracks(QPoint to) const {
    const View view = currentView();
    const int end = to.y() - lanesRect().top();
    const int endY = view.layoutY(end);
    const bool isScrolled = m_pressY >= view.frozen && endY >= view.frozen;
    std::vector<char> isTaken(m_trace->tracks().size(), 0);
    std::vector<TrackId> tracks;
    const auto take = [&](TrackId track) {
        if (std::exchange(isTaken[track.value], char{1}) == 0) {
            tracks.push_back(track);
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
        } else if ((section.kind == SectionKind::Process && section.collapsed) ||
                   section.kind == SectionKind::Derived) {
            for (const TrackId track : m_trace->process(section.process).tracks) {
                if (m_trace->track(track).sliceCount > 0) {
                    take(track);
                }
            }
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
                m_session.applyFilter({m_dragArea, m_session.filter().leastDuration});
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
    if (hit && hit->kind == RowKind::Series) {
        update();  // made of many events, so none is chosen, and what was chosen stays
        return;
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
    const QRect head = headOf(section);
    m_focus = keyOf(section);
    update();
    if (headsRect().contains(at) && pinRect(section, headUnder(index)).contains(at)) {
        togglePin();
        return true;
    }
    switch (section.kind) {
        case SectionKind::Process:
            // Folded from its sticky header, the process is still there afterwards.
            scrollTo(section.y, section.y);
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
        case SectionKind::Derived:
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
    const std::optional<TimeRange> range = hit ? rangeUnder(*hit, at) : std::nullopt;
    if (range && !range->empty()) {
        settleView();
        setAxis(axisFitting(*range, lanesRect().width(), kSliceFitMargin));
        settleView();
    }
}

}  // namespace warpline::timeline
