// SPDX-License-Identifier: MIT
#include <QTest>
#include <atomic>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>

#include "core/base/parallel.h"

using namespace warpline;

class tst_Parallel : public QObject {
    Q_OBJECT

private slots:
    void everyPieceOnce() {
        for (const unsigned threads : {0U, 1U, 2U, 7U}) {
            for (const size_t count : {size_t(0), size_t(1), size_t(3), size_t(1000)}) {
                std::vector<std::atomic<int>> calls(count);
                parallelFor(count, threads, [&](size_t i) { ++calls[i]; });
                QVERIFY(std::ranges::all_of(calls, [](const auto& n) { return n == 1; }));
            }
        }
    }
    void piecesRunAtTheSameTime() {
        // Each of two pieces waits for the other to have begun.
        std::atomic<int> begun{0};
        parallelFor(2, 2, [&](size_t) {
            ++begun;
            while (begun < 2) {
                std::this_thread::yield();
            }
        });
        QCOMPARE(begun.load(), 2);
    }
    void aFailureArrives() {
        std::atomic<int> calls{0};
        const auto work = [&](size_t i) {
            ++calls;
            if (i == 3) {
                throw std::runtime_error("piece 3");
            }
        };
        QVERIFY_THROWS_EXCEPTION(std::runtime_error, parallelFor(1000, 1, work));
        QCOMPARE(calls.load(), 4);
        QVERIFY_THROWS_EXCEPTION(std::runtime_error, parallelFor(1000, 3, work));
    }
    void thereIsAThread() { QVERIFY(usableThreads() >= 1); }
};

QTEST_APPLESS_MAIN(tst_Parallel)
#include "tst_parallel.moc"
