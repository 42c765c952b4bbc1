// SPDX-License-Identifier: MIT
#include <QTest>

#include "core/base/sum.h"
#include "core/base/time.h"

using namespace warpline;

namespace {
constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
constexpr int64_t kMin = std::numeric_limits<int64_t>::min();
}  // namespace

class tst_Sum : public QObject {
    Q_OBJECT

private slots:
    void whatFitsIsExact() {
        Sum sum(kMax - 10);
        sum += 10;
        QCOMPARE(sum.value(), std::optional(kMax));
        sum -= Sum(kMax);
        QCOMPARE(sum.value(), std::optional(int64_t{0}));
    }
    void whatDoesNotFitStaysUnknown() {
        Sum sum(kMax);
        sum += 1;
        QVERIFY(!sum.value());
        sum -= kMax;
        QVERIFY(!sum.known());
        Sum other(5);
        other += sum;
        QVERIFY(!other.known());
        Sum below(-kMax);
        below -= 2;
        QVERIFY(!below.known());
    }
    void unknownIsTheLargest() {
        QVERIFY(Sum::unknown() > Sum(kMax));
        QVERIFY(Sum(-1) < Sum(0));
        QVERIFY(!(Sum::unknown() < Sum::unknown()));
    }
    void ratios() {
        QCOMPARE(ratioOf(Sum(1), Sum(4)), std::optional(0.25));
        QVERIFY(!ratioOf(Sum(1), Sum(0)));
        QVERIFY(!ratioOf(Sum::unknown(), Sum(4)));
        QVERIFY(!ratioOf(Sum(1), Sum::unknown()));
    }
    void saturated() {
        QCOMPARE(addSaturated(kMax, 1), kMax);
        QCOMPARE(addSaturated(kMin, -1), kMin);
        QCOMPARE(addSaturated(-5, 3), int64_t{-2});
        QCOMPARE(distanceSaturated(kMin, kMax), kMax);
        QCOMPARE(distanceSaturated(kMax, kMin), kMin);
        QCOMPARE((TimeRange{kMin, kMax}.length()), kMax);
    }
    void differencesOfHeldTimesFit() {
        QCOMPARE(kLatestTime - kEarliestTime, kMax);
        QVERIFY(isHeldTime(9'007'199'254'740'993'000));  // 2^53 + 1 us
        QVERIFY(isHeldTime(kEarliestTime) && isHeldTime(kLatestTime));
        QVERIFY(!isHeldTime(kEarliestTime - 1) && !isHeldTime(kLatestTime + 1));
    }
};

QTEST_APPLESS_MAIN(tst_Sum)
#include "tst_sum.moc"
