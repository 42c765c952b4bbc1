// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What all panels share: the trace, what is selected, what is highlighted, which range is looked at. The one owner of
// that state; panels change it through the setters and follow the signals, and never know each other.
// GUI thread only. Every setter is a no-op when nothing changes, so that panels cannot ring.

#include <QByteArray>
#include <QMap>
#include <QObject>
#include <QString>
#include <QStringList>
#include <QUndoStack>

#include <memory>
#include <optional>

#include "core/base/ids.h"
#include "core/base/time.h"
#include "core/trace/trace.h"
#include "widgets/support/global_filter.h"
#include "widgets/support/highlight.h"
#include "widgets/support/notes.h"
#include "widgets/support/selection.h"
#include "widgets/support/track_arrangement.h"

namespace warpline {

class CarryOver;
class KeyTaker;

/// What panels want to find again and nobody else understands: by the panel's id a JSON text.
using PanelStates = QMap<QString, QByteArray>;

class Session : public QObject {
    Q_OBJECT

public:
    explicit Session(QObject* parent = nullptr);

    const std::shared_ptr<const Trace>& trace() const { return m_trace; }
    /// Replaces the trace (null: none open) and clears everything else.
    void setTrace(std::shared_ptr<const Trace> trace);
    /// Replaces the trace by another load of its files, and perhaps more: what is looked at stays, and selection and
    /// area are found again by what they are (see CarryOver). Only the highlight is cleared: who made it makes it anew.
    /// Returns what could not be found again, as a sentence each.
    QStringList reloadTrace(std::shared_ptr<const Trace> trace);
    /// True while traceChanged() tells of a reloadTrace(): panels keep what the user has set.
    bool keepsView() const { return m_keepsView; }

    const Selection& selection() const { return m_selection; }
    /// What is not in the trace selects nothing.
    void select(Selection selection);
    /// The selected slice; none if nothing, or something else, is selected.
    EventRow selectedEvent() const;
    void selectEvent(EventRow row) { select(Selection::slice(row)); }
    /// The same, and asks the timeline to bring it into view.
    void reveal(const Selection& event);
    void revealEvent(EventRow row) { reveal(Selection::slice(row)); }

    const std::optional<AreaSelection>& area() const { return m_area; }
    /// Only what of it lies in the trace's time; wholly outside there is none.
    void setArea(std::optional<AreaSelection> area);
    /// Whether the area was chosen after the selection, or is all that there is: what to tell of when both are there.
    bool areaChosenLast() const { return m_areaChosenLast; }

    /// What counts in every panel.
    const GlobalFilter& filter() const { return m_filter; }
    /// Can be undone.
    void applyFilter(GlobalFilter filter);
    /// Bookmarks and marks.
    const Notes& notes() const { return m_notes; }
    /// Can be undone; `what` names it ("add a bookmark").
    void applyNotes(Notes notes, const QString& what);
    /// Pinned, hidden and reordered tracks.
    const TrackArrangement& arrangement() const { return m_arrangement; }
    /// Can be undone; `what` names it ("pin a track").
    void applyArrangement(TrackArrangement arrangement, const QString& what);
    /// nullopt until the user has folded something, or it was restored: the timeline folds as it sees fit.
    const std::optional<TrackFolding>& folding() const { return m_folding; }
    /// Can be undone; `what` names it ("fold a track").
    void applyFolding(TrackFolding folding, const QString& what);
    /// No step to be undone: what is on the way to an event unfolds by itself.
    void setFolding(std::optional<TrackFolding> folding);
    /// How far down the timeline is scrolled; nullopt: its top is seen.
    const std::optional<ScrollPlace>& scrollPlace() const { return m_scrollPlace; }
    void setScrollPlace(std::optional<ScrollPlace> place);
    const PanelStates& panelStates() const { return m_panelStates; }
    /// A panel says what it wants to find again; empty: nothing.
    void setPanelState(const QString& panel, const QByteArray& json);
    /// Panels take up what they once said.
    void restorePanelStates(PanelStates states);
    /// Of what the user did to this trace; another trace empties it. A reload keeps the steps that still change
    /// something, about the tracks that are still there.
    QUndoStack& undoStack() { return m_undo; }

    const Highlight& highlight() const { return m_highlight; }
    void setHighlight(Highlight highlight);
    /// Makes the next (+1) or previous (-1) highlighted event current, selects and reveals it; wraps around.
    void stepHighlight(int direction);
    /// The same with one of them. Does nothing if there is none of this number.
    void stepHighlightTo(size_t index);

    /// What the timeline shows now; other panels may follow it.
    TimeRange visibleRange() const { return m_visibleRange; }
    void setVisibleRange(TimeRange range);

    /// Who takes the keys that the table with the focus does not use; null: nobody. It is gone from here before it is
    /// destroyed.
    void setKeyTaker(KeyTaker* taker) { m_keyTaker = taker; }
    KeyTaker* keyTaker() const { return m_keyTaker; }
    /// Gives the keyboard to the timeline.
    void goToTimeline() { emit timelineRequested(); }
    /// Tells the user what was done, for a while, at the window's foot.
    void tell(const QString& text) { emit told(text); }
    /// Puts a text into the filter of the table that was used last.
    void filterTable(const QString& text, bool isRegex) { emit tableFilterRequested(text, isRegex); }

signals:
    void traceChanged();
    void selectionChanged();
    /// Comes after selectionChanged(), and only if it is another slice now, or none.
    void selectedEventChanged(warpline::EventRow row);
    void revealRequested(const warpline::Selection& event);
    void areaChanged();
    /// An event or an area that was there already was chosen anew; changes come by the signals above.
    void choiceRepeated();
    void filterChanged();
    void notesChanged();
    void arrangementChanged();
    void foldingChanged();
    void scrollPlaceChanged();
    void panelStateChanged();
    void panelStatesRestored();
    void highlightChanged();
    void visibleRangeChanged(warpline::TimeRange range);
    void timelineRequested();
    void told(const QString& text);
    void tableFilterRequested(const QString& text, bool isRegex);

private:
    class Change;
    template <class T>
    class ChangeCommand;
    void carryUndo(const CarryOver& carry);
    void setFilter(GlobalFilter filter);
    void setNotes(Notes notes);
    void setArrangement(TrackArrangement arrangement);

    std::shared_ptr<const Trace> m_trace;
    Selection m_selection;
    std::optional<AreaSelection> m_area;
    bool m_areaChosenLast = false;
    GlobalFilter m_filter;
    Notes m_notes;
    TrackArrangement m_arrangement;
    std::optional<TrackFolding> m_folding;
    std::optional<ScrollPlace> m_scrollPlace;
    PanelStates m_panelStates;
    QUndoStack m_undo;
    Highlight m_highlight;
    TimeRange m_visibleRange;
    KeyTaker* m_keyTaker = nullptr;
    bool m_keepsView = false;
    bool m_carryingUndo = false;  ///< steps are put in place, and change nothing
};

}  // namespace warpline
