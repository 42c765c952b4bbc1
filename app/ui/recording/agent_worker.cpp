// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/recording/agent_worker.h"

#include <QDir>
#include <QFileInfo>

#include <utility>

namespace warpline::ui {

namespace {

constexpr qint64 kPiece = qint64{1} << 20;
constexpr qsizetype kMostErrors = 16384;
/// What a program prints in a burst is shown bit by bit: a window draws some hundred KB a second without being felt.
constexpr qsizetype kMostOutput = qsizetype{2} << 20;  ///< of a stream, that waits
constexpr qsizetype kOutputPiece = qsizetype{16} << 10;
constexpr int kOutputMs = 40;
/// For each turn of the event loop, which has commands to send too.
constexpr qint64 kTurnMs = 4;

}  // namespace

// What has this for its parent goes to another thread with it.
AgentWorker::AgentWorker() : m_file(this), m_outputTimer(this) {
    m_outputTimer.setSingleShot(true);
    connect(&m_outputTimer, &QTimer::timeout, this, [this] {
        if (sendOutput()) {
            m_outputTimer.start(kOutputMs);
        }
    });
}

void AgentWorker::start(const Job& job) {
    m_job = job;
    m_file.setFileName(job.capturePath);
    QDir().mkpath(QFileInfo(job.capturePath).absolutePath());
    if (!m_file.open(QIODevice::WriteOnly | QIODevice::NewOnly)) {
        m_writeError = job.capturePath + ": " + m_file.errorString();
        finish(true);
        return;
    }
    m_reader.onFacts = [this](const AgentFacts& facts) {
        if (!m_isSent && facts.values("state").contains("ready")) {
            m_isSent = true;
            send(m_job.startLine);
        }
        emit this->facts(facts);
    };
    m_reader.onOutput = [this](int stream, const QByteArray& text) { noteOutput(stream, text); };
    m_process = std::make_unique<QProcess>();
    connect(m_process.get(), &QProcess::readyReadStandardOutput, this, &AgentWorker::takeSome);
    connect(m_process.get(), &QProcess::readyReadStandardError, this, &AgentWorker::takeErrors);
    connect(m_process.get(), &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart) {
            finish(true);
        }
    });
    connect(m_process.get(), &QProcess::finished, this, [this] { finish(false); });
    m_process->start(job.command.first(), job.command.mid(1));
}

void AgentWorker::send(const QByteArray& line) {
    if (m_process && m_process->state() != QProcess::NotRunning) {
        m_process->write(line + '\n');
    }
}

void AgentWorker::quit() {
    send(R"({"do": "quit"})");
    if (m_process) {
        m_process->closeWriteChannel();
    }
}

void AgentWorker::quitAndWait() {
    constexpr int kPatienceMs = 3000;
    if (m_process && m_process->state() != QProcess::NotRunning) {
        quit();
        m_process->waitForFinished(kPatienceMs);
    }
}

void AgentWorker::kill() {
    if (m_process) {
        m_process->kill();
    }
}

void AgentWorker::takeSome() {
    m_isScheduled = false;
    QElapsedTimer turn;
    turn.start();
    while (m_process && m_process->bytesAvailable() > 0) {
        if (turn.elapsed() >= kTurnMs) {
            m_isScheduled = true;
            QTimer::singleShot(0, this, [this] {
                if (m_isScheduled) {
                    takeSome();
                }
            });
            return;
        }
        const bool isRecording = m_isSent;
        const QByteArray piece = m_process->read(kPiece);
        if (isRecording && m_writeError.isEmpty()) {
            // Unbuffered by us: who reads the file while it grows sees what there is.
            if (m_file.write(piece) != piece.size() || !m_file.flush()) {
                m_writeError = m_job.capturePath + ": " + m_file.errorString();
                send(R"({"do": "stop"})");
            } else {
                m_bytes += static_cast<quint64>(piece.size());
            }
        }
        m_reader.add(piece);
    }
}

void AgentWorker::takeErrors() {
    m_errors += m_process->readAllStandardError();
    if (m_errors.size() > kMostErrors) {
        m_errors.remove(0, m_errors.size() - kMostErrors);
    }
}

void AgentWorker::noteOutput(int stream, const QByteArray& text) {
    Output& output = m_output[stream == 2 ? 1 : 0];
    output.text += text;
    if (output.text.size() > kMostOutput) {
        const qsizetype over = output.text.size() - kMostOutput;
        output.text.remove(0, over);
        output.cut += static_cast<quint64>(over);
    }
    if (!m_outputTimer.isActive()) {
        m_outputTimer.start(kOutputMs);
    }
}

bool AgentWorker::sendOutput() {
    bool hasMore = false;
    for (int i = 0; i < 2; ++i) {
        Output& waiting = m_output[i];
        if (!waiting.text.isEmpty()) {
            emit output(i + 1, waiting.text.left(kOutputPiece), std::exchange(waiting.cut, 0));
            waiting.text.remove(0, kOutputPiece);
            hasMore = hasMore || !waiting.text.isEmpty();
        }
    }
    return hasMore;
}

void AgentWorker::finish(bool couldNotStart) {
    End end;
    end.couldNotStart = couldNotStart;
    if (m_process && !couldNotStart) {
        while (m_process->bytesAvailable() > 0) {
            takeSome();
        }
        m_isScheduled = false;
        takeErrors();
        m_outputTimer.stop();
        while (sendOutput()) {
        }
        end.isSignal = m_process->exitStatus() == QProcess::CrashExit;
        end.code = m_process->exitCode();
    }
    if (m_file.isOpen()) {
        m_file.close();
    }
    end.hasCapture = m_reader.hasBegun() && m_bytes != 0;
    if (!end.hasCapture && m_writeError.isEmpty()) {
        m_file.remove();
    }
    end.bytes = m_bytes;
    end.isWriteError = !m_writeError.isEmpty();
    end.errorText = end.isWriteError ? m_writeError
                    : couldNotStart  ? m_job.command.first() + ": " + m_process->errorString()
                                     : QString::fromLocal8Bit(m_errors).trimmed();
    emit ended(end);
}

}  // namespace warpline::ui
