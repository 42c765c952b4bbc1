// SPDX-License-Identifier: MIT
#include "tests/support/cli_process.h"

#include <QProcess>

namespace warpline::test {

QList<QByteArray> CliRun::errorLines() const {
    QList<QByteArray> lines = err.split('\n');
    lines.removeAll(QByteArray());
    return lines;
}

CliRun runCli(const QStringList& arguments, const CliOptions& options) {
#ifdef WARPLINE_CLI_PATH
    const QString built = QStringLiteral(WARPLINE_CLI_PATH);
#else
    const QString built;
#endif
    QProcess process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    for (const auto& [name, value] : options.environment) {
        environment.insert(name, value);
    }
    process.setProcessEnvironment(environment);
    if (!options.folder.isEmpty()) {
        process.setWorkingDirectory(options.folder);
    }
    process.start(options.program.isEmpty() ? built : options.program, arguments);
    process.write(options.input);
    process.closeWriteChannel();
    constexpr int kTimeoutMs = 60000;
    if (!process.waitForFinished(kTimeoutMs)) {
        process.kill();
        process.waitForFinished();
        return {-1, process.readAllStandardOutput(), process.readAllStandardError() + process.errorString().toUtf8()};
    }
    CliRun run;
    run.code = process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1;
    run.out = process.readAllStandardOutput();
    run.err = process.readAllStandardError();
    return run;
}

QString dataFile(const QString& name) {
    return QStringLiteral(WARPLINE_TEST_DATA_DIR "/") + name;
}

}  // namespace warpline::test
