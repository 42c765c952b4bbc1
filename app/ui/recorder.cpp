// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/recorder.h"

#include <QMainWindow>
#include <QMessageBox>
#include <QPushButton>

#include <csignal>

#include "app/ui/recording/agent_place.h"
#include "app/ui/recording/output_view.h"
#include "app/ui/recording/record_bar.h"
#include "app/ui/recording/record_dialog.h"
#include "app/ui/recording/record_presets.h"
#include "app/ui/recording/recordings_panel.h"
#include "core/base/units.h"
#include "widgets/support/cell_text.h"

namespace warpline::ui {

using State = RecordingLink::State;

Recorder::Recorder(Session& session, QMainWindow* window)
    : QObject(window),
      m_window(window),
      m_bar(new RecordBar(window)),
      m_panel(new RecordingsPanel(m_store, window)),
      m_output(new OutputView(window)),
      m_live(new LiveView(session, this)) {
    constexpr int kClockMs = 500;
    m_clock.setInterval(kClockMs);
    connect(&m_clock, &QTimer::timeout, this, &Recorder::refreshBar);
    connect(m_bar, &RecordBar::pauseRequested, this, &Recorder::togglePause);
    connect(m_bar, &RecordBar::stopRequested, this, &Recorder::stop);
    connect(m_bar, &RecordBar::interruptRequested, this, &Recorder::interruptProgram);
    connect(m_bar, &RecordBar::killRequested, this, &Recorder::killProgram);
    connect(m_bar, &RecordBar::followRequested, this, &Recorder::follow);
    connect(m_bar, &RecordBar::cancelRequested, this, [this] {
        if (m_uploader.busy()) {
            m_uploader.cancel();
            m_bar->hide();
        } else if (m_link) {
            m_link->cancel();
        }
    });
    connect(m_bar, &RecordBar::changeRequested, this, [this] { ask(m_link->request()); });
    connect(m_bar, &RecordBar::uploadRequested, this, &Recorder::upload);
    connect(m_bar, &RecordBar::openRequested, this, [this] { emit openRequested({m_link->path()}); });
    connect(m_panel, &RecordingsPanel::openRequested, this, [this](const QStringList& paths) {
        if (isUnderWay() && paths == QStringList(m_link->path())) {
            follow();
        } else {
            emit openRequested(paths);
        }
    });
    connect(m_panel, &RecordingsPanel::recordRequested, this, [this] { ask(); });
    connect(m_panel, &RecordingsPanel::againRequested, this, &Recorder::start);
    connect(m_panel, &RecordingsPanel::told, this, &Recorder::told);
    connect(m_live, &LiveView::loaded, this, [this](const std::shared_ptr<const Trace>& trace) {
        if (m_isShown) {
            m_hasTrace = true;
            m_live->take([this, &trace] { emit traceCame(trace, m_live->path()); });
        }
    });
    connect(m_live, &LiveView::followChanged, this, &Recorder::refreshBar);
    connect(&m_uploader, &Uploader::finished, this, &Recorder::onUploaded);
    connect(&m_uploader, &Uploader::progressed, this, [this](qint64 done, qint64 total) {
        constexpr qint64 kPercent = 100;
        m_bar->setUploading(m_link->request().host, static_cast<int>(done * kPercent / std::max<qint64>(1, total)),
                            tr("%1 of %2")
                                .arg(fromUtf8(formatBytes(static_cast<double>(done))),
                                     fromUtf8(formatBytes(static_cast<double>(total)))));
    });
}

Recorder::~Recorder() {
    m_live->disconnect(this);
    m_uploader.disconnect(this);
}

RecordDialog* Recorder::dialog() const {
    return m_dialog;
}

void Recorder::ask() {
    ask(presets::last());
}

void Recorder::ask(const RecordRequest& request) {
    if (isUnderWay() || m_uploader.busy()) {
        emit told(tr("A recording is under way; end it first"));
        return;
    }
    if (m_dialog != nullptr) {
        m_dialog->raise();
        return;
    }
    m_dialog = new RecordDialog(request, m_window);
    m_dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(m_dialog, &QDialog::accepted, this, [this] { start(m_dialog->request()); });
    m_dialog->open();
}

void Recorder::start(const RecordRequest& request) {
    if (isUnderWay()) {
        return;
    }
    presets::setLast(request);
    m_live->stop();
    m_output->clear();
    m_isShown = m_hasTrace = m_isStarted = false;
    m_begun = QDateTime::currentDateTime();
    m_link = std::make_unique<RecordingLink>();
    connect(m_link.get(), &RecordingLink::stateChanged, this, &Recorder::onStateChanged);
    connect(m_link.get(), &RecordingLink::progressed, this, [this] {
        refreshBar();
        tellWaiting();
    });
    connect(m_link.get(), &RecordingLink::outputCame, m_output, &OutputView::append);
    m_clock.start();
    m_link->start(request, m_store.newPath(nameOf(request), m_begun));
}

void Recorder::onStateChanged() {
    if (m_link->state() == State::Ended) {
        onEnded();
    } else {
        if (m_link->wasStarted() && !m_isStarted) {
            onStarted();
        }
        refreshBar();
    }
    emit changed();
}

void Recorder::onStarted() {
    m_isStarted = true;
    saveEntry();
    m_panel->setUnderWay(m_link->path());
    follow();
}

void Recorder::onEnded() {
    m_clock.stop();
    m_live->stop();
    const RecordingProblem& problem = m_link->problem();
    // As `warpline record` does, nothing is kept of nothing.
    const bool isEmpty = m_isStarted && m_link->progress().events == 0 && !m_hasTrace;
    if (isEmpty && problem.isThere() && m_link->exitCode()) {
        if (const Status status = m_store.remove(m_store.read(m_link->path())); !status.ok()) {
            emit told(fromUtf8(status.error().message));
        }
    } else {
        saveEntry();
    }
    m_panel->setUnderWay({});
    if (m_isStarted) {
        m_bar->setEnded(*m_link, m_link->hasCapture() && !m_isShown && !isEmpty);
        if (m_isShown) {
            emit captureEnded(isEmpty ? QString() : m_link->path());
        }
        m_isShown = false;
    } else if (problem.isThere()) {
        m_bar->setProblem(problem, problem.kind == RecordingProblem::Kind::NoAgentThere && findRecorder().ok());
    } else {
        m_bar->hide();
    }
}

void Recorder::saveEntry() {
    if (!m_isStarted || (!m_link->isUnderWay() && !m_link->hasCapture())) {
        return;
    }
    RecordingEntry entry;
    entry.path = m_link->path();
    entry.name = nameOf(m_link->request());
    entry.host = m_link->request().host;
    entry.begun = m_begun;
    entry.request = m_link->request();
    if (m_link->isUnderWay()) {
        // What stays if the window goes before the recording ends.
        entry.state = tr("not ended");
    } else {
        if (m_link->progress().isKnown) {
            entry.kernels = m_link->progress().kernels;
            entry.lost = m_link->progress().lost;
        }
        entry.state = m_link->exitCode()            ? exitText(*m_link->exitCode())
                      : m_link->problem().isThere() ? m_link->problem().title
                                                    : tr("ended by hand");
    }
    if (const Status status = m_store.write(entry); !status.ok()) {
        emit told(fromUtf8(status.error().message));
    }
}

void Recorder::refreshBar() {
    if (isUnderWay()) {
        m_bar->setRunning(*m_link, m_isShown, m_live->follows() || !m_hasTrace);
    }
}

void Recorder::tellWaiting() {
    if (!m_isShown || m_hasTrace || !isUnderWay()) {
        return;
    }
    const quint64 sources = m_link->progress().sources;
    emit waitingChanged(tr("Recording %1").arg(nameOf(m_link->request())),
                        sources == 0
                            ? tr("Started; no CUDA work yet. What it does on the GPU appears here by itself.")
                            : tr("%1 CUDA; no kernel has ended yet.")
                                  .arg(sources == 1 ? tr("One process uses") : tr("%1 processes use").arg(sources)));
}

void Recorder::togglePause() {
    if (m_link) {
        m_link->pause(m_link->state() == State::Recording);
    }
}

void Recorder::stop() {
    if (m_link) {
        m_link->stop();
    }
}

void Recorder::interruptProgram() {
    if (m_link) {
        m_link->signalProgram(SIGINT);
    }
}

void Recorder::killProgram() {
    if (m_link) {
        m_link->signalProgram(SIGKILL);
    }
}

void Recorder::follow() {
    if (!isUnderWay() || !m_link->wasStarted()) {
        return;
    }
    if (m_isShown) {
        m_live->follow();
    } else {
        m_isShown = true;
        m_hasTrace = false;
        tellWaiting();
        m_live->start(m_link->path());
    }
    refreshBar();
    emit changed();
}

void Recorder::leaveLive() {
    if (m_isShown) {
        m_isShown = m_hasTrace = false;
        m_live->stop();
        refreshBar();
        emit changed();
    }
}

bool Recorder::mayClose() {
    if (!isUnderWay()) {
        return true;
    }
    QMessageBox ask(QMessageBox::Question, tr("A recording is under way"),
                    tr("%1 is still being recorded. When the window closes, the recording ends and the program is told "
                       "to end (SIGHUP). What was recorded is kept.")
                        .arg(nameOf(m_link->request())),
                    QMessageBox::Cancel, m_window);
    QPushButton* close = ask.addButton(tr("Close"), QMessageBox::AcceptRole);
    ask.setDefaultButton(QMessageBox::Cancel);
    ask.exec();
    return ask.clickedButton() == close || !isUnderWay();
}

void Recorder::upload() {
    const QString host = m_link->request().host;
    const Result<QString> recorder = findRecorder();
    const Result<QList<UploadFile>> files =
        recorder.ok() ? filesToUpload(recorder.value()) : Result<QList<UploadFile>>(recorder.error());
    if (!files.ok()) {
        m_bar->setProblem({RecordingProblem::Kind::NoInjection, tr("There is nothing to copy"),
                           tr("Install Warpline on %1 instead.").arg(host), fromUtf8(files.error().message)},
                          false);
        return;
    }
    QStringList lines;
    for (const UploadFile& file : files.value()) {
        lines << tr("%1 (%2)").arg(file.place, fromUtf8(formatBytes(static_cast<double>(file.bytes))));
    }
    QString folder = uploadFolder();
    QMessageBox ask(QMessageBox::Question, tr("Copy the recorder"),
                    tr("Copy these files to %1, into %2?\n\n%3")
                        .arg(host, folder.replace(QStringLiteral("\"$HOME\""), "~"), lines.join('\n')),
                    QMessageBox::Cancel, m_window);
    QPushButton* copy = ask.addButton(tr("Copy"), QMessageBox::AcceptRole);
    ask.setDefaultButton(copy);
    ask.exec();
    if (ask.clickedButton() == copy && !isUnderWay()) {
        m_bar->setUploading(host, 0, {});
        m_uploader.start(host, files.value());
    }
}

void Recorder::onUploaded(const QString& error) {
    const RecordRequest request = m_link->request();
    if (error.isEmpty()) {
        start(request);
        return;
    }
    m_bar->setProblem(
        {RecordingProblem::Kind::Ssh, tr("The recorder was not copied to %1").arg(request.host),
         tr("Nothing half copied is left there under its name. Look at the host's disk and try again."), error},
        true);
}

}  // namespace warpline::ui
