// SPDX-License-Identifier: MIT
// What `warpline record` says of what is missing: each record is there, or counted.
#include <QFile>
#include <QTest>

#include "tests/support/standin/record_bench.h"

using namespace warpline;
using namespace warpline::capture;
using namespace warpline::test;

class TestRecordLosses : public QObject {
    Q_OBJECT

private slots:
    void dropped();
    void unknownKinds();
    void foreignBuffer();
    void takenOver();
    void takenOverFromTheStart();
    void heldBack();
    void tornKernel();
    void burst();
    void sizeLimit();
    void sizeLimitWithSelection();
};

void TestRecordLosses::dropped() {
    RecordBench bench;
    // While it runs, and in the last moment.
    const RecordRun run = bench.record({"init", "launch=10", "drop=400", "clocks=3", "launch=10", "drop=30"});
    QCOMPARE(run.kernels(), 20U);
    QCOMPARE(run.capture.lost(LossKind::CuptiDropped), 430U);
    QVERIFY2(run.lastLine().contains(" 430 lost"), run.err.constData());
}

void TestRecordLosses::unknownKinds() {
    RecordBench bench;
    const RecordRun run = bench.record({"init", "launch=10", "unknown=3", "launch=10"});
    QCOMPARE(run.kernels(), 20U);
    QCOMPARE(run.capture.lost(LossKind::Unreadable), 3U);
    QVERIFY2(run.lastLine().contains(" 3 lost"), run.err.constData());
}

void TestRecordLosses::foreignBuffer() {
    RecordBench bench;
    const RecordRun run = bench.record({"init", "launch=10", "foreign", "launch=10"});
    QCOMPARE(run.code, 0);
    QCOMPARE(run.kernels(), 20U);
    QCOMPARE(run.capture.fact(1, "foreign_buffers"), std::string("1"));
}

/// The gap has a beginning before it happened, and an end once it is over.
void TestRecordLosses::takenOver() {
    RecordBench bench;
    const RecordRun run = bench.record(
        {"init", "launch=100", "clocks=2", "taken", "launch=50", "clocks=3", "given-back", "clocks=3", "launch=10"});
    QCOMPARE(run.kernels(), 110U);
    std::vector<LossRecord> gaps;
    for (const LossRecord& loss : run.capture.records<LossRecord>()) {
        if (loss.kind == LossKind::TakenOver) {
            gaps.push_back(loss);
        }
    }
    QCOMPARE(gaps.size(), 2U);
    QCOMPARE(gaps[0].end, 0);
    QCOMPARE(gaps[1].begin, gaps[0].begin);
    QVERIFY(gaps[1].end > gaps[1].begin);
    const auto kernels = run.kernelRecords();
    QVERIFY(kernels[109].begin > gaps[1].begin);
    // Clocks of somebody else are not written as CUPTI's.
    for (const ClockRecord& clock : run.capture.records<ClockRecord>(1)) {
        QVERIFY(clock.cupti == 0 || std::llabs(clock.cupti - clock.realtime) < 1'000'000'000);
    }
    QVERIFY2(run.err.contains("another profiler took CUPTI over"), run.err.constData());
}

/// Another client may have been there before, with its clock; our records are sound then.
void TestRecordLosses::takenOverFromTheStart() {
    RecordBench bench;
    const RecordRun run = bench.record({"taken", "init", "clocks=2", "given-back", "launch=10", "clocks=2"});
    QCOMPARE(run.kernels(), 10U);
    QVERIFY(run.capture.records<LossRecord>().empty());
}

/// A kernel that runs long comes with what it held back once it has ended.
void TestRecordLosses::heldBack() {
    RecordBench bench;
    const RecordRun run = bench.record(
        {"init", "launch=5", "running=long", "launch=2000", "flushes=4", "ended", "launch=5", "flushes=2"});
    const auto kernels = run.kernelRecords();
    QCOMPARE(kernels.size(), 2011U);
    int64_t longEnd = 0, lastBehind = 0;
    for (const KernelRecord& kernel : kernels) {
        const bool isLong = run.capture.text(1, kernel.name) == "long";
        longEnd = isLong ? kernel.end : longEnd;
        QVERIFY(kernel.end > kernel.begin);
    }
    lastBehind = kernels[2005].end;
    QVERIFY(longEnd > lastBehind);
}

/// The program ends while its kernel runs: the kernel is kept, with no end.
void TestRecordLosses::tornKernel() {
    RecordBench bench;
    const RecordRun run = bench.record({"init", "launch=5", "running=long", "launch=2000", "exit=0"});
    QCOMPARE(run.kernels(), 2006U);
    const auto kernels = run.kernelRecords();
    QCOMPARE(std::ranges::count_if(kernels, [](const KernelRecord& kernel) { return kernel.end == 0; }), 1);
}

/// Two million launches in one go while what reads them is held up: what finds no room is counted, and the memory that
/// the recorder takes has a bound.
void TestRecordLosses::burst() {
    RecordBench bench;
    const QString memory = bench.file("memory");
    const uint64_t launches = WARPLINE_SANITIZED ? 200'000 : 2'000'000;
    const RecordRun run =
        bench.record({"init", "stop-reading", "module=8000000:1", "launch=" + QString::number(launches), "read-on",
                      "flushes=2", "memory=" + memory, "exit=0"});
    QCOMPARE(run.code, 0);
    const uint64_t there = run.kernels() + run.calls().size();
    const uint64_t lost = run.capture.lost(LossKind::NoBuffer) + run.capture.lost(LossKind::CuptiDropped);
    // The facts of device, context and stream come first, when there is room.
    QCOMPARE(there + lost, 2 * launches);
    QVERIFY(run.capture.lost(LossKind::NoBuffer) != 0);
    QVERIFY(run.capture.lost(LossKind::CuptiDropped) != 0);
    QCOMPARE(run.capture.damage.missingFrames, 0U);
    QFile file(memory);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const int kilobytes = file.readAll().toInt();
    QVERIFY(kilobytes > 0);
    QVERIFY2(WARPLINE_SANITIZED || kilobytes < 64 * 1024, QByteArray::number(kilobytes).constData());
}

/// The recording of the process ends there, and says so; the program goes on.
void TestRecordLosses::sizeLimit() {
    RecordBench bench;
    const RecordRun run =
        bench.record({"init", "launch=20000", "until-stopped", "say=stopped", "launch=100"}, {"--limit-file", "1"});
    QCOMPARE(run.code, 0);
    QCOMPARE(run.out, QByteArray("stopped\n"));
    const uint64_t bytes = run.kernels() * sizeof(KernelRecord) + run.calls().size() * sizeof(CallRecord);
    QVERIFY2(bytes > 800'000 && bytes < 2'100'000, QByteArray::number(qulonglong(bytes)).constData());
    QVERIFY(run.capture.lost(LossKind::SizeLimit) > 0);
    QCOMPARE(run.capture.ended.size(), 2U);
    QVERIFY(run.capture.fact(1, "reason").find("size") != std::string::npos);
    QVERIFY2(!run.lastLine().contains(" 0 lost"), run.err.constData());
}

/// A recording that is over slows nothing down: launches that nobody takes notes of any more do not wait for that.
void TestRecordLosses::sizeLimitWithSelection() {
    RecordBench bench;
    const RecordRun run = bench.record({"init", "launch=20000", "until-stopped", "launch=200000", "say=through"},
                                       {"--limit-file", "1", "--kernel", "."});
    QCOMPARE(run.code, 0);
    QCOMPARE(run.out, QByteArray("through\n"));
    QCOMPARE(run.capture.ended.size(), 2U);
}

QTEST_GUILESS_MAIN(TestRecordLosses)
#include "tst_record_losses.moc"
