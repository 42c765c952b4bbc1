// SPDX-License-Identifier: GPL-3.0-or-later
// Columns of values against a scan of all points, and what is painted of them.
#include <QTest>

#include <cmath>
#include <random>
#include <vector>

#include "widgets/panels/timeline/value_geometry.h"

using namespace warpline;
using namespace warpline::timeline;

namespace {

const double kGap = std::nan("");

bool isSame(double a, double b) {
    return std::isnan(a) ? std::isnan(b) : std::abs(a - b) < 1e-9;
}

/// Points at random, some of them gaps, some at one moment.
struct Points {
    std::vector<TimeNs> time;
    std::vector<double> values;
    std::vector<uint32_t> counts;
    CounterPyramid pyramid;

    explicit Points(size_t size, bool isCount) {
        std::mt19937 random(size + (isCount ? 1 : 0));
        TimeNs now = 1'000;
        for (size_t i = 0; i < size; ++i) {
            now += random() % 7 == 0 ? 0 : static_cast<TimeNs>(random() % 90);
            time.push_back(now);
            if (isCount) {
                counts.push_back(static_cast<uint32_t>(random() % 50));
            } else {
                values.push_back(random() % 9 == 0 ? kGap : static_cast<double>(random() % 1000) - 300);
            }
        }
        pyramid = isCount ? CounterPyramid::build(std::span<const uint32_t>(counts)) : CounterPyramid::build(values);
    }
    StepView view(double before) const {
        StepView view;
        view.time = time;
        view.values = values;
        view.counts = counts;
        view.pyramid = &pyramid;
        view.before = before;
        return view;
    }
};

}  // namespace

class TestValueGeometry : public QObject {
    Q_OBJECT

private slots:
    void stepsEqualAScan_data();
    void stepsEqualAScan();
    void joinedPointsByHand();
    void sharesEqualAScan();
    void partsOfAScale();
    void inkByHand();
    void stepsByHand();
};

void TestValueGeometry::stepsEqualAScan_data() {
    QTest::addColumn<int>("size");
    QTest::addColumn<bool>("isCount");
    QTest::addColumn<double>("nsPerPixel");
    for (const int size : {0, 1, 17, 5'000}) {
        for (const bool isCount : {false, true}) {
            for (const double nsPerPixel : {0.3, 20.0, 411.7, 3e4}) {
                QTest::addRow("%d %s, %g ns a pixel", size, isCount ? "counts" : "values", nsPerPixel)
                    << size << isCount << nsPerPixel;
            }
        }
    }
}

void TestValueGeometry::stepsEqualAScan() {
    QFETCH(int, size);
    QFETCH(bool, isCount);
    QFETCH(double, nsPerPixel);
    const Points points(static_cast<size_t>(size), isCount);
    const double before = isCount ? 0 : kGap;
    const StepView steps = points.view(before);
    const ColumnAxis axis{900, nsPerPixel, 300};
    std::vector<CounterColumn> columns;
    addColumns(steps, axis, false, columns);
    QCOMPARE(columns.size(), size_t{300});
    for (int x = 0; x < axis.width; ++x) {
        const auto from = axis.begin + static_cast<TimeNs>(std::floor(x * nsPerPixel));
        const auto to = axis.begin + static_cast<TimeNs>(std::floor((x + 1) * nsPerPixel));
        double held = before;
        double last = before;
        ValueRange expected;
        for (size_t i = 0; i < points.time.size(); ++i) {
            const double value = isCount ? points.counts[i] : points.values[i];
            held = points.time[i] < from ? value : held;
            last = points.time[i] < to ? value : last;
            if (points.time[i] >= from && points.time[i] < to) {
                expected.add(value);
            }
        }
        expected.add(held);
        const CounterColumn& column = columns[static_cast<size_t>(x)];
        QCOMPARE(column.range, expected);
        QVERIFY(isSame(column.last, last));
    }
}

void TestValueGeometry::joinedPointsByHand() {
    const std::vector<TimeNs> time = {10, 20, 30, 40};
    const std::vector<double> values = {0, 100, kGap, 7};
    const CounterPyramid pyramid = CounterPyramid::build(values);
    StepView steps;
    steps.time = time;
    steps.values = values;
    steps.pyramid = &pyramid;
    std::vector<CounterColumn> columns;
    addColumns(steps, {0, 5, 10}, true, columns);
    // [5, 10): nothing before the first point; [10, 15): half way up; [20, 25): 100 alone, since what follows is a gap.
    QVERIFY(columns[1].range.empty());
    QCOMPARE(columns[2].range, (ValueRange{0, 50}));
    QCOMPARE(columns[3].range, (ValueRange{50, 100}));
    QCOMPARE(columns[4].range, (ValueRange{100, 100}));
    QVERIFY(columns[5].range.empty());
    QVERIFY(columns[6].range.empty());
    // Past the last point its value holds.
    QCOMPARE(columns[8].range, (ValueRange{7, 7}));
    QCOMPARE(columns[9].last, 7.0);
}

void TestValueGeometry::sharesEqualAScan() {
    std::mt19937 random(3);
    std::vector<TimeNs> begin;
    std::vector<DurationNs> duration;
    TimeNs now = 500;
    for (int i = 0; i < 3'000; ++i) {
        now += 1 + static_cast<TimeNs>(random() % 60);
        begin.push_back(now);
        duration.push_back(static_cast<DurationNs>(random() % (random() % 40 == 0 ? 3'000 : 25)));
        now += duration.back();
    }
    const LodPyramid lod = LodPyramid::build(begin, duration);
    for (const double nsPerPixel : {0.25, 8.0, 77.3}) {
        const ColumnAxis axis{2'000, nsPerPixel, 400};
        std::vector<CounterColumn> columns;
        addShares({begin, duration, &lod}, axis, columns);
        QCOMPARE(columns.size(), size_t{400});
        double sum = 0;
        double expectedSum = 0;
        for (int x = 0; x < axis.width; ++x) {
            const double from = 2'000 + x * nsPerPixel;
            const double to = from + nsPerPixel;
            double covered = 0;
            for (size_t i = 0; i < begin.size(); ++i) {
                covered += std::max(0.0, std::min(to, static_cast<double>(begin[i] + duration[i])) -
                                             std::max(from, static_cast<double>(begin[i])));
            }
            const CounterColumn& column = columns[static_cast<size_t>(x)];
            QCOMPARE(column.range, (ValueRange{column.last, column.last}));
            sum += column.last;
            expectedSum += covered / nsPerPixel;
            // Pieces smaller than a pixel are put together, up to a pixel of them.
            QVERIFY(nsPerPixel > 1 || std::abs(column.last - covered / nsPerPixel) < 1e-5);
        }
        QVERIFY2(std::abs(sum - expectedSum) < 2, qPrintable(QString("%1 %2").arg(sum).arg(expectedSum)));
    }
}

void TestValueGeometry::partsOfAScale() {
    std::vector<CounterColumn> columns = {{{20, 60}, 40, 0}, {{}, kGap, 0}};
    scaleColumns(columns, {20, 100});
    QCOMPARE(columns[0].range, (ValueRange{0, 0.5}));
    QCOMPARE(columns[0].last, 0.25);
    QCOMPARE(columns[0].zero, -0.25);
    QVERIFY(columns[1].range.empty() && std::isnan(columns[1].last));
    scaleColumns(columns, {3, 3});
    QCOMPARE(columns[0].last, 0.0);
}

/// Rows of 18 lines: the foot is line 16, the top line 2.
void TestValueGeometry::inkByHand() {
    const CounterColumn half{{0.5, 0.5}, 0.5, 0};
    ColumnInk ink = inkOf(half, ValueInk::Area, 0, 18, 1);
    QCOMPARE(ink.fillTop, 9);
    QCOMPARE(ink.fillEnd, 16);
    QCOMPARE(ink.lineTop, 9);
    QCOMPARE(ink.lineEnd, 10);
    QVERIFY(ink.bandTop >= ink.bandEnd);
    ink = inkOf({{0, 1}, 0, 0}, ValueInk::Area, 0, 18, 1);
    QCOMPARE(ink.lineTop, 2);
    QCOMPARE(ink.lineEnd, 3);
    QCOMPARE(ink.bandTop, 3);
    QCOMPARE(ink.bandEnd, 17);
    ink = inkOf({{0, 1}, 0, 0}, ValueInk::Line, 0, 18, 1);
    QCOMPARE(ink.fillTop, ink.fillEnd);
    QCOMPARE(ink.lineTop, 2);
    QCOMPARE(ink.lineEnd, 17);
    // A gap leaves no ink, a share that is hardly there a line.
    ink = inkOf({{}, kGap, 0}, ValueInk::Area, 0, 18, 1);
    QVERIFY(ink.fillTop == ink.fillEnd && ink.lineTop == ink.lineEnd && ink.bandTop == ink.bandEnd);
    ink = inkOf({{0, 0}, 0, 0}, ValueInk::Solid, 0, 18, 1);
    QVERIFY(ink.lineTop >= ink.lineEnd);
    ink = inkOf({{1e-6, 1e-6}, 1e-6, 0}, ValueInk::Solid, 0, 18, 1);
    QCOMPARE(ink.lineEnd - ink.lineTop, 1);
    ink = inkOf({{1, 1}, 1, 0}, ValueInk::Solid, 0, 18, 1);
    QCOMPARE(ink.lineTop, 2);
    QCOMPARE(ink.lineEnd, 17);
}

void TestValueGeometry::stepsByHand() {
    const std::vector<TimeNs> time = {10, 20, 20, 35};
    const std::vector<double> values = {5, 900, 2, kGap};
    const CounterPyramid pyramid = CounterPyramid::build(values);
    StepView steps;
    steps.time = time;
    steps.values = values;
    steps.pyramid = &pyramid;
    QCOMPARE(steps.stepAt(15, {0, 100}), (TimeRange{10, 20}));
    QCOMPARE(steps.stepAt(20, {0, 100}), (TimeRange{20, 35}));
    QCOMPARE(steps.stepAt(3, {0, 100}), (TimeRange{0, 10}));
    QCOMPARE(steps.stepAt(99, {0, 100}), (TimeRange{35, 100}));
    QCOMPARE(steps.rangeWithin({12, 20}), (ValueRange{5, 5}));
    QCOMPARE(steps.rangeWithin({12, 21}), (ValueRange{2, 900}));
    QCOMPARE(steps.rangeWithin({20, 30}), (ValueRange{2, 2}));
    QVERIFY(steps.rangeWithin({40, 50}).empty());
}

QTEST_GUILESS_MAIN(TestValueGeometry)
#include "tst_value_geometry.moc"
