// SPDX-License-Identifier: MIT
#pragma once
// Runs the built program `warpline` as its users do.

#include <QByteArray>
#include <QString>
#include <QStringList>

namespace warpline::test {

struct CliRun {
    int code = -1;  ///< exit code; -1 if it crashed or did not end within a minute
    QByteArray out;
    QByteArray err;
    /// Lines of standard error.
    QList<QByteArray> errorLines() const;
};

struct CliOptions {
    QByteArray input;                            ///< standard input
    QString folder;                              ///< where it runs; here
    QString program;                             ///< the built one
    QList<QPair<QString, QString>> environment;  ///< set on top of this process's own
};

CliRun runCli(const QStringList& arguments, const CliOptions& options = {});

/// A file below tests/data.
QString dataFile(const QString& name);

}  // namespace warpline::test
