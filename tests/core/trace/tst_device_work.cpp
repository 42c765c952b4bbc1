// SPDX-License-Identifier: MIT
#include <QTest>

#include "core/loaders/load_trace.h"
#include "core/trace/device_work.h"
#include "tests/support/trace_text.h"

using namespace warpline;
using warpline::test::traceFromText;

namespace {

EventRow rowNamed(const Trace& trace, std::string_view name) {
    for (uint32_t row = 0; row < trace.sliceCount(); ++row) {
        if (trace.sliceName(EventRow(row)) == name) {
            return EventRow(row);
        }
    }
    throw std::runtime_error("no such slice");
}

/// "delay = queue + idle behind NAME"
QString waitText(const Trace& trace, EventRow work) {
    const LaunchWait wait = launchWait(trace, work);
    const auto text = [](const std::optional<DurationNs>& ns) { return ns ? QString::number(*ns) : QString("?"); };
    const QString sum = text(wait.delayNs) + " = " + text(wait.queueNs) + " + " + text(wait.idleNs);
    return wait.behind ? sum + " behind " + QString::fromStdString(std::string(trace.sliceName(wait.behind))) : sum;
}

}  // namespace

class tst_DeviceWork : public QObject {
    Q_OBJECT

private slots:
    void delaysAndRates() {
        const auto trace = traceFromText(R"(
            cpu main: cudaMemcpyAsync 10..15 (corr=1) cudaLaunchKernel 90..95 (corr=2)
            gpu 0 stream 7: "Memcpy HtoD" 30..130 (corr=1 bytes=4000) k 200..200 "Memcpy DtoH" 210..210 (bytes=8)
            gpu 0 stream 8: early 80..85 (corr=2))");
        const auto rowOf = [&](std::string_view name) {
            uint32_t row = 0;
            while (trace->sliceName(EventRow(row)) != name) {
                ++row;
            }
            return EventRow(row);
        };
        QCOMPARE(launchDelayNs(*trace, rowOf("Memcpy HtoD")), std::optional(DurationNs{20}));
        QCOMPARE(launchDelayNs(*trace, rowOf("early")), std::optional(DurationNs{-10}));
        QVERIFY(!launchDelayNs(*trace, rowOf("k")));
        QCOMPARE(copyBytesPerSecond(*trace, *trace->findCopyFacts(rowOf("Memcpy HtoD"))), std::optional(4e10));
        QVERIFY(!copyBytesPerSecond(*trace, *trace->findCopyFacts(rowOf("Memcpy DtoH"))));
    }

    void waitsOfLaunches_data() {
        QTest::addColumn<QString>("trace");
        QTest::addColumn<QString>("wait");
        const auto row = [](const char* name, const char* trace, const char* wait) {
            QTest::newRow(name) << trace << wait;
        };
        row("an empty stream: all of it idle", R"(cpu main: cudaLaunchKernel 10..15 (corr=1)
            gpu 0 stream 7: k 20..30 (corr=1))",
            "5 = 0 + 5");
        row("behind other work", R"(cpu main: cudaLaunchKernel 0..2 (corr=2) cudaLaunchKernel 10..15 (corr=1)
            gpu 0 stream 7: before 5..60 (corr=2) k 63..80 (corr=1))",
            "48 = 45 + 3 behind before");
        row("other work had ended before the call did", R"(cpu main: cudaLaunchKernel 10..15 (corr=1)
            gpu 0 stream 7: before 5..12 k 20..30 (corr=1))",
            "5 = 0 + 5 behind before");
        row("only its own stream counts", R"(cpu main: cudaLaunchKernel 10..15 (corr=1)
            gpu 0 stream 7: k 20..30 (corr=1)
            gpu 0 stream 8: other 5..19)",
            "5 = 0 + 5");
        row("started while the call still ran", R"(cpu main: cudaLaunchKernel 10..25 (corr=1)
            gpu 0 stream 7: before 5..18 k 20..30 (corr=1))",
            "0 = 0 + 0 behind before");
        row("overlaps the work before it", R"(cpu main: cudaLaunchKernel 10..15 (corr=1)
            gpu 0 stream 7: before 5..50 k 40..60 (corr=1))",
            "25 = 25 + 0 behind before");
        row("the longest of several before it", R"(cpu main: cudaLaunchKernel 10..15 (corr=1)
            gpu 0 stream 7: first 5..70 second 20..30 third 72..75 k 80..90 (corr=1))",
            "65 = 60 + 5 behind third");
        row("a long one ends after a later one", R"(cpu main: cudaLaunchKernel 10..15 (corr=1)
            gpu 0 stream 7: first 5..70 second 20..30 k 80..90 (corr=1))",
            "65 = 55 + 10 behind first");
        row("waits and annotations are no work", R"(cpu main: cudaLaunchKernel 10..15 (corr=1)
            gpu 0 stream 7: before 5..40 range 42..95 (kind=gpu_annotation) { "Stream Sync" 44..45 k 80..90 (corr=1) })",
            "65 = 25 + 40 behind before");
        row("no call", "gpu 0 stream 7: before 5..40 k 80..90 (corr=1)", "? = ? + ? behind before");
        row("a call without an end", R"(cpu main: cudaLaunchKernel 10..? (corr=1)
            gpu 0 stream 7: k 80..90 (corr=1))",
            "? = ? + ?");
        row("work without an end before it", R"(cpu main: cudaLaunchKernel 10..15 (corr=1)
            gpu 0 stream 7: before 5..? k 80..90 (corr=1))",
            "65 = ? + ? behind before");
    }
    void waitsOfLaunches() {
        QFETCH(QString, trace);
        const auto loaded = traceFromText(trace.toStdString());
        QTEST(waitText(*loaded, rowNamed(*loaded, "k")), "wait");
    }

    /// Sums of what a script of its own reads from the file's JSON.
    void waitsOfARealTrace() {
        JobControl job;
        const auto trace = loadTrace({WARPLINE_SAMPLES_DIR "/multi_stream.trace.json.gz"}, {}, job).value();
        DurationNs delay = 0;
        DurationNs queue = 0;
        DurationNs idle = 0;
        for (uint32_t row = 0; row < trace->sliceCount(); ++row) {
            if (isDeviceWork(trace->slices().kind[row])) {
                const LaunchWait wait = launchWait(*trace, EventRow(row));
                delay += wait.delayNs.value();
                queue += wait.queueNs.value();
                idle += wait.idleNs.value();
            }
        }
        QCOMPARE(delay, DurationNs{24'048'897});
        QCOMPARE(queue, DurationNs{20'912'795});
        QCOMPARE(idle, DurationNs{3'136'102});
    }
};

QTEST_APPLESS_MAIN(tst_DeviceWork)
#include "tst_device_work.moc"
