// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The agent's process and the file that its stream goes to, on a thread of their own: a stream that is faster than the
// disk, or a disk that stands still, is not felt in the window. Made and used by RecordingLink.

#include <QByteArray>
#include <QElapsedTimer>
#include <QFile>
#include <QObject>
#include <QProcess>
#include <QStringList>
#include <QTimer>

#include <memory>

#include "app/ui/recording/stream_reader.h"

namespace warpline::ui {

class AgentWorker : public QObject {
    Q_OBJECT

public:
    AgentWorker();

    struct Job {
        QStringList command;
        QString capturePath;
        QByteArray startLine;  ///< sent once the agent is ready
    };
    /// How the process ended. Whoever hears it knows from the facts what it had said before.
    struct End {
        bool couldNotStart = false;
        bool isSignal = false;
        int code = 0;       ///< exit code, or number of the signal
        QString errorText;  ///< what could not be started or written, else what stood on standard error
        bool isWriteError = false;
        bool hasCapture = false;  ///< a recording has begun in the file
        quint64 bytes = 0;        ///< of the file
    };

    void start(const Job& job);
    /// A line of the protocol. Nothing happens if the agent is not there.
    void send(const QByteArray& line);
    /// No further commands: the agent ends, which ends the program if it is still recorded.
    void quit();
    /// The same, and waits for it some seconds.
    void quitAndWait();
    /// For an agent that does not answer.
    void kill();

signals:
    void facts(const warpline::ui::AgentFacts& facts);
    /// Some times a second; `cut` bytes before it were left out.
    void output(int stream, const QByteArray& text, quint64 cut);
    void ended(const warpline::ui::AgentWorker::End& end);

private:
    void takeSome();
    void takeErrors();
    void noteOutput(int stream, const QByteArray& text);
    /// False once nothing waits.
    bool sendOutput();
    void finish(bool couldNotStart);

    Job m_job;
    std::unique_ptr<QProcess> m_process;
    QFile m_file;
    StreamReader m_reader;
    QByteArray m_errors;
    QString m_writeError;
    bool m_isSent = false;  ///< startLine: what comes from then on is the recording
    bool m_isScheduled = false;
    quint64 m_bytes = 0;
    struct Output {
        QByteArray text;
        quint64 cut = 0;
    };
    Output m_output[2];
    QTimer m_outputTimer;
};

}  // namespace warpline::ui
