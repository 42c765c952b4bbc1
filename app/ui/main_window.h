// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The window: menus, status bar, and in its middle the start page, the progress of a load, an error, or the panels.

#include <QList>
#include <QMainWindow>
#include <QStringList>
#include <QTimer>

#include "app/ui/shortcut_sheet.h"
#include "core/base/result.h"
#include "widgets/support/job_runner.h"
#include "widgets/support/recent_files.h"
#include "widgets/support/session.h"
#include "widgets/support/theme.h"

class QLabel;
class QMenu;
class QStackedWidget;

namespace warpline::ui {

class DropOverlay;
class ErrorPage;
class LayoutKeeper;
class LoadPage;
class StartPage;
class TraceOpener;
class Workspace;

class MainWindow : public QMainWindow {
    Q_OBJECT

public:
    enum class Page { Start, Loading, Failed, Trace };

    explicit MainWindow(QWidget* parent = nullptr);
    ~MainWindow() override;

    Session& session() { return m_session; }
    RecentFiles& recentFiles() { return m_recent; }
    Workspace* workspace() const { return m_workspace; }
    StartPage* startPage() const { return m_start; }
    LoadPage* loadPage() const { return m_load; }
    ErrorPage* errorPage() const { return m_error; }
    TraceOpener* opener() const { return m_opener; }
    Page page() const;
    const QStringList& openPaths() const { return m_openPaths; }
    QString statusText() const;
    QList<ShortcutGroup> shortcutGroups() const;

    /// What is open stays until the new trace is there.
    void openFiles(const QStringList& paths);
    void closeTrace();

signals:
    /// A load has ended, well or not; `error` is "" if well.
    void loadFinished(const QString& error);

protected:
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dragLeaveEvent(QDragLeaveEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void makeMenus();
    void makeFileMenu();
    void makeCacheActions(QMenu* file);
    void makeViewMenu();
    void makePanelMenus();
    void makeHelpMenu();
    void makeStatusBar();
    QAction* add(QMenu* menu, const QString& text, const QList<QKeySequence>& keys, void (MainWindow::*slot)());
    void setPage(Page page);
    void restPage();
    void chooseFiles();
    void reload();
    void clearCache();
    void fillRecentMenu();
    void onOpened(std::shared_ptr<const Trace> trace);
    void onFailed(const Error& error);
    void onCancelled();
    void replaceTrace(std::shared_ptr<const Trace> trace);
    void refreshTitle();
    void refreshStatus();
    void refreshActions();
    void chooseTheme(ThemeChoice choice);
    void toggleFullScreen();
    void resetLayout();
    void focusFilter();
    void nextInstance();
    void previousInstance();
    void showShortcuts();
    void showAbout();

    Session m_session;
    RecentFiles m_recent;
    QStringList m_openPaths;
    TraceOpener* m_opener;
    QStackedWidget* m_stack;
    StartPage* m_start;
    LoadPage* m_load;
    ErrorPage* m_error;
    Workspace* m_workspace;
    LayoutKeeper* m_keeper;
    DropOverlay* m_drop;
    QMenu* m_recentMenu = nullptr;
    QAction* m_reload = nullptr;
    QAction* m_close = nullptr;
    QAction* m_cancel = nullptr;
    QList<QAction*> m_needTrace;
    QLabel* m_statusFile = nullptr;
    QLabel* m_statusCounts = nullptr;
    QWidget* m_statusPanels = nullptr;
    JobRunner m_clear;
    QTimer m_showLoading;  ///< what loads at once should not flash
};

}  // namespace warpline::ui
