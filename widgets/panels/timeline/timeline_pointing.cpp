// SPDX-License-Identifier: GPL-3.0-or-later
// What is under the pointer: hits, readout, tooltips of the heads, context menu.

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QMenu>
#include <QToolTip>

#include <algorithm>
#include <cmath>

#include "core/base/units.h"
#include "core/trace/process_title.h"
#include "widgets/panels/timeline/event_place.h"
#include "widgets/panels/timeline/readout.h"
#include "widgets/panels/timeline/timeline_widget.h"
#include "widgets/support/key_bindings.h"

namespace warpline::timeline {

namespace {

QString text(std::string_view utf8) {
    return QString::fromUtf8(utf8.data(), static_cast<qsizetype>(utf8.size()));
}

QString overlapTip(uint32_t count) {
    const QString what = count == 1 ? TimelineWidget::tr("1 slice overlaps an earlier one without nesting in it.")
                                    : TimelineWidget::tr("%1 slices overlap earlier ones without nesting in them.")
                                          .arg(text(formatCount(count)));
    return what + QLatin1Char('\n') +
           TimelineWidget::tr("They are drawn on rows of their own, marked at the edge; their times are as recorded.");
}

}  // namespace

int TimelineWidget::sectionAtPoint(QPoint at) const {
    if (at.y() < lanesRect().top() || !m_trace) {
        return -1;
    }
    const View view = currentView();
    const int y = at.y() - lanesRect().top();
    // The sticky header lies above what it covers.
    const int above = view.layoutY(view.frozen);
    const int sticky = m_layout.processHeaderAbove(above);
    if (sticky >= 0 && y >= view.frozen && y < view.frozen + kHeaderHeight &&
        m_layout.sections()[static_cast<size_t>(sticky)].y < above &&
        !m_layout.sections()[static_cast<size_t>(sticky)].collapsed) {
        return sticky;
    }
    return m_layout.sectionAt(view.layoutY(y));
}

QRect TimelineWidget::headOf(const Section& section) const {
    return {0, lanesRect().top() + currentView().viewY(section.y), m_headWidth, section.height};
}

QRect TimelineWidget::headUnder(int section) const {
    const Section& found = m_layout.sections()[static_cast<size_t>(section)];
    const View view = currentView();
    const QRect head = headOf(found);
    // Its process' header stays at the top while the rest of it is scrolled.
    const int above = view.layoutY(view.frozen);
    if (found.kind == SectionKind::Process && found.y < above && !found.pinned) {
        const int top = lanesRect().top() + view.frozen + std::min(0, found.endY - above - kHeaderHeight);
        return {head.x(), top, head.width(), kHeaderHeight};
    }
    return head;
}

std::optional<Hit> TimelineWidget::hitAt(QPoint at) {
    const QRect lanes = lanesRect();
    if (!lanes.contains(at) || !m_trace || !m_model) {
        return std::nullopt;
    }
    const int section = sectionAtPoint(at);
    if (section >= 0 && m_layout.sections()[static_cast<size_t>(section)].kind == SectionKind::Process &&
        !m_layout.sections()[static_cast<size_t>(section)].collapsed) {
        return std::nullopt;
    }
    const Geometry& shown = geometry();
    const double scale = shown.view.scale;
    return hitTest(shown, static_cast<int>(std::floor((at.x() - lanes.left() + 0.5) * scale)),
                   static_cast<int>(std::floor((at.y() - lanes.top() + 0.5) * scale)),
                   static_cast<int>(std::lround(kPointerReach * scale)));
}

Selection TimelineWidget::selectionAt(const Hit& hit, QPoint at) const {
    return selectionOf(*m_trace, *m_model, m_layout, m_geometry, hit, xToTime(m_axis, at.x() - lanesRect().left()));
}

void TimelineWidget::showHeadTip(const QHelpEvent& help) {
    const int section = sectionAtPoint(help.pos());
    if (section >= 0 && headsRect().contains(help.pos())) {
        const Section& found = m_layout.sections()[static_cast<size_t>(section)];
        QString tip = text(found.title);
        if (found.kind == SectionKind::Track) {
            const Track& track = m_trace->track(found.track);
            tip = text(trackTitle(*m_trace, found.track)) + QLatin1Char('\n') +
                  text(processHeading(*m_trace, found.process)) + QLatin1Char('\n') +
                  text(formatCountOf(track.sliceCount, "slice") + " in " + formatCountOf(track.laneCount, "row"));
            if (track.overlaps > 0) {
                tip += QLatin1Char('\n') +
                       (track.overlaps == 1
                            ? tr("1 slice overlaps without nesting")
                            : tr("%1 slices overlap without nesting").arg(text(formatCount(track.overlaps))));
            }
        }
        if (found.kind == SectionKind::Derived) {
            tip += QLatin1Char('\n') + definitionOf(m_model->derived[found.index].kind);
        }
        const QRect head = headUnder(section);
        if (overlapRect(found, head).contains(help.pos())) {
            tip = overlapTip(found.overlaps);
        }
        if (pinRect(found, head).contains(help.pos())) {
            tip = found.pinned                         ? tr("Unpin: it goes back to its process")
                  : found.kind == SectionKind::Process ? tr("Pin all tracks of the process at the top")
                                                       : tr("Pin: it stays at the top, whatever is scrolled");
        }
        if (densityRect(found, headOf(found)).contains(help.pos())) {
            tip = found.compact ? tr("Show all rows at full height") : tr("Show deep rows as thin strips");
        }
        QToolTip::showText(help.globalPos(), tip, this);
    } else if (const std::optional<Mark> mark = markAt(help.pos()); mark && rulerRect().contains(help.pos())) {
        QToolTip::showText(help.globalPos(), markTip(*mark), this);
    } else {
        QToolTip::hideText();
    }
}

void TimelineWidget::contextMenuEvent(QContextMenuEvent* event) {
    if (!m_trace || m_drag != Drag::None) {
        return;  // a menu would swallow the release that ends the drag
    }
    QMenu menu(this);
    // Its entries name sections and marks by their places in this trace.
    connect(&m_session, &Session::traceChanged, &menu, [&menu] {
        menu.clear();
        while (QWidget* popup = QApplication::activePopupWidget()) {
            popup->close();
        }
    });
    if (rulerRect().contains(event->pos())) {
        // Here it is about time, and over a mark about that alone.
        addMarkActions(menu, event->pos());
        if (menu.isEmpty()) {
            for (const char* id : {"zoom_in", "zoom_out", "fit", "fit_all", "", "go_to_time", "back", "forward", "",
                                   "mark", "keep_mark", "bookmark", "", "time_of_day"}) {
                if (QAction* action = keyBindings().action(QLatin1String("timeline.") + QLatin1String(id))) {
                    menu.addAction(action);
                } else {
                    menu.addSeparator();
                }
            }
        }
        menu.exec(event->globalPos());
        return;
    }
    const std::optional<Hit> hit = hitAt(event->pos());
    if (hit && hit->bar != nullptr && hit->kind == RowKind::Lane) {
        const EventRow row(hit->bar->item);
        m_session.selectEvent(row);
        const QString name = text(m_trace->sliceName(row));
        menu.addAction(tr("Zoom to slice"), this, [this, range = *rangeOf(*m_trace, Selection::slice(row))] {
            setAxis(axisFitting(range, lanesRect().width(), kSliceFitMargin));
        });
        menu.addAction(tr("Selection to area"), this, &TimelineWidget::areaFromSelection);
        menu.addAction(tr("Copy name"), this, [name] { QApplication::clipboard()->setText(name); });
        menu.addSeparator();
    }
    if (lanesRect().contains(event->pos())) {
        addMarkActions(menu, event->pos());
    }
    const int index = sectionAtPoint(event->pos());
    if (index >= 0) {
        const Section section = m_layout.sections()[static_cast<size_t>(index)];
        m_focus = keyOf(section);
        if (section.collapsible) {
            menu.addAction(section.collapsed ? tr("Expand") : tr("Collapse"), this,
                           [this, section] { toggleFold(section); });
        }
        if (section.canCompact && !section.collapsed) {
            menu.addAction(section.compact ? tr("All rows at full height") : tr("Deep rows as thin strips"), this,
                           &TimelineWidget::compactFocused);
        }
        addValueActions(menu, section);
        addTrackActions(menu, section);
        menu.addAction(tr("Collapse all tracks"), this, [this] { setAllCollapsed(true); });
        menu.addAction(tr("Expand all tracks"), this, [this] { setAllCollapsed(false); });
    }
    menu.addAction(tr("Fit all"), this, &TimelineWidget::fitAll);
    menu.exec(event->globalPos());
}

void TimelineWidget::leaveEvent(QEvent*) {
    clearHover();
}

void TimelineWidget::clearHover() {
    m_pointer.reset();
    m_readout.reset();
    m_hovered = EventRow::none();
    m_hoveredSection = -1;
    update();
}

void TimelineWidget::updateHover(QPoint at) {
    m_hoverAt = at;
    m_pointer.reset();
    m_readout.reset();
    m_hovered = EventRow::none();
    m_hoveredSection = headsRect().contains(at) ? sectionAtPoint(at) : -1;
    if (lanesRect().united(rulerRect()).contains(at)) {
        m_pointer = at;
    }
    if (const std::optional<Hit> hit = hitAt(at)) {
        const DerivedView derived = m_derived->view();
        m_readout =
            makeReadout({*m_trace, *m_model, m_layout, m_geometry, &derived}, *hit, at.x() - lanesRect().left());
        if (showsSlices(hit->kind)) {
            m_hovered = EventRow(hit->bar->item);
        }
    }
    update();
}

}  // namespace warpline::timeline
