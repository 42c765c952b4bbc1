// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Copies the recorder to a host by ssh, one file behind the other. GUI thread; one copy at a time.

#include <QFile>
#include <QList>
#include <QObject>
#include <QProcess>

#include <memory>

#include "app/ui/recording/agent_place.h"

namespace warpline::ui {

class Uploader : public QObject {
    Q_OBJECT

public:
    using QObject::QObject;
    ~Uploader() override;

    void start(const QString& host, const QList<UploadFile>& files);
    /// Nothing half copied is left under its name; finished() does not come.
    void cancel();
    bool busy() const { return m_process != nullptr; }

signals:
    void progressed(qint64 done, qint64 total);
    /// "" if all is there, else what ssh or the host said.
    void finished(const QString& error);

private:
    void startNext();
    void writeSome();
    void onEnded();
    void end(const QString& error);

    QString m_host;
    QList<UploadFile> m_files;
    qsizetype m_current = 0;
    QFile m_file;
    std::unique_ptr<QProcess> m_process;
    qint64 m_done = 0, m_total = 0;
    bool m_isClosed = false;  ///< all of the file has been handed over
};

}  // namespace warpline::ui
