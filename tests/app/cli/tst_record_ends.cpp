// SPDX-License-Identifier: MIT
// However a recording ends: what was written is whole, and the program is let be.
#include <signal.h>
#include <sys/resource.h>

#include <QDir>
#include <QFile>
#include <QTest>

#include "tests/support/standin/record_bench.h"

using namespace warpline;
using namespace warpline::capture;
using namespace warpline::test;

class TestRecordEnds : public QObject {
    Q_OBJECT

private slots:
    void programIsKilled_data();
    void programIsKilled();
    void recorderIsKilled();
    void recorderIsKilledEarly();
    void interrupted_data();
    void interrupted();
    void ignoredSignalsStayIgnored();
    void systemThatWaitsForChildren();
    void capturesDiskIsFull();
    void capturesDiskHasRoomAgain();
    void outputsDiskIsFull();
    void slowFlush();
};

constexpr int kPatience = 60000;

/// The number that a program has written of itself.
pid_t pidIn(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll().toInt() : 0;
}

void TestRecordEnds::programIsKilled_data() {
    QTest::addColumn<int>("after");
    for (const int after : {0, 1, 3, 10, 31, 67, 101, 149, 211}) {
        QTest::newRow(QByteArray::number(after).constData()) << after;
    }
}

/// At any moment. No frame is torn but the last; sequence numbers have no gap; each name is known.
void TestRecordEnds::programIsKilled() {
    QFETCH(int, after);
    RecordBench bench;
    const QString started = bench.file("started");
    const auto process = bench.start({"touch=" + started, "init", "nvtx", "launch-beside=2:1000000", "module=3000000:1",
                                      "module=9000000:2", "forever"});
    pid_t pid = 0;
    QTRY_VERIFY_WITH_TIMEOUT((pid = pidIn(started)) != 0, kPatience);
    QTest::qWait(after);
    QCOMPARE(::kill(pid, SIGKILL), 0);
    const RecordRun run = bench.finish(*process);
    QCOMPARE(run.code, 137);
    const CaptureContent& all = run.capture;
    QCOMPARE(all.damage.places, 0U);
    QCOMPARE(all.damage.missingFrames, 0U);
    QCOMPARE(all.pendingBytes, 0U);
    QCOMPARE(all.unreadable, 0U);
    QVERIFY(all.ended.contains(0));
    for (const KernelRecord& kernel : run.kernelRecords()) {
        QCOMPARE(all.text(1, kernel.name), std::string("_Z6kernelPf"));
    }
    QVERIFY2(run.lastLine().contains("ended by signal 9 (Killed)"), run.err.constData());
    QCOMPARE(bench.leftovers(), QStringList());
    QVERIFY2(all.sources().empty() || all.ended.contains(1) || run.err.contains("left no end"), run.err.constData());
}

/// The program stops being recorded and goes on; what was recorded is whole in both places.
void TestRecordEnds::recorderIsKilled() {
    RecordBench bench;
    const QString inited = bench.file("inited"), done = bench.file("done");
    const auto process =
        bench.start({"init", "launch=1000", "flushes=3", "touch=" + inited, "until-stopped", "touch=" + done});
    QTRY_VERIFY_WITH_TIMEOUT(pidIn(inited) != 0, kPatience);
    process->kill();
    QVERIFY(process->waitForFinished(kPatience));
    QTRY_VERIFY_WITH_TIMEOUT(pidIn(done) != 0, kPatience);
    const CaptureContent out = readCaptureFile(bench.output());
    QCOMPARE(out.damage.places, 0U);
    QCOMPARE(out.damage.missingFrames, 0U);
    // Nobody was left to remove the folder; the capture in it is complete.
    QCOMPARE(bench.leftovers().size(), 1);
    const QDir folder(bench.file(bench.leftovers().first()));
    const QStringList captures = folder.entryList({"*.wcap"});
    QCOMPARE(captures.size(), 1);
    CaptureContent own;
    QTRY_VERIFY_WITH_TIMEOUT((own = readCaptureFile(folder.filePath(captures.first()))).ended.contains(0), kPatience);
    QCOMPARE(own.damage.places, 0U);
    QCOMPARE(own.damage.missingFrames, 0U);
    QVERIFY(own.records<KernelRecord>().size() >= 1000U);
    QCOMPARE(own.fact(0, "reason"), std::string("the recording side is gone"));
}

/// Before the program has used CUDA: then it is never recorded.
void TestRecordEnds::recorderIsKilledEarly() {
    RecordBench bench;
    const QString started = bench.file("started"), go = bench.file("go"), done = bench.file("done");
    const auto process = bench.start({"touch=" + started, "wait-for=" + go, "init", "launch=1000", "touch=" + done});
    QTRY_VERIFY_WITH_TIMEOUT(pidIn(started) != 0, kPatience);
    process->kill();
    QVERIFY(process->waitForFinished(kPatience));
    QFile file(go);
    QVERIFY(file.open(QIODevice::WriteOnly));
    QTRY_VERIFY_WITH_TIMEOUT(pidIn(done) != 0, kPatience);
    QCOMPARE(bench.leftovers().size(), 1);
    QCOMPARE(QDir(bench.file(bench.leftovers().first())).entryList({"*.wcap"}), QStringList());
}

void TestRecordEnds::interrupted_data() {
    QTest::addColumn<QList<int>>("caught");
    QTest::addColumn<int>("code");
    QTest::newRow("once") << QList<int>{} << 130;
    QTest::newRow("twice") << QList<int>{SIGINT} << 143;
    QTest::newRow("three times") << QList<int>{SIGINT, SIGTERM} << 137;
}

/// A program that is not moved by Ctrl-C is asked to end, then made to.
void TestRecordEnds::interrupted() {
    QFETCH(QList<int>, caught);
    QFETCH(int, code);
    RecordBench bench;
    const QString inited = bench.file("inited");
    QStringList todo{"init", "launch=100"};
    for (const int number : caught) {
        todo << "catch=" + QString::number(number) + ":" + bench.file("caught" + QString::number(number));
    }
    const auto process = bench.start(todo + QStringList{"flushes=2", "touch=" + inited, "forever"});
    QTRY_VERIFY_WITH_TIMEOUT(pidIn(inited) != 0, kPatience);
    for (const int number : caught) {
        QCOMPARE(::kill(pid_t(process->processId()), SIGINT), 0);
        const QString file = bench.file("caught" + QString::number(number));
        QTRY_VERIFY_WITH_TIMEOUT(QFileInfo(file).size() > 0, kPatience);
    }
    QCOMPARE(::kill(pid_t(process->processId()), SIGINT), 0);
    const RecordRun run = bench.finish(*process);
    QCOMPARE(run.code, code);
    QVERIFY(run.kernels() >= 100U);
    QCOMPARE(run.capture.damage.places, 0U);
    QVERIFY(run.capture.ended.contains(0));
    QVERIFY2(run.lastLine().contains("ended by signal " + QByteArray::number(code - 128)), run.err.constData());
    QCOMPARE(bench.leftovers(), QStringList());
}

/// As under nohup: a hangup concerns neither.
void TestRecordEnds::ignoredSignalsStayIgnored() {
    RecordBench bench;
    const QString inited = bench.file("inited"), go = bench.file("go");
    const auto process = bench.startProgram(
        "/bin/sh", {"-c", "trap '' HUP; exec \"$@\"", "sh", WARPLINE_CLI_PATH, "record", "-o", bench.output(), "--",
                    cudaProgram(), "init", "launch=10", "touch=" + inited, "wait-for=" + go, "launch=10", "exit=7"});
    QTRY_VERIFY_WITH_TIMEOUT(pidIn(inited) != 0, kPatience);
    QCOMPARE(::kill(pid_t(process->processId()), SIGHUP), 0);
    QCOMPARE(::kill(pidIn(inited), SIGHUP), 0);
    QFile file(go);
    QVERIFY(file.open(QIODevice::WriteOnly));
    const RecordRun run = bench.finish(*process);
    QCOMPARE(run.code, 7);
    QCOMPARE(run.kernels(), 20U);
}

/// A caller that ignores SIGCHLD hands that on, and the system then keeps no exit code of a child.
void TestRecordEnds::systemThatWaitsForChildren() {
    RecordBench bench;
    const auto process =
        bench.startProgram("env", {"--ignore-signal=CHLD", WARPLINE_CLI_PATH, "record", "-o", bench.output(), "--",
                                   cudaProgram(), "init", "launch=10", "exit=7"});
    const RecordRun run = bench.finish(*process);
    QVERIFY2(run.code == 7, run.err.constData());
    QCOMPARE(run.kernels(), 10U);
}

/// `warpline record` under a limit of the size of files: 1000 blocks of 512 or 1024 bytes.
QStringList underLimit(const RecordBench& bench, const QStringList& todo) {
    return QStringList{"-c",           "ulimit -S -f 1000; exec \"$@\"",
                       "sh",           WARPLINE_CLI_PATH,
                       "record",       "-o",
                       bench.output(), "--",
                       cudaProgram()} +
           todo;
}

/// The process cannot write any more: it goes on, what is there is whole, and the loss is said.
void TestRecordEnds::capturesDiskIsFull() {
    RecordBench bench;
    const auto process = bench.startProgram(
        "/bin/sh", underLimit(bench, {"init", "launch=20000", "flushes=3", "launch=1000", "exit=3"}));
    const RecordRun run = bench.finish(*process);
    QVERIFY2(run.code == 3, run.err.constData());
    QVERIFY(run.kernels() > 0 && run.kernels() < 20000);
    QCOMPARE(run.capture.damage.places, 0U);
    for (const KernelRecord& kernel : run.kernelRecords()) {
        QCOMPARE(run.capture.text(1, kernel.name), std::string("_Z6kernelPf"));
    }
    QVERIFY2(run.err.contains("could not write all that was recorded: File too large"), run.err.constData());
    QCOMPARE(bench.leftovers(), QStringList());
}

/// What was lost meanwhile is counted to the record, once there is room to say so, and a name that was first met
/// meanwhile is known later.
void TestRecordEnds::capturesDiskHasRoomAgain() {
    RecordBench bench;
    const auto process =
        bench.startProgram("/bin/sh", underLimit(bench, {"init", "launch=20000", "flushes=4", "launch=1000:later",
                                                         "flushes=4", "no-limit", "flushes=4", "launch=1000:later"}));
    const RecordRun run = bench.finish(*process);
    QCOMPARE(run.code, 0);
    const uint64_t lost = run.capture.lost(LossKind::WriteFailed);
    QVERIFY(lost != 0);
    const uint64_t there = run.kernels() + run.calls().size();
    constexpr uint64_t kAll = 2 * 22000;
    QVERIFY(there >= 2000 && there < kAll);
    // Also a few clocks were lost.
    QVERIFY2(there + lost >= kAll && there + lost < kAll + 100,
             QByteArray::number(qulonglong(there + lost)).constData());
    QVERIFY(run.capture.ended.contains(1));
    size_t later = 0;
    for (const KernelRecord& kernel : run.kernelRecords()) {
        const std::string name = run.capture.text(1, kernel.name);
        QVERIFY2(name == "_Z6kernelPf" || name == "later", name.c_str());
        later += name == "later" ? 1 : 0;
    }
    QVERIFY(later >= 1000);
}

/// `warpline record` cannot write any more: the program goes on, unrecorded, and its code counts.
void TestRecordEnds::outputsDiskIsFull() {
    RecordBench bench;
    const auto process =
        bench.startProgram("/bin/sh", underLimit(bench, {"no-limit", "init", "launch=5000", "module=9000000:1",
                                                         "until-stopped", "say=stopped", "exit=3"}));
    const RecordRun run = bench.finish(*process);
    QVERIFY2(run.code == 3, run.err.constData());
    QCOMPARE(run.out, QByteArray("stopped\n"));
    QVERIFY2(run.err.contains("File too large; the program goes on, unrecorded"), run.err.constData());
    QCOMPARE(run.capture.damage.places, 0U);
    // What was not taken over stays, and is named.
    QCOMPARE(bench.leftovers().size(), 1);
    QVERIFY2(run.err.contains(bench.leftovers().first().toLocal8Bit()), run.err.constData());
    // What came is counted, and no more than that.
    QVERIFY2(run.err.contains(QString("warpline: %L1 kernel").arg(run.kernels()).toLocal8Bit()), run.err.constData());
}

/// As when the driver compiles meanwhile.
void TestRecordEnds::slowFlush() {
    RecordBench bench;
    bench.set("STANDIN_FLUSH_MS", "400");
    const RecordRun run = bench.record({"init", "launch=1000", "exit=3"});
    QCOMPARE(run.code, 3);
    QCOMPARE(run.kernels(), 1000U);
    QCOMPARE(run.capture.ended.size(), 2U);
}

QTEST_GUILESS_MAIN(TestRecordEnds)
#include "tst_record_ends.moc"
