// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/timeline/gestures.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <utility>

#include "widgets/panels/timeline/lane_layout.h"

namespace warpline::timeline {

namespace {

constexpr double kNotch = 120;
constexpr double kNotchPixels = 3.0 * kLaneHeight;  ///< a notch scrolls three rows
constexpr double kNotchZoom = 0.28;                 ///< exponent
constexpr double kPadPixelsPerNotch = 60;
constexpr double kFine = 0.25;  ///< of a notch
constexpr double kFast = 3;
constexpr double kLockAfter = 6;            ///< pixels
constexpr uint64_t kSameGestureMs = 160;    ///< of pads that do not say when fingers touch
constexpr double kDragPixelsPerNotch = 36;  ///< of the zoom tool
constexpr double kMostPinch = 0.5;          ///< an event's; more is a device's mistake

QString say(const char* text) {
    return QCoreApplication::translate("TimelineGestures", text);
}

/// What the vertical wheel zooms by, in notches; 0 if it does not zoom.
double zoomNotches(KeyScheme scheme, Qt::KeyboardModifiers modifiers) {
    const bool control = modifiers.testFlag(Qt::ControlModifier);
    const bool shift = modifiers.testFlag(Qt::ShiftModifier);
    if (scheme == KeyScheme::Tracy) {
        return control ? kFine : shift ? kFast : 1;
    }
    const bool alt = scheme == KeyScheme::ChromeTracing && modifiers.testFlag(Qt::AltModifier);
    return control || alt ? 1 : 0;
}

}  // namespace

DragKind dragFor(KeyScheme scheme, Tool tool, Qt::MouseButton button, Qt::KeyboardModifiers modifiers) {
    const bool tracy = scheme == KeyScheme::Tracy;
    if (button == Qt::MiddleButton) {
        return tracy ? DragKind::ZoomRange : DragKind::Pan;
    }
    if (button != Qt::LeftButton) {
        return DragKind::None;
    }
    if (modifiers.testFlag(Qt::ShiftModifier)) {
        return DragKind::Pan;
    }
    if (modifiers.testFlag(Qt::ControlModifier)) {
        return tracy ? DragKind::Area : DragKind::AreaFilter;
    }
    switch (tool) {
        case Tool::Select:
            return DragKind::Area;
        case Tool::Pan:
            return DragKind::Pan;
        case Tool::Zoom:
            return tracy ? DragKind::ZoomRange : DragKind::Zoom;
        case Tool::Time:
            return DragKind::Measure;
    }
    return DragKind::None;
}

Qt::CursorShape cursorOf(Tool tool) {
    switch (tool) {
        case Tool::Select:
            return Qt::ArrowCursor;
        case Tool::Pan:
            return Qt::OpenHandCursor;
        case Tool::Zoom:
            return Qt::SizeVerCursor;
        case Tool::Time:
            return Qt::CrossCursor;
    }
    return Qt::ArrowCursor;
}

QString gestureOf(const QString& actionId, KeyScheme scheme) {
    const auto is = [&actionId](const char* id) { return actionId == QLatin1String(id); };
    const bool tracy = scheme == KeyScheme::Tracy;
    if (is("timeline.zoom_in") || is("timeline.zoom_out")) {
        const bool in = is("timeline.zoom_in");
        if (tracy) {
            return in ? say("Wheel up (Ctrl: fine, Shift: fast), middle drag") : say("Wheel down");
        }
        if (scheme == KeyScheme::ChromeTracing) {
            return in ? say("Ctrl+wheel up, Alt+wheel up, pinch") : say("Ctrl+wheel down, Alt+wheel down, pinch");
        }
        return in ? say("Ctrl+wheel up, pinch") : say("Ctrl+wheel down, pinch");
    }
    if (is("timeline.pan_left") || is("timeline.pan_right")) {
        return tracy ? say("Sideways wheel, Shift+drag") : say("Shift+wheel, Shift+drag, middle drag");
    }
    if (is("timeline.scroll_up") || is("timeline.scroll_down")) {
        return tracy ? say("Shift+drag") : say("Wheel");
    }
    if (is("timeline.back")) {
        return say("Back button of the mouse");
    }
    if (is("timeline.forward")) {
        return say("Forward button of the mouse");
    }
    if (is("timeline.fit")) {
        return say("Double click on it");
    }
    if (is("timeline.fit_all")) {
        return say("Double click on the ruler");
    }
    if (is("timeline.area_from_selection")) {
        return say("Drag, or Ctrl+drag with any tool");
    }
    if (is("timeline.tool_pan")) {
        return tracy ? say("Shift+drag with any tool") : say("Shift+drag or middle drag with any tool");
    }
    if (is("timeline.fold")) {
        return say("Click on its arrow");
    }
    return {};
}

double zoomOfDrag(double pixelsDown) {
    return std::exp(pixelsDown / kDragPixelsPerNotch * kNotchZoom);
}

double zoomOfPinch(double value) {
    return std::isfinite(value) ? 1 / (1 + std::clamp(value, -kMostPinch, kMostPinch)) : 1;
}

void WheelModel::beginGesture(const WheelInput& input) {
    m_modifiers = input.modifiers;
    m_axis = Axis::Undecided;
    m_travel = {};
}

WheelStep WheelModel::step(const WheelInput& input, KeyScheme scheme) {
    // Without phases, as on X11, pixels are the driver's own units and not to be believed.
    const bool phased = input.phase != Qt::NoScrollPhase;
    const bool fingers = phased || input.touchPad;
    const bool fine = phased && !input.pixels.isNull();
    const bool goesOn = fingers && m_inGesture &&
                        (phased ? input.phase != Qt::ScrollBegin
                                : input.milliseconds >= m_last && input.milliseconds - m_last <= kSameGestureMs);
    if (!goesOn) {
        beginGesture(input);
    }
    m_inGesture = fingers;
    m_last = input.milliseconds;

    QPointF pixels = fine ? input.pixels : input.angle * (kNotchPixels / kNotch);
    if (fingers && m_axis == Axis::Undecided) {
        m_travel += pixels;
        // Until it is known where to, nothing moves; then all of it at once.
        if (std::max(std::abs(m_travel.x()), std::abs(m_travel.y())) < kLockAfter) {
            return {};
        }
        m_axis = std::abs(m_travel.x()) >= std::abs(m_travel.y()) ? Axis::Horizontal : Axis::Vertical;
        pixels = std::exchange(m_travel, QPointF());
    }
    const bool sideways =
        fingers ? m_axis == Axis::Horizontal : pixels.x() != 0 && std::abs(pixels.x()) >= std::abs(pixels.y());
    const double main = sideways ? pixels.x() : pixels.y();
    const double pan = -main * (fine ? 1 : 2);
    const double zoomBy = zoomNotches(scheme, m_modifiers);
    // Alt, and on some systems Shift, turns a vertical wheel into a sideways one.
    const bool turned = !fingers && (m_modifiers & (Qt::AltModifier | Qt::ShiftModifier)) != 0;
    const bool explicitZoom = (m_modifiers & (Qt::ControlModifier | Qt::AltModifier)) != 0;

    WheelStep step;
    step.isNotch = !fingers;
    if (zoomBy != 0 && (!sideways || turned || explicitZoom)) {
        const double notches = main / (fine ? kPadPixelsPerNotch : kNotchPixels);
        step.zoom = std::exp(-notches * zoomBy * kNotchZoom);
    } else if (sideways || m_modifiers.testFlag(Qt::ShiftModifier)) {
        step.pan = pan;
    } else {
        step.scroll = -main;
    }
    return step;
}

}  // namespace warpline::timeline
