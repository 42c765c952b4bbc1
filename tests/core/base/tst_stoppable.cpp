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
    void sortsWhatIsNearlyInOrder_data() {
        QTest::addColumn<std::vector<uint32_t>>("items");
        const auto row = [](const char* name, size_t count, auto value) {
            std::vector<uint32_t> items(count);
            for (size_t i = 0; i < count; ++i) {
                items[i] = static_cast<uint32_t>(value(static_cast<uint32_t>(i)));
            }
            QTest::addRow("%s, %zu", name, count) << items;
        };
        for (const size_t count : {0, 1, 2, 3, 23, 24, 25, 47, 48, 49, 50, 97, 1000, 4097}) {
            row("ascending", count, [](uint32_t i) { return i; });
            row("descending", count, [](uint32_t i) { return 5000 - i; });
            row("equal", count, [](uint32_t) { return 7; });
            row("two runs", count, [=](uint32_t i) { return i < count / 3 ? i * 10 : (i - count / 3) * 7; });
            row("runs of 30", count, [](uint32_t i) { return i % 30 * 100 + i / 30; });
            row("sawtooth down", count, [](uint32_t i) { return 100 - i % 100 + i / 100; });
            row("one out of place", count, [=](uint32_t i) { return i == count / 2 ? 0 : i + 1; });
            row("last is first", count, [=](uint32_t i) { return i + 1 == count ? 0 : i + 1; });
            std::mt19937 random(static_cast<uint32_t>(count));
            row("random", count, [&](uint32_t) { return random() % 2000; });
        }
    }
    void sortsWhatIsNearlyInOrder() {
        QFETCH(std::vector<uint32_t>, items);
        // The low bits say where an item stood; they take no part in the order.
        for (size_t i = 0; i < items.size(); ++i) {
            items[i] = items[i] << 13 | static_cast<uint32_t>(i);
        }
        std::vector<uint32_t> expected = items;
        const auto key = [](uint32_t item) { return item >> 13; };
        std::stable_sort(expected.begin(), expected.end(), [&](uint32_t a, uint32_t b) { return key(a) < key(b); });
        QVERIFY(stableSortByKeyUnlessStopped(items, key, JobControl()));
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
