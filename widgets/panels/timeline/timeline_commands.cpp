// SPDX-License-Identifier: GPL-3.0-or-later
// What the timeline's actions do.

#include <QScopedValueRollback>
#include <QScrollBar>

#include <algorithm>
#include <cmath>
#include <utility>

#include "widgets/panels/timeline/timeline_widget.h"

namespace warpline::timeline {

namespace {

constexpr double kEdgeRoom = 8;  ///< pixels that Home and End leave beside the trace's ends

/// Of a lane: the first kernel after `origin`, or the last before it; none where there is none within kMostSteps, which
/// is a lane that holds something else.
EventRow kernelBeside(const Trace& trace, const Lane& lane, std::pair<TimeNs, uint32_t> origin, int direction) {
    constexpr int kMostSteps = 1 << 18;
    const SliceColumns& slices = trace.slices();
    const auto begins = slices.begin.begin() + lane.firstRow;
    const auto [time, row] = origin;
    int64_t at =
        std::partition_point(begins, begins + lane.count, [time = time](TimeNs begin) { return begin < time; }) -
        begins + static_cast<int64_t>(lane.firstRow);
    const int64_t first = lane.firstRow;
    const int64_t last = first + lane.count;
    // Those that begin together are told by their row.
    while (at < last && slices.begin[static_cast<uint32_t>(at)] == time && (direction > 0 ? at <= row : at < row)) {
        ++at;
    }
    at = direction > 0 ? at : at - 1;
    for (int steps = 0; steps < kMostSteps && at >= first && at < last; ++steps, at += direction) {
        if (slices.kind[static_cast<uint32_t>(at)] == EventKind::Kernel) {
            return EventRow(static_cast<uint32_t>(at));
        }
    }
    return EventRow::none();
}

/// The slice as deep in its nesting that begins next on the track, whatever lane it was moved to.
EventRow besideOnTrack(const Trace& trace, const Track& track, EventRow from, int direction) {
    constexpr int kMostSteps = 4096;
    const SliceColumns& slices = trace.slices();
    const auto key = [&slices](uint32_t row) { return std::pair(slices.begin[row], row); };
    EventRow best;
    for (uint32_t i = track.firstLane; i < track.firstLane + track.laneCount; ++i) {
        const Lane& lane = trace.lanes()[i];
        const auto begins = slices.begin.begin() + lane.firstRow;
        int64_t at =
            std::partition_point(begins, begins + lane.count,
                                 [&](const TimeNs& begin) {
                                     const auto row = static_cast<uint32_t>(&begin - slices.begin.data());
                                     return direction > 0 ? key(row) <= key(from.value) : key(row) < key(from.value);
                                 }) -
            begins + static_cast<int64_t>(lane.firstRow);
        at = direction > 0 ? at : at - 1;
        const int64_t end = static_cast<int64_t>(lane.firstRow) + lane.count;
        for (int steps = 0; steps < kMostSteps && at >= lane.firstRow && at < end; ++steps, at += direction) {
            const auto row = static_cast<uint32_t>(at);
            if (slices.depth[row] == slices.depth[from.value]) {
                if (!best.valid() || (direction > 0 ? key(row) < key(best.value) : key(row) > key(best.value))) {
                    best = EventRow(row);
                }
                break;
            }
        }
    }
    return best;
}

bool isSameView(const TimeAxis& a, const TimeAxis& b, int width) {
    const double pixels = std::abs(timeToX(a, b.begin));
    return pixels < 2 && std::abs(a.nsPerPixel / b.nsPerPixel - 1) * width < 2;
}

}  // namespace

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
    const TrackMode before = std::exchange(m_state.tracks[track.value], mode);
    const QString what = before.collapsed == mode.collapsed ? tr("show rows otherwise")
                         : mode.collapsed                   ? tr("fold a track")
                                                            : tr("unfold a track");
    foldedByUser(what);
    rebuildLayout();
}

void TimelineWidget::setProcessCollapsed(ProcessId process, bool collapsed) {
    if (process.value >= m_state.processCollapsed.size()) {
        return;
    }
    m_state.processCollapsed[process.value] = collapsed ? 1 : 0;
    foldedByUser(collapsed ? tr("fold a process") : tr("unfold a process"));
    rebuildLayout();
}

void TimelineWidget::setAllCollapsed(bool collapsed) {
    for (TrackMode& mode : m_state.tracks) {
        mode.collapsed = collapsed;
        mode.compact = mode.compact && collapsed;
    }
    std::fill(m_state.asyncCollapsed.begin(), m_state.asyncCollapsed.end(), static_cast<char>(collapsed ? 1 : 0));
    m_state.derivedCollapsed.assign(m_model ? m_model->derived.size() : 0, static_cast<char>(collapsed ? 1 : 0));
    std::fill(m_state.counterCollapsed.begin(), m_state.counterCollapsed.end(), static_cast<char>(collapsed ? 1 : 0));
    if (!collapsed) {
        std::fill(m_state.processCollapsed.begin(), m_state.processCollapsed.end(), static_cast<char>(0));
    }
    foldedByUser(collapsed ? tr("fold all tracks") : tr("unfold all tracks"));
    rebuildLayout();
}

void TimelineWidget::stepSlice(int direction) {
    if (!m_trace || m_trace->sliceCount() == 0) {
        return;
    }
    const QScopedValueRollback<bool> step(m_isStepping, true);
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
    const Track& track = m_trace->track(m_trace->slices().track[selected.value]);
    if (track.overlaps > 0) {
        if (const EventRow beside = besideOnTrack(*m_trace, track, selected, direction); beside.valid()) {
            m_session.revealEvent(beside);
        }
        return;
    }
    const Lane& lane = m_trace->lanes()[m_trace->laneOf(selected)];
    const int64_t next = static_cast<int64_t>(selected.value) + direction;
    if (next >= lane.firstRow && next < static_cast<int64_t>(lane.firstRow) + lane.count) {
        m_session.revealEvent(EventRow(static_cast<uint32_t>(next)));
    }
}

void TimelineWidget::stepKernel(int direction) {
    if (!m_trace) {
        return;
    }
    // From a selected kernel; else from the first one in view.
    const SliceColumns& slices = m_trace->slices();
    const EventRow selected = m_session.selectedEvent();
    const bool fromKernel = selected.valid() && slices.kind[selected.value] == EventKind::Kernel;
    const TimeNs from = selected.valid() ? slices.begin[selected.value] : m_axis.begin;
    const auto device = fromKernel ? std::optional(m_trace->track(slices.track[selected.value]).process) : std::nullopt;
    // By begin, and where several begin at once by row.
    const auto key = [&slices](EventRow row) { return std::pair(slices.begin[row.value], row.value); };
    const std::pair<TimeNs, uint32_t> origin =
        fromKernel ? key(selected) : std::pair(from, direction > 0 ? 0 : EventRow::none().value);
    EventRow best;
    for (const Lane& lane : m_trace->lanes()) {
        if (lane.count == 0) {
            continue;
        }
        const Track& track = m_trace->track(slices.track[lane.firstRow]);
        if (!track.isDevice || (device && track.process != *device)) {
            continue;
        }
        const EventRow row = kernelBeside(*m_trace, lane, origin, direction);
        if (row.valid() && (!best.valid() || (direction > 0 ? key(row) < key(best) : key(row) > key(best)))) {
            best = row;
        }
    }
    if (best.valid()) {
        m_session.revealEvent(best);
    }
}

void TimelineWidget::areaFromSelection() {
    if (const auto range = selectedRange(); range && !range->empty()) {
        const std::optional<SectionRef> section =
            m_model ? sectionOf(*m_trace, *m_model, m_session.selection()) : std::nullopt;
        AreaSelection area{*range, {}};
        if (section && section->kind == SectionRef::Kind::Track) {
            area.tracks = {section->track};
        } else if (section) {
            area.rows = {*section};
        }
        m_session.setArea(std::move(area));
    }
}

void TimelineWidget::areaOnAllTracks() {
    if (const auto range = selectedRange(); range && !range->empty()) {
        m_session.setArea(AreaSelection{*range, {}});
    }
}

void TimelineWidget::selectAll() {
    const TimeRange whole = traceRange();
    if (!m_trace || whole.empty()) {
        return;
    }
    const TimeRange all = firstView();
    const std::optional<AreaSelection>& area = m_session.area();
    const bool isAll = area && area->range == all;
    const bool grows = area && !isAll && area->range != whole;
    const bool isLast = isAll && area->isOfAll();
    AreaSelection next = grows ? *area : AreaSelection();
    next.range = isLast ? whole : all;
    m_session.setArea(std::move(next));
}

void TimelineWidget::clear() {
    if (m_measured) {
        m_measured.reset();
        refreshActions();
        update();
    } else if (m_session.area()) {
        m_session.setArea(std::nullopt);
    } else if (!m_session.highlight().empty()) {
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
        index = index >= 0 ? index : static_cast<int>(m_layout.firstSectionBelow(currentView().layoutY(0)));
    } else {
        index += direction;
    }
    index = std::clamp(index, 0, static_cast<int>(sections.size()) - 1);
    const Section& section = sections[static_cast<size_t>(index)];
    m_focus = keyOf(section);
    scrollTo(section.y - (section.header >= 0 ? kHeaderHeight : 0), section.y + section.height);
    update();
}

void TimelineWidget::toggleFold(const Section& section) {
    if (!section.collapsible) {
        return;
    }
    const QString what = section.collapsed ? tr("unfold a track") : tr("fold a track");
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
            foldedByUser(what);
            rebuildLayout();
            break;
        case SectionKind::Derived:
            m_state.derivedCollapsed.resize(m_model->derived.size());
            m_state.derivedCollapsed[section.index] = section.collapsed ? 0 : 1;
            foldedByUser(what);
            rebuildLayout();
            break;
        case SectionKind::Counter:
            m_state.counterCollapsed[section.index] = section.collapsed ? 0 : 1;
            foldedByUser(what);
            rebuildLayout();
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
