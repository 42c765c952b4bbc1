// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/recording/agent_place.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QStandardPaths>

#include <fcntl.h>
#include <unistd.h>

#include "core/base/version.h"
#include "widgets/support/cell_text.h"

namespace warpline::ui {

namespace {

constexpr auto kProgram = "warpline";

QString tr(const char* text) {
    return QCoreApplication::translate("AgentPlace", text);
}

/// Whether ssh has a way to ask for a password or about a host's key.
bool canAsk() {
    const bool hasScreen = qEnvironmentVariableIsSet("DISPLAY") || qEnvironmentVariableIsSet("WAYLAND_DISPLAY");
    if (qEnvironmentVariableIsSet("SSH_ASKPASS") && hasScreen) {
        return true;
    }
    const int terminal = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY);
    if (terminal >= 0) {
        close(terminal);
    }
    return terminal >= 0;
}

/// For any shell that people log in with.
QString shellCommand(const QString& script) {
    return QStringLiteral("sh -c '%1'").arg(script);
}

}  // namespace

Result<QString> findRecorder() {
    if (const QString given = qEnvironmentVariable("WARPLINE_AGENT"); !given.isEmpty()) {
        return given;
    }
    const QString beside = QDir(QCoreApplication::applicationDirPath()).filePath(QLatin1String(kProgram));
    if (QFileInfo(beside).isExecutable()) {
        return beside;
    }
    if (const QString found = QStandardPaths::findExecutable(QLatin1String(kProgram)); !found.isEmpty()) {
        return found;
    }
    return Error::failed(tr("the program warpline is neither %1 nor in PATH").arg(beside).toStdString());
}

QString recorderOn(const QString& host, const QString& local) {
    // The recorder is started there by one of two names; a process that it starts knows it by this one.
    return host.isEmpty() ? local : QStringLiteral("/proc/self/exe");
}

Command localAgent(const QString& recorder) {
    return {recorder, "agent", "--stdio"};
}

Command sshCommand(const QString& host) {
    Command command{
        "ssh", "-T", "-o", "ServerAliveInterval=15", "-o", "ServerAliveCountMax=4", "-o", "ConnectTimeout=20"};
    if (!canAsk()) {
        command << "-o"
                << "BatchMode=yes";
    }
    return command << "--" << host;
}

Command remoteAgent(const QString& host) {
    const QString script =
        QStringLiteral("p=%1/bin/warpline; [ -x \"$p\" ] || p=warpline; exec \"$p\" agent --stdio").arg(uploadFolder());
    return sshCommand(host) << shellCommand(script);
}

QString uploadFolder() {
    return QStringLiteral("\"$HOME\"/.cache/warpline/") + fromUtf8(kVersion);
}

Result<QList<UploadFile>> filesToUpload(const QString& recorder) {
    const QFileInfo program(QFileInfo(recorder).canonicalFilePath());
    const QString library = "libwarpline_inject.so";
    QString libraryPath = program.dir().filePath("../lib/warpline/" + library);
    if (const QString given = qEnvironmentVariable("WARPLINE_INJECT"); !given.isEmpty()) {
        libraryPath = given;
    }
    QList<UploadFile> files{{libraryPath, "lib/warpline/" + library, 0},
                            {program.filePath(), QStringLiteral("bin/warpline"), 0}};
    for (UploadFile& file : files) {
        const QFileInfo info(file.path);
        if (!info.isFile()) {
            return Error::failed(tr("%1 is not there").arg(QDir::cleanPath(file.path)).toStdString());
        }
        file.bytes = info.size();
    }
    return files;
}

Command uploadCommand(const QString& host, const UploadFile& file) {
    const QString target = uploadFolder() + '/' + file.place;
    return sshCommand(host) << shellCommand(
               QStringLiteral("umask 077; t=%1; mkdir -p \"$(dirname \"$t\")\" && cat > \"$t.part\" && chmod 700 "
                              "\"$t.part\" && [ \"$(wc -c < \"$t.part\")\" -eq %2 ] && mv \"$t.part\" \"$t\"")
                   .arg(target)
                   .arg(file.bytes));
}

}  // namespace warpline::ui
