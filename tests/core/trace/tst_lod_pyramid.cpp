// SPDX-License-Identifier: MIT
#include <QTest>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "core/trace/lod_pyramid.h"

using namespace warpline;

namespace {

struct LaneData {
    std::vector<TimeNs> begin;
    std::vector<DurationNs> duration;
    TimeNs end(size_t row) const { return begin[row] + duration[row]; }
};

enum class Shape { Dense, Sparse, Bursts, ZeroLength, Mixed };

LaneData makeLane(Shape shape, size_t rows, TimeNs start, uint32_t seed) {
    std::mt19937_64 random(seed);
    const auto below = [&](int64_t limit) { return static_cast<int64_t>(random() % static_cast<uint64_t>(limit)); };
    LaneData lane;
    TimeNs now = start;
    for (size_t row = 0; row < rows; ++row) {
        DurationNs gap = 0;
        DurationNs length = 0;
        switch (shape) {
            case Shape::Dense:
                length = 1 + below(200);
                break;
            case Shape::Sparse:
                gap = below(2'000'000);
                length = below(3'000);
                break;
            case Shape::Bursts:
                gap = row % 37 == 0 ? below(5'000'000) : below(20);
                length = below(400);
                break;
            case Shape::ZeroLength:
                gap = below(3) == 0 ? below(1000) : 0;
                break;
            case Shape::Mixed:
                gap = below(50);
                length = below(500) == 0 ? below(3'000'000) : below(30);
                break;
        }
        now += gap;
        lane.begin.push_back(now);
        lane.duration.push_back(length);
        now += length;
    }
    return lane;
}

/// The columns that [begin, end) paints: its first pixel always, others as far as it reaches into them.
void paint(std::vector<char>& columns, TimeRange view, double nsPerPixel, TimeNs begin, TimeNs end) {
    const auto first = static_cast<int64_t>(std::floor(static_cast<double>(begin - view.begin) / nsPerPixel));
    const auto last =
        std::max(first + 1, static_cast<int64_t>(std::ceil(static_cast<double>(end - view.begin) / nsPerPixel)));
    for (int64_t x = std::max<int64_t>(first, 0); x < std::min<int64_t>(last, static_cast<int64_t>(columns.size()));
         ++x) {
        columns[static_cast<size_t>(x)] = 1;
    }
}

std::vector<LodBar> collect(const LaneData& lane, TimeRange view, double nsPerPixel) {
    std::vector<LodBar> bars;
    LodPyramid::build(lane.begin, lane.duration).collect(lane.begin, lane.duration, view, nsPerPixel, bars);
    return bars;
}

}  // namespace

class tst_LodPyramid : public QObject {
    Q_OBJECT

private slots:
    void emptyLane();
    void paintsWhatAScanPaints_data();
    void paintsWhatAScanPaints();
    void sumsAreKept();
    void busyTimeEqualsAScan_data();
    void busyTimeEqualsAScan();
    void gapOverAPixelIsNotPaintedOver();
    void sliceAtViewEdgeIsSeen();
    void groupingDoesNotDependOnTheView();
    void farApartTimesDoNotOverflow();
    void appendsToWhatIsThere();
};

void tst_LodPyramid::emptyLane() {
    QVERIFY(collect({}, {0, 100}, 1).empty());
}

void tst_LodPyramid::paintsWhatAScanPaints_data() {
    QTest::addColumn<int>("shape");
    QTest::addColumn<int>("rows");
    QTest::addColumn<qint64>("start");
    const std::pair<const char*, Shape> shapes[] = {{"dense", Shape::Dense},
                                                    {"sparse", Shape::Sparse},
                                                    {"bursts", Shape::Bursts},
                                                    {"zero length", Shape::ZeroLength},
                                                    {"mixed", Shape::Mixed}};
    for (const auto& [name, shape] : shapes) {
        for (const int rows : {1, 16, 17, 256, 257, 5000, 70'000}) {
            for (const qint64 start : {qint64(0), qint64(1'700'000'000'000'000'000)}) {
                QTest::addRow("%s, %d rows at %lld", name, rows, start) << static_cast<int>(shape) << rows << start;
            }
        }
    }
}

void tst_LodPyramid::paintsWhatAScanPaints() {
    QFETCH(int, shape);
    QFETCH(int, rows);
    QFETCH(qint64, start);
    const LaneData lane = makeLane(static_cast<Shape>(shape), static_cast<size_t>(rows), start, 7);
    const LodPyramid pyramid = LodPyramid::build(lane.begin, lane.duration);
    const TimeRange all{lane.begin.front(), lane.end(lane.begin.size() - 1) + 1};
    std::mt19937_64 random(static_cast<uint64_t>(rows));
    constexpr int kColumns = 1000;

    for (int trial = 0; trial < 40; ++trial) {
        TimeRange view = all;
        if (trial > 0) {
            const DurationNs length =
                1 + static_cast<DurationNs>(random() % static_cast<uint64_t>((all.length() >> (trial % 20)) + 1));
            view.begin = all.begin - length / 2 +
                         static_cast<DurationNs>(random() % static_cast<uint64_t>(all.length() + length / 2 + 1));
            view.end = view.begin + length;
        }
        const double nsPerPixel = static_cast<double>(view.length()) / kColumns;
        std::vector<LodBar> bars;
        pyramid.collect(lane.begin, lane.duration, view, nsPerPixel, bars);

        std::vector<char> expected(kColumns), drawn(kColumns);
        std::vector<uint32_t> wide;
        for (uint32_t row = 0; row < lane.begin.size(); ++row) {
            if (lane.begin[row] < view.end && lane.end(row) >= view.begin) {
                paint(expected, view, nsPerPixel, lane.begin[row], lane.end(row));
                if (static_cast<double>(lane.duration[row]) > nsPerPixel) {
                    wide.push_back(row);
                }
            }
        }
        std::vector<uint32_t> wideBars;
        TimeNs lastEnd = std::numeric_limits<TimeNs>::min();
        for (const LodBar& bar : bars) {
            paint(drawn, view, nsPerPixel, bar.begin, bar.end);
            QVERIFY(bar.begin >= lastEnd);
            lastEnd = bar.end;
            QVERIFY(bar.begin < view.end && bar.end >= view.begin);
            QVERIFY(bar.row >= bar.first && bar.row < bar.first + bar.count);
            QVERIFY(bar.first + bar.count <= lane.begin.size());
            QCOMPARE(bar.begin, lane.begin[bar.first]);
            QCOMPARE(bar.end, lane.end(bar.first + bar.count - 1));
            QVERIFY(lane.begin[bar.row] >= bar.begin && lane.end(bar.row) <= bar.end);
            if (bar.count == 1) {
                QCOMPARE(bar.begin, lane.begin[bar.row]);
                QCOMPARE(bar.end, lane.end(bar.row));
            } else {
                QVERIFY(static_cast<double>(bar.end - bar.begin) <= nsPerPixel);
            }
            if (static_cast<double>(bar.end - bar.begin) > nsPerPixel) {
                wideBars.push_back(bar.row);
            }
        }
        QCOMPARE(drawn, expected);
        QCOMPARE(wideBars, wide);
        if (nsPerPixel >= 1) {
            QVERIFY2(bars.size() <= 2 * kColumns + 4, qPrintable(QString::number(bars.size())));
        }
    }
}

void tst_LodPyramid::busyTimeEqualsAScan_data() {
    paintsWhatAScanPaints_data();
}

void tst_LodPyramid::busyTimeEqualsAScan() {
    QFETCH(int, shape);
    QFETCH(int, rows);
    QFETCH(qint64, start);
    const LaneData lane = makeLane(static_cast<Shape>(shape), static_cast<size_t>(rows), start, 19);
    const LodPyramid pyramid = LodPyramid::build(lane.begin, lane.duration);
    const TimeRange all{lane.begin.front(), lane.end(lane.begin.size() - 1) + 1};
    std::mt19937_64 random(static_cast<uint64_t>(rows));
    for (int trial = 0; trial < 30; ++trial) {
        const auto some = [&] {
            return all.begin - 5 + static_cast<TimeNs>(random() % static_cast<uint64_t>(all.length() + 10));
        };
        const TimeRange range = trial == 0 ? all : TimeRange{some(), some()};
        DurationNs expected = 0;
        for (size_t row = 0; row < lane.begin.size(); ++row) {
            expected += TimeRange{lane.begin[row], lane.end(row)}.intersected(range).length();
        }
        QCOMPARE(pyramid.busyWithin(lane.begin, lane.duration, range), range.empty() ? 0 : expected);
    }
}

void tst_LodPyramid::sumsAreKept() {
    const LaneData lane = makeLane(Shape::Mixed, 50'000, 0, 3);
    const TimeRange all{0, lane.end(lane.begin.size() - 1) + 1};
    DurationNs busy = 0;
    for (const DurationNs d : lane.duration) {
        busy += d;
    }
    const auto longest =
        static_cast<uint32_t>(std::max_element(lane.duration.begin(), lane.duration.end()) - lane.duration.begin());
    for (const double nsPerPixel : {1.0, 97.0, 1e4, 1e6, 1e12}) {
        const std::vector<LodBar> bars = collect(lane, all, nsPerPixel);
        DurationNs barBusy = 0;
        uint64_t count = 0;
        bool longestSeen = false;
        for (const LodBar& bar : bars) {
            barBusy += bar.busy;
            count += bar.count;
            longestSeen = longestSeen || bar.row == longest;
        }
        QCOMPARE(barBusy, busy);
        QCOMPARE(count, static_cast<uint64_t>(lane.begin.size()));
        QVERIFY(longestSeen);
    }
    QCOMPARE(collect(lane, all, 1e12).size(), 1U);
}

void tst_LodPyramid::gapOverAPixelIsNotPaintedOver() {
    LaneData lane;
    for (int i = 0; i < 32; ++i) {
        lane.begin.push_back(i < 16 ? i * 2 : 1000 + i * 2);
        lane.duration.push_back(2);
    }
    // 100 ns a pixel: 16 rows fit in one, the gap is ten wide.
    const std::vector<LodBar> bars = collect(lane, {0, 2000}, 100);
    QCOMPARE(bars.size(), 2U);
    QCOMPARE(bars[0].begin, 0);
    QCOMPARE(bars[0].end, 32);
    QCOMPARE(bars[0].count, 16U);
    QCOMPARE(bars[1].begin, 1032);
    QCOMPARE(bars[1].end, 1064);
}

void tst_LodPyramid::sliceAtViewEdgeIsSeen() {
    const LaneData lane{{0, 10, 10, 20}, {10, 0, 5, 10}};
    std::vector<uint32_t> rows;
    for (const LodBar& bar : collect(lane, {10, 20}, 0.01)) {
        rows.push_back(bar.row);
    }
    // Row 3 begins where the view ends, which does not belong to it.
    QCOMPARE(rows, (std::vector<uint32_t>{0, 1, 2}));
}

void tst_LodPyramid::groupingDoesNotDependOnTheView() {
    // Evenly spaced, so that a grouping which starts at the view's edge would never fall into step again.
    LaneData lane;
    for (int i = 0; i < 30'000; ++i) {
        lane.begin.push_back(i * 700);
        lane.duration.push_back(600);
    }
    const TimeNs end = lane.end(lane.begin.size() - 1);
    const double nsPerPixel = 5'000;
    const TimeRange view{end / 3, end / 3 + 1000 * 5'000};
    const auto inner = [&](TimeRange v) {
        std::vector<std::pair<TimeNs, TimeNs>> bars;
        for (const LodBar& bar : collect(lane, v, nsPerPixel)) {
            if (bar.begin > view.begin + 100'000 && bar.end < view.end - 100'000) {
                bars.emplace_back(bar.begin, bar.end);
            }
        }
        return bars;
    };
    const auto still = inner(view);
    QVERIFY(still.size() > 50);
    for (const TimeNs shift : {1, 777, 2'500, 4'999}) {
        QCOMPARE(inner({view.begin + shift, view.end + shift}), still);
    }
}

void tst_LodPyramid::farApartTimesDoNotOverflow() {
    LaneData lane;
    constexpr TimeNs kFar = 9'000'000'000'000'000'000;
    for (int i = 0; i < 20; ++i) {
        lane.begin.push_back(i < 10 ? -kFar + i * 10 : kFar + i * 10);
        lane.duration.push_back(5);
    }
    const std::vector<LodBar> bars = collect(lane, {-kFar, kFar + 1000}, 1000);
    QCOMPARE(bars.size(), 2U);
    QCOMPARE(bars[0].count, 10U);
    QCOMPARE(bars[1].count, 10U);
}

void tst_LodPyramid::appendsToWhatIsThere() {
    const LaneData lane{{0, 4}, {2, 2}};
    std::vector<LodBar> bars(1);
    LodPyramid::build(lane.begin, lane.duration).collect(lane.begin, lane.duration, {0, 10}, 100, bars);
    QCOMPARE(bars.size(), 2U);
    QCOMPARE(bars[0].end, 0);
    QCOMPARE(bars[1].count, 2U);
}

QTEST_APPLESS_MAIN(tst_LodPyramid)
#include "tst_lod_pyramid.moc"
