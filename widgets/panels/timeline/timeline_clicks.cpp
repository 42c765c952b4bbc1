// SPDX-License-Identifier: GPL-3.0-or-later
// Clicks on the timeline: what is under them is selected, or folded, pinned and the like in the heads.

#include <QMouseEvent>

#include "widgets/panels/timeline/timeline_widget.h"

namespace warpline::timeline {

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
