// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The window: menus, status bar, and in its middle the start page, the progress of a load, an error, or the panels.

#include <QList>
#include <QMainWindow>
#include <QMap>
#include <QStringList>
#include <QTimer>

#include <optional>

#include "core/base/result.h"
#include "widgets/support/job_runner.h"
#include "widgets/support/load_settings.h"
#include "widgets/support/recent_files.h"
#include "widgets/support/session.h"
#include "widgets/support/session_file.h"
#include "widgets/support/theme.h"

class QDockWidget;
class QLabel;
class QMenu;
class QStackedWidget;

namespace warpline {
class EmptyState;
class FilterChip;
}  // namespace warpline

namespace warpline::ui {

class ChangeBar;
class CommandPalette;
class DropOverlay;
class ErrorPage;
class FileWatch;
class LayoutKeeper;
class LoadPage;
class Recorder;
class SessionStore;
class StartPage;
class TraceOpener;
class Workspace;

class MainWindow : public QMainWindow {
    Q_OBJECT

public:
    enum class Page { Start, Loading, Failed, Trace, Waiting };

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

    CommandPalette* commandPalette() const { return m_palette; }
    ChangeBar* changeBar() const { return m_change; }
    FilterChip* filterChip() const { return m_filterChip; }
    FileWatch* fileWatch() const { return m_watch; }
    bool following() const { return m_following; }
    Recorder* recorder() const { return m_recorder; }
    QDockWidget* recordingsDock() const { return m_recordings; }
    QDockWidget* outputDock() const { return m_output; }

    /// What is open stays until the new trace is there. A file that is given twice is opened once, which is said.
    void openFiles(const QStringList& paths);
    /// What a session file names, as it was when it was saved. What cannot be read is said on the error page.
    /// `moved`: where files are now that it names elsewhere.
    void openSession(const QString& path, const QMap<QString, QString>& moved = {});
    /// False if it cannot be written, which is said.
    bool saveSession(const QString& path);
    /// As openFiles(), and remembers where the files were placed by hand.
    void openPlaced(const QStringList& paths, const settings::Placement& placement);
    /// Beside what is open, on its time axis; what is looked at stays.
    void addFiles(const QStringList& paths);
    /// The same files anew; what is looked at stays.
    void reload();
    /// Whether to reload by itself when a file has changed and writing has paused.
    void setFollowing(bool follow);
    void closeTrace();
    SessionStore* sessionStore() const { return m_store; }

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
    static constexpr int kNoticeMs = 8000;  ///< for which the status bar says something

    void makeMenus();
    void makeFileMenu();
    void makeCacheActions(QMenu* file);
    void makeEditMenu();
    void makeViewMenu();
    void makePanelMenus();
    void makeHelpMenu();
    void makeStatusBar();
    /// Under the key of its id.
    QAction* add(QMenu* menu, const char* id, const QString& text, void (MainWindow::*slot)());
    void setPage(Page page);
    void restPage();
    enum class Purpose { Open, Reload, Follow, Recorded };
    void load(const QStringList& paths, Purpose purpose);
    void makeRecorder();
    void makeRecordActions(QMenu* file);
    void refreshRecordActions();
    void record();
    void showWaiting(const QString& title, const QString& sentence);
    void showLive(std::shared_ptr<const Trace> trace, const QString& path);
    void showRecorded(const QString& path);
    void clearTrace();
    bool canReload() const;
    QStringList askForFiles(const QString& title);
    void chooseFiles();
    void clearCache();
    void chooseFilesToAdd();
    void chooseSession();
    void placeFiles();
    /// Asks where the files of the session that failed are.
    void locateFiles();
    void showSettings();
    QString followText() const;
    void onFilesChanged();
    void onFilesSettled();
    void watchFiles();
    void fillRecentMenu();
    void onOpened(std::shared_ptr<const Trace> trace);
    void onFailed(const Error& error);
    void onCancelled();
    /// Returns what of the user's could not be found again, as a sentence each.
    QStringList replaceTrace(std::shared_ptr<const Trace> trace);
    void refreshTitle();
    void refreshStatus();
    void refreshActions();
    void chooseTheme(ThemeChoice choice);
    void toggleFullScreen();
    void resetLayout();
    void focusFilter();
    void filterToSelection();
    void removeFilter();
    void nextInstance();
    void previousInstance();
    void toggleDrawer();
    void showPalette();
    void showShortcuts();
    void showKeys();
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
    ChangeBar* m_change;
    FilterChip* m_filterChip;
    FileWatch* m_watch;
    SessionStore* m_store;
    QString m_sessionPath;                            ///< of the session file that is being opened, or could not be
    std::optional<SessionDocument> m_pendingSession;  ///< whose files are being loaded
    CommandPalette* m_palette;
    Purpose m_purpose = Purpose::Open;  ///< of the load that runs or was the last
    bool m_following = false;
    Recorder* m_recorder = nullptr;
    EmptyState* m_waiting = nullptr;
    QDockWidget* m_recordings = nullptr;
    QDockWidget* m_output = nullptr;
    struct RecordActions {
        QAction *record = nullptr, *pause = nullptr, *stop = nullptr, *interrupt = nullptr, *kill = nullptr,
                *follow = nullptr;
    } m_recordActions;
    QAction* m_add = nullptr;
    QAction* m_place = nullptr;
    QAction* m_saveSession = nullptr;
    QAction* m_follow = nullptr;
    QMenu* m_recentMenu = nullptr;
    QAction* m_reload = nullptr;
    QAction* m_close = nullptr;
    QAction* m_cancel = nullptr;
    QAction* m_filterTo = nullptr;
    QAction* m_removeFilter = nullptr;
    QList<QAction*> m_needTrace;
    QLabel* m_statusFile = nullptr;
    QLabel* m_statusCounts = nullptr;
    QWidget* m_statusPanels = nullptr;
    JobRunner m_clear;
    QTimer m_showLoading;  ///< what loads at once should not flash
};

}  // namespace warpline::ui
