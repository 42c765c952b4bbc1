// SPDX-License-Identifier: MIT
#include <QTest>
#include <numeric>

#include <algorithm>
#include <random>

#include "core/trace/nesting.h"

using namespace warpline;

namespace {

/// The rules written out by comparing every pair.
struct Expected {
    std::vector<uint32_t> parent;
    std::vector<uint32_t> overlapping;
};

bool holds(const Interval& outer, const Interval& inner) {
    const bool equal = outer.begin == inner.begin && outer.end == inner.end;
    return outer.begin <= inner.begin && inner.end <= outer.end && (inner.begin < outer.end || equal);
}

Expected byComparison(const std::vector<Interval>& slices) {
    Expected out;
    for (uint32_t i = 0; i < slices.size(); ++i) {
        uint32_t parent = Nesting::kNoParent;
        bool overlaps = false;
        for (uint32_t k = 0; k < i; ++k) {
            if (holds(slices[k], slices[i])) {
                parent = k;
            }
            overlaps = overlaps || (slices[k].begin < slices[i].begin && slices[i].begin < slices[k].end &&
                                    slices[k].end < slices[i].end);
        }
        out.parent.push_back(parent);
        if (overlaps) {
            out.overlapping.push_back(i);
        }
    }
    return out;
}

std::vector<Interval> randomSlices(std::mt19937& random, int count, int span, int length) {
    std::vector<Interval> slices;
    for (int i = 0; i < count; ++i) {
        const TimeNs begin = static_cast<TimeNs>(random() % static_cast<unsigned>(span));
        slices.push_back({begin, begin + static_cast<TimeNs>(random() % static_cast<unsigned>(length))});
    }
    std::ranges::stable_sort(slices, [](const Interval& a, const Interval& b) {
        return a.begin != b.begin ? a.begin < b.begin : a.end > b.end;
    });
    return slices;
}

Nesting nest(const std::vector<Interval>& slices) {
    // The columns hold the slices from last to first, so that the order counts.
    std::vector<TimeNs> begin;
    std::vector<DurationNs> duration;
    std::vector<uint32_t> order(slices.size());
    std::iota(order.rbegin(), order.rend(), 0U);
    for (auto slice = slices.rbegin(); slice != slices.rend(); ++slice) {
        begin.push_back(slice->begin);
        duration.push_back(slice->end - slice->begin);
    }
    Nesting nesting = nestSlices({begin, duration, order}, JobControl()).value();
    if (nesting.lane.empty()) {
        nesting.lane = nesting.depth;
    }
    return nesting;
}

}  // namespace

class tst_Nesting : public QObject {
    Q_OBJECT

private slots:
    void properNesting();
    void equalIntervalsNestInOrder();
    void touchingSlicesAreNeighbours();
    void partialOverlapIsNobodysChild();
    void lengthZero();
    void randomAgreesWithComparison_data();
    void randomAgreesWithComparison();
    void aStaircaseOfOverlapsTakesNoQuadraticTime();
};

void tst_Nesting::properNesting() {
    const Nesting n = nest(std::vector<Interval>{{0, 100}, {10, 40}, {20, 30}, {50, 60}, {100, 110}});
    QCOMPARE(n.parent, (std::vector<uint32_t>{Nesting::kNoParent, 0, 1, 0, Nesting::kNoParent}));
    QCOMPARE(n.depth, (std::vector<uint32_t>{0, 1, 2, 1, 0}));
    QCOMPARE(n.lane, n.depth);
    QCOMPARE(n.laneCount, 3U);
    QVERIFY(n.overlapping.empty());
}

void tst_Nesting::equalIntervalsNestInOrder() {
    const Nesting n = nest(std::vector<Interval>{{5, 9}, {5, 9}, {5, 9}});
    QCOMPARE(n.parent, (std::vector<uint32_t>{Nesting::kNoParent, 0, 1}));
}

void tst_Nesting::touchingSlicesAreNeighbours() {
    const Nesting n = nest(std::vector<Interval>{{0, 10}, {10, 20}, {20, 21}});
    QCOMPARE(n.laneCount, 1U);
    QVERIFY(n.overlapping.empty());
}

void tst_Nesting::partialOverlapIsNobodysChild() {
    const Nesting n = nest(std::vector<Interval>{{4000, 7500}, {6000, 8250}, {6500, 7000}, {10000, 11000}});
    QCOMPARE(n.parent, (std::vector<uint32_t>{Nesting::kNoParent, Nesting::kNoParent, 1, Nesting::kNoParent}));
    QCOMPARE(n.lane, (std::vector<uint32_t>{0, 1, 2, 0}));
    QCOMPARE(n.overlapping, std::vector<uint32_t>{1});
}

void tst_Nesting::lengthZero() {
    // At the start of a slice it lies inside, at its end it does not.
    const Nesting n = nest(std::vector<Interval>{{100, 110}, {100, 100}, {110, 115}, {110, 110}});
    QCOMPARE(n.parent, (std::vector<uint32_t>{Nesting::kNoParent, 0, Nesting::kNoParent, 2}));
    QVERIFY(n.overlapping.empty());
    const Nesting seam = nest(std::vector<Interval>{{0, 10}, {10, 10}});
    QCOMPARE(seam.parent, (std::vector<uint32_t>{Nesting::kNoParent, Nesting::kNoParent}));
    QCOMPARE(seam.laneCount, 1U);
}

void tst_Nesting::randomAgreesWithComparison_data() {
    QTest::addColumn<int>("count");
    QTest::addColumn<int>("span");
    QTest::addColumn<int>("length");
    QTest::newRow("dense") << 60 << 20 << 20;
    QTest::newRow("many equal") << 60 << 6 << 5;
    QTest::newRow("short") << 200 << 400 << 8;
    QTest::newRow("long") << 100 << 100 << 300;
}

void tst_Nesting::randomAgreesWithComparison() {
    QFETCH(int, count);
    QFETCH(int, span);
    QFETCH(int, length);
    std::mt19937 random(7);
    for (int round = 0; round < 200; ++round) {
        const std::vector<Interval> slices = randomSlices(random, count, span, length);
        const Nesting n = nest(slices);
        const Expected expected = byComparison(slices);
        QCOMPARE(n.parent, expected.parent);
        QCOMPARE(n.overlapping, expected.overlapping);
        std::vector<TimeNs> laneEnd(n.laneCount, -1);
        for (size_t i = 0; i < slices.size(); ++i) {
            QVERIFY(slices[i].begin >= laneEnd[n.lane[i]]);
            laneEnd[n.lane[i]] = slices[i].end;
            if (n.parent[i] != Nesting::kNoParent) {
                QVERIFY(n.lane[i] > n.lane[n.parent[i]]);
                QCOMPARE(n.depth[i], n.depth[n.parent[i]] + 1);
            }
        }
    }
}

void tst_Nesting::aStaircaseOfOverlapsTakesNoQuadraticTime() {
    // Each overlaps all others; with a walk over open slices or lanes this would not end within the test's time limit.
    std::vector<Interval> slices;
    constexpr TimeNs kCount = 300'000;
    for (TimeNs i = 0; i < kCount; ++i) {
        slices.push_back({i, i + kCount});
    }
    const Nesting n = nest(slices);
    QCOMPARE(n.laneCount, static_cast<uint32_t>(kCount));
    QCOMPARE(n.overlapping.size(), static_cast<size_t>(kCount - 1));
}

QTEST_GUILESS_MAIN(tst_Nesting)
#include "tst_nesting.moc"
