// SPDX-License-Identifier: MIT
#include <QtTest>

#include "core/analyses/gpu_busy/gpu_busy.h"
#include "tests/support/trace_text.h"

using namespace warpline;
using warpline::test::traceFromText;

class tst_GpuBusy : public QObject {
    Q_OBJECT
private slots:
    void overlapIsCountedOnce() {
        const auto trace = traceFromText(R"(
            gpu 0 stream 7: gemm 0..100 gemm 120..160 gemm 190..200 "Stream Sync" 200..500
            gpu 0 stream 20: nccl 50..150
            gpu 1 stream 7: k 0..20)");
        JobControl job;
        const auto gpus = computeGpuBusy(*trace, {}, job);
        QVERIFY(gpus.ok());
        QCOMPARE(gpus.value().size(), size_t{2});
        const GpuBusy& first = gpus.value()[0];
        QCOMPARE(trace->string(trace->process(first.process).pid.value()), std::string_view("0"));
        QCOMPARE(first.device.value(), std::optional(DurationNs{250}));
        QCOMPARE(first.busyNs, DurationNs{170});
        QCOMPARE(first.spanNs, DurationNs{200});
        QCOMPARE(first.count, uint64_t{4});
        QCOMPARE(*first.busyRatio(), 0.85);
        QCOMPARE(gpus.value()[1].busyNs, DurationNs{20});
    }
    void workBeyond64Bits() {
        JobControl job;
        const auto gpus = computeGpuBusy(*traceFromText(R"(
            gpu 0 stream 7: a 0..4000000000000000000
            gpu 0 stream 8: b 0..4000000000000000000
            gpu 0 stream 9: c 0..4000000000000000000)"),
                                         {}, job);
        QVERIFY(!gpus.value().at(0).device.known());
        QCOMPARE(gpus.value().at(0).busyNs, DurationNs{4'000'000'000'000'000'000});
    }
    void noSpanNoRatio() {
        JobControl job;
        const auto gpus = computeGpuBusy(*traceFromText("gpu 0 stream 7: k 5..5"), {}, job);
        QCOMPARE(gpus.value().at(0).spanNs, DurationNs{0});
        QVERIFY(!gpus.value().at(0).busyRatio().has_value());
    }
};

QTEST_APPLESS_MAIN(tst_GpuBusy)
#include "tst_gpu_busy.moc"
