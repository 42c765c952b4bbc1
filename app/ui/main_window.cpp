// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/main_window.h"

#include <QApplication>
#include <QCloseEvent>
#include <QDockWidget>
#include <QDragEnterEvent>
#include <QFileInfo>
#include <QMimeData>
#include <QStackedWidget>
#include <QStatusBar>
#include <QUrl>
#include <QVBoxLayout>

#include <utility>
#include <vector>

#include "app/ui/about_dialog.h"
#include "app/ui/change_bar.h"
#include "app/ui/command_palette.h"
#include "app/ui/drop_overlay.h"
#include "app/ui/error_page.h"
#include "app/ui/file_watch.h"
#include "app/ui/key_dialog.h"
#include "app/ui/layout_keeper.h"
#include "app/ui/load_page.h"
#include "app/ui/recorder.h"
#include "app/ui/recording/record_bar.h"
#include "app/ui/session_store.h"
#include "app/ui/shortcut_sheet.h"
#include "app/ui/start_page.h"
#include "app/ui/trace_opener.h"
#include "app/ui/workspace.h"
#include "widgets/support/cell_text.h"
#include "widgets/support/discard.h"
#include "widgets/support/filter_chip.h"
#include "widgets/support/icons.h"
#include "widgets/support/settings.h"

namespace warpline::ui {

namespace {

constexpr int kLoadingAfterMs = 150;

QStringList localFiles(const QMimeData* data) {
    QStringList paths;
    for (const QUrl& url : data->urls()) {
        if (url.isLocalFile()) {
            paths << url.toLocalFile();
        }
    }
    return paths;
}

}  // namespace

MainWindow::MainWindow(QWidget* parent)
    : QMainWindow(parent),
      m_opener(new TraceOpener(this)),
      m_stack(new QStackedWidget(this)),
      m_start(new StartPage(m_recent, this)),
      m_load(new LoadPage(this)),
      m_error(new ErrorPage(this)),
      m_workspace(new Workspace(m_session, this)),
      m_keeper(new LayoutKeeper(this, m_workspace)),
      m_drop(nullptr),
      m_change(new ChangeBar(this)),
      m_filterChip(new FilterChip(m_session, this)),
      m_watch(new FileWatch(this)),
      m_store(new SessionStore(m_session, this)),
      m_palette(new CommandPalette(this)) {
    setWindowIcon(icon(Icon::App));
    setAcceptDrops(true);
    for (QWidget* page : {static_cast<QWidget*>(m_start), static_cast<QWidget*>(m_load), static_cast<QWidget*>(m_error),
                          static_cast<QWidget*>(m_workspace)}) {
        m_stack->addWidget(page);
    }
    auto* middle = new QWidget(this);
    auto* column = new QVBoxLayout(middle);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_change);
    column->addWidget(m_filterChip);
    column->addWidget(m_stack, 1);
    setCentralWidget(middle);
    makeRecorder();
    column->insertWidget(0, m_recorder->bar());
    m_drop = new DropOverlay(this);
    makeMenus();
    makeStatusBar();

    m_showLoading.setSingleShot(true);
    m_showLoading.setInterval(kLoadingAfterMs);
    connect(&m_showLoading, &QTimer::timeout, this, [this] { setPage(Page::Loading); });
    connect(m_start, &StartPage::openRequested, this, &MainWindow::chooseFiles);
    connect(m_start, &StartPage::recordRequested, this, &MainWindow::record);
    connect(m_start, &StartPage::filesChosen, this, &MainWindow::openFiles);
    connect(m_load, &LoadPage::cancelRequested, m_opener, &TraceOpener::cancel);
    connect(m_error, &ErrorPage::retryRequested, this, [this] {
        if (m_sessionPath.isEmpty()) {
            load(m_opener->paths(), m_purpose);
        } else {
            openSession(QString(m_sessionPath));
        }
    });
    connect(m_error, &ErrorPage::placeRequested, this, &MainWindow::placeFiles);
    connect(m_error, &ErrorPage::locateRequested, this, &MainWindow::locateFiles);
    connect(m_change, &ChangeBar::reloadRequested, this, &MainWindow::reload);
    connect(m_change, &ChangeBar::followRequested, this, &MainWindow::setFollowing);
    connect(m_watch, &FileWatch::changed, this, &MainWindow::onFilesChanged);
    connect(m_watch, &FileWatch::settled, this, &MainWindow::onFilesSettled);
    connect(m_error, &ErrorPage::openRequested, this, &MainWindow::chooseFiles);
    connect(m_error, &ErrorPage::backRequested, this, &MainWindow::restPage);
    connect(m_opener, &TraceOpener::progress, m_load, &LoadPage::setProgress);
    connect(m_opener, &TraceOpener::opened, this, &MainWindow::onOpened);
    connect(m_opener, &TraceOpener::failed, this, &MainWindow::onFailed);
    connect(m_opener, &TraceOpener::cancelled, this, &MainWindow::onCancelled);
    connect(&m_session, &Session::highlightChanged, this, &MainWindow::refreshActions);
    connect(&m_session, &Session::told, this,
            [this](const QString& text) { statusBar()->showMessage(text, kNoticeMs); });
    connect(&m_session, &Session::tableFilterRequested, m_workspace, &Workspace::filterTable);
    connect(&m_session, &Session::selectionChanged, this, &MainWindow::refreshActions);
    connect(&m_session, &Session::areaChanged, this, &MainWindow::refreshActions);
    connect(&m_session, &Session::filterChanged, this, &MainWindow::refreshActions);

    if (!restoreGeometry(settings::store().value(settings::kGeometry).toByteArray())) {
        resize(1280, 800);
    }
    setPage(Page::Start);
    refreshTitle();
    refreshStatus();
}

MainWindow::~MainWindow() {
    m_opener->disconnect(this);
    delete m_recorder;  // its live view refers to the session
    delete m_keeper;    // what goes down with the window is no change of its layout
    // The panels follow the session, which is a member here and goes before a child widget would.
    delete m_workspace;
    delete m_filterChip;
}

MainWindow::Page MainWindow::page() const {
    return static_cast<Page>(m_stack->currentIndex());
}

void MainWindow::setPage(Page page) {
    m_stack->setCurrentIndex(static_cast<int>(page));
    refreshActions();
    refreshStatus();
    if (QWidget* shown = m_stack->currentWidget(); page != Page::Trace) {
        shown->setFocus(Qt::OtherFocusReason);
    }
}

void MainWindow::restPage() {
    setPage(m_session.trace() ? Page::Trace : Page::Start);
}

void MainWindow::onOpened(std::shared_ptr<const Trace> trace) {
    m_showLoading.stop();
    m_openPaths = m_opener->paths();
    for (auto path = m_openPaths.crbegin(); path != m_openPaths.crend(); ++path) {
        if (*path != "-") {
            m_recent.add(*path);
        }
    }
    const bool wasShown = page() == Page::Trace;
    // Panels choose their first view by their size, so they get it before the trace.
    m_stack->setCurrentWidget(m_workspace);
    QStringList lost = replaceTrace(std::move(trace));
    watchFiles();
    const std::optional<SessionDocument> given = std::exchange(m_pendingSession, std::nullopt);
    lost << m_store->open(m_openPaths, m_purpose == Purpose::Open && !given);
    if (given) {
        lost << restoreSession(*given, m_session);
    }
    if (!lost.isEmpty()) {
        statusBar()->showMessage(lost.join(' '), kNoticeMs);
    }
    setPage(Page::Trace);
    if (wasShown && m_purpose != Purpose::Open) {
        // Who works in a panel goes on in it.
        emit loadFinished({});
        return;
    }
    for (const Workspace::Dock& entry : m_workspace->docks()) {
        if (entry.factory->info().place == PanelPlace::Center && entry.dock->isVisible()) {
            entry.panel->setFocus(Qt::OtherFocusReason);
            break;
        }
    }
    emit loadFinished({});
}

void MainWindow::onFailed(const Error& error) {
    m_showLoading.stop();
    m_pendingSession.reset();
    if (error.isCancelled()) {
        onCancelled();
        return;
    }
    if (m_purpose == Purpose::Follow) {
        // It may be in the middle of being written anew: what is open stays, and the next change tries again.
        m_change->following(tr("Following %1: %2").arg(shortNames(m_openPaths), fromUtf8(error.message)));
        refreshActions();
        emit loadFinished(fromUtf8(error.message));
        return;
    }
    m_error->setError(m_opener->paths(), error, m_session.trace() ? shortNames(m_openPaths) : QString());
    setPage(Page::Failed);
    emit loadFinished(fromUtf8(error.message));
}

void MainWindow::onCancelled() {
    m_pendingSession.reset();
    m_showLoading.stop();
    restPage();
    emit loadFinished(tr("cancelled"));
}

QStringList MainWindow::replaceTrace(std::shared_ptr<const Trace> trace) {
    QStringList lost;
    std::shared_ptr<const Trace> old = m_session.trace();
    m_store->close();
    if (m_purpose == Purpose::Open || !trace) {
        m_session.setTrace(std::move(trace));
    } else {
        lost = m_session.reloadTrace(std::move(trace));
    }
    refreshTitle();
    refreshStatus();
    if (old) {
        // Freeing the columns of a large trace takes longer than a frame.
        discard(std::move(old));
    }
    return lost;
}

void MainWindow::closeTrace() {
    m_recorder->leaveLive();
    clearTrace();
    setPage(Page::Start);
}

void MainWindow::clearTrace() {
    m_opener->cancel();
    m_openPaths.clear();
    m_following = false;
    m_follow->setChecked(false);
    m_watch->stop();
    m_change->hide();
    replaceTrace(nullptr);
}

void MainWindow::clearCache() {
    // Also with the switch off: what was kept before is still there.
    m_clear.start<bool>(
        [](JobControl&) -> Result<bool> {
            const Status status = TraceCache(cacheSettings()).clear();
            return status ? Result<bool>(true) : Result<bool>(status.error());
        },
        [this](const Result<bool>& result) {
            statusBar()->showMessage(result ? tr("The trace cache is empty") : fromUtf8(result.error().message),
                                     kNoticeMs);
        });
}

void MainWindow::chooseTheme(ThemeChoice choice) {
    const char* name = choice == ThemeChoice::Light ? "light" : choice == ThemeChoice::Dark ? "dark" : "system";
    settings::store().setValue(settings::kTheme, QString(name));
    applyTheme(choice);
}

void MainWindow::toggleFullScreen() {
    setWindowState(windowState() ^ Qt::WindowFullScreen);
}

void MainWindow::resetLayout() {
    m_workspace->resetLayout();
}

void MainWindow::focusFilter() {
    m_workspace->focusFilter();
}

void MainWindow::nextInstance() {
    m_session.stepHighlight(+1);
}

void MainWindow::previousInstance() {
    m_session.stepHighlight(-1);
}

void MainWindow::toggleDrawer() {
    m_workspace->toggleDrawer();
}

void MainWindow::showPalette() {
    std::vector<CommandPalette::Extra> files;
    for (const QString& path : m_recent.paths()) {
        if (!m_recent.isMissing(path)) {
            files.push_back({tr("Open recent"), QFileInfo(path).fileName(), QFileInfo(path).path(),
                             [this, path] { openFiles({path}); }});
        }
    }
    m_palette->toggle(std::move(files));
}

void MainWindow::showShortcuts() {
    auto* sheet = new ShortcutSheet(this);
    sheet->setAttribute(Qt::WA_DeleteOnClose);
    connect(sheet, &ShortcutSheet::changeRequested, this, &MainWindow::showKeys);
    sheet->open();
}

void MainWindow::showKeys() {
    QWidget* above = QApplication::activeModalWidget();
    auto* keys = new KeyDialog(above != nullptr ? above : this);
    keys->setAttribute(Qt::WA_DeleteOnClose);
    keys->open();
}

void MainWindow::showAbout() {
    auto* about = new AboutDialog(this);
    about->setAttribute(Qt::WA_DeleteOnClose);
    about->open();
}

void MainWindow::closeEvent(QCloseEvent* event) {
    if (!m_recorder->mayClose()) {
        event->ignore();
        return;
    }
    m_keeper->save();
    m_store->save();
    m_opener->cancel();
    QMainWindow::closeEvent(event);
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    const QStringList paths = localFiles(event->mimeData());
    if (!paths.isEmpty()) {
        event->acceptProposedAction();
        m_drop->showFor(static_cast<int>(paths.size()));
    }
}

void MainWindow::dragLeaveEvent(QDragLeaveEvent* /*event*/) {
    m_drop->hide();
}

void MainWindow::dropEvent(QDropEvent* event) {
    m_drop->hide();
    const QStringList paths = localFiles(event->mimeData());
    if (!paths.isEmpty()) {
        event->acceptProposedAction();
        openFiles(paths);
    }
}

void MainWindow::resizeEvent(QResizeEvent* event) {
    QMainWindow::resizeEvent(event);
    m_drop->setGeometry(rect());
}

}  // namespace warpline::ui
