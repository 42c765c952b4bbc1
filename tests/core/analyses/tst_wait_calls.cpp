// SPDX-License-Identifier: MIT
#include <QTest>

#include "core/analyses/wait_calls.h"
#include "tests/support/trace_text.h"

using namespace warpline;
using warpline::test::traceFromText;

namespace {

EventRow rowOf(const Trace& trace, std::string_view name) {
    for (uint32_t row = 0; row < trace.sliceCount(); ++row) {
        if (trace.sliceName(EventRow(row)) == name) {
            return EventRow(row);
        }
    }
    throw std::runtime_error("no such slice");
}

constexpr int kNone = -1;

}  // namespace

class TestWaitCalls : public QObject {
    Q_OBJECT
private slots:
    void byName_data() {
        QTest::addColumn<int>("on");
        const auto call = [](const char* name, WaitOn on) { QTest::newRow(name) << static_cast<int>(on); };
        const auto no = [](const char* name) { QTest::newRow(name) << kNone; };
        call("cudaStreamSynchronize", WaitOn::Stream);
        call("cuStreamSynchronize", WaitOn::Stream);
        call("hipStreamSynchronize", WaitOn::Stream);
        call("cudaStreamSynchronize_v3020", WaitOn::Stream);
        call("cuStreamSynchronize_ptsz", WaitOn::Stream);
        call("cudaDeviceSynchronize", WaitOn::Device);
        call("cuCtxSynchronize", WaitOn::Device);
        call("cudaThreadSynchronize", WaitOn::Device);
        call("cudaEventSynchronize", WaitOn::Event);
        call("cudaMemcpy", WaitOn::OwnCopy);
        call("cudaMemcpy2D", WaitOn::OwnCopy);
        call("cuMemcpyDtoH_v2", WaitOn::OwnCopy);
        call("hipMemcpy", WaitOn::OwnCopy);
        no("cudaMemcpyAsync");
        no("cuMemcpyDtoHAsync_v2");
        no("cudaMemcpyPeer");
        no("cudaStreamWaitEvent");
        no("cudaEventQuery");
        no("cudaMemset");
        no("cudaLaunchKernel");
        no("StreamSynchronize");
        no("aten::item");
        no("");
    }
    void byName() {
        const std::optional<WaitOn> on = waitOnByName(QTest::currentDataTag());
        QTEST(on ? static_cast<int>(*on) : kNone, "on");
    }
    void aPageableCopyWaitsIfItEndedInside() {
        const auto trace = traceFromText(R"t(
            cpu main: cudaMemcpyAsync 0..100 (corr=1) cudaMemcpyAsync 200..300 (corr=2) cudaMemcpyAsync 400..500 (corr=3)
            gpu 0 stream 7: "Memcpy DtoH (Device -> Pageable)" 20..80 (corr=1) "Memcpy HtoD (Pageable -> Device)" 250..320 (corr=2) "Memcpy DtoH (Device -> Pinned)" 420..440 (corr=3))t");
        QCOMPARE(waitOn(*trace, EventRow(0U)), std::optional(WaitOn::OwnCopy));
        QCOMPARE(waitOn(*trace, EventRow(1U)), std::nullopt);
        QCOMPARE(waitOn(*trace, EventRow(2U)), std::nullopt);
        // Only API calls wait, whatever others are called.
        const auto op = traceFromText("cpu main: cudaStreamSynchronize 0..10 (kind=cpu_op)");
        QCOMPARE(waitOn(*op, EventRow(0U)), std::nullopt);
    }
    void insideOfASlice() {
        const auto trace = traceFromText(R"(
            cpu main: step 0..100 { "aten::item" 10..40 { cudaMemcpyAsync 11..13 (corr=1) cudaStreamSynchronize 14..34 (corr=2) } cudaMemcpy 50..80 (corr=3) { cuMemcpyDtoH_v2 55..75 (corr=4) } cudaEventSynchronize 90..95 }
            cpu other: cudaDeviceSynchronize 0..100)");
        JobControl job;
        const WaitsInside all = waitsInside(*trace, rowOf(*trace, "step"), 2, job).value();
        QCOMPARE(all.count, uint64_t{3});  // the driver's call inside of cudaMemcpy is the same wait
        QCOMPARE(all.total, Sum(55));
        QVERIFY(all.isComplete);
        QCOMPARE(all.longest.size(), size_t{2});
        QCOMPARE(all.longest[0], rowOf(*trace, "cudaMemcpy"));
        QCOMPARE(all.longest[1], rowOf(*trace, "cudaStreamSynchronize"));
        QCOMPARE(waitsInside(*trace, rowOf(*trace, "aten::item"), 9, job).value().count, uint64_t{1});
        const WaitsInside itself = waitsInside(*trace, rowOf(*trace, "cudaMemcpy"), 9, job).value();
        QCOMPARE(itself.count, uint64_t{1});
        QCOMPARE(itself.total, Sum(30));
        const WaitsInside cut = waitsInside(*trace, rowOf(*trace, "step"), 9, job, 4).value();
        QVERIFY(!cut.isComplete);
        QCOMPARE(cut.count, uint64_t{1});
        job.requestStop();
        QVERIFY(waitsInside(*trace, rowOf(*trace, "step"), 9, job).error().isCancelled());
    }
};

QTEST_GUILESS_MAIN(TestWaitCalls)
#include "tst_wait_calls.moc"
