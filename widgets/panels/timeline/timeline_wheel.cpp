// SPDX-License-Identifier: GPL-3.0-or-later
// Wheel and touch pad over the timeline: the view zooms and moves, and glides to where it is sent.

#include <QNativeGestureEvent>
#include <QWheelEvent>

#include <cmath>

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

bool TimelineWidget::pinch(const QNativeGestureEvent& event) {
    if (!m_trace || event.gestureType() != Qt::ZoomNativeGesture) {
        return false;
    }
    zoomAt(event.position().x() - lanesRect().left(), zoomOfPinch(event.value()));
    return true;
}

}  // namespace warpline::timeline
