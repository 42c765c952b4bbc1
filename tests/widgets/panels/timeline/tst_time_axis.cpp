// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include <limits>

#include "widgets/panels/timeline/time_axis.h"

using namespace warpline;
using namespace warpline::timeline;

class tst_TimeAxis : public QObject {
    Q_OBJECT

private slots:
    void roundTrip_data();
    void roundTrip();
    void oneNanosecondAPixelFarFromZero();
    void zoomKeepsTheAnchor_data();
    void zoomKeepsTheAnchor();
    void panMovesByPixels();
    void fitShowsTheRange();
    void clampKeepsTheTraceInReach();
    void extremesDoNotOverflow();
};

void tst_TimeAxis::roundTrip_data() {
    QTest::addColumn<qint64>("begin");
    QTest::addColumn<double>("nsPerPixel");
    for (const qint64 begin : {0LL, -5'000'000'000LL, 1'700'000'000'000'000'000LL}) {
        for (const double nsPerPixel : {0.05, 1.0, 3.7, 1e3, 1e6}) {
            QTest::addRow("%lld at %g", begin, nsPerPixel) << qint64(begin) << nsPerPixel;
        }
    }
}

void tst_TimeAxis::roundTrip() {
    QFETCH(qint64, begin);
    QFETCH(double, nsPerPixel);
    const TimeAxis axis{begin, nsPerPixel};
    for (int x = 0; x < 4000; x += 7) {
        const TimeNs time = xToTime(axis, x);
        // A pixel's time is rounded to a nanosecond, so x is off by half of one at most.
        QVERIFY(std::abs(timeToX(axis, time) - x) <= 0.5 / nsPerPixel + 1e-9);
        QCOMPARE(xToTime(axis, timeToX(axis, time)), time);
    }
}

void tst_TimeAxis::oneNanosecondAPixelFarFromZero() {
    const TimeAxis axis{1'700'000'000'000'000'001, 1};
    for (int x = 0; x < 4000; ++x) {
        QCOMPARE(xToTime(axis, x), axis.begin + x);
        QCOMPARE(timeToX(axis, axis.begin + x), static_cast<double>(x));
    }
}

void tst_TimeAxis::zoomKeepsTheAnchor_data() {
    roundTrip_data();
}

void tst_TimeAxis::zoomKeepsTheAnchor() {
    QFETCH(qint64, begin);
    QFETCH(double, nsPerPixel);
    for (const double factor : {0.5, 0.9, 1.1, 3.0}) {
        const TimeAxis axis{begin, nsPerPixel};
        const TimeAxis next = zoomed(axis, 640, factor);
        QVERIFY(next.nsPerPixel >= kMinNsPerPixel);
        QVERIFY(std::abs(xToTime(next, 640) - xToTime(axis, 640)) <= 1);
        if (nsPerPixel * factor >= kMinNsPerPixel) {
            QCOMPARE(next.nsPerPixel, nsPerPixel * factor);
        }
    }
}

void tst_TimeAxis::panMovesByPixels() {
    const TimeAxis axis{1000, 10};
    QCOMPARE(panned(axis, 25).begin, 1250);
    QCOMPARE(panned(axis, -200).begin, -1000);
    QCOMPARE(panned(axis, 25).nsPerPixel, 10.0);
}

void tst_TimeAxis::fitShowsTheRange() {
    const TimeRange range{5'000, 25'000};
    const TimeAxis exact = axisFitting(range, 1000);
    QCOMPARE(exact.nsPerPixel, 20.0);
    QCOMPARE(visibleRange(exact, 1000), range);
    const TimeAxis loose = axisFitting(range, 1000, 0.1);
    QCOMPARE(loose.nsPerPixel, 25.0);
    QCOMPARE(timeToX(loose, range.begin), 100.0);
    QCOMPARE(timeToX(loose, range.end), 900.0);
    // A moment is shown as finely as anything is.
    const TimeAxis moment = axisFitting({7, 7}, 1000);
    QCOMPARE(moment.nsPerPixel, kMinNsPerPixel);
    QVERIFY(std::abs(timeToX(moment, 7) - 500) <= 20);
}

void tst_TimeAxis::clampKeepsTheTraceInReach() {
    const TimeRange trace{1'000'000, 2'000'000};
    const TimeAxis far = clamped({-900'000'000, 100}, trace, 1000);
    QCOMPARE(far.begin, 1'000'000 - 50'000);
    const TimeAxis late = clamped({900'000'000, 100}, trace, 1000);
    QCOMPARE(late.begin, 2'000'000 - 50'000);
    const TimeAxis wide = clamped({0, 1e9}, trace, 1000);
    QCOMPARE(wide.nsPerPixel, 2000.0);
    const TimeAxis inside{1'200'000, 100};
    QCOMPARE(clamped(inside, trace, 1000), inside);
}

void tst_TimeAxis::extremesDoNotOverflow() {
    constexpr TimeNs kMax = std::numeric_limits<TimeNs>::max();
    constexpr TimeNs kMin = std::numeric_limits<TimeNs>::min();
    QCOMPARE(addSaturated(kMax, 1), kMax);
    QCOMPARE(addSaturated(kMin, -1), kMin);
    QCOMPARE(distanceSaturated(kMin, kMax), kMax);
    QCOMPARE(distanceSaturated(kMax, kMin), kMin);
    const TimeAxis axis{kMax - 10, 1e15};
    QCOMPARE(xToTime(axis, 1000), kMax);
    QVERIFY(axisFitting({kMin, kMax}, 1000).nsPerPixel > 9e15);
    QVERIFY(clamped({kMax, 1e300}, {kMin, kMax}, 1).nsPerPixel < 2e19);
}

QTEST_APPLESS_MAIN(tst_TimeAxis)
#include "tst_time_axis.moc"
