// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What drags and wheels mean, by the key scheme that users come from and the tool that is chosen: no widget, no events.

#include <QPointF>
#include <QString>
#include <Qt>

#include <cstdint>

#include "widgets/support/key_schemes.h"

namespace warpline::timeline {

/// What a plain drag does: selects, moves the view, zooms, or measures.
enum class Tool : uint8_t { Select, Pan, Zoom, Time };

enum class DragKind : uint8_t {
    None,
    Area,        ///< chooses the area
    AreaFilter,  ///< the same, and filters all panels to it
    Pan,
    Zoom,       ///< up zooms in, down out, at where it began
    ZoomRange,  ///< what it spans fills the view afterwards
    Measure     ///< shows how long what it spans is, and chooses nothing
};

DragKind dragFor(KeyScheme scheme, Tool tool, Qt::MouseButton button, Qt::KeyboardModifiers modifiers);
Qt::CursorShape cursorOf(Tool tool);
/// What the mouse does to the same end as an action, for the list of keys; "" if nothing.
QString gestureOf(const QString& actionId, KeyScheme scheme);

/// Factor of the time a pixel stands for.
double zoomOfDrag(double pixelsDown);
/// The same for a touch pad's pinch; `value` is the relative growth that the system reports with each event.
double zoomOfPinch(double value);

struct WheelInput {
    QPointF pixels;  ///< null where the system does not tell
    QPointF angle;   ///< 120 a notch
    Qt::KeyboardModifiers modifiers;
    Qt::ScrollPhase phase = Qt::NoScrollPhase;
    bool touchPad = false;
    uint64_t milliseconds = 0;  ///< of any clock that goes on
};

struct WheelStep {
    double scroll = 0;     ///< logical pixels downwards
    double pan = 0;        ///< logical pixels to the right
    double zoom = 1;       ///< factor of the time a pixel stands for
    bool isNotch = false;  ///< of a wheel, which moves in jumps; fingers move as they do
};

/// Wheels and touch pads. A wheel's notch means what the modifiers say at that moment. Fingers on a pad make one
/// gesture from their touch until the momentum has run out: modifiers count as they were when it began, so that Ctrl
/// pressed while it still rolls does not zoom, and it keeps the direction that its first pixels had.
class WheelModel {
public:
    WheelStep step(const WheelInput& input, KeyScheme scheme);

private:
    enum class Axis : uint8_t { Undecided, Horizontal, Vertical };
    void beginGesture(const WheelInput& input);

    Qt::KeyboardModifiers m_modifiers;
    Axis m_axis = Axis::Undecided;
    QPointF m_travel;  ///< of the gesture so far, while its direction is open
    bool m_inGesture = false;
    uint64_t m_last = 0;
};

}  // namespace warpline::timeline
