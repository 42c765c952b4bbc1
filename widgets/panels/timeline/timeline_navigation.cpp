// SPDX-License-Identifier: GPL-3.0-or-later
// The timeline's ways to other views: back and forward, and to a time.

#include <QAction>

#include "widgets/panels/timeline/time_prompt.h"
#include "widgets/panels/timeline/timeline_widget.h"

namespace warpline::timeline {

namespace {

constexpr int kAtRestMs = 400;

}  // namespace

void TimelineWidget::makeNavigation() {
    m_settle.setSingleShot(true);
    m_settle.setInterval(kAtRestMs);
    connect(&m_settle, &QTimer::timeout, this, &TimelineWidget::settleView);
    connect(m_prompt, &TimePrompt::chosen, this, &TimelineWidget::goTo);
    connect(m_prompt, &TimePrompt::closed, this, [this] { setFocus(); });
    const auto add = [this](const QString& name, const QKeySequence& key, const QString& gesture, auto slot) {
        auto* action = new QAction(name, this);
        action->setShortcut(key);
        action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
        action->setProperty("gesture", gesture);
        connect(action, &QAction::triggered, this, slot);
        addAction(action);
    };
    add(tr("&Back to the view before"), Qt::ALT | Qt::Key_Left, tr("Back button of the mouse"), [this] { goBack(); });
    add(tr("Forward again"), Qt::ALT | Qt::Key_Right, tr("Forward button of the mouse"), [this] { goForward(); });
    add(tr("&Go to a time…"), Qt::CTRL | Qt::Key_G, {}, [this] { askForTime(); });
}

void TimelineWidget::settleView() {
    m_settle.stop();
    if (m_trace && m_model && !m_fitPending) {
        m_history.settle({m_axis, scrollY()});
    }
}

void TimelineWidget::settleViewSoon() {
    if (m_trace && m_model && !m_fitPending) {
        m_settle.start();
    }
}

void TimelineWidget::showView(const ViewPoint& view) {
    setAxis(view.axis);
    setScrollY(view.scrollY);
    m_settle.stop();  // it is in the history already
    m_history.replace({m_axis, scrollY()});
}

void TimelineWidget::goBack() {
    settleView();
    if (const auto view = m_history.back()) {
        showView(*view);
    }
}

void TimelineWidget::goForward() {
    settleView();
    if (const auto view = m_history.forward()) {
        showView(*view);
    }
}

void TimelineWidget::askForTime() {
    if (!m_trace || !m_model) {
        return;
    }
    m_prompt->open(m_trace, xToTime(m_axis, lanesRect().width() / 2.0));
    m_prompt->move(lanesRect().left() + 12, kRulerHeight + 8);
}

void TimelineWidget::goTo(TimeNs time) {
    settleView();
    setAxis(panned(m_axis, timeToX(m_axis, time) - lanesRect().width() / 2.0));
    settleView();
}

}  // namespace warpline::timeline
