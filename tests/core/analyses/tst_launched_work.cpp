// SPDX-License-Identifier: MIT
#include <QTest>

#include "core/analyses/launched_work.h"
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

/// "count kernels calls total: names".
QString workOf(const Trace& trace, const char* host, size_t maxListed = 100, uint64_t maxSlices = kLaunchedWorkSlices) {
    JobControl job;
    const LaunchedWork work = launchedWork(trace, rowOf(trace, host), maxListed, job, maxSlices).value();
    QStringList names;
    for (const EventRow row : work.longest) {
        names << QString::fromStdString(std::string(trace.sliceName(row)));
    }
    return QStringLiteral("%1 %2 %3 %4%5: %6")
        .arg(work.count)
        .arg(work.kernels)
        .arg(work.calls)
        .arg(*work.total.value())
        .arg(work.isComplete ? QString() : QStringLiteral(" or more"), names.join(QLatin1Char(' ')));
}

constexpr auto kTrace = R"(
    cpu main: step 0..100 (kind=annotation) { mm 10..40 { inner 11..30 { cudaLaunchKernel 12..15 (corr=1) cudaMemcpyAsync 16..18 (corr=2) } cudaLaunchKernel 31..33 (corr=3) } view 50..60 }
    cpu main: late 110..140 { cudaGraphLaunch 115..120 (corr=4) cudaFree 121..122 (corr=9) }
    cpu other: thread 0..100 { cudaLaunchKernel 12..15 (corr=5) }
    gpu 0 stream 7: a 200..210 (corr=1) Memcpy 220..225 (corr=2 bytes=8) b 230..250 (corr=3) g1 300..301 (corr=4) g2 310..312 (corr=4)
    gpu 0 stream 8: c 20..24 (corr=5) orphan 30..40 (corr=77))";

}  // namespace

class TestLaunchedWork : public QObject {
    Q_OBJECT
private slots:
    void ofASlice_data() {
        QTest::addColumn<QString>("host");
        QTest::addColumn<QString>("work");
        QTest::newRow("directly and through children, longest first") << "mm"
                                                                      << "3 2 3 35: b a Memcpy";
        QTest::newRow("of one child") << "inner"
                                      << "2 1 2 15: a Memcpy";
        QTest::newRow("through all levels") << "step"
                                            << "3 2 3 35: b a Memcpy";
        QTest::newRow("none") << "view"
                              << "0 0 0 0: ";
        QTest::newRow("several of a call, and a call without") << "late"
                                                               << "2 2 2 3: g2 g1";
        QTest::newRow("of another thread") << "thread"
                                           << "1 1 1 4: c";
    }
    void ofASlice() {
        QFETCH(QString, host);
        QTEST(workOf(*traceFromText(kTrace), qPrintable(host)), "work");
    }
    void moreThanIsListed() {
        QCOMPARE(workOf(*traceFromText(kTrace), "step", 2), QStringLiteral("3 2 3 35: b a"));
        QCOMPARE(workOf(*traceFromText(kTrace), "step", 0), QStringLiteral("3 2 3 35: "));
    }
    void aWalkThatEndsEarlySaysSo() {
        // step, mm, inner, two calls inside, the call after them, view: seven slices.
        QCOMPARE(workOf(*traceFromText(kTrace), "step", 100, 4), QStringLiteral("1 1 1 10 or more: a"));
        QCOMPARE(workOf(*traceFromText(kTrace), "step", 100, 6), QStringLiteral("3 2 3 35 or more: b a Memcpy"));
        QCOMPARE(workOf(*traceFromText(kTrace), "step", 100, 7), QStringLiteral("3 2 3 35: b a Memcpy"));
    }
    void stops() {
        const auto trace = traceFromText(kTrace);
        JobControl job;
        job.requestStop();
        QVERIFY(launchedWork(*trace, rowOf(*trace, "step"), 100, job).error().isCancelled());
    }
};

QTEST_APPLESS_MAIN(TestLaunchedWork)
#include "tst_launched_work.moc"
