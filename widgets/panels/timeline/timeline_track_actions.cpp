// SPDX-License-Identifier: GPL-3.0-or-later
// What can be asked for about tracks, by name, by key and by the context menu.

#include <QAction>
#include <QMenu>

#include "widgets/panels/timeline/timeline_widget.h"
#include "widgets/support/key_bindings.h"

namespace warpline::timeline {

namespace {

struct FoldAction {
    FoldKind kind;
    const char* collapseId;
    const char* collapse;
    const char* expandId;
    const char* expand;
};

constexpr FoldAction kFolds[] = {
    {FoldKind::Threads, "timeline.collapse_threads", QT_TRANSLATE_NOOP("TimelineWidget", "Collapse all CPU threads"),
     "timeline.expand_threads", QT_TRANSLATE_NOOP("TimelineWidget", "Expand all CPU threads")},
    {FoldKind::Streams, "timeline.collapse_streams", QT_TRANSLATE_NOOP("TimelineWidget", "Collapse all GPU streams"),
     "timeline.expand_streams", QT_TRANSLATE_NOOP("TimelineWidget", "Expand all GPU streams")},
    {FoldKind::Counters, "timeline.collapse_counters", QT_TRANSLATE_NOOP("TimelineWidget", "Collapse all counters"),
     "timeline.expand_counters", QT_TRANSLATE_NOOP("TimelineWidget", "Expand all counters")},
    {FoldKind::Async, "timeline.collapse_async", QT_TRANSLATE_NOOP("TimelineWidget", "Collapse all async work"),
     "timeline.expand_async", QT_TRANSLATE_NOOP("TimelineWidget", "Expand all async work")},
};

}  // namespace

void TimelineWidget::makeTrackActions() {
    // They stand in a menu of their own: the timeline's is long enough.
    auto* tracks = new QAction(tr("&Tracks"), this);
    tracks->setMenu(new QMenu(this));
    tracks->menu()->setToolTipsVisible(true);
    const auto add = [this, tracks](const char* id, const QString& name, const QString& tip, auto slot) {
        auto* action = new QAction(name, this);
        action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
        action->setToolTip(tip);
        action->setProperty("unlisted", true);
        connect(action, &QAction::triggered, this, slot);
        keyBindings().add(action, QLatin1String(id), tr("Timeline"));
        addAction(action);
        tracks->menu()->addAction(action);
        return action;
    };
    add("timeline.find_track", tr("Find a &track…"), tr("By a few letters of its title, wherever it is"),
        [this] { findTrack(); });
    add("timeline.filter_tracks", tr("&Filter tracks…"), tr("Only tracks whose title has all words are shown"),
        [this] { openTrackFilter(); });
    tracks->menu()->addSeparator();
    const QString pinTip = tr("A pinned track stays at the top, whatever is scrolled");
    add("timeline.pin", tr("&Pin or unpin the track"), pinTip, [this] { togglePin(); })->setAutoRepeat(false);
    add("timeline.unpin_all", tr("&Unpin all tracks"), pinTip, [this] { unpinAll(); });
    tracks->menu()->addSeparator();
    const QString hideTip = tr("A process is hidden with all that it holds");
    add("timeline.hide", tr("&Hide the track"), hideTip, [this] { hideFocused(); });
    add("timeline.hide_others", tr("Hide all &others"), tr("What is pinned stays"), [this] { hideOthers(); });
    add("timeline.show_hidden", tr("&Show all hidden tracks"), {}, [this] { showHidden(); });
    tracks->menu()->addSeparator();
    const QString moveTip = tr("Among the tracks of its process, among the pinned, or among the processes");
    add("timeline.move_up", tr("Move the track up"), moveTip, [this] { moveFocused(-1); });
    add("timeline.move_down", tr("Move the track down"), moveTip, [this] { moveFocused(1); });
    tracks->menu()->addSeparator();
    const QString heightTip = tr("Of the track, or of all tracks of the process");
    add("timeline.taller", tr("&Taller rows"), heightTip, [this] { changeHeight(1); });
    add("timeline.shorter", tr("Sho&rter rows"), heightTip, [this] { changeHeight(-1); });
    add("timeline.reset_height", tr("Rows at their usual height"), heightTip, [this] { changeHeight(0); });
    tracks->menu()->addSeparator();
    add("timeline.collapse_process", tr("Collapse the process"), {}, [this] { setThisProcessCollapsed(true); });
    add("timeline.expand_process", tr("Expand the process and all in it"), {},
        [this] { setThisProcessCollapsed(false); });
    for (const FoldAction& fold : kFolds) {
        add(fold.collapseId, tr(fold.collapse), {}, [this, &fold] { setKindCollapsed(fold.kind, true); });
        add(fold.expandId, tr(fold.expand), {}, [this, &fold] { setKindCollapsed(fold.kind, false); });
    }
    addAction(tracks);
    connect(&m_session, &Session::arrangementChanged, this, &TimelineWidget::refreshActions);
}

std::optional<QString> TimelineWidget::trackActionLack(const QString& id) const {
    const TrackArrangement& arrangement = m_session.arrangement();
    if (id == QLatin1String("timeline.unpin_all")) {
        return arrangement.pinned.empty() ? tr("No track is pinned") : QString();
    }
    if (id == QLatin1String("timeline.show_hidden")) {
        return arrangement.hidden.empty() ? tr("No track is hidden") : QString();
    }
    return std::nullopt;
}

void TimelineWidget::addTrackActions(QMenu& menu, const Section& section) {
    const bool isProcess = section.kind == SectionKind::Process;
    // Its key beside it; what it does depends on the section.
    const auto add = [this](QMenu& to, const char* id, const QString& name, auto slot) {
        QAction* action = to.addAction(name, this, slot);
        action->setShortcut(keyBindings().keys(QLatin1String(id)).value(0));
        action->setShortcutVisibleInContextMenu(true);
    };
    menu.addSeparator();
    add(menu, "timeline.pin",
        section.pinned ? tr("Unpin")
        : isProcess    ? tr("Pin all its tracks")
                       : tr("Pin"),
        [this] { togglePin(); });
    if (!m_session.arrangement().pinned.empty()) {
        menu.addAction(tr("Unpin all tracks"), this, &TimelineWidget::unpinAll);
    }
    add(menu, "timeline.hide", isProcess ? tr("Hide the process") : tr("Hide"), [this] { hideFocused(); });
    add(menu, "timeline.hide_others", tr("Hide all others"), [this] { hideOthers(); });
    if (!m_session.arrangement().hidden.empty()) {
        menu.addAction(tr("Show all hidden tracks"), this, &TimelineWidget::showHidden);
    }
    QMenu* folds = menu.addMenu(tr("Collapse and expand"));
    folds->addAction(tr("Collapse the process"), this, [this] { setThisProcessCollapsed(true); });
    folds->addAction(tr("Expand the process and all in it"), this, [this] { setThisProcessCollapsed(false); });
    for (const FoldAction& fold : kFolds) {
        folds->addSeparator();
        folds->addAction(tr(fold.collapse), this, [this, &fold] { setKindCollapsed(fold.kind, true); });
        folds->addAction(tr(fold.expand), this, [this, &fold] { setKindCollapsed(fold.kind, false); });
    }
    QMenu* place = menu.addMenu(tr("Place and height"));
    add(*place, "timeline.move_up", tr("Move up"), [this] { moveFocused(-1); });
    add(*place, "timeline.move_down", tr("Move down"), [this] { moveFocused(1); });
    place->addSeparator();
    add(*place, "timeline.taller", tr("Taller rows"), [this] { changeHeight(1); });
    add(*place, "timeline.shorter", tr("Shorter rows"), [this] { changeHeight(-1); });
    add(*place, "timeline.reset_height", tr("Usual height"), [this] { changeHeight(0); });
    menu.addSeparator();
}

}  // namespace warpline::timeline
