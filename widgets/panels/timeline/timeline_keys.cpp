// SPDX-License-Identifier: GPL-3.0-or-later
// The timeline's keys: those that are held to move, and those that do one thing. Which is which action's, the bindings
// say.

#include <QAction>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QNativeGestureEvent>
#include <QTimerEvent>

#include <algorithm>

#include "widgets/panels/timeline/timeline_widget.h"
#include "widgets/support/key_match.h"
#include "widgets/support/key_schemes.h"

namespace warpline::timeline {

namespace {

constexpr int kFrameMs = 14;
constexpr double kFirstStep = 0.05;  ///< seconds' worth of motion that a tap of a key makes

/// The key itself where the system tells: with Shift let go first, + comes up as =.
int64_t keyOf(const QKeyEvent& event) {
    return event.nativeScanCode() != 0 ? -static_cast<int64_t>(event.nativeScanCode()) : event.key();
}

}  // namespace

bool TimelineWidget::event(QEvent* event) {
    switch (event->type()) {
        case QEvent::ShortcutOverride: {
            // Held keys have to arrive as presses and releases, and what has the focus comes before the window.
            auto* key = static_cast<QKeyEvent*>(event);
            const QAction* action = boundTo(*key);
            const bool stopsDrag = key->key() == Qt::Key_Escape && isDragging();
            if (stopsDrag || (action != nullptr && !givesWay(action->objectName()))) {
                event->accept();
                return true;
            }
            break;
        }
        case QEvent::KeyPress: {
            // Else Tab and Shift+Tab never arrive as presses: the focus moves first.
            auto* key = static_cast<QKeyEvent*>(event);
            if ((key->key() == Qt::Key_Tab || key->key() == Qt::Key_Backtab) && boundTo(*key) != nullptr) {
                keyPressEvent(key);
                return true;
            }
            break;
        }
        case QEvent::NativeGesture:
            if (pinch(*static_cast<QNativeGestureEvent*>(event))) {
                event->accept();
                return true;
            }
            break;
        case QEvent::ToolTip:
            showHeadTip(*static_cast<QHelpEvent*>(event));
            return true;
        default:
            break;
    }
    return QWidget::event(event);
}

QAction* TimelineWidget::boundTo(const QKeyEvent& event) const {
    return m_trace ? actionFor(actions(), event) : nullptr;
}

void TimelineWidget::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape && isDragging()) {
        cancelDrag();
        return;
    }
    QAction* action = boundTo(*event);
    if (action == nullptr) {
        QWidget::keyPressEvent(event);
        return;
    }
    const std::optional<HeldKeys::Move> move = HeldKeys::moveOf(action->objectName());
    if (!move) {
        if (!event->isAutoRepeat() || action->autoRepeat()) {
            action->trigger();
        }
        return;
    }
    if (!event->isAutoRepeat() && m_heldKeys.press(keyOf(*event), *move)) {
        moveWithKeys(kFirstStep);
        if (!m_keyTimer.isActive()) {
            m_keyClock.start();
            m_keyTimer.start(kFrameMs, Qt::PreciseTimer, this);
        }
    }
}

void TimelineWidget::keyReleaseEvent(QKeyEvent* event) {
    if (event->isAutoRepeat() || !m_heldKeys.release(keyOf(*event))) {
        QWidget::keyReleaseEvent(event);
    } else if (m_heldKeys.empty()) {
        m_keyTimer.stop();
    }
}

bool TimelineWidget::takesKey(const QKeyEvent& event) const {
    const QAction* action = isVisible() ? boundTo(event) : nullptr;
    return action != nullptr && !givesWay(action->objectName());
}

void TimelineWidget::letKeysGo() {
    m_heldKeys.clear();
    m_keyTimer.stop();
}

void TimelineWidget::focusOutEvent(QFocusEvent* event) {
    letKeysGo();
    QWidget::focusOutEvent(event);
}

void TimelineWidget::timerEvent(QTimerEvent* event) {
    if (event->timerId() == m_motionTimer.timerId()) {
        moveOn(std::min(static_cast<double>(m_motionClock.restart()) / 1000, 0.1));
        return;
    }
    if (event->timerId() == m_scrollTimer.timerId()) {
        scrollWhileDragging();
        return;
    }
    if (event->timerId() != m_keyTimer.timerId()) {
        QWidget::timerEvent(event);
        return;
    }
    // A slow frame moves further, but never far.
    moveWithKeys(std::min(static_cast<double>(m_keyClock.restart()) / 1000, 0.1));
}

void TimelineWidget::moveWithKeys(double seconds) {
    const HeldKeys::Motion motion = m_heldKeys.motion(seconds);
    if (motion.pan != 0) {
        panBy(motion.pan);
    }
    if (motion.zoom != 1) {
        zoomAt(anchorX(), motion.zoom);
    }
    if (motion.scroll != 0) {
        setScrollY(scrollY() + motion.scroll);
    }
}

}  // namespace warpline::timeline
