// SPDX-License-Identifier: MIT
// Statistics of measured times, by hand; counts of launches.
#include <QTest>

#include "kernels/launch_ledger.h"
#include "kernels/timing_statistics.h"

using namespace warpline;

class TestTimingStatistics : public QObject {
    Q_OBJECT

private slots:
    void quartiles_data();
    void quartiles();
    void noSamples();
    void rates();
    void shortForEvents();
    void runsInAGraph_data();
    void runsInAGraph();
    void ledgers();
};

void TestTimingStatistics::quartiles_data() {
    QTest::addColumn<QList<double>>("samples");
    QTest::addColumn<double>("first");
    QTest::addColumn<double>("median");
    QTest::addColumn<double>("third");
    QTest::newRow("one") << QList<double>{7} << 7.0 << 7.0 << 7.0;
    // Places 0.25, 0.5, 0.75 of 0…1.
    QTest::newRow("two") << QList<double>{20, 10} << 12.5 << 15.0 << 17.5;
    // Places 1, 2, 3 of 0…4.
    QTest::newRow("five") << QList<double>{5, 1, 4, 2, 3} << 2.0 << 3.0 << 4.0;
    // Places 1.25, 2.5, 3.75 of 0…5: 2 + 0.25 * (4 - 2), (4 + 8) / 2, 8 + 0.75 * (16 - 8).
    QTest::newRow("six") << QList<double>{32, 1, 16, 2, 8, 4} << 2.5 << 6.0 << 14.0;
}

void TestTimingStatistics::quartiles() {
    QFETCH(QList<double>, samples);
    QFETCH(double, first);
    QFETCH(double, median);
    QFETCH(double, third);
    const auto statistics = timingStatistics({samples.begin(), samples.end()});
    QVERIFY(statistics);
    QCOMPARE(statistics->count, uint64_t(samples.size()));
    QCOMPARE(statistics->firstQuartileNs, first);
    QCOMPARE(statistics->medianNs, median);
    QCOMPARE(statistics->thirdQuartileNs, third);
    QCOMPARE(statistics->iqrNs(), third - first);
    QCOMPARE(statistics->minNs, *std::min_element(samples.begin(), samples.end()));
    QCOMPARE(statistics->maxNs, *std::max_element(samples.begin(), samples.end()));
}

void TestTimingStatistics::noSamples() {
    QVERIFY(!timingStatistics({}));
}

void TestTimingStatistics::rates() {
    // 137,438,953,472 operations in 200 us are 687.19476736 T in a second.
    QCOMPARE(ratePerSecond(137'438'953'472, 200'000.0).value_or(0), 687.19476736e12);
    QVERIFY(!ratePerSecond(std::nullopt, 200'000.0));
    QVERIFY(!ratePerSecond(5, 0.0));
}

void TestTimingStatistics::shortForEvents() {
    QVERIFY(isTooShortForEvents(9'999.0));
    QVERIFY(!isTooShortForEvents(10'000.0));
}

void TestTimingStatistics::runsInAGraph_data() {
    QTest::addColumn<double>("runNs");
    QTest::addColumn<quint64>("runs");
    QTest::newRow("long") << 5e6 << quint64{1};
    QTest::newRow("a millisecond") << 1e6 << quint64{1};
    QTest::newRow("rounded up") << 3e5 << quint64{4};
    QTest::newRow("short") << 2000.0 << quint64{500};
    QTest::newRow("shortest") << 10.0 << quint64{1000};
    QTest::newRow("not known") << 0.0 << quint64{1000};
}

void TestTimingStatistics::runsInAGraph() {
    QFETCH(double, runNs);
    QFETCH(quint64, runs);
    QCOMPARE(quint64{runsInGraph(runNs)}, runs);
}

void TestTimingStatistics::ledgers() {
    LaunchLedger before;
    before.kernels = {{"a", 2}, {"b", 1}};
    before.memsets = 1;
    LaunchLedger later = before + LaunchLedger{{{"a", 3}, {"c", 4}}, 1, 2, 3, 4, 5, 6};
    QCOMPARE(later.kernelCount(), uint64_t{10});
    QCOMPARE(later.memsets, uint64_t{5});
    const LaunchLedger since = later - before;
    QVERIFY((since == LaunchLedger{{{"a", 3}, {"c", 4}}, 1, 2, 3, 4, 5, 6}));
    QVERIFY(since.kernels.find("b") == since.kernels.end());
}

QTEST_GUILESS_MAIN(TestTimingStatistics)
#include "tst_timing_statistics.moc"
