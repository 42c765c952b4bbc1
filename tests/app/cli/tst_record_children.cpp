// SPDX-License-Identifier: MIT
// `warpline record` and the processes that the program starts, and what a program does to its descriptors.
#include <QFile>
#include <QTest>

#include "tests/support/standin/record_bench.h"

using namespace warpline;
using namespace warpline::capture;
using namespace warpline::test;

class TestRecordChildren : public QObject {
    Q_OBJECT

private slots:
    void follows_data();
    void follows();
    void firstAlone();
    void forkAfterCudaIsNoProcess();
    void forkWhileThreadsLaunch();
    void childThatLivesOn();
    void killedChild();
    void manyChildren();
    void inheritsNoDescriptor();
    void closedDescriptors();
};

/// Kernels by process, in the order in which the captures were found.
std::multiset<size_t> kernelsOfSources(const CaptureContent& capture) {
    std::multiset<size_t> counts;
    for (const uint32_t source : capture.sources()) {
        counts.insert(capture.records<KernelRecord>(source).size());
    }
    return counts;
}

void TestRecordChildren::follows_data() {
    QTest::addColumn<QStringList>("todo");
    QTest::addColumn<QList<int>>("kernels");
    QTest::addColumn<int>("ended");
    QTest::newRow("fork before CUDA") << QStringList{"fork=init+launch=30", "init", "launch=50"} << QList{30, 50} << 2;
    QTest::newRow("forked child alone") << QStringList{"fork=init+launch=30"} << QList{30} << 1;
    QTest::newRow("fork after CUDA") << QStringList{"init", "launch=10", "fork=launch=5", "launch=20"} << QList{30}
                                     << 1;
    QTest::newRow("child program") << QStringList{"init", "launch=10", "spawn=init+launch=7", "launch=1"}
                                   << QList{7, 11} << 2;
    QTest::newRow("program of a child") << QStringList{"spawn=init+launch=4"} << QList{4} << 1;
    QTest::newRow("two after each other")
        << QStringList{"spawn=init+launch=3", "spawn=init+launch=4"} << QList{3, 4} << 2;
    // What it has not yet been given when it becomes another program is lost, as by a kill.
    QTest::newRow("becomes another") << QStringList{"init", "exec=init+launch=6"} << QList{0, 6} << 1;
}

void TestRecordChildren::follows() {
    QFETCH(QStringList, todo);
    QFETCH(QList<int>, kernels);
    QFETCH(int, ended);
    RecordBench bench;
    const RecordRun run = bench.record(todo);
    QVERIFY2(run.code == 0, run.err.constData());
    std::multiset<size_t> expected;
    for (const int count : kernels) {
        expected.insert(size_t(count));
    }
    QCOMPARE(kernelsOfSources(run.capture), expected);
    QCOMPARE(run.capture.ended.size(), size_t(ended) + 1);  // and that of the recording side
    QCOMPARE(run.capture.damage.places, 0U);
    QCOMPARE(bench.leftovers(), QStringList());
    QVERIFY2(!run.err.contains("is not recorded"), run.err.constData());
}

void TestRecordChildren::firstAlone() {
    RecordBench bench;
    const RecordRun run = bench.record({"init", "launch=5", "spawn=init+launch=7"}, {"--no-children"});
    QCOMPARE(kernelsOfSources(run.capture), (std::multiset<size_t>{5}));
    const RecordRun again = bench.record({"init", "exec=init+launch=6"}, {"--no-children"});
    QCOMPARE(kernelsOfSources(again.capture), (std::multiset<size_t>{0, 6}));
}

/// CUPTI's callbacks in it reach nobody, whatever its parent's threads did as it was made.
void TestRecordChildren::forkAfterCudaIsNoProcess() {
    RecordBench bench;
    const RecordRun run =
        bench.record({"init", "launch=10", "fork=launch=40000+module=1000+exit=0", "launch=10"}, {"--kernel", "."});
    QVERIFY2(run.code == 0, run.err.constData());
    QCOMPARE(kernelsOfSources(run.capture), (std::multiset<size_t>{20}));
}

void TestRecordChildren::forkWhileThreadsLaunch() {
    RecordBench bench;
    for (int i = 0; i < 5; ++i) {
        const RecordRun run = bench.record(
            {"init", "launch-beside=4:3000", "fork=launch=100", "fork=launch=100", "fork=launch=100", "join"},
            {"--kernel", "."});
        QVERIFY2(run.code == 0, run.err.constData());
        QCOMPARE(kernelsOfSources(run.capture), (std::multiset<size_t>{12000}));
    }
}

/// It ends its capture when the program has ended; what it does later is nobody's.
void TestRecordChildren::childThatLivesOn() {
    RecordBench bench;
    const QString inited = bench.file("inited"), go = bench.file("go"), done = bench.file("done");
    const RecordRun run = bench.record({"leave=init+launch=30+touch=" + inited + "+wait-for=" + go +
                                            "+launch=100000+spawn=init+launch=1+touch=" + done,
                                        "wait-for=" + inited, "init", "launch=3", "exit=0"});
    QCOMPARE(run.code, 0);
    QCOMPARE(kernelsOfSources(run.capture), (std::multiset<size_t>{3, 30}));
    QCOMPARE(run.capture.ended.size(), 3U);
    QCOMPARE(bench.leftovers(), QStringList());
    QFile file(go);
    QVERIFY(file.open(QIODevice::WriteOnly));
    QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(done), 60000);
}

/// Nobody waits for a child that its parent forgot; its end is not waited for.
void TestRecordChildren::killedChild() {
    RecordBench bench;
    const QString inited = bench.file("inited");
    const RecordRun run = bench.record({"leave=init+launch=30+touch=" + inited + "+kill=9", "wait-for=" + inited,
                                        "init", "launch=3", "sleep=20", "exit=0"});
    QCOMPARE(run.code, 0);
    QCOMPARE(run.capture.sources().size(), 2U);
    QCOMPARE(run.capture.ended.size(), 2U);
    QCOMPARE(run.capture.damage.places, 0U);
}

void TestRecordChildren::manyChildren() {
    RecordBench bench;
    QStringList todo;
    for (int i = 0; i < 40; ++i) {
        todo << "spawn=init+launch=2";
    }
    const RecordRun run = bench.record(todo);
    QCOMPARE(run.code, 0);
    QCOMPARE(run.capture.sources().size(), 40U);
    QCOMPARE(run.kernels(), 80U);
    QCOMPARE(run.capture.ended.size(), 41U);
}

/// The descriptors that a program says it has, but the one by which it lists them.
QByteArrayList descriptors(const QString& path) {
    QFile file(path);
    QByteArrayList lines;
    if (file.open(QIODevice::ReadOnly)) {
        for (const QByteArray& line : file.readAll().split('\n')) {
            if (!line.endsWith("/fd") && !line.contains("pipe:")) {
                lines << line;
            }
        }
    }
    std::sort(lines.begin(), lines.end());
    return lines;
}

/// What is open in the program before it begins, and in what it starts later, is what its caller gave it.
void TestRecordChildren::inheritsNoDescriptor() {
    RecordBench bench;
    const QString bare = bench.file("bare"), atBegin = bench.file("begin"), ofChild = bench.file("child"),
                  atInit = bench.file("init");
    bench.finish(*bench.startProgram(cudaProgram(), {"descriptors=" + bare}));
    QCOMPARE(bench
                 .record({"descriptors=" + atBegin, "init", "launch=10", "descriptors=" + atInit,
                          "spawn=descriptors=" + ofChild})
                 .code,
             0);
    QVERIFY(!descriptors(bare).isEmpty());
    QCOMPARE(descriptors(atBegin), descriptors(bare));
    QCOMPARE(descriptors(ofChild), descriptors(bare));
    // The program may count on getting the next number.
    for (const QByteArray& line : descriptors(atInit)) {
        QVERIFY2(!line.contains("recording-") || line.split(' ').first().toInt() >= 50, line.constData());
    }
}

/// A program that closes all that it does not know and opens a file of its own under our number: not a byte of ours
/// gets into it, and the recording goes on.
void TestRecordChildren::closedDescriptors() {
    RecordBench bench;
    const QString victim = bench.file("victim");
    const RecordRun run =
        bench.record({"init", "launch=10000", "close-all=" + victim, "launch=10000", "sleep=150", "exit=0"});
    QCOMPARE(run.code, 0);
    QVERIFY(QFile::exists(victim));
    QCOMPARE(QFileInfo(victim).size(), 0);
    QCOMPARE(run.kernels(), 20000U);
    QCOMPARE(run.capture.ended.size(), 2U);
}

QTEST_GUILESS_MAIN(TestRecordChildren)
#include "tst_record_children.moc"
