// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What all panels share: the trace, what is selected, what is highlighted, which range is looked at. The one owner of
// that state; panels change it through the setters and follow the signals, and never know each other.
// GUI thread only. Every setter is a no-op when nothing changes, so that panels cannot ring.

#include <QObject>
#include <QString>

#include <memory>
#include <optional>
#include <vector>

#include "core/base/ids.h"
#include "core/base/time.h"
#include "core/trace/trace.h"

namespace warpline {

/// Slices that belong together (the instances of a table row), and which of them is current.
struct Highlight {
    QString title;                 ///< "aten::mm"; shown with the count and position
    std::vector<EventRow> events;  ///< by begin
    int current = -1;              ///< index into events; -1 none yet
    bool operator==(const Highlight&) const = default;
};

/// A time range, and the tracks it is about (empty: all).
struct AreaSelection {
    TimeRange range;
    std::vector<TrackId> tracks;
    bool operator==(const AreaSelection&) const = default;
};

class Session : public QObject {
    Q_OBJECT

public:
    explicit Session(QObject* parent = nullptr);

    const std::shared_ptr<const Trace>& trace() const { return m_trace; }
    /// Replaces the trace (null: none open) and clears everything else.
    void setTrace(std::shared_ptr<const Trace> trace);

    EventRow selectedEvent() const { return m_selectedEvent; }
    void selectEvent(EventRow row);
    /// The same, and asks the timeline to bring it into view.
    void revealEvent(EventRow row);

    const std::optional<AreaSelection>& area() const { return m_area; }
    void setArea(std::optional<AreaSelection> area);

    const Highlight& highlight() const { return m_highlight; }
    void setHighlight(Highlight highlight);
    /// Makes the next (+1) or previous (-1) highlighted instance current, selects and reveals it; wraps around.
    void stepHighlight(int direction);

    /// What the timeline shows now; other panels may follow it.
    TimeRange visibleRange() const { return m_visibleRange; }
    void setVisibleRange(TimeRange range);

signals:
    void traceChanged();
    void selectedEventChanged(warpline::EventRow row);
    void revealRequested(warpline::EventRow row);
    void areaChanged();
    void highlightChanged();
    void visibleRangeChanged(warpline::TimeRange range);

private:
    std::shared_ptr<const Trace> m_trace;
    EventRow m_selectedEvent;
    std::optional<AreaSelection> m_area;
    Highlight m_highlight;
    TimeRange m_visibleRange;
};

}  // namespace warpline
