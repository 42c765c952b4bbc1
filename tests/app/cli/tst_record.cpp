// SPDX-License-Identifier: MIT
// `warpline record` from end to end over a stand-in for CUPTI: what is launched is what is recorded.
#include <QTest>

#include "tests/support/standin/record_bench.h"

using namespace warpline;
using namespace warpline::capture;
using namespace warpline::test;

class TestRecord : public QObject {
    Q_OBJECT

private slots:
    void recordsAll_data();
    void recordsAll();
    void matchesLaunches();
    void worksWithAnOldCupti();
    void exitCodes_data();
    void exitCodes();
    void keepsWhatWasThereIfNothingStarts();
    void saysWhyNot_data();
    void saysWhyNot();
    void needsNoGpuWork();
    void selects_data();
    void selects();
    void selectsGraphs();
    void selectsAcrossThreads();
    void takesTurnsInTime();
    void delayAndDuration();
    void code();
    void ranges();
    void levels();
};

/// The work of every kind, at each version of CUPTI.
void TestRecord::recordsAll_data() {
    QTest::addColumn<QString>("version");
    for (const char* version : {"18", "19", "22", "24", "26", "130000", "130001", "130100", "999999"}) {
        QTest::newRow(version) << version;
    }
}

void TestRecord::recordsAll() {
    QFETCH(QString, version);
    RecordBench bench;
    bench.set("STANDIN_VERSION", version);
    const RecordRun run =
        bench.record({"init", "nvtx", "launch=1000", "untimed=2", "graph=5", "copy=3", "set=4", "allocate=6", "pool",
                      "sync", "compile", "overhead", "name=worker", "push=step", "pop", "mark=here", "exit=3"});
    QCOMPARE(run.code, 3);
    const CaptureContent& all = run.capture;
    QCOMPARE(all.damage.places, 0U);
    QCOMPARE(all.pendingBytes, 0U);
    QCOMPARE(all.damage.missingFrames, 0U);
    QCOMPARE(all.unreadable, 0U);
    QCOMPARE(all.sources(), (std::set<uint32_t>{1}));
    QCOMPARE(all.ended, (std::set<uint32_t>{0, 1}));
    QCOMPARE(all.fact(1, "cupti_version"), version.toStdString());
    QCOMPARE(all.fact(1, "reason"), std::string("the program ended"));
    QCOMPARE(all.fact(1, "kernels"), std::string("1007"));
    QCOMPARE(all.fact(0, "exit_code"), std::string("3"));

    const auto kernels = run.kernelRecords();
    QCOMPARE(kernels.size(), 1007U);
    size_t untimed = 0, ofGraph = 0;
    for (const KernelRecord& kernel : kernels) {
        QCOMPARE(all.text(1, kernel.name), std::string("_Z6kernelPf"));
        QCOMPARE(kernel.registers, 32U);
        QCOMPARE(kernel.block[0], 128);
        QCOMPARE(kernel.stream, 7U);
        untimed += (kernel.flags & kNoTimes) != 0 ? 1 : 0;
        ofGraph += kernel.graphNode != 0 ? 1 : 0;
        QCOMPARE(kernel.end - kernel.begin, int64_t{(kernel.flags & kNoTimes) != 0 ? 0 : 1000});
    }
    QCOMPARE(untimed, 2U);
    QCOMPARE(ofGraph, 5U);
    QCOMPARE(run.calls().size(), 1000U + 2 + 1 + 3 + 4);
    QCOMPARE(all.records<CopyRecord>().size(), 3U);
    QCOMPARE(all.records<CopyRecord>().front().bytes, 4096U);
    QCOMPARE(all.records<SetRecord>().size(), 4U);
    QCOMPARE(all.records<MemoryRecord>().size(), 6U);
    QCOMPARE(all.records<PoolRecord>().size(), 1U);
    QCOMPARE(all.records<SyncRecord>().size(), 1U);
    QCOMPARE(all.records<CompilationRecord>().size(), 1U);
    QCOMPARE(all.records<OverheadRecord>().size(), 1U);
    QCOMPARE(all.records<DeviceRecord>().size(), 1U);
    QCOMPARE(all.records<DeviceRecord>().front().smCount, 132U);
    QCOMPARE(all.records<ContextRecord>().size(), 1U);
    QCOMPARE(all.records<StreamRecord>().size(), 1U);
    QCOMPARE(all.records<RangeRecord>().size(), 3U);
    QVERIFY(!all.records<ClockRecord>(1).empty());
    QVERIFY(all.records<LossRecord>().empty());
    QVERIFY2(run.lastLine().contains("1,007 kernels") && run.lastLine().contains("0 lost") &&
                 run.lastLine().endsWith("the program exited with 3"),
             run.err.constData());
    QCOMPARE(bench.leftovers(), QStringList());
}

/// Each kernel has its call, on the thread that made it.
void TestRecord::matchesLaunches() {
    RecordBench bench;
    const RecordRun run = bench.record({"init", "threads=8:500"});
    QCOMPARE(run.code, 0);
    std::map<uint32_t, CallRecord> calls;
    for (const CallRecord& call : run.calls()) {
        QCOMPARE(run.capture.text(1, call.name), std::string("cudaLaunchKernel_v7000"));
        calls[call.correlation] = call;
    }
    QCOMPARE(calls.size(), 4000U);
    QCOMPARE(run.kernels(), 4000U);
    std::map<uint32_t, int> launches;
    for (const KernelRecord& kernel : run.kernelRecords()) {
        QVERIFY(calls.contains(kernel.correlation));
        ++launches[calls[kernel.correlation].thread];
    }
    QCOMPARE(launches.size(), 8U);
    for (const auto& [thread, count] : launches) {
        QCOMPARE(count, 500);
    }
}

void TestRecord::worksWithAnOldCupti() {
    RecordBench bench;
    bench.set("WARPLINE_CUPTI", oldCuptiStandin());
    bench.set("STANDIN_VERSION", "18");
    const RecordRun run = bench.record({"init", "nvtx", "launch=100", "push=a", "pop"});
    QCOMPARE(run.code, 0);
    QCOMPARE(run.kernels(), 100U);
    // It has no way to choose calls one by one: then all are recorded rather than none.
    QCOMPARE(run.calls().size(), 100U);
}

void TestRecord::exitCodes_data() {
    QTest::addColumn<QStringList>("todo");
    QTest::addColumn<int>("code");
    QTest::addColumn<QByteArray>("says");
    QTest::newRow("0") << QStringList{"init", "launch=1"} << 0 << QByteArray("the program exited with 0");
    QTest::newRow("1") << QStringList{"init", "exit=1"} << 1 << QByteArray("the program exited with 1");
    QTest::newRow("125 of its own") << QStringList{"init", "exit=125"} << 125
                                    << QByteArray("the program exited with 125");
    QTest::newRow("_exit") << QStringList{"init", "launch=10", "_exit=4"} << 4
                           << QByteArray("the program exited with 4");
    QTest::newRow("SIGKILL") << QStringList{"init", "launch=10", "kill=9"} << 137
                             << QByteArray("ended by signal 9 (Killed)");
    QTest::newRow("SIGTERM") << QStringList{"init", "kill=15"} << 143 << QByteArray("ended by signal 15 (Terminated)");
}

void TestRecord::exitCodes() {
    QFETCH(QStringList, todo);
    QFETCH(int, code);
    QFETCH(QByteArray, says);
    RecordBench bench;
    const RecordRun run = bench.record(todo);
    QCOMPARE(run.code, code);
    QVERIFY2(run.lastLine().contains(says), run.err.constData());
    QCOMPARE(run.capture.damage.places, 0U);
    QCOMPARE(bench.leftovers(), QStringList());
}

/// A program that is not found costs nobody an earlier recording.
void TestRecord::keepsWhatWasThereIfNothingStarts() {
    RecordBench bench;
    QCOMPARE(bench.record({"init", "launch=10"}).code, 0);
    auto process = bench.startProgram(WARPLINE_CLI_PATH, {"record", "-o", bench.output(), "--", "/no/such/program"});
    const RecordRun run = bench.finish(*process);
    QCOMPARE(run.code, 125);
    QVERIFY2(run.err.contains("/no/such/program: No such file or directory"), run.err.constData());
    QCOMPARE(run.kernels(), 10U);
    QCOMPARE(bench.leftovers(), QStringList());
    QFile::remove(bench.output());
    process = bench.startProgram(WARPLINE_CLI_PATH, {"record", "-o", bench.output(), "--", "/no/such/program"});
    QCOMPARE(bench.finish(*process).code, 125);
    QVERIFY(!QFile::exists(bench.output()));
    // A later one takes the whole place of a longer earlier one.
    QCOMPARE(bench.record({"init", "launch=30000"}).kernels(), 30000U);
    const RecordRun last = bench.record({"init", "launch=10"});
    QCOMPARE(last.kernels(), 10U);
    QCOMPARE(last.capture.damage.places, 0U);
}

void TestRecord::saysWhyNot_data() {
    QTest::addColumn<QString>("variable");
    QTest::addColumn<QString>("value");
    QTest::addColumn<QByteArray>("says");
    QTest::newRow("other client") << "STANDIN_SUBSCRIBE"
                                  << "39" << QByteArray("another profiler holds CUPTI");
    QTest::newRow("driver") << "STANDIN_SUBSCRIBE"
                            << "15" << QByteArray("does not fit the driver");
    QTest::newRow("otherwise") << "STANDIN_SUBSCRIBE"
                               << "999" << QByteArray("CUPTI refuses to record");
    QTest::newRow("too old") << "STANDIN_VERSION"
                             << "17" << QByteArray("11.8 is the oldest");
}

void TestRecord::saysWhyNot() {
    QFETCH(QString, variable);
    QFETCH(QString, value);
    QFETCH(QByteArray, says);
    RecordBench bench;
    bench.set(variable, value);
    bench.set("STANDIN_HOLDER", "Some Profiler");
    const RecordRun run = bench.record({"init", "launch=10", "say=done"});
    QCOMPARE(run.code, 125);
    QCOMPARE(run.out, QByteArray("done\n"));
    QVERIFY2(run.err.contains(says), run.err.constData());
    QVERIFY(value != "39" || run.err.contains("(Some Profiler)"));
    QVERIFY(run.lastLine().contains("nothing was recorded; the program exited with 0"));
    QVERIFY(!QFile::exists(bench.output()));
    QCOMPARE(bench.leftovers(), QStringList());
}

void TestRecord::needsNoGpuWork() {
    RecordBench bench;
    const RecordRun run = bench.record({"say=hello", "exit=2"});
    QCOMPARE(run.code, 2);
    QCOMPARE(run.out, QByteArray("hello\n"));
    QVERIFY(run.err.contains("no process used CUDA"));
}

void TestRecord::selects_data() {
    QTest::addColumn<QStringList>("options");
    QTest::addColumn<QStringList>("todo");
    QTest::addColumn<int>("kernels");
    QTest::addColumn<int>("filtered");
    // Of each kernel its record and its call; copies are no kernels: a choice of kernels leaves them out.
    const QStringList two{"init", "launch=30:_Z4gemmPf", "launch=50:_Z7softmaxPf", "copy=2"};
    QTest::newRow("base name") << QStringList{"--kernel", "^gemm$"} << two << 30 << 50 + 50 + 2 + 2;
    QTest::newRow("demangled") << QStringList{"--kernel", "softmax\\(float"} << two << 50 << 30 + 30 + 2 + 2;
    QTest::newRow("mangled") << QStringList{"--kernel", "^_Z4gemmPf$"} << two << 30 << 50 + 50 + 2 + 2;
    QTest::newRow("skip") << QStringList{"--skip", "25"} << two << 55 << 25 + 25;
    QTest::newRow("count") << QStringList{"--count", "40"} << two << 40 << 40 + 40 + 2 + 2;
    QTest::newRow("all three") << QStringList{"--kernel", "gemm", "--skip", "5", "--count", "7"} << two << 7 << -1;
    QTest::newRow("schedule") << QStringList{"--schedule", "skip_first=10,wait=2,warmup=1,active=3,repeat=4"} << two
                              << 12 << -1;
    QTest::newRow("range") << QStringList{"--nvtx", "step"}
                           << QStringList{"init",       "nvtx",     "launch=5", "push=step", "launch=7",
                                          "push=inner", "launch=2", "pop",      "pop",       "launch=9"}
                           << 9 << -1;
    QTest::newRow("ranges by turns") << QStringList{"--nvtx", "step", "--schedule", "wait=1,active=1"}
                                     << QStringList{"init",      "nvtx",      "push=step", "launch=1",  "pop",
                                                    "push=step", "launch=2",  "pop",       "push=step", "launch=4",
                                                    "pop",       "push=step", "launch=8",  "pop"}
                                     << 10 << -1;
    QTest::newRow("device") << QStringList{"--device", "1"}
                            << QStringList{"init", "launch=3:a:0", "launch=4:a:1", "launch=5:a:2"} << 4 << 8;
}

void TestRecord::selects() {
    QFETCH(QStringList, options);
    QFETCH(QStringList, todo);
    QFETCH(int, kernels);
    QFETCH(int, filtered);
    RecordBench bench;
    const RecordRun run = bench.record(todo, options);
    QCOMPARE(run.code, 0);
    QCOMPARE(run.kernels(), size_t(kernels));
    if (filtered >= 0) {
        QCOMPARE(run.capture.lost(LossKind::Filtered), uint64_t(filtered));
    }
    QVERIFY2(run.lastLine().contains(" 0 lost"), run.err.constData());
}

void TestRecord::selectsGraphs() {
    RecordBench bench;
    QCOMPARE(bench.record({"init", "graph=5", "launch=5:other"}, {"--kernel", "^kernel$"}).kernels(), 5U);
    const RecordRun whole = bench.record({"init", "graph=5"}, {"--graph", "launch"});
    QCOMPARE(whole.kernels(), 0U);
    QCOMPARE(whole.capture.records<GraphRecord>().size(), 1U);
}

/// Many threads, one kernel in a hundred: the ring of notes is in use all the time.
void TestRecord::selectsAcrossThreads() {
    RecordBench bench;
    const RecordRun run = bench.record({"init", "threads=8:20000"}, {"--schedule", "wait=99,active=1"});
    QCOMPARE(run.code, 0);
    QCOMPARE(run.kernels(), 1600U);
    QCOMPARE(run.calls().size(), 1600U);
}

/// A turn that is over before the program begins, and one that it never reaches.
void TestRecord::takesTurnsInTime() {
    RecordBench bench;
    const RecordRun over = bench.record({"sleep=50", "init", "launch=100"}, {"--schedule", "active=1ms,repeat=1"});
    QCOMPARE(over.code, 0);
    QCOMPARE(over.kernels(), 0U);
    const RecordRun later = bench.record({"init", "launch=100"}, {"--schedule", "skip_first=1000s,active=1s"});
    QCOMPARE(later.kernels(), 0U);
    const RecordRun now = bench.record({"init", "launch=100"}, {"--schedule", "active=1000s"});
    QCOMPARE(now.kernels(), 100U);
}

void TestRecord::delayAndDuration() {
    RecordBench bench;
    QCOMPARE(bench.record({"init", "launch=100"}, {"--delay", "1000"}).kernels(), 0U);
    QCOMPARE(bench.record({"sleep=50", "init", "launch=100"}, {"--duration", "0.01"}).kernels(), 0U);
    QCOMPARE(bench.record({"init", "launch=100"}, {"--duration", "1000"}).kernels(), 100U);
}

/// Small, large and repeated code.
void TestRecord::code() {
    RecordBench bench;
    const RecordRun run =
        bench.record({"init", "module=1000:1", "module=3000000:2", "module=20000000:3", "module=1000:1", "launch=10"});
    QCOMPARE(run.code, 0);
    std::map<uint64_t, uint64_t> bytes;
    size_t heads = 0;
    for (const CaptureContent::Frame& frame : run.capture.frames) {
        if (frame.type() == FrameType::Module) {
            ModuleHead head;
            QVERIFY(frame.payload.size() >= sizeof head);
            std::memcpy(&head, frame.payload.data(), sizeof head);
            QCOMPARE(head.offset, bytes[head.hash] % head.bytes);
            bytes[head.hash] += frame.payload.size() - sizeof head;
            heads += head.offset == 0 ? 1 : 0;
        }
    }
    QCOMPARE(heads, 4U);
    QCOMPARE(bytes.size(), 3U);
    std::multiset<uint64_t> sizes;
    for (const auto& [hash, size] : bytes) {
        sizes.insert(size);
    }
    QCOMPARE(sizes, (std::multiset<uint64_t>{1000, 3000000, 20000000}));
    QCOMPARE(bench.record({"init", "module=1000", "launch=1"}, {"--no-code"}).capture.count(FrameType::Module), 0U);
}

void TestRecord::ranges() {
    RecordBench bench;
    const RecordRun run = bench.record({"nvtx", "init", "push=outer", "push=inner", "pop", "pop", "mark=now"});
    const auto ranges = run.capture.records<RangeRecord>();
    QCOMPARE(ranges.size(), 5U);
    QCOMPARE(run.capture.text(1, ranges[0].name), std::string("outer"));
    QCOMPARE(run.capture.text(1, ranges[1].name), std::string("inner"));
    QCOMPARE(ranges[2].id, ranges[1].id);
    QCOMPARE(int(ranges[2].action), int(RangeAction::Pop));
    QCOMPARE(ranges[3].id, ranges[0].id);
    QCOMPARE(int(ranges[4].action), int(RangeAction::Mark));
    QCOMPARE(run.capture.text(1, ranges[4].name), std::string("now"));
}

void TestRecord::levels() {
    RecordBench bench;
    const QStringList todo{"init", "nvtx", "launch=5", "copy=1", "allocate=1", "sync", "push=a", "pop"};
    const RecordRun event = bench.record(todo, {"--mode", "event"});
    QCOMPARE(event.kernels(), 5U);
    QCOMPARE(event.calls().size(), 0U);
    QCOMPARE(event.capture.records<CopyRecord>().size(), 1U);
    QCOMPARE(event.capture.records<MemoryRecord>().size(), 0U);
    QCOMPARE(event.capture.records<RangeRecord>().size(), 0U);
    const RecordRun nsys = bench.record(todo, {"--mode", "nsys"});
    QCOMPARE(nsys.calls().size(), 6U);
    QCOMPARE(bench.record(todo, {"--api", "none"}).calls().size(), 0U);
    QCOMPARE(bench.record(todo, {"--no-memory"}).capture.records<MemoryRecord>().size(), 0U);
    const RecordRun sources = bench.record(todo, {"--memory"});
    QCOMPARE(sources.capture.text(1, sources.capture.records<MemoryRecord>().at(0).origin),
             std::string("libstandin.so"));
}

QTEST_GUILESS_MAIN(TestRecord)
#include "tst_record.moc"
