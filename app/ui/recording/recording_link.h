// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A recording as the window sees it: starts the agent here or on a host, sends commands, tells how far it is, and keeps
// its stream in a capture file. One recording; made anew for the next. GUI thread; the bytes are another thread's.

#include <QElapsedTimer>
#include <QObject>
#include <QThread>

#include <optional>

#include "app/ui/recording/agent_worker.h"
#include "app/ui/recording/record_request.h"
#include "app/ui/recording/recording_problem.h"

namespace warpline::ui {

/// What a "progress" said last, and what follows from it.
struct RecordingProgress {
    bool isKnown = false;  ///< one has come
    quint64 kernels = 0, events = 0, lost = 0, bytes = 0, sources = 0;
    double kernelsPerSecond = 0;
    quint64 waitingLaunches = 0;  ///< noted, without their kernels yet; 0 also where that cannot be told
    qint64 behindMs = 0;          ///< from the latest end of a kernel that came, by the clock of where it is recorded
    QStringList refusals;
};

class RecordingLink : public QObject {
    Q_OBJECT

public:
    enum class State { Off, Connecting, Recording, Paused, Stopping, Ended };

    explicit RecordingLink(QObject* parent = nullptr);
    ~RecordingLink() override;

    /// REQUIRES: state Off; no problems with `request`. `path`: a file that is not there.
    void start(const RecordRequest& request, const QString& path);
    void pause(bool isPaused);
    /// The program goes on, unrecorded.
    void stop();
    void signalProgram(int number);
    /// Whatever the agent is at; what came is kept.
    void cancel();

    State state() const { return m_state; }
    bool isUnderWay() const { return m_state != State::Off && m_state != State::Ended; }
    bool wasStarted() const { return m_wasStarted; }
    const RecordRequest& request() const { return m_request; }
    const QString& path() const { return m_path; }
    const RecordingProgress& progress() const { return m_progress; }
    const RecordingProblem& problem() const { return m_problem; }
    /// Whether there is a file.
    bool hasCapture() const { return m_hasCapture; }
    std::optional<int> exitCode() const { return m_exitCode; }
    qint64 elapsedMs() const;

signals:
    void stateChanged();
    void progressed();
    void outputCame(int stream, const QByteArray& text, quint64 cut);

private:
    void setState(State state);
    void onFacts(const AgentFacts& facts);
    void onProgress(const AgentFacts& facts);
    void onEnded(const AgentWorker::End& end);
    void command(const QByteArray& line);

    QThread m_thread;
    AgentWorker* m_worker;  ///< lives on m_thread
    State m_state = State::Off;
    RecordRequest m_request;
    QString m_path;
    QString m_program;
    RecordingProgress m_progress;
    RecordingProblem m_problem;
    bool m_wasReady = false, m_wasStarted = false, m_hasEnded = false, m_hasCapture = false, m_isCancelled = false;
    std::optional<int> m_exitCode;
    QElapsedTimer m_sinceStart, m_sinceProgress;
    qint64 m_elapsedAtEnd = 0;
};

/// The command that starts a recording, a line of JSON.
QByteArray startLine(const RecordRequest& request, const QString& recorder);

}  // namespace warpline::ui
