// SPDX-License-Identifier: GPL-3.0-or-later
// What the window shows of recordings: the live view, what it waits for, the list, and what programs print.

#include <QAction>
#include <QDockWidget>
#include <QMenu>
#include <QStackedWidget>
#include <QStatusBar>

#include <utility>

#include "app/ui/change_bar.h"
#include "app/ui/dock_title.h"
#include "app/ui/file_watch.h"
#include "app/ui/main_window.h"
#include "app/ui/recorder.h"
#include "app/ui/recording/output_view.h"
#include "app/ui/recording/recordings_panel.h"
#include "app/ui/session_store.h"
#include "app/ui/workspace.h"
#include "widgets/support/discard.h"
#include "widgets/support/empty_state.h"
#include "widgets/support/key_bindings.h"

namespace warpline::ui {

void MainWindow::makeRecorder() {
    m_recorder = new Recorder(m_session, this);
    m_waiting = new EmptyState(this);
    m_stack->addWidget(m_waiting);
    const auto makeDock = [this](const QString& title, const char* name, QWidget* widget) {
        auto* dock = new QDockWidget(title, this);
        dock->setObjectName(QLatin1String(name));
        dock->setAccessibleName(title);
        dock->setWidget(widget);
        dock->setTitleBarWidget(new DockTitle(dock));
        addDockWidget(Qt::BottomDockWidgetArea, dock);
        dock->hide();
        // Low at first: the timeline is what wants the room.
        connect(dock, &QDockWidget::visibilityChanged, this, [this, dock, wasShown = false](bool isShown) mutable {
            if (isShown && !std::exchange(wasShown, true)) {
                constexpr int kPart = 4;
                resizeDocks({dock}, {height() / kPart}, Qt::Vertical);
            }
        });
        return dock;
    };
    m_recordings = makeDock(tr("Recordings"), "recordings", m_recorder->panel());
    m_output = makeDock(tr("Program output"), "program_output", m_recorder->output());
    connect(m_recorder, &Recorder::waitingChanged, this, &MainWindow::showWaiting);
    connect(m_recorder, &Recorder::traceCame, this, &MainWindow::showLive);
    connect(m_recorder, &Recorder::captureEnded, this, &MainWindow::showRecorded);
    connect(m_recorder, &Recorder::openRequested, this, &MainWindow::openFiles);
    connect(m_recorder, &Recorder::changed, this, &MainWindow::refreshRecordActions);
    connect(m_recorder, &Recorder::told, this,
            [this](const QString& text) { statusBar()->showMessage(text, kNoticeMs); });
}

void MainWindow::makeRecordActions(QMenu* file) {
    const QString group = actionTitle(file->menuAction());
    const auto add = [&](QMenu* menu, const char* id, const QString& text, const QString& toolTip, auto slot) {
        QAction* action = menu->addAction(text);
        action->setToolTip(toolTip);
        keyBindings().add(action, QLatin1String(id), group);
        connect(action, &QAction::triggered, m_recorder, slot);
        return action;
    };
    RecordActions& actions = m_recordActions;
    actions.record = add(file, "window.record", tr("Re&cord…"), tr("Record the GPU work of a program, and see it live"),
                         [this] { record(); });
    QMenu* menu = file->addMenu(tr("Recordin&g"));
    menu->setToolTipsVisible(true);
    actions.pause = add(menu, "window.record_pause", tr("&Pause recording"),
                        tr("Record nothing until it is resumed; the program goes on"), &Recorder::togglePause);
    actions.stop = add(menu, "window.record_stop", tr("&Stop recording"),
                       tr("End the recording; the program goes on, unrecorded"), &Recorder::stop);
    actions.interrupt = add(menu, "window.record_interrupt", tr("&Interrupt the program"),
                            tr("Send the program SIGINT, as Ctrl+C in a terminal does"), &Recorder::interruptProgram);
    actions.kill = add(menu, "window.record_kill", tr("&Kill the program"),
                       tr("End the program at once (SIGKILL); what was recorded is kept"), &Recorder::killProgram);
    actions.follow = add(menu, "window.record_follow", tr("&Follow the recording"),
                         tr("Show what is being recorded, and keep the view at its end"), &Recorder::follow);
    menu->addSeparator();
    const auto addDock = [&](QDockWidget* dock, const char* id, const QString& title) {
        QAction* toggle = dock->toggleViewAction();
        toggle->setProperty(kFullTitle, tr("Show or hide %1").arg(title));
        keyBindings().add(toggle, QLatin1String(id), group);
        menu->addAction(toggle);
    };
    addDock(m_recordings, "window.recordings", tr("the recordings"));
    addDock(m_output, "window.program_output", tr("the program's output"));
}

void MainWindow::refreshRecordActions() {
    using State = RecordingLink::State;
    const RecordingLink* link = m_recorder->link();
    const State state = link != nullptr ? link->state() : State::Off;
    const bool isRunning = state == State::Recording || state == State::Paused;
    const QString none = tr("Nothing is being recorded");
    const RecordActions& actions = m_recordActions;
    if (actions.record == nullptr) {
        return;
    }
    setEnabledOr(actions.record, !m_recorder->isUnderWay(), tr("A recording is under way"));
    for (QAction* action : {actions.pause, actions.stop, actions.interrupt, actions.kill, actions.follow}) {
        setEnabledOr(action, isRunning, none);
    }
    actions.pause->setText(state == State::Paused ? tr("Resume recordin&g") : tr("&Pause recording"));
}

void MainWindow::record() {
    m_recorder->ask();
}

void MainWindow::showWaiting(const QString& title, const QString& sentence) {
    if (page() != Page::Waiting) {
        clearTrace();
        setPage(Page::Waiting);
    }
    m_waiting->setContent(Icon::Busy, title, sentence);
}

void MainWindow::showLive(std::shared_ptr<const Trace> trace, const QString& path) {
    std::shared_ptr<const Trace> old = m_session.trace();
    if (page() == Page::Trace) {
        m_session.reloadTrace(std::move(trace));
    } else {
        m_openPaths = {path};
        m_watch->stop();
        m_change->hide();
        // Panels choose their first view by their size, so they get it before the trace.
        m_stack->setCurrentWidget(m_workspace);
        m_session.setTrace(std::move(trace));
        setPage(Page::Trace);
        refreshTitle();
    }
    refreshStatus();
    if (old) {
        discard(std::move(old));
    }
}

void MainWindow::showRecorded(const QString& path) {
    if (path.isEmpty()) {
        restPage();
    } else {
        load({path}, Purpose::Recorded);
    }
}

}  // namespace warpline::ui
