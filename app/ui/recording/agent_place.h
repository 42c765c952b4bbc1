// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Where the recording side is, and how it is started: the command-line program beside the window, or one on another
// machine through the system's own ssh. Pure but for looking at files.

#include <QString>
#include <QStringList>

#include "core/base/result.h"

namespace warpline::ui {

/// A program and its arguments.
using Command = QStringList;

/// Of this machine: what WARPLINE_AGENT names, else `warpline` beside the window's program, else in PATH. Fails with
/// where it was looked for.
Result<QString> findRecorder();
/// The recorder that starts programs on the host: the path by which it finds itself there.
QString recorderOn(const QString& host, const QString& local);
Command localAgent(const QString& recorder);
/// REQUIRES: a host that problemsOf() has nothing against.
Command remoteAgent(const QString& host);
/// ssh with what all uses have in common; the command for the other side follows.
Command sshCommand(const QString& host);

/// What has to be copied for a host to record: from here, and its place in uploadFolder().
struct UploadFile {
    QString path;
    QString place;
    qint64 bytes = 0;
};
/// Fails with the file that is not there.
Result<QList<UploadFile>> filesToUpload(const QString& recorder);
/// On the host, as its shell takes it; one for each version.
QString uploadFolder();
/// Takes what comes on its standard input for that file. The file is there whole or not at all.
Command uploadCommand(const QString& host, const UploadFile& file);

}  // namespace warpline::ui
