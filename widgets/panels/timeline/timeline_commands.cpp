// SPDX-License-Identifier: GPL-3.0-or-later
// What can be asked of the timeline by name: its actions, and what they do.

#include <QAction>
#include <QScrollBar>

#include <algorithm>
#include <cmath>

#include "widgets/panels/timeline/timeline_widget.h"

namespace warpline::timeline {

namespace {

constexpr double kEdgeRoom = 8;  ///< pixels that Home and End leave beside the trace's ends

bool isSameView(const TimeAxis& a, const TimeAxis& b, int width) {
    const double pixels = std::abs(timeToX(a, b.begin));
    return pixels < 2 && std::abs(a.nsPerPixel / b.nsPerPixel - 1) * width < 2;
}

}  // namespace

void TimelineWidget::makeActions() {
    // Held keys have to arrive as presses and releases: event() takes them before they become shortcuts.
    const auto add = [this](const QString& name, const QKeySequence& key, const QString& gesture, auto slot) {
        auto* action = new QAction(name, this);
        action->setShortcut(key);
        action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
        action->setProperty("gesture", gesture);
        connect(action, &QAction::triggered, this, slot);
        addAction(action);
        return action;
    };
    const auto separate = [this] {
        auto* separator = new QAction(this);
        separator->setSeparator(true);
        addAction(separator);
    };
    add(tr("Zoom &in"), Qt::Key_W, tr("+, Ctrl+wheel up"), [this] { zoomIn(); });
    add(tr("Zoom &out"), Qt::Key_S, tr("\u2212, Ctrl+wheel down"), [this] { zoomOut(); });
    add(tr("Move &left"), Qt::Key_A, tr("Left, Shift+wheel, Shift+drag, middle drag"), [this] { pan(-0.2); });
    add(tr("Move &right"), Qt::Key_D, tr("Right, Shift+wheel, Shift+drag, middle drag"), [this] { pan(0.2); });
    add(tr("To the &start"), Qt::Key_Home, {}, [this] { goToEdge(false); });
    add(tr("To the &end"), Qt::Key_End, {}, [this] { goToEdge(true); });
    add(tr("&Fit selection, again for all"), Qt::Key_F, tr("Double click on it"), [this] { fit(); });
    add(tr("Fit &all"), Qt::SHIFT | Qt::Key_F, tr("Double click on the ruler"), [this] { fitAll(); });
    separate();
    add(tr("&Next slice"), Qt::Key_Period, {}, [this] { stepSlice(1); });
    add(tr("&Previous slice"), Qt::Key_Comma, {}, [this] { stepSlice(-1); });
    add(tr("To &what it launched"), Qt::Key_BracketRight, {}, [this] { followLink(1); });
    add(tr("To its &launch"), Qt::Key_BracketLeft, {}, [this] { followLink(-1); });
    add(tr("Selection to a&rea"), Qt::Key_R, tr("Drag selects an area"), [this] {
        areaFromSelection();
    })->setToolTip(tr("What the selected slice spans becomes the area; dragging over rows names their tracks too"));
    // No shortcut of its own: Esc also stops a load, and that goes first.
    add(tr("Clear area, highlight or selection"), {}, tr("Esc"), [this] {
        clear();
    })->setToolTip(tr("The area; without one the highlight; without that the selection"));
    separate();
    add(tr("Next track"), Qt::CTRL | Qt::Key_Down, {}, [this] {
        focusSection(1);
    })->setToolTip(tr("Moves the mark that says which track the keys fold"));
    add(tr("Previous track"), Qt::CTRL | Qt::Key_Up, {}, [this] {
        focusSection(-1);
    })->setToolTip(tr("Moves the mark that says which track the keys fold"));
    add(tr("Fold or unfold the track"), Qt::Key_Return, tr("Click on its arrow"), [this] { foldFocused(); });
    add(tr("Deep rows as strips or at full height"), Qt::CTRL | Qt::Key_Return, {}, [this] {
        compactFocused();
    })->setToolTip(tr("Of a track with many rows: interpreter frames become thin strips"));
    add(tr("&Collapse all tracks"), {}, {}, [this] { setAllCollapsed(true); });
    add(tr("E&xpand all tracks"), {}, {}, [this] { setAllCollapsed(false); });
}

std::optional<TimeRange> TimelineWidget::selectedRange() const {
    return m_trace ? rangeOf(*m_trace, m_session.selection()) : std::nullopt;
}

void TimelineWidget::fit() {
    const int width = lanesRect().width();
    std::optional<TimeAxis> target;
    if (const auto range = selectedRange(); range && !range->empty()) {
        target = axisFitting(*range, width, kSliceFitMargin);
    } else if (m_session.area()) {
        target = axisFitting(m_session.area()->range, width, kSliceFitMargin);
    }
    if (!target || isSameView(m_axis, clamped(*target, traceRange(), width), width)) {
        fitAll();
        return;
    }
    settleView();
    setAxis(*target);
    settleView();
}

void TimelineWidget::fitAll() {
    const int width = lanesRect().width();
    if (!m_trace) {
        return;
    }
    // Outliers and marks do not set the first view; from there, once more shows them too.
    const TimeAxis first = axisFitting(firstView(), width, kFitMargin);
    const bool shown = isSameView(m_axis, clamped(first, traceRange(), width), width);
    settleView();
    setAxis(shown ? axisFitting(traceRange(), width, kFitMargin) : first);
    settleView();
}

void TimelineWidget::zoomIn() {
    zoomAt(anchorX(), 0.7);
}

void TimelineWidget::zoomOut() {
    zoomAt(anchorX(), 1 / 0.7);
}

void TimelineWidget::setTrackMode(TrackId track, TrackMode mode) {
    if (track.value >= m_state.tracks.size()) {
        return;
    }
    m_state.tracks[track.value] = mode;
    m_layoutTouched = true;
    rebuildLayout();
}

void TimelineWidget::setProcessCollapsed(ProcessId process, bool collapsed) {
    if (process.value >= m_state.processCollapsed.size()) {
        return;
    }
    m_state.processCollapsed[process.value] = collapsed ? 1 : 0;
    m_layoutTouched = true;
    rebuildLayout();
}

void TimelineWidget::setAllCollapsed(bool collapsed) {
    for (TrackMode& mode : m_state.tracks) {
        mode.collapsed = collapsed;
        mode.compact = mode.compact && collapsed;
    }
    std::fill(m_state.asyncCollapsed.begin(), m_state.asyncCollapsed.end(), static_cast<char>(collapsed ? 1 : 0));
    if (!collapsed) {
        std::fill(m_state.processCollapsed.begin(), m_state.processCollapsed.end(), static_cast<char>(0));
    }
    m_layoutTouched = true;
    rebuildLayout();
}

void TimelineWidget::stepSlice(int direction) {
    if (!m_trace || m_trace->sliceCount() == 0) {
        return;
    }
    const EventRow selected = m_session.selectedEvent();
    if (!selected.valid()) {
        // The first slice that is on screen.
        for (const RowGeometry& row : geometry().rows) {
            for (const Bar& bar : m_geometry.barsOf(row)) {
                if (row.kind == RowKind::Lane && bar.x0 >= 0) {
                    m_session.revealEvent(EventRow(bar.item));
                    return;
                }
            }
        }
        return;
    }
    const Lane& lane = m_trace->lanes()[m_trace->laneOf(selected)];
    const int64_t next = static_cast<int64_t>(selected.value) + direction;
    if (next >= lane.firstRow && next < static_cast<int64_t>(lane.firstRow) + lane.count) {
        m_session.revealEvent(EventRow(static_cast<uint32_t>(next)));
    }
}

void TimelineWidget::followLink(int direction) {
    if (!m_trace) {
        return;
    }
    const EventRow selected = m_session.selectedEvent();
    // From the slice's begin, so that where the key leads does not depend on the view.
    for (const ArrowLink& link : arrowLinks(*m_trace, selected, traceRange()).links) {
        if (direction > 0 && link.to != selected) {
            m_session.revealEvent(link.to);
            return;
        }
        if (direction < 0 && link.to == selected) {
            m_session.revealEvent(link.from);
            return;
        }
    }
}

void TimelineWidget::areaFromSelection() {
    if (const auto range = selectedRange(); range && !range->empty()) {
        m_session.setArea(AreaSelection{*range, {}});
    }
}

void TimelineWidget::clear() {
    if (m_session.area()) {
        m_session.setArea(std::nullopt);
    } else if (!m_session.highlight().events.empty()) {
        m_session.setHighlight({});
    } else {
        m_session.select({});
    }
}

void TimelineWidget::pan(double parts) {
    if (m_trace) {
        setAxis(panned(m_axis, parts * lanesRect().width()));
    }
}

void TimelineWidget::goToEdge(bool end) {
    if (m_trace) {
        settleView();
        setAxis(end ? panned({traceRange().end, m_axis.nsPerPixel}, kEdgeRoom - lanesRect().width())
                    : panned({traceRange().begin, m_axis.nsPerPixel}, -kEdgeRoom));
        settleView();
    }
}

// --- the section that keys fold

int TimelineWidget::focusedSection() const {
    return m_focus ? m_layout.find(*m_focus) : -1;
}

void TimelineWidget::focusSection(int direction) {
    const std::vector<Section>& sections = m_layout.sections();
    if (sections.empty()) {
        return;
    }
    int index = focusedSection();
    if (index < 0) {
        // From the selected slice, else from what is at the top.
        const EventRow row = m_session.selectedEvent();
        index = row.valid() ? m_layout.sectionOfTrack(m_trace->slices().track[row.value]) : -1;
        index = index >= 0 ? index : static_cast<int>(m_layout.firstSectionBelow(scrollY()));
    } else {
        index += direction;
    }
    index = std::clamp(index, 0, static_cast<int>(sections.size()) - 1);
    const Section& section = sections[static_cast<size_t>(index)];
    m_focus = keyOf(section);
    const int top = section.y - (section.header >= 0 ? kHeaderHeight : 0);
    if (top < scrollY()) {
        setScrollY(top);
    } else if (section.y + section.height > scrollY() + lanesRect().height()) {
        setScrollY(std::min(top, section.y + section.height - lanesRect().height()));
    }
    update();
}

void TimelineWidget::toggleFold(const Section& section) {
    if (!section.collapsible) {
        return;
    }
    switch (section.kind) {
        case SectionKind::Process:
            setProcessCollapsed(section.process, !section.collapsed);
            break;
        case SectionKind::Track: {
            TrackMode mode = m_state.tracks[section.track.value];
            mode.collapsed = !mode.collapsed;
            setTrackMode(section.track, mode);
            break;
        }
        case SectionKind::Async:
            m_state.asyncCollapsed[section.index] = section.collapsed ? 0 : 1;
            m_layoutTouched = true;
            rebuildLayout();
            break;
        case SectionKind::Counter:
            break;
    }
}

void TimelineWidget::foldFocused() {
    if (focusedSection() < 0) {
        focusSection(0);
    }
    if (const int index = focusedSection(); index >= 0) {
        // A copy: folding makes the layout anew.
        const Section section = m_layout.sections()[static_cast<size_t>(index)];
        toggleFold(section);
    }
}

void TimelineWidget::compactFocused() {
    if (focusedSection() < 0) {
        focusSection(0);
    }
    if (const int index = focusedSection(); index >= 0) {
        const Section& section = m_layout.sections()[static_cast<size_t>(index)];
        if (section.kind == SectionKind::Track && section.canCompact) {
            const TrackMode mode = m_state.tracks[section.track.value];
            setTrackMode(section.track, {mode.collapsed, !mode.compact});
        }
    }
}

}  // namespace warpline::timeline
