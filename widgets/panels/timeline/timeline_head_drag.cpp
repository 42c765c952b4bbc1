// SPDX-License-Identifier: GPL-3.0-or-later
// Heads that are dragged to another place, and lower edges of counters that are dragged to another height. While a head
// is dragged the layout stays as it is: a line says where it would land.

#include <QApplication>
#include <QFontMetrics>

#include <algorithm>
#include <utility>

#include "widgets/panels/timeline/timeline_widget.h"

namespace warpline::timeline {

namespace {

constexpr int kMostScroll = 14;  ///< a step, pixels
constexpr int kEdgeReach = 3;

}  // namespace

/// The counter whose lower edge is under the pointer; -1 for none.
int TimelineWidget::counterEdgeAt(QPoint at) const {
    if (!m_model || !headsRect().contains(at)) {
        return -1;
    }
    for (const int dy : {0, -kEdgeReach}) {
        const int index = sectionAtPoint(at + QPoint(0, dy));
        if (index < 0) {
            continue;
        }
        const Section& section = m_layout.sections()[static_cast<size_t>(index)];
        const int bottom = headOf(section).bottom() - 1;
        if (section.kind == SectionKind::Counter && !section.collapsed && std::abs(at.y() - bottom) <= kEdgeReach) {
            return index;
        }
    }
    return -1;
}

void TimelineWidget::pressHead(QPoint at) {
    const int edge = counterEdgeAt(at);
    const int index = edge >= 0 ? edge : sectionAtPoint(at);
    if (index < 0) {
        return;
    }
    const Section& section = m_layout.sections()[static_cast<size_t>(index)];
    m_dragged = keyOf(section);
    m_drag = edge >= 0 ? Drag::RowHeight : Drag::HeadPress;
    m_dragHeight = section.laneHeight;
}

void TimelineWidget::dragHead(QPoint to) {
    if (m_drag == Drag::HeadPress) {
        if ((to - m_press).manhattanLength() < QApplication::startDragDistance()) {
            return;
        }
        m_drag = Drag::Head;
        m_focus = m_dragged;
        m_scrollTimer.start(kScrollMs, this);
    }
    const int index = m_layout.find(m_dragged);
    m_drop = index < 0 ? std::nullopt
                       : std::optional(headDropAt(m_layout, *m_model, currentView(), static_cast<size_t>(index),
                                                  to.y() - lanesRect().top()));
    update();
}

void TimelineWidget::dropHead() {
    const std::optional<HeadDrop> drop = std::exchange(m_drop, std::nullopt);
    m_scrollTimer.stop();
    const int index = m_layout.find(m_dragged);
    if (!drop || index < 0) {
        return;
    }
    const Section section = m_layout.sections()[static_cast<size_t>(index)];
    TrackArrangement next = withDropped(*m_trace, *m_model, m_session.arrangement(), section, refsIn(section), *drop);
    const QString what = drop->pins && !section.pinned   ? tr("pin a track")
                         : !drop->pins && section.pinned ? tr("unpin a track")
                                                         : tr("move a track");
    m_session.applyArrangement(std::move(next), what);
}

void TimelineWidget::cancelHeadDrag() {
    m_drop.reset();
    m_scrollTimer.stop();
    m_drag = Drag::None;
    if (std::exchange(m_heightShown, std::nullopt)) {
        rebuildLayout();
    }
    unsetCursor();
    update();
}

void TimelineWidget::scrollWhileDragging() {
    const int y = m_lastDrag.y() - lanesRect().top();
    const int top = currentView().frozen;
    const int bottom = lanesRect().height();
    int step = 0;
    if (y >= top && y < top + kScrollZone) {
        step = -(top + kScrollZone - y);
    } else if (y > bottom - kScrollZone) {
        step = y - (bottom - kScrollZone);
    }
    if (step != 0) {
        setScrollY(scrollY() + std::clamp(step, -kMostScroll, kMostScroll));
        if (m_drag == Drag::Area) {
            dragArea(m_lastDrag);
        } else {
            dragHead(m_lastDrag);
        }
    }
}

void TimelineWidget::dragHeight(QPoint to) {
    const int height = std::clamp(m_dragHeight + to.y() - m_press.y(), kMinCounterHeight, kMaxCounterHeight);
    const int index = m_layout.find(m_dragged);
    if (index >= 0 && m_layout.sections()[static_cast<size_t>(index)].laneHeight != height) {
        m_heightShown = std::pair(refOf(m_layout.sections()[static_cast<size_t>(index)], *m_model), height);
        rebuildLayout();
    }
}

void TimelineWidget::dropHeight() {
    if (const auto shown = std::exchange(m_heightShown, std::nullopt)) {
        m_session.applyArrangement(withHeight(m_session.arrangement(), shown->first, shown->second),
                                   tr("change a height"));
    }
}

void TimelineWidget::paintHeadDrag(TimelinePainter& painter) const {
    const int index = m_drag == Drag::Head ? m_layout.find(m_dragged) : -1;
    if (index >= 0 && m_drop) {
        const Section& section = m_layout.sections()[static_cast<size_t>(index)];
        QString title = QString::fromStdString(section.title);
        if (m_drop->pins && !section.pinned) {
            title = tr("Pin %1").arg(title);
        } else if (!m_drop->pins && section.pinned) {
            title = tr("Unpin %1").arg(title);
        }
        painter.headDrag(m_drop->lineY, title, m_lastDrag);
    }
}

}  // namespace warpline::timeline
