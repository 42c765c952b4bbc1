// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/recording/recording_link.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QMetaObject>

#include "app/ui/recording/agent_place.h"
#include "widgets/support/cell_text.h"

namespace warpline::ui {

QByteArray startLine(const RecordRequest& request, const QString& recorder) {
    QJsonObject environment;
    for (const auto& [name, value] : environmentOf(request)) {
        environment[name] = value;
    }
    QJsonObject line{{"do", "start"},
                     {"program", QJsonArray::fromStringList(programOf(request, recorder))},
                     {"environment", environment},
                     {"folder", request.folder},
                     {"options", fromUtf8(record::toText(recordOptionsOf(request)))}};
    return QJsonDocument(line).toJson(QJsonDocument::Compact);
}

RecordingLink::RecordingLink(QObject* parent) : QObject(parent), m_worker(new AgentWorker) {
    m_worker->moveToThread(&m_thread);
    connect(&m_thread, &QThread::finished, m_worker, &QObject::deleteLater);
    connect(m_worker, &AgentWorker::facts, this, &RecordingLink::onFacts);
    connect(m_worker, &AgentWorker::output, this, &RecordingLink::outputCame);
    connect(m_worker, &AgentWorker::ended, this, &RecordingLink::onEnded);
    m_thread.setObjectName("recording");
}

RecordingLink::~RecordingLink() {
    m_worker->disconnect(this);
    if (m_thread.isRunning()) {
        QMetaObject::invokeMethod(m_worker, [worker = m_worker] { worker->quitAndWait(); });
        m_thread.quit();
        m_thread.wait();
    } else {
        delete m_worker;
    }
}

void RecordingLink::start(const RecordRequest& request, const QString& path) {
    m_request = request;
    m_path = path;
    const Result<QString> local = findRecorder();
    if (request.host.isEmpty() && !local.ok()) {
        m_problem = problemOfExit({true, false, 0, fromUtf8(local.error().message)}, {});
        setState(State::Ended);
        return;
    }
    const QString recorder = recorderOn(request.host, local.ok() ? local.value() : QString());
    const QStringList program = programOf(request, recorder);
    m_program = program.isEmpty() ? QString() : program.first();
    const AgentWorker::Job job{request.host.isEmpty() ? localAgent(recorder) : remoteAgent(request.host), path,
                               startLine(request, recorder)};
    m_thread.start();
    m_sinceStart.start();
    setState(State::Connecting);
    QMetaObject::invokeMethod(m_worker, [worker = m_worker, job] { worker->start(job); });
}

void RecordingLink::command(const QByteArray& line) {
    QMetaObject::invokeMethod(m_worker, [worker = m_worker, line] { worker->send(line); });
}

void RecordingLink::pause(bool isPaused) {
    if (m_state != State::Recording && m_state != State::Paused) {
        return;
    }
    command(isPaused ? R"({"do": "pause"})" : R"({"do": "resume"})");
    setState(isPaused ? State::Paused : State::Recording);
}

void RecordingLink::stop() {
    if (m_state == State::Recording || m_state == State::Paused) {
        command(R"({"do": "stop"})");
        setState(State::Stopping);
    } else if (m_state == State::Connecting) {
        cancel();
    }
}

void RecordingLink::signalProgram(int number) {
    if (isUnderWay() && m_wasStarted) {
        command(R"({"do": "signal", "number": )" + QByteArray::number(number) + '}');
    }
}

void RecordingLink::cancel() {
    if (isUnderWay()) {
        m_isCancelled = true;
        QMetaObject::invokeMethod(m_worker, [worker = m_worker] { worker->kill(); });
    }
}

qint64 RecordingLink::elapsedMs() const {
    return m_state == State::Ended ? m_elapsedAtEnd : m_sinceStart.isValid() ? m_sinceStart.elapsed() : 0;
}

void RecordingLink::setState(State state) {
    if (state == m_state) {
        return;
    }
    if (state == State::Ended) {
        m_elapsedAtEnd = m_sinceStart.isValid() ? m_sinceStart.elapsed() : 0;
    }
    m_state = state;
    emit stateChanged();
}

void RecordingLink::onFacts(const AgentFacts& facts) {
    const QString state = facts.value("state");
    if (state == "ready") {
        m_wasReady = true;
    } else if (state == "started") {
        m_wasStarted = true;
        m_sinceStart.start();
        setState(State::Recording);
    } else if (state == "progress") {
        onProgress(facts);
    } else if (state == "failed") {
        // A command that a running recording did not take is no end of it.
        if (!m_wasStarted) {
            m_problem = problemOfFailure(facts.value("error"), m_program, m_request.host);
            QMetaObject::invokeMethod(m_worker, [worker = m_worker] { worker->quit(); });
        }
    } else if (state == "ended") {
        onProgress(facts);
        m_hasEnded = true;
        bool isNumber = false;
        if (const int code = facts.value("exit_code").toInt(&isNumber); isNumber) {
            m_exitCode = code;
        }
        if (facts.contains("refusal")) {
            m_progress.refusals = facts.values("refusal");
        }
        QMetaObject::invokeMethod(m_worker, [worker = m_worker] { worker->quit(); });
    }
}

void RecordingLink::onProgress(const AgentFacts& facts) {
    if (!facts.contains("kernels")) {
        return;
    }
    const auto number = [&](const char* key) { return facts.value(QLatin1String(key)).toULongLong(); };
    const quint64 before = m_progress.kernels;
    m_progress.isKnown = true;
    m_progress.kernels = number("kernels");
    m_progress.events = number("events");
    m_progress.lost = number("lost");
    m_progress.bytes = number("bytes");
    m_progress.sources = number("sources");
    if (facts.contains("refusal")) {
        m_progress.refusals = facts.values("refusal");
    }
    constexpr double kMs = 1000;
    const double since = m_sinceProgress.isValid() ? static_cast<double>(m_sinceProgress.restart()) / kMs : 0;
    if (!m_sinceProgress.isValid()) {
        m_sinceProgress.start();
    }
    const quint64 more = m_progress.kernels - std::min(before, m_progress.kernels);
    m_progress.kernelsPerSecond = since > 0 ? static_cast<double>(more) / since : 0;
    // What is left out on purpose never comes, so that nothing can be said of what waits.
    const bool canTell = !recordOptionsOf(m_request).selectsLaunches() && m_state != State::Paused;
    const quint64 noted = number("noted_launches");
    m_progress.waitingLaunches = canTell && noted > m_progress.kernels ? noted - m_progress.kernels : 0;
    const qint64 completeTo = facts.value("complete_to_ns").toLongLong();
    const qint64 now = facts.value("now_ns").toLongLong();
    constexpr qint64 kMsNs = 1'000'000;
    m_progress.behindMs = completeTo > 0 && now > completeTo ? (now - completeTo) / kMsNs : 0;
    emit progressed();
}

void RecordingLink::onEnded(const AgentWorker::End& end) {
    m_hasCapture = end.hasCapture;
    m_progress.bytes = std::max<quint64>(end.bytes, m_progress.bytes);
    const bool isComplete = m_hasEnded && !end.isWriteError;
    if (!m_problem.isThere() && !isComplete && !(m_isCancelled && !m_wasStarted)) {
        m_problem = problemOfExit(
            {end.couldNotStart, end.isSignal, end.code, end.errorText, m_wasReady, m_wasStarted, end.isWriteError},
            m_request.host);
    }
    if (!m_problem.isThere() && m_hasEnded) {
        const auto refused = static_cast<quint64>(m_progress.refusals.size());
        m_problem = problemOfRefusals(m_progress.refusals, refused >= m_progress.sources);
    }
    setState(State::Ended);
}

}  // namespace warpline::ui
