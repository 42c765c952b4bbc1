// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/recording/uploader.h"

namespace warpline::ui {

namespace {
constexpr qint64 kPiece = qint64{256} << 10;
constexpr int kShutDownMs = 2000;
}  // namespace

Uploader::~Uploader() {
    cancel();
}

void Uploader::start(const QString& host, const QList<UploadFile>& files) {
    cancel();
    m_host = host;
    m_files = files;
    m_current = 0;
    m_done = m_total = 0;
    for (const UploadFile& file : files) {
        m_total += file.bytes;
    }
    startNext();
}

void Uploader::startNext() {
    const UploadFile& file = m_files[m_current];
    m_file.setFileName(file.path);
    m_isClosed = false;
    if (!m_file.open(QIODevice::ReadOnly)) {
        end(file.path + ": " + m_file.errorString());
        return;
    }
    m_process = std::make_unique<QProcess>();
    connect(m_process.get(), &QProcess::bytesWritten, this, [this](qint64 bytes) {
        m_done += bytes;
        emit progressed(m_done, m_total);
        writeSome();
    });
    connect(m_process.get(), &QProcess::started, this, &Uploader::writeSome);
    connect(m_process.get(), &QProcess::finished, this, &Uploader::onEnded);
    connect(m_process.get(), &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart) {
            end(QStringLiteral("ssh: ") + m_process->errorString());
        }
    });
    const Command command = uploadCommand(m_host, file);
    m_process->start(command.first(), command.mid(1));
}

void Uploader::writeSome() {
    // A file is read as fast as the other side takes it.
    while (m_process && !m_isClosed && m_process->bytesToWrite() < kPiece) {
        const QByteArray piece = m_file.read(kPiece);
        if (piece.isEmpty()) {
            m_isClosed = true;
            m_process->closeWriteChannel();
            return;
        }
        m_process->write(piece);
    }
}

void Uploader::onEnded() {
    const bool isGood = m_process->exitStatus() == QProcess::NormalExit && m_process->exitCode() == 0 && m_isClosed;
    if (!isGood) {
        const QString said = QString::fromLocal8Bit(m_process->readAllStandardError()).trimmed();
        end(said.isEmpty() ? tr("the copy of %1 was not taken").arg(m_files[m_current].place) : said);
        return;
    }
    m_file.close();
    if (++m_current == m_files.size()) {
        end({});
        return;
    }
    m_process.release()->deleteLater();  // this is its signal
    startNext();
}

void Uploader::end(const QString& error) {
    m_file.close();
    if (m_process) {
        m_process->disconnect(this);
        m_process.release()->deleteLater();
    }
    emit finished(error);
}

void Uploader::cancel() {
    if (m_process) {
        m_process->disconnect(this);
        m_process->kill();
        m_process->waitForFinished(kShutDownMs);
        m_process.reset();
    }
    m_file.close();
}

}  // namespace warpline::ui
