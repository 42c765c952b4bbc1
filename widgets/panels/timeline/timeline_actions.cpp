// SPDX-License-Identifier: GPL-3.0-or-later
// What can be asked of the timeline by name: its actions, when they are possible, and why they are not.

#include <QAction>
#include <QActionGroup>
#include <QScrollBar>

#include <algorithm>

#include "widgets/panels/timeline/timeline_widget.h"
#include "widgets/support/key_bindings.h"

namespace warpline::timeline {

void TimelineWidget::makeActions() {
    const auto add = [this](const char* id, const QString& name, auto slot) {
        auto* action = new QAction(name, this);
        // Which come as presses, see event(): what menus show are the same keys.
        action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
        connect(action, &QAction::triggered, this, slot);
        keyBindings().add(action, QLatin1String(id), tr("Timeline"));
        addAction(action);
        return action;
    };
    // Known to the palette and the list of keys alone: a menu with everything is one to search in.
    const auto addUnlisted = [&add](const char* id, const QString& name, auto slot) {
        QAction* action = add(id, name, slot);
        action->setProperty("unlisted", true);
        return action;
    };
    const auto separate = [this] {
        auto* separator = new QAction(this);
        separator->setSeparator(true);
        addAction(separator);
    };
    add("timeline.zoom_in", tr("Zoom &in"), [this] { zoomIn(); });
    add("timeline.zoom_out", tr("Zoom &out"), [this] { zoomOut(); });
    add("timeline.pan_left", tr("Move &left"), [this] { pan(-0.2); });
    add("timeline.pan_right", tr("Move &right"), [this] { pan(0.2); });
    const auto scroll = [this](QAbstractSlider::SliderAction how) {
        return [this, how] { m_scrollBar->triggerAction(how); };
    };
    addUnlisted("timeline.scroll_up", tr("Scroll up"), scroll(QAbstractSlider::SliderSingleStepSub));
    addUnlisted("timeline.scroll_down", tr("Scroll down"), scroll(QAbstractSlider::SliderSingleStepAdd));
    addUnlisted("timeline.page_up", tr("A page up"), scroll(QAbstractSlider::SliderPageStepSub));
    addUnlisted("timeline.page_down", tr("A page down"), scroll(QAbstractSlider::SliderPageStepAdd));
    add("timeline.start", tr("To the &start"), [this] { goToEdge(false); });
    add("timeline.end", tr("To the &end"), [this] { goToEdge(true); });
    add("timeline.fit", tr("&Fit selection, again for all"), [this] { fit(); });
    add("timeline.fit_all", tr("Fit &all"), [this] { fitAll(); });
    separate();
    add("timeline.next_slice", tr("&Next slice"), [this] { stepSlice(1); });
    add("timeline.previous_slice", tr("&Previous slice"), [this] { stepSlice(-1); });
    add("timeline.next_kernel", tr("Next kernel"), [this] {
        stepKernel(1);
    })->setToolTip(tr("By its begin, on any stream of the GPU"));
    add("timeline.previous_kernel", tr("Previous kernel"), [this] {
        stepKernel(-1);
    })->setToolTip(tr("By its begin, on any stream of the GPU"));
    makeFlowActions(add);
    separate();
    add("timeline.area_from_selection", tr("Selection to a&rea"), [this] {
        areaFromSelection();
    })->setToolTip(tr("What the selected slice spans, on its track, becomes the area"));
    add("timeline.area_all_tracks", tr("Selection to area on all tracks"), [this] {
        areaOnAllTracks();
    })->setToolTip(tr("What the selected slice spans becomes the area, whatever the track"));
    add("timeline.select_all", tr("Select all as an area"), [this] { selectAll(); })
        ->setToolTip(
            tr("The area grows to all that the first view shows, on its own tracks; without one, or once more, on all "
               "tracks; then to what lies far from all work, too: marks, and events with odd times"));
    add("timeline.clear", tr("&Clear area, highlight or selection"), [this] {
        clear();
    })->setToolTip(tr("The area; without one the highlight; without that the selection"));
    separate();
    auto* tools = new QActionGroup(this);
    const auto addTool = [&](const char* id, const QString& name, Tool tool, const QString& tip) {
        QAction* action = add(id, name, [this, tool] { setTool(tool); });
        action->setCheckable(true);
        action->setChecked(tool == m_tool);
        action->setToolTip(tip);
        tools->addAction(action);
    };
    addTool("timeline.tool_select", tr("Tool: select"), Tool::Select, tr("A drag selects an area"));
    addTool("timeline.tool_pan", tr("Tool: move"), Tool::Pan, tr("A drag moves the view"));
    addTool("timeline.tool_zoom", tr("Tool: zoom"), Tool::Zoom, tr("A drag up zooms in, a drag down out"));
    addTool("timeline.tool_time", tr("Tool: measure"), Tool::Time,
            tr("A drag shows how long it spans, and selects nothing"));
    separate();
    const QString mark = tr("Moves the mark that says which track the keys fold");
    add("timeline.next_track", tr("Next track"), [this] { focusSection(1); })->setToolTip(mark);
    add("timeline.previous_track", tr("Previous track"), [this] { focusSection(-1); })->setToolTip(mark);
    QAction* fold = add("timeline.fold", tr("Fold or unfold the &track"), [this] { foldFocused(); });
    fold->setAutoRepeat(false);
    QAction* compact =
        add("timeline.compact", tr("&Deep rows as strips or at full height"), [this] { compactFocused(); });
    compact->setAutoRepeat(false);
    compact->setToolTip(tr("Of a track with many rows: interpreter frames become thin strips"));
    add("timeline.collapse_all", tr("Collapse all tracks"), [this] { setAllCollapsed(true); });
    add("timeline.expand_all", tr("E&xpand all tracks"), [this] { setAllCollapsed(false); });

    const auto showGestures = [this] {
        for (QAction* action : actions()) {
            action->setProperty("gesture", gestureOf(action->objectName(), keyBindings().scheme()));
        }
    };
    connect(&keyBindings(), &KeyBindings::changed, this, showGestures);
    showGestures();
    connect(&m_session, &Session::traceChanged, this, [this] {
        m_measured.reset();
        refreshActions();
    });
    connect(&m_session, &Session::selectionChanged, this, &TimelineWidget::refreshActions);
    connect(&m_session, &Session::areaChanged, this, [this] {
        m_measured.reset();  // it would cover the new one
        refreshActions();
    });
    connect(&m_session, &Session::highlightChanged, this, &TimelineWidget::refreshActions);
    refreshActions();
}

void TimelineWidget::refreshActions() {
    const std::shared_ptr<const Trace>& trace = m_session.trace();
    const bool hasSlice = m_session.selectedEvent().valid();
    const bool hasEvent = m_session.selection() != Selection();
    const bool hasMore = hasEvent || m_measured || m_session.area() || !m_session.highlight().events.empty();
    const bool hasCounter = m_model && !m_model->counters.empty();
    for (const DerivedKind kind : kDerivedKinds) {
        if (QAction* action = m_derivedActions[static_cast<size_t>(kind)]) {
            const QString absence = trace ? derivedAbsence(kind) : tr("No trace is open");
            setEnabledOr(action, absence.isEmpty(), absence);
        }
    }
    for (QAction* action : actions()) {
        const QString id = action->objectName();
        if (std::find(m_derivedActions.begin(), m_derivedActions.end(), action) != m_derivedActions.end()) {
            continue;
        }
        const auto is = [&id](const char* other) { return id == QLatin1String(other); };
        if (!trace) {
            setEnabledOr(action, false, tr("No trace is open"));
        } else if (is("timeline.flow_next") || is("timeline.flow_previous") || is("timeline.flow_last") ||
                   is("timeline.flow_first") || is("timeline.next_same_name") || is("timeline.previous_same_name")) {
            setEnabledOr(action, hasSlice, tr("No slice is selected"));
        } else if (is("timeline.area_from_selection") || is("timeline.area_all_tracks")) {
            setEnabledOr(action, hasEvent, tr("Nothing is selected"));
        } else if (is("timeline.mark") || is("timeline.keep_mark")) {
            setEnabledOr(action, hasEvent || m_session.area(), tr("Nothing is selected"));
        } else if (is("timeline.remove_marks") || is("timeline.marks") || is("timeline.mark_note") ||
                   is("timeline.mark_kept") || is("timeline.mark_remove")) {
            setEnabledOr(action, !m_session.notes().marks.empty(), tr("There are no marks"));
        } else if (is("timeline.time_of_day")) {
            setEnabledOr(action, midnight().has_value(),
                         tr("The file gives no base time, so the time of day is not known"));
        } else if (is("timeline.counter_style") || is("timeline.counter_scale")) {
            setEnabledOr(action, hasCounter, tr("This trace has no counters"));
        } else if (const std::optional<QString> lack = trackActionLack(id)) {
            setEnabledOr(action, lack->isEmpty(), *lack);
        } else if (is("timeline.clear")) {
            setEnabledOr(action, hasMore, tr("There is nothing to clear"));
        } else {
            setEnabledOr(action, true, {});
        }
    }
}

}  // namespace warpline::timeline
