// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/support/session.h"

#include <utility>

namespace warpline {

Session::Session(QObject* parent) : QObject(parent) {}

void Session::setTrace(std::shared_ptr<const Trace> trace) {
    if (trace == m_trace) {
        return;
    }
    const bool hadSelection = m_selectedEvent.valid();
    const bool hadArea = m_area.has_value();
    const bool hadHighlight = m_highlight != Highlight();
    m_trace = std::move(trace);
    m_selectedEvent = EventRow::none();
    m_area.reset();
    m_highlight = {};
    m_visibleRange = {};
    if (m_trace) {
        m_visibleRange = m_trace->initialView().value_or(TimeRange{});
    }
    // The state is whole before anyone hears of it. A panel that sets something while it hears of the trace has told
    // the others itself: what is no longer empty is not announced again.
    emit traceChanged();
    if (hadSelection && !m_selectedEvent.valid()) {
        emit selectedEventChanged(m_selectedEvent);
    }
    if (hadArea && !m_area.has_value()) {
        emit areaChanged();
    }
    if (hadHighlight && m_highlight == Highlight()) {
        emit highlightChanged();
    }
    emit visibleRangeChanged(m_visibleRange);
}

void Session::selectEvent(EventRow row) {
    if (m_trace == nullptr || row.value >= m_trace->sliceCount()) {
        row = EventRow::none();
    }
    if (row == m_selectedEvent) {
        return;
    }
    m_selectedEvent = row;
    emit selectedEventChanged(row);
}

void Session::revealEvent(EventRow row) {
    selectEvent(row);
    if (m_selectedEvent.valid()) {
        emit revealRequested(m_selectedEvent);
    }
}

void Session::setArea(std::optional<AreaSelection> area) {
    if (area == m_area) {
        return;
    }
    m_area = std::move(area);
    emit areaChanged();
}

void Session::setHighlight(Highlight highlight) {
    if (highlight == m_highlight) {
        return;
    }
    m_highlight = std::move(highlight);
    emit highlightChanged();
}

void Session::stepHighlight(int direction) {
    const int count = static_cast<int>(m_highlight.events.size());
    if (count == 0 || direction == 0) {
        return;
    }
    const int previous = m_highlight.current;
    if (direction > 0) {
        m_highlight.current = (previous + 1) % count;
    } else {
        m_highlight.current = previous <= 0 ? count - 1 : previous - 1;
    }
    const EventRow row = m_highlight.events[static_cast<size_t>(m_highlight.current)];
    if (m_highlight.current != previous) {
        emit highlightChanged();
    }
    revealEvent(row);
}

void Session::setVisibleRange(TimeRange range) {
    if (range == m_visibleRange) {
        return;
    }
    m_visibleRange = range;
    emit visibleRangeChanged(range);
}

}  // namespace warpline
