// SPDX-License-Identifier: MIT
// `warpline FILE…` without a command: which program is started, and what is said when there is none.
#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include "tests/support/cli_process.h"

using namespace warpline::test;

class TestWindowLaunch : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void windowBesideTheProgramIsStarted();
    void windowInThePathIsStarted();
    void standardInputGoesToTheWindow();
    void noWindow();
    void exitCodeOfTheWindowIsKept();
    void closedPipesEndTheWindowToo();

private:
    static void writeProgram(const QString& path, const QByteArray& text) {
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("#!/bin/sh\n" + text);
        file.close();
        QVERIFY(file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
    }
    /// The program alone in a folder of its own, with `path` as PATH.
    CliOptions alone(const QString& path) const {
        CliOptions options;
        options.program = m_folder.filePath("bin/warpline");
        options.folder = m_folder.path();
        options.environment = {{"PATH", path}};
        return options;
    }

    QTemporaryDir m_folder;
};

void TestWindowLaunch::initTestCase() {
    QVERIFY(m_folder.isValid());
    QVERIFY(QDir(m_folder.path()).mkpath("bin"));
    QVERIFY(QDir(m_folder.path()).mkpath("path"));
    QVERIFY(QFile::copy(WARPLINE_CLI_PATH, m_folder.filePath("bin/warpline")));
    QFile trace(m_folder.filePath("trace"));
    QVERIFY(trace.open(QIODevice::WriteOnly));
}

void TestWindowLaunch::windowBesideTheProgramIsStarted() {
    writeProgram(m_folder.filePath("bin/warpline-ui"), "echo beside \"$#\" \"$1\" \"$2\"\n");
    const CliRun run = runCli({"trace", "b c.json"}, alone("/nowhere"));
    QVERIFY(QFile::remove(m_folder.filePath("bin/warpline-ui")));
    QCOMPARE(run.code, 0);
    QCOMPARE(run.out, QByteArray("beside 2 trace b c.json\n"));
}

void TestWindowLaunch::windowInThePathIsStarted() {
    writeProgram(m_folder.filePath("path/warpline-ui"), "echo path \"$1\"\n");
    const CliRun run = runCli({"./a.json"}, alone(m_folder.filePath("path")));
    QVERIFY(QFile::remove(m_folder.filePath("path/warpline-ui")));
    QCOMPARE(run.code, 0);
    QCOMPARE(run.out, QByteArray("path ./a.json\n"));
}

void TestWindowLaunch::standardInputGoesToTheWindow() {
    writeProgram(m_folder.filePath("bin/warpline-ui"), "echo \"$1\"; cat\n");
    CliOptions options = alone(qEnvironmentVariable("PATH"));
    options.input = "piped\n";
    const CliRun run = runCli({"-"}, options);
    QVERIFY(QFile::remove(m_folder.filePath("bin/warpline-ui")));
    QCOMPARE(run.code, 0);
    QCOMPARE(run.out, QByteArray("-\npiped\n"));
}

void TestWindowLaunch::noWindow() {
    const CliRun run = runCli({"trace"}, alone("/nowhere"));
    QCOMPARE(run.code, 1);
    QCOMPARE(run.out, QByteArray());
    QCOMPARE(run.errorLines().size(), 1);
    QVERIFY2(run.err.contains("not installed") && run.err.contains("`warpline info trace`"), run.err.constData());
}

void TestWindowLaunch::exitCodeOfTheWindowIsKept() {
    writeProgram(m_folder.filePath("bin/warpline-ui"), "exit 7\n");
    const CliRun run = runCli({"trace"}, alone("/nowhere"));
    QVERIFY(QFile::remove(m_folder.filePath("bin/warpline-ui")));
    QCOMPARE(run.code, 7);
}

/// Signals that this program ignores for itself are not ignored in what it starts.
void TestWindowLaunch::closedPipesEndTheWindowToo() {
    writeProgram(m_folder.filePath("bin/warpline-ui"), "kill -s PIPE $$\necho alive\n");
    const CliRun run = runCli({"trace"}, alone("/nowhere:/bin:/usr/bin"));
    QVERIFY(QFile::remove(m_folder.filePath("bin/warpline-ui")));
    QCOMPARE(run.out, QByteArray());
    QVERIFY(run.code != 0);
}

QTEST_GUILESS_MAIN(TestWindowLaunch)
#include "tst_window_launch.moc"
