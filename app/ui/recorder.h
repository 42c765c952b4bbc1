// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Recording in the window: dialog, the recording that is under way, its line above the panels, its live view, what it
// prints, the list of recordings. One recording at a time. Owns none of what the window shows of a trace: it asks for
// that by signals. GUI thread.

#include <QObject>
#include <QPointer>
#include <QStringList>
#include <QTimer>

#include <memory>

#include "app/ui/live_view.h"
#include "app/ui/recording/record_dialog.h"
#include "app/ui/recording/record_request.h"
#include "app/ui/recording/recording_link.h"
#include "app/ui/recording/recording_store.h"
#include "app/ui/recording/uploader.h"

class QAction;
class QMainWindow;

namespace warpline::ui {

class OutputView;
class RecordBar;
class RecordingsPanel;

class Recorder : public QObject {
    Q_OBJECT

public:
    /// The widgets get `window` for a parent; who makes this puts them where they belong.
    Recorder(Session& session, QMainWindow* window);
    ~Recorder() override;

    RecordBar* bar() const { return m_bar; }
    RecordingsPanel* panel() const { return m_panel; }
    OutputView* output() const { return m_output; }
    LiveView* live() const { return m_live; }
    const RecordingStore& store() const { return m_store; }
    /// Null before the first one.
    RecordingLink* link() const { return m_link.get(); }
    /// Null if it is not open.
    RecordDialog* dialog() const;
    bool isUnderWay() const { return m_link && m_link->isUnderWay(); }
    /// Whether the window shows what is being recorded.
    bool isShown() const { return m_isShown; }

    void ask();
    void ask(const RecordRequest& request);
    /// REQUIRES: nothing is under way; no problems with `request`.
    void start(const RecordRequest& request);
    void togglePause();
    void stop();
    void interruptProgram();
    void killProgram();
    void follow();
    /// Something else is opened in place of the live view; the recording goes on.
    void leaveLive();
    /// Before the window closes; false: the user wants it to stay.
    bool mayClose();

signals:
    /// Nothing is to be seen yet: the window waits for it.
    void waitingChanged(const QString& title, const QString& sentence);
    void traceCame(std::shared_ptr<const warpline::Trace> trace, const QString& path);
    /// What was shown live is whole now; "": there is nothing to show of it.
    void captureEnded(const QString& path);
    void openRequested(const QStringList& paths);
    void changed();
    void told(const QString& text);

private:
    void onStateChanged();
    void onStarted();
    void onEnded();
    void refreshBar();
    void tellWaiting();
    void saveEntry();
    void upload();
    void onUploaded(const QString& error);

    QMainWindow* m_window;
    RecordingStore m_store;
    RecordBar* m_bar;
    RecordingsPanel* m_panel;
    OutputView* m_output;
    LiveView* m_live;
    Uploader m_uploader;
    std::unique_ptr<RecordingLink> m_link;
    QPointer<RecordDialog> m_dialog;
    QDateTime m_begun;
    QTimer m_clock;
    bool m_isShown = false;
    bool m_hasTrace = false;  ///< of the live view, in the window
    bool m_isStarted = false;
};

}  // namespace warpline::ui
