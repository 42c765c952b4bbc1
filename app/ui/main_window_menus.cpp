// SPDX-License-Identifier: GPL-3.0-or-later
// The window's menus.

#include <QAction>
#include <QActionGroup>
#include <QApplication>
#include <QDockWidget>
#include <QFileInfo>
#include <QMenu>
#include <QMenuBar>

#include <algorithm>

#include "app/ui/load_page.h"
#include "app/ui/main_window.h"
#include "app/ui/trace_opener.h"
#include "app/ui/workspace.h"
#include "core/base/units.h"
#include "widgets/support/cell_text.h"
#include "widgets/support/icons.h"
#include "widgets/support/key_bindings.h"
#include "widgets/support/settings.h"

namespace warpline::ui {

namespace {

/// Known by its id to keys, palette and sheet, which look for it under the menu's title.
void bind(QAction* action, const QMenu* menu, const QString& id, const QString& defaultsAs = {}) {
    keyBindings().add(action, id, actionTitle(menu->menuAction()), defaultsAs);
}

QMenu* submenuOf(QMenu* menu, const QString& title) {
    for (QAction* action : menu->actions()) {
        if (action->menu() != nullptr && action->menu()->title() == title) {
            return action->menu();
        }
    }
    QMenu* made = menu->addMenu(title);
    made->setToolTipsVisible(true);
    return made;
}

/// None at an end, beside another, or between two menus: those are groups by themselves.
void tidySeparators(QMenu* menu) {
    QAction* before = nullptr;
    QAction* open = nullptr;  ///< a separator that stays if what comes next wants it
    for (QAction* action : menu->actions()) {
        if (action->isSeparator()) {
            if (before == nullptr || open != nullptr) {
                menu->removeAction(action);
            } else {
                open = action;
            }
            continue;
        }
        if (open != nullptr && before->menu() != nullptr && action->menu() != nullptr) {
            menu->removeAction(open);
        }
        open = nullptr;
        before = action;
    }
    if (open != nullptr) {
        menu->removeAction(open);
    }
}

}  // namespace

QAction* MainWindow::add(QMenu* menu, const char* id, const QString& text, void (MainWindow::*slot)()) {
    QAction* action = menu->addAction(text);
    bind(action, menu, QLatin1String(id));
    connect(action, &QAction::triggered, this, [this, slot] { (this->*slot)(); });
    return action;
}

void MainWindow::makeMenus() {
    makeFileMenu();
    makeEditMenu();
    makeViewMenu();
    makePanelMenus();
    makeHelpMenu();
}

void MainWindow::makeFileMenu() {
    QMenu* file = menuBar()->addMenu(tr("&File"));
    add(file, "window.open", tr("&Open…"), &MainWindow::chooseFiles)->setIcon(icon(Icon::Open));
    makeRecordActions(file);
    m_recentMenu = file->addMenu(tr("Open &recent"));
    m_recentMenu->setToolTipsVisible(true);
    connect(m_recentMenu, &QMenu::aboutToShow, this, [this] {
        fillRecentMenu();
        m_recent.look();
    });
    connect(&m_recent, &RecentFiles::changed, this, [this] {
        refreshActions();
        for (QAction* action : m_recentMenu->actions()) {
            if (const QString path = action->data().toString(); !path.isEmpty()) {
                action->setEnabled(!m_recent.isMissing(path));
            }
        }
    });
    m_add = add(file, "window.add_files", tr("&Add file to this view…"), &MainWindow::chooseFilesToAdd);
    m_place = add(file, "window.place_files", tr("&Place files in time…"), &MainWindow::placeFiles);
    m_saveSession = add(file, "window.save_session", tr("&Save session…"), &MainWindow::chooseSession);
    file->addSeparator();
    m_reload = add(file, "window.reload", tr("Re&load"), &MainWindow::reload);
    m_follow = file->addAction(tr("&Follow changes on disk"));
    m_follow->setCheckable(true);
    bind(m_follow, file, QStringLiteral("window.follow"));
    connect(m_follow, &QAction::triggered, this, &MainWindow::setFollowing);
    file->addSeparator();
    m_cancel = file->addAction(tr("&Cancel loading"));
    bind(m_cancel, file, QStringLiteral("window.cancel"));
    connect(m_cancel, &QAction::triggered, m_opener, &TraceOpener::cancel);
    m_close = add(file, "window.close_trace", tr("&Close trace"), &MainWindow::closeTrace);
    file->addSeparator();
    makeCacheActions(file);
    file->addSeparator();
    add(file, "window.settings", tr("&Settings…"), &MainWindow::showSettings);
    add(file, "window.keys", tr("&Keys…"), &MainWindow::showKeys);
    file->addSeparator();
    QAction* quit = file->addAction(tr("&Quit"));
    bind(quit, file, QStringLiteral("window.quit"));
    connect(quit, &QAction::triggered, this, [this] {
        if (close()) {
            QApplication::quit();
        }
    });
}

void MainWindow::makeCacheActions(QMenu* file) {
    file->setToolTipsVisible(true);
    QAction* keep = file->addAction(tr("&Keep large traces"));
    keep->setCheckable(true);
    bind(keep, file, QStringLiteral("window.keep_traces"));
    keep->setToolTip(tr("So that they open quicker the next time"));
    connect(keep, &QAction::triggered, this, [](bool on) { settings::store().setValue(settings::kKeepTraces, on); });
    QAction* clear = add(file, "window.clear_cache", tr("Clear the &trace cache"), &MainWindow::clearCache);
    connect(file, &QMenu::aboutToShow, this, [keep, clear] {
        const CacheSettings allowed = cacheSettings();
        keep->setEnabled(allowed.isOn());
        keep->setChecked(allowed.isOn() && settings::store().value(settings::kKeepTraces, true).toBool());
        if (!allowed.isOn()) {
            keep->setToolTip(allowed.problem.empty() ? tr("Switched off by WARPLINE_CACHE_LIMIT")
                                                     : fromUtf8(allowed.problem));
        }
        // A handful of files: there are no small ones.
        const uint64_t bytes = TraceCache(allowed).bytes();
        clear->setText(bytes == 0
                           ? tr("Clear the &trace cache")
                           : tr("Clear the &trace cache (%1)").arg(fromUtf8(formatBytes(static_cast<double>(bytes)))));
        clear->setEnabled(bytes != 0);
        clear->setToolTip(fromUtf8(allowed.folder));
    });
}

void MainWindow::makeEditMenu() {
    QMenu* edit = menuBar()->addMenu(tr("&Edit"));
    edit->setToolTipsVisible(true);
    QAction* undo = m_session.undoStack().createUndoAction(this, tr("&Undo"));
    QAction* redo = m_session.undoStack().createRedoAction(this, tr("&Redo"));
    bind(undo, edit, QStringLiteral("window.undo"));
    bind(redo, edit, QStringLiteral("window.redo"));
    undo->setProperty(kDisabledReason, tr("Nothing has been done that can be undone"));
    redo->setProperty(kDisabledReason, tr("Nothing has been undone"));
    edit->addActions({undo, redo});
    edit->addSeparator();
    m_filterTo = add(edit, "window.filter_to_selection", tr("&Filter all panels to the selection"),
                     &MainWindow::filterToSelection);
    m_removeFilter = add(edit, "window.remove_filter", tr("Re&move the filter"), &MainWindow::removeFilter);
}

void MainWindow::filterToSelection() {
    const std::optional<AreaSelection>& area = m_session.area();
    const EventRow row = m_session.selectedEvent();
    if (area && (m_session.areaChosenLast() || !row.valid())) {
        m_session.applyFilter({filterOf(*area), m_session.filter().leastDuration});
    } else if (row.valid()) {
        const SliceColumns& slices = m_session.trace()->slices();
        const TimeNs begin = slices.begin[row.value];
        // An end is not part of a range, and what has no length begins in one still.
        m_session.applyFilter(
            {AreaSelection{{begin, std::max(slices.end(row.value), begin + 1)}, {}}, m_session.filter().leastDuration});
    }
}

void MainWindow::removeFilter() {
    m_session.applyFilter({});
}

void MainWindow::makeViewMenu() {
    QMenu* view = menuBar()->addMenu(tr("&View"));
    view->setToolTipsVisible(true);
    int number = 0;
    for (const Workspace::Dock& entry : m_workspace->docks()) {
        QAction* toggle = entry.dock->toggleViewAction();
        const PanelInfo& info = entry.factory->info();
        toggle->setProperty(kFullTitle, tr("Show or hide %1").arg(info.title));
        bind(toggle, view, QStringLiteral("toggle.%1").arg(info.id));
        view->addAction(toggle);
        m_needTrace << toggle;
        // The key brings a panel to the front; only the menu's tick hides it.
        auto* raise = new QAction(tr("Go to %1").arg(info.title), this);
        const QString& id = info.id;
        bind(raise, view, QStringLiteral("panel.%1").arg(id), QStringLiteral("panel.%1").arg(++number));
        connect(raise, &QAction::triggered, this, [this, id] { m_workspace->raisePanel(id); });
        addAction(raise);
        m_needTrace << raise;
    }
    m_needTrace << add(view, "window.drawer", tr("Show or hide the &lower panels"), &MainWindow::toggleDrawer);
    view->addSeparator();
    QMenu* look = view->addMenu(tr("&Theme"));
    auto* group = new QActionGroup(look);
    const auto addLook = [&](const char* id, const QString& text, ThemeChoice choice) {
        QAction* action = look->addAction(text);
        action->setProperty(kFullTitle, tr("Theme: %1").arg(actionTitle(action)));
        bind(action, view, QLatin1String(id));
        action->setCheckable(true);
        action->setChecked(themeChoice() == choice);
        group->addAction(action);
        connect(action, &QAction::triggered, this, [this, choice] { chooseTheme(choice); });
    };
    addLook("window.theme_system", tr("&System"), ThemeChoice::System);
    addLook("window.theme_light", tr("&Light"), ThemeChoice::Light);
    addLook("window.theme_dark", tr("&Dark"), ThemeChoice::Dark);
    m_needTrace << add(view, "window.reset_layout", tr("&Reset layout"), &MainWindow::resetLayout);
    add(view, "window.full_screen", tr("&Full screen"), &MainWindow::toggleFullScreen);
}

void MainWindow::makePanelMenus() {
    QMenu* go = menuBar()->addMenu(tr("&Go"));
    go->setToolTipsVisible(true);
    QAction* next = add(go, "window.next_instance", tr("&Next instance"), &MainWindow::nextInstance);
    QAction* previous = add(go, "window.previous_instance", tr("&Previous instance"), &MainWindow::previousInstance);
    go->addSeparator();
    QAction* filter = add(go, "window.filter_table", tr("&Filter the table by name"), &MainWindow::focusFilter);
    filter->setToolTip(tr("Of the table that was used last, from anywhere in the window"));
    m_needTrace << filter;
    for (QAction* action : {next, previous}) {
        action->setToolTip(tr("Of the table row that is selected, or of the search"));
        action->setProperty("needsHighlight", true);
        m_needTrace << action;
    }
    go->addSeparator();
    for (const Workspace::Dock& entry : m_workspace->docks()) {
        const QList<QAction*> actions = entry.factory->actions(entry.panel);
        if (actions.isEmpty()) {
            continue;
        }
        QMenu* menu = menuBar()->addMenu("&" + entry.factory->info().title);
        menu->setToolTipsVisible(true);
        // Of a group in a menu below, each where its first one stands; what a group called as the window's own menu has
        // goes there.
        for (QAction* action : actions) {
            const QString group = action->property("submenu").toString();
            if (action->property("unlisted").toBool()) {
                continue;
            }
            const bool isWindows = !group.isEmpty() && group == go->title();
            (group.isEmpty() ? menu : isWindows ? go : submenuOf(menu, group))->addAction(action);
        }
        tidySeparators(menu);
        // A menu that is disabled does not say aboutToShow any more: its state follows the trace's.
        m_needTrace << menu->menuAction();
    }
}

void MainWindow::makeHelpMenu() {
    QMenu* help = menuBar()->addMenu(tr("&Help"));
    add(help, "window.palette", tr("&Commands…"), &MainWindow::showPalette);
    add(help, "window.shortcuts", tr("&Keyboard shortcuts"), &MainWindow::showShortcuts);
    add(help, "window.about", tr("&About Warpline"), &MainWindow::showAbout);
}

void MainWindow::fillRecentMenu() {
    m_recentMenu->clear();
    int number = 0;
    for (const QString& path : m_recent.paths()) {
        const QFileInfo info(path);
        QString text = info.fileName();
        text.replace('&', "&&");
        QAction* action =
            m_recentMenu->addAction(++number <= 9 ? QStringLiteral("&%1  %2").arg(number).arg(text) : text);
        action->setToolTip(path);
        action->setData(path);
        action->setEnabled(!m_recent.isMissing(path));
        connect(action, &QAction::triggered, this, [this, path] { openFiles({path}); });
    }
    m_recentMenu->addSeparator();
    connect(m_recentMenu->addAction(tr("&Clear this list")), &QAction::triggered, &m_recent, &RecentFiles::clear);
}

void MainWindow::refreshActions() {
    const bool hasTrace = m_session.trace() != nullptr;
    for (QAction* action : m_needTrace) {
        const bool needsHighlight = action->property("needsHighlight").toBool();
        setEnabledOr(action, hasTrace && (!needsHighlight || !m_session.highlight().empty()),
                     hasTrace ? tr("No row of a table is selected") : tr("No trace is open"));
    }
    const QString notNow = m_opener->busy()            ? tr("Something is being loaded")
                           : m_openPaths.contains("-") ? tr("Standard input can be read once only")
                                                       : tr("No trace is open");
    setEnabledOr(m_reload, canReload() && !m_opener->busy(), notNow);
    m_reload->setToolTip(m_openPaths.contains("-") ? tr("Standard input can be read once only") : QString());
    setEnabledOr(m_add, canReload() && !m_opener->busy(), notNow);
    setEnabledOr(m_place, canReload() && m_openPaths.size() > 1 && !m_opener->busy(),
                 canReload() && !m_opener->busy() ? tr("Only one file is open") : notNow);
    setEnabledOr(m_follow, canReload(), notNow);
    setEnabledOr(m_close, hasTrace || page() == Page::Failed, tr("No trace is open"));
    setEnabledOr(m_saveSession, canReload(),
                 m_openPaths.contains("-") ? tr("What came through standard input has no name to be opened by again")
                                           : tr("No trace is open"));
    m_saveSession->setToolTip(
        tr("Which files are open, and what was set and written on them, as a small file to keep or "
           "to share; File > Open opens it"));
    setEnabledOr(m_filterTo, hasTrace && (m_session.area() || m_session.selectedEvent().valid()),
                 hasTrace ? tr("Select an area or a slice in the timeline first") : tr("No trace is open"));
    m_filterTo->setToolTip(tr("Only what begins in the selected area, or in the selected slice's time, counts"));
    setEnabledOr(m_removeFilter, !m_session.filter().empty(), tr("Nothing is filtered"));
    // Only while there is something to stop: Esc belongs to the panels otherwise.
    setEnabledOr(m_cancel, m_opener->busy(), tr("Nothing is being loaded"));
    m_recentMenu->setEnabled(!m_recent.paths().isEmpty());
    refreshRecordActions();
}

}  // namespace warpline::ui
