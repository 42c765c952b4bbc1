// SPDX-License-Identifier: MIT
#include "tests/support/standin/record_bench.h"

#include <QDir>

namespace warpline::test {

QString injectionLibrary() {
    return QStringLiteral(WARPLINE_INJECT_PATH);
}

QString cuptiStandin() {
    return QStringLiteral(WARPLINE_STANDIN_PATH);
}

QString oldCuptiStandin() {
    return QStringLiteral(WARPLINE_OLD_STANDIN_PATH);
}

QString cudaProgram() {
    return QStringLiteral(WARPLINE_CUDA_PROGRAM_PATH);
}

QByteArray RecordRun::lastLine() const {
    QList<QByteArray> lines = err.split('\n');
    lines.removeAll(QByteArray());
    return lines.isEmpty() ? QByteArray() : lines.last();
}

RecordBench::RecordBench() {
    set("WARPLINE_CUPTI", cuptiStandin());
    // Threads of the recorder are never joined and its memory is never freed, by design; the program keeps names as
    // CUPTI does.
    set("TSAN_OPTIONS", m_environment.value("TSAN_OPTIONS") + ":report_thread_leaks=0");
    set("ASAN_OPTIONS", m_environment.value("ASAN_OPTIONS") + ":detect_leaks=0");
}

std::unique_ptr<QProcess> RecordBench::startProgram(const QString& program, const QStringList& arguments,
                                                    QIODevice::OpenMode mode) {
    auto process = std::make_unique<QProcess>();
    process->setProcessEnvironment(m_environment);
    process->setWorkingDirectory(m_folder.path());
    if (mode == QIODevice::ReadOnly) {
        process->setStandardInputFile(QProcess::nullDevice());
    }
    process->start(program, arguments, mode);
    process->waitForStarted();
    return process;
}

std::unique_ptr<QProcess> RecordBench::start(const QStringList& todo, const QStringList& options) {
    return startProgram(WARPLINE_CLI_PATH,
                        QStringList{"record", "-o", output()} + options + QStringList{"--", cudaProgram()} + todo);
}

RecordRun RecordBench::finish(QProcess& process) {
    RecordRun run;
    constexpr int kTimeoutMs = 240000;
    if (process.state() == QProcess::NotRunning || process.waitForFinished(kTimeoutMs)) {
        run.code = process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1;
    } else {
        process.kill();
        process.waitForFinished();
    }
    run.out = process.readAllStandardOutput();
    run.err = process.readAllStandardError();
    run.capture = readCaptureFile(output());
    // A schedule makes a file a turn.
    for (int turn = 1;; ++turn) {
        const QString path = QString(output()).replace(".wcap", "." + QString::number(turn) + ".wcap");
        if (!QFile::exists(path)) {
            return run;
        }
        const CaptureContent content = readCaptureFile(path);
        run.capture.frames.insert(run.capture.frames.end(), content.frames.begin(), content.frames.end());
    }
}

RecordRun RecordBench::record(const QStringList& todo, const QStringList& options) {
    return finish(*start(todo, options));
}

QStringList RecordBench::leftovers() const {
    return QDir(m_folder.path()).entryList({"*.recording-*"}, QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot);
}

}  // namespace warpline::test
