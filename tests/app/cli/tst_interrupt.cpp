// SPDX-License-Identifier: MIT
// Ctrl-C stops a command in order: exit code 130, one line, nothing half written.
#include <fcntl.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QProcessEnvironment>
#include <QTemporaryDir>
#include <QTest>

#include "tests/support/cli_process.h"

namespace {

/// Whether a process has installed its handler of SIGINT, as the system tells.
bool catchesInterrupt(qint64 processId) {
    QFile status(QStringLiteral("/proc/%1/status").arg(processId));
    if (!status.open(QIODevice::ReadOnly)) {
        return false;
    }
    const QByteArray text = status.readAll();
    const QByteArray key = "SigCgt:\t";
    const qulonglong caught = text.mid(text.indexOf(key) + key.size(), 16).toULongLong(nullptr, 16);
    return (caught & (1ULL << (SIGINT - 1))) != 0;
}

}  // namespace

class TestInterrupt : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void stopsInOrder_data();
    void stopsInOrder();
    void stopsWhileNobodyReads();

private:
    QTemporaryDir m_folder;
    QString m_large;
};

/// A trace that takes much longer to load than the signal takes to arrive.
void TestInterrupt::initTestCase() {
    m_large = m_folder.filePath("large.json");
    QFile file(m_large);
    QVERIFY(file.open(QIODevice::WriteOnly));
    QByteArray block;
    for (int i = 0; i < 1000; ++i) {
        block +=
            "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"op\",\"pid\":1,\"tid\":1,\"ts\":" + QByteArray::number(i) +
            ",\"dur\":1,\"args\":{\"External id\":1,\"padding\":\"" + QByteArray(200, 'x') + "\"}},\n";
    }
    file.write("[");
    for (int i = 0; i < 1000; ++i) {
        QCOMPARE(file.write(block), block.size());
    }
    file.write("{}]");
}

void TestInterrupt::stopsInOrder_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::newRow("info") << QStringList{"info", m_large};
    QTest::newRow("ops") << QStringList{"ops", m_large, "--json"};
    QTest::newRow("dump") << QStringList{"dump", m_large, "--json"};
    QTest::newRow("convert") << QStringList{"convert", m_large, m_folder.filePath("out.json.gz")};
}

/// Who is ended at once joins no threads, which ThreadSanitizer would tell of.
void beEndedAtOnce(QProcess& process) {
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert("TSAN_OPTIONS", environment.value("TSAN_OPTIONS") + ":report_thread_leaks=0");
    process.setProcessEnvironment(environment);
}

void TestInterrupt::stopsInOrder() {
    QFETCH(QStringList, arguments);
    QProcess process;
    beEndedAtOnce(process);
    process.start(WARPLINE_CLI_PATH, arguments);
    QVERIFY(process.waitForStarted());
    // Before that the signal would end the process in the system's way.
    QTRY_VERIFY(catchesInterrupt(process.processId()));
    // To the main thread: ThreadSanitizer has a thread of its own in the process, and what the kernel gives to that
    // one never reaches the handler.
    QCOMPARE(::syscall(SYS_tgkill, process.processId(), process.processId(), SIGINT), 0L);
    QVERIFY(process.waitForFinished(30000));
    QCOMPARE(process.exitStatus(), QProcess::NormalExit);
    QCOMPARE(process.exitCode(), 130);
    QCOMPARE(process.readAllStandardOutput(), QByteArray());
    QCOMPARE(process.readAllStandardError(), QByteArray("warpline: interrupted\n"));
    QCOMPARE(QDir(m_folder.path()).entryList(QDir::Files), QStringList{"large.json"});
}

/// A pipe that is full, as when the reader waits for its user.
void TestInterrupt::stopsWhileNobodyReads() {
    const QTemporaryDir folder;
    const QByteArray pipe = folder.filePath("pipe").toLocal8Bit();
    QCOMPARE(::mkfifo(pipe.constData(), 0600), 0);
    const int reader = ::open(pipe.constData(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    QVERIFY(reader >= 0);
    const QString input = folder.filePath("some.json");
    QFile file(input);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("[");
    for (int i = 0; i < 5000; ++i) {
        file.write("{\"ph\":\"X\",\"name\":\"op\",\"pid\":1,\"tid\":1,\"ts\":" + QByteArray::number(i) +
                   ",\"dur\":1},\n");
    }
    file.write("{}]");
    file.close();
    QProcess process;
    beEndedAtOnce(process);
    process.setStandardOutputFile(QString::fromLocal8Bit(pipe));
    process.start(WARPLINE_CLI_PATH, {"dump", input, "--json"});
    QVERIFY(process.waitForStarted());
    const auto waiting = [reader] {
        int bytes = 0;
        return ::ioctl(reader, FIONREAD, &bytes) == 0 ? bytes : -1;
    };
    QTRY_VERIFY(waiting() >= 65536);
    QCOMPARE(::syscall(SYS_tgkill, process.processId(), process.processId(), SIGINT), 0L);
    const bool hasEnded = process.waitForFinished(10000);
    if (!hasEnded) {
        process.kill();
        process.waitForFinished();
    }
    ::close(reader);
    QVERIFY(hasEnded);
    QCOMPARE(process.exitCode(), 130);
    QCOMPARE(process.readAllStandardError(), QByteArray("warpline: interrupted\n"));
}

QTEST_GUILESS_MAIN(TestInterrupt)
#include "tst_interrupt.moc"
