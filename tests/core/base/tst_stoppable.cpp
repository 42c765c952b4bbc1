// SPDX-License-Identifier: MIT
#include <QTest>
#include <numeric>
#include <random>

#include "core/base/stoppable.h"

using namespace warpline;

class tst_Stoppable : public QObject {
    Q_OBJECT

private slots:
    void sortsStably() {
        std::vector<uint32_t> items(50'000);
        std::iota(items.begin(), items.end(), 0U);
        std::shuffle(items.begin(), items.end(), std::mt19937(1));
        std::vector<uint32_t> expected = items;
        std::stable_sort(expected.begin(), expected.end(), [](uint32_t a, uint32_t b) { return a / 10 < b / 10; });
        QVERIFY(stableSortByKeyUnlessStopped(
            items, [](uint32_t i) { return i / 10; }, JobControl()));
        QCOMPARE(items, expected);
    }
    void stops() {
        JobControl job;
        std::vector<uint32_t> items(200'000);
        std::iota(items.rbegin(), items.rend(), 0U);
        size_t compared = 0;
        const auto less = [&](uint32_t a, uint32_t b) {
            if (++compared == 100'000) {
                job.requestStop();
            }
            return a < b;
        };
        QVERIFY(!stableSortUnlessStopped(items, less, job));
        QVERIFY(compared < 110'000);
    }
    void pollAsksOnceInAWhile() {
        JobControl job;
        StopPoll poll(job);
        QVERIFY(!poll.stopRequested());
        job.requestStop();
        int steps = 1;
        while (!poll.stopRequested()) {
            ++steps;
        }
        QVERIFY(steps <= 10'000);
    }
};

QTEST_APPLESS_MAIN(tst_Stoppable)
#include "tst_stoppable.moc"
