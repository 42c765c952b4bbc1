// SPDX-License-Identifier: GPL-3.0-or-later
// The timeline's keys: those that are held to move, and those that do one thing.

#include <QHelpEvent>
#include <QKeyEvent>
#include <QScrollBar>
#include <QTimerEvent>

#include <algorithm>

#include "widgets/panels/timeline/timeline_widget.h"

namespace warpline::timeline {

namespace {

constexpr int kFrameMs = 14;
constexpr double kFirstStep = 0.05;  ///< seconds' worth of motion that a tap of a key makes

}  // namespace

bool TimelineWidget::isHandledKey(const QKeyEvent& event) const {
    if ((event.modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier)) != 0) {
        return false;
    }
    switch (event.key()) {
        case Qt::Key_F:
        case Qt::Key_R:
        case Qt::Key_Home:
        case Qt::Key_End:
        case Qt::Key_PageUp:
        case Qt::Key_PageDown:
        case Qt::Key_Escape:
        case Qt::Key_Period:
        case Qt::Key_Comma:
        case Qt::Key_BracketLeft:
        case Qt::Key_BracketRight:
        case Qt::Key_Plus:
        case Qt::Key_Equal:
        case Qt::Key_Minus:
        case Qt::Key_Return:
        case Qt::Key_Enter:
            return true;
        default:
            return HeldKeys::moves(event.key());
    }
}

bool TimelineWidget::event(QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride) {
        // Our actions name these keys in menus, but held keys have to arrive as presses and releases.
        auto* key = static_cast<QKeyEvent*>(event);
        // Esc is left to whoever has more use for it, such as a load that can be stopped; else it comes as a press.
        if (m_trace && isHandledKey(*key) && key->key() != Qt::Key_Escape) {
            key->accept();
            return true;
        }
    } else if (event->type() == QEvent::ToolTip) {
        showHeadTip(*static_cast<QHelpEvent*>(event));
        return true;
    }
    return QWidget::event(event);
}

void TimelineWidget::keyPressEvent(QKeyEvent* event) {
    if (!m_trace || !isHandledKey(*event)) {
        QWidget::keyPressEvent(event);
        return;
    }
    const int key = event->key();
    if (HeldKeys::moves(key)) {
        if (!event->isAutoRepeat() && m_heldKeys.press(key)) {
            moveWithKeys(kFirstStep);
            if (!m_keyTimer.isActive()) {
                m_keyClock.start();
                m_keyTimer.start(kFrameMs, Qt::PreciseTimer, this);
            }
        }
        return;
    }
    switch (key) {
        case Qt::Key_F:
            if ((event->modifiers() & Qt::ShiftModifier) != 0) {
                fitAll();
            } else {
                fit();
            }
            break;
        case Qt::Key_Return:
        case Qt::Key_Enter:
            foldFocused();
            break;
        case Qt::Key_R:
            areaFromSelection();
            break;
        case Qt::Key_Home:
            goToEdge(false);
            break;
        case Qt::Key_End:
            goToEdge(true);
            break;
        case Qt::Key_PageUp:
            m_scrollBar->triggerAction(QAbstractSlider::SliderPageStepSub);
            break;
        case Qt::Key_PageDown:
            m_scrollBar->triggerAction(QAbstractSlider::SliderPageStepAdd);
            break;
        case Qt::Key_Escape:
            clear();
            break;
        case Qt::Key_Period:
            stepSlice(1);
            break;
        case Qt::Key_Comma:
            stepSlice(-1);
            break;
        case Qt::Key_BracketRight:
            followLink(1);
            break;
        case Qt::Key_BracketLeft:
            followLink(-1);
            break;
        case Qt::Key_Plus:
        case Qt::Key_Equal:
            zoomIn();
            break;
        case Qt::Key_Minus:
            zoomOut();
            break;
        default:
            break;
    }
}

void TimelineWidget::keyReleaseEvent(QKeyEvent* event) {
    if (event->isAutoRepeat() || !m_heldKeys.release(event->key())) {
        QWidget::keyReleaseEvent(event);
    } else if (m_heldKeys.empty()) {
        m_keyTimer.stop();
    }
}

void TimelineWidget::focusOutEvent(QFocusEvent* event) {
    m_heldKeys.clear();
    m_keyTimer.stop();
    QWidget::focusOutEvent(event);
}

void TimelineWidget::timerEvent(QTimerEvent* event) {
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
        setAxis(panned(m_axis, motion.pan));
    }
    if (motion.zoom != 1) {
        zoomAt(anchorX(), motion.zoom);
    }
    if (motion.scroll != 0) {
        setScrollY(scrollY() + motion.scroll);
    }
}

}  // namespace warpline::timeline
