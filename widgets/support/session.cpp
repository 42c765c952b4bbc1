// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/support/session.h"

#include <utility>

#include "widgets/support/carry_over.h"

namespace warpline {

class Session::Change : public QUndoCommand {
public:
    using QUndoCommand::QUndoCommand;
    /// The same on the new trace; null if it changes nothing there.
    virtual std::unique_ptr<Change> carried(const CarryOver& carry) const = 0;
};

namespace {

GlobalFilter carriedValue(const CarryOver& carry, GlobalFilter filter) {
    filter.area = filter.area ? carry.area(*filter.area) : std::nullopt;
    return filter;
}

Notes carriedValue(const CarryOver& carry, const Notes& notes) {
    return carry.notes(notes);
}

TrackArrangement carriedValue(const CarryOver& carry, const TrackArrangement& arrangement) {
    return carry.arrangement(arrangement);
}

std::optional<TrackFolding> carriedValue(const CarryOver& carry, const std::optional<TrackFolding>& folding) {
    return folding ? std::optional(carry.folding(*folding)) : std::nullopt;
}

}  // namespace

/// Changes one value of the session, and back.
template <class T>
class Session::ChangeCommand final : public Change {
public:
    using Setter = void (Session::*)(T);
    ChangeCommand(Session& session, const QString& what, Setter set, T before, T after)
        : Change(what), m_session(session), m_set(set), m_before(std::move(before)), m_after(std::move(after)) {}
    void undo() override { apply(m_before); }
    void redo() override { apply(m_after); }
    std::unique_ptr<Change> carried(const CarryOver& carry) const override {
        T before = carriedValue(carry, m_before);
        T after = carriedValue(carry, m_after);
        return before == after
                   ? nullptr
                   : std::make_unique<ChangeCommand>(m_session, text(), m_set, std::move(before), std::move(after));
    }

private:
    void apply(const T& value) {
        if (!m_session.m_carryingUndo) {
            (m_session.*m_set)(value);
        }
    }
    Session& m_session;
    Setter m_set;
    T m_before, m_after;
};

Session::Session(QObject* parent) : QObject(parent) {}

void Session::setTrace(std::shared_ptr<const Trace> trace) {
    if (trace == m_trace) {
        return;
    }
    const Selection oldSelection = m_selection;
    const bool hadArea = m_area.has_value();
    const bool hadHighlight = m_highlight != Highlight();
    const bool hadFilter = !m_filter.empty();
    m_undo.clear();
    m_filter = {};
    const bool hadNotes = m_notes != Notes();
    m_notes = {};
    const bool hadArrangement = !m_arrangement.empty();
    m_arrangement = {};
    m_folding.reset();
    m_scrollPlace.reset();
    m_panelStates.clear();
    m_trace = std::move(trace);
    m_selection = {};
    m_area.reset();
    m_areaChosenLast = false;
    m_highlight = {};
    m_visibleRange = {};
    if (m_trace) {
        m_visibleRange = m_trace->initialView().value_or(TimeRange{});
    }
    // The state is whole before anyone hears of it. A panel that sets something while it hears of the trace has told
    // the others itself: what is no longer empty is not announced again.
    emit traceChanged();
    if (oldSelection != Selection() && m_selection == Selection()) {
        emit selectionChanged();
        if (oldSelection.kind == Selection::Kind::Slice) {
            emit selectedEventChanged(EventRow::none());
        }
    }
    if (hadArea && !m_area.has_value()) {
        emit areaChanged();
    }
    if (hadFilter && m_filter.empty()) {
        emit filterChanged();
    }
    if (hadNotes && m_notes == Notes()) {
        emit notesChanged();
    }
    if (hadArrangement && m_arrangement.empty()) {
        emit arrangementChanged();
    }
    if (hadHighlight && m_highlight == Highlight()) {
        emit highlightChanged();
    }
    emit visibleRangeChanged(m_visibleRange);
}

QStringList Session::reloadTrace(std::shared_ptr<const Trace> trace) {
    if (!m_trace || !trace || trace == m_trace) {
        setTrace(std::move(trace));
        return {};
    }
    QStringList lost;
    const CarryOver carry(*m_trace, *trace);
    const bool hadSelection = m_selection != Selection();
    const bool hadSlice = selectedEvent().valid();
    const bool hadArea = m_area.has_value();
    const bool hadHighlight = m_highlight != Highlight();
    m_selection = carry.selection(m_selection);
    m_area = hadArea ? carry.area(*m_area) : std::nullopt;
    const bool hadFilter = !m_filter.empty();
    const bool hadFilterArea = m_filter.area.has_value();
    m_filter = carriedValue(carry, m_filter);
    if (hadFilterArea && !m_filter.area) {
        lost << tr("None of the filter's tracks is in the trace any more, so nothing is filtered.");
    }
    const bool hadNotes = m_notes != Notes();
    const QString lostBefore = lostMarksText(m_notes);
    m_notes = carry.notes(std::move(m_notes));
    if (const QString said = lostMarksText(m_notes); said != lostBefore && !said.isEmpty()) {
        lost << said;
    }
    const bool hadArrangement = !m_arrangement.empty();
    const size_t arranged = m_arrangement.pinned.size() + m_arrangement.hidden.size();
    m_arrangement = carry.arrangement(m_arrangement);
    if (const size_t left = m_arrangement.pinned.size() + m_arrangement.hidden.size(); left < arranged) {
        lost << tr("%1 of the pinned and hidden tracks are not in the trace any more.").arg(arranged - left);
    }
    m_folding = carriedValue(carry, m_folding);
    if (m_scrollPlace) {
        m_scrollPlace = carry.scrollPlace(*m_scrollPlace);
    }
    carryUndo(carry);
    m_highlight = {};
    const std::shared_ptr<const Trace> old = std::exchange(m_trace, std::move(trace));
    m_keepsView = true;
    emit traceChanged();
    m_keepsView = false;
    // The numbers of events and tracks mean others now, even where they are equal.
    if (hadSelection) {
        emit selectionChanged();
        if (hadSlice) {
            emit selectedEventChanged(selectedEvent());
        }
    }
    if (hadArea) {
        emit areaChanged();
    }
    if (hadFilter) {
        emit filterChanged();
    }
    if (hadNotes) {
        emit notesChanged();
    }
    if (hadArrangement) {
        emit arrangementChanged();
    }
    if (hadHighlight) {
        emit highlightChanged();
    }
    return lost;
}

void Session::carryUndo(const CarryOver& carry) {
    std::vector<std::unique_ptr<Change>> steps;
    int done = 0;  // how many of them are
    for (int i = 0; i < m_undo.count(); ++i) {
        // All that is ever pushed is a Change.
        auto step = static_cast<const Change*>(m_undo.command(i))->carried(carry);
        done += step && i < m_undo.index() ? 1 : 0;
        if (step) {
            steps.push_back(std::move(step));
        }
    }
    m_undo.clear();
    m_carryingUndo = true;
    for (std::unique_ptr<Change>& step : steps) {
        m_undo.push(step.release());
    }
    m_undo.setIndex(done);
    m_carryingUndo = false;
}

EventRow Session::selectedEvent() const {
    return m_selection.kind == Selection::Kind::Slice ? EventRow(m_selection.index) : EventRow::none();
}

void Session::select(Selection selection) {
    if (m_trace == nullptr || !selection.isIn(*m_trace)) {
        selection = {};
    }
    const bool areaBefore = std::exchange(m_areaChosenLast, selection == Selection() && m_area.has_value());
    if (selection == m_selection) {
        if (m_areaChosenLast != areaBefore) {
            emit choiceRepeated();
        }
        return;
    }
    const EventRow before = selectedEvent();
    m_selection = selection;
    const EventRow after = selectedEvent();
    emit selectionChanged();
    if (after != before) {
        emit selectedEventChanged(after);
    }
}

void Session::reveal(const Selection& event) {
    select(event);
    if (m_selection != Selection()) {
        emit revealRequested(m_selection);
    }
}

void Session::setArea(std::optional<AreaSelection> area) {
    // Shares are taken of the area's time: where the trace was not, nothing could be recorded.
    const std::optional<TimeRange> all = m_trace ? m_trace->range() : std::nullopt;
    if (area && all && !all->empty()) {
        area->range = area->range.intersected(*all);
        if (area->range.empty()) {
            area.reset();
        }
    }
    const bool areaBefore = std::exchange(m_areaChosenLast, area.has_value());
    if (area == m_area) {
        if (m_areaChosenLast != areaBefore) {
            emit choiceRepeated();
        }
        return;
    }
    m_area = std::move(area);
    emit areaChanged();
}

void Session::applyFilter(GlobalFilter filter) {
    if (m_trace == nullptr || filter == m_filter) {
        return;
    }
    // Pushing applies it.
    const QString what = filter.empty() ? tr("remove the filter") : tr("filter");
    m_undo.push(new ChangeCommand<GlobalFilter>(*this, what, &Session::setFilter, m_filter, std::move(filter)));
}

void Session::setFilter(GlobalFilter filter) {
    if (filter != m_filter) {
        m_filter = std::move(filter);
        emit filterChanged();
    }
}

void Session::applyNotes(Notes notes, const QString& what) {
    if (m_trace != nullptr && notes != m_notes) {
        m_undo.push(new ChangeCommand<Notes>(*this, what, &Session::setNotes, m_notes, std::move(notes)));
    }
}

void Session::setNotes(Notes notes) {
    if (notes != m_notes) {
        m_notes = std::move(notes);
        emit notesChanged();
    }
}

void Session::applyArrangement(TrackArrangement arrangement, const QString& what) {
    if (m_trace != nullptr && arrangement != m_arrangement) {
        m_undo.push(new ChangeCommand<TrackArrangement>(*this, what, &Session::setArrangement, m_arrangement,
                                                        std::move(arrangement)));
    }
}

void Session::setArrangement(TrackArrangement arrangement) {
    if (arrangement != m_arrangement) {
        m_arrangement = std::move(arrangement);
        emit arrangementChanged();
    }
}

void Session::applyFolding(TrackFolding folding, const QString& what) {
    if (m_trace != nullptr && folding != m_folding) {
        m_undo.push(new ChangeCommand<std::optional<TrackFolding>>(*this, what, &Session::setFolding, m_folding,
                                                                   std::move(folding)));
    }
}

void Session::setFolding(std::optional<TrackFolding> folding) {
    if (m_trace != nullptr && folding != m_folding) {
        m_folding = std::move(folding);
        emit foldingChanged();
    }
}

void Session::setScrollPlace(std::optional<ScrollPlace> place) {
    if (m_trace != nullptr && place != m_scrollPlace) {
        m_scrollPlace = std::move(place);
        emit scrollPlaceChanged();
    }
}

void Session::setPanelState(const QString& panel, const QByteArray& json) {
    if (m_panelStates.value(panel) == json) {
        return;
    }
    if (json.isEmpty()) {
        m_panelStates.remove(panel);
    } else {
        m_panelStates.insert(panel, json);
    }
    emit panelStateChanged();
}

void Session::restorePanelStates(PanelStates states) {
    m_panelStates = std::move(states);
    emit panelStatesRestored();
}

void Session::setHighlight(Highlight highlight) {
    if (highlight == m_highlight) {
        return;
    }
    m_highlight = std::move(highlight);
    emit highlightChanged();
}

void Session::stepHighlight(int direction) {
    const size_t count = m_highlight.size();
    if (count == 0 || direction == 0) {
        return;
    }
    const bool isForward = direction > 0;
    size_t next = isForward ? 0 : count;
    if (m_highlight.current >= 0) {
        next = static_cast<size_t>(m_highlight.current) + (isForward ? 1 : 0);
    } else if (m_highlight.startsInView && m_trace) {
        next = firstFrom(*m_trace, m_highlight, isForward ? m_visibleRange.begin : m_visibleRange.end);
    }
    stepHighlightTo(isForward ? next % count : (next + count - 1) % count);
}

void Session::stepHighlightTo(size_t index) {
    if (index >= m_highlight.size()) {
        return;
    }
    const Selection event = m_highlight.at(index);
    if (const auto current = static_cast<int>(index); current != m_highlight.current) {
        m_highlight.current = current;
        emit highlightChanged();
    }
    reveal(event);
}

void Session::setVisibleRange(TimeRange range) {
    if (range == m_visibleRange) {
        return;
    }
    m_visibleRange = range;
    emit visibleRangeChanged(range);
}

}  // namespace warpline
