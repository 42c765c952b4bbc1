// SPDX-License-Identifier: MIT
#include <QTest>

#include <thread>

#include "core/record/inject/module_queue.h"

using namespace warpline::capture;
using namespace warpline::record;

class TestModuleQueue : public QObject {
    Q_OBJECT

private slots:
    void copiesSmallOnes();
    void borrowsLargeOnes();
    void borrowsWhatFindsNoRoom();
    void letsGoOfThoseThatWait();
    void refusesWhenClosed();
    void manyThreads();
};

ModuleHead headOf(uint32_t module) {
    ModuleHead head;
    head.module = module;
    head.time = 5;
    return head;
}

/// Who loads code may free it at once.
void TestModuleQueue::copiesSmallOnes() {
    ModuleQueue queue;
    std::string code(1000, 'a');
    QVERIFY(queue.put(headOf(1), code));
    code.assign(1000, 'b');
    int count = 0;
    queue.takeAll([&](const ModuleHead& head, std::string_view bytes) {
        ++count;
        QCOMPARE(head.module, 1U);
        QCOMPARE(head.time, 5);
        QCOMPARE(head.bytes, 1000U);
        QCOMPARE(head.hash, ModuleQueue::hashOf(std::string(1000, 'a')));
        QCOMPARE(std::string(bytes), std::string(1000, 'a'));
    });
    QCOMPARE(count, 1);
    queue.takeAll([&](const ModuleHead&, std::string_view) { ++count; });
    QCOMPARE(count, 1);
    QCOMPARE(queue.close(), 0U);
}

/// The thread that loads waits until its code was read where it lies.
void TestModuleQueue::borrowsLargeOnes() {
    ModuleQueue queue;
    std::string code(ModuleQueue::kLargestCopied + 1, 'x');
    std::atomic<bool> isBack{false}, wasPut{false};
    std::thread loader([&] {
        wasPut = queue.put(headOf(2), code);
        code.assign(code.size(), 'y');
        isBack = true;
    });
    int count = 0;
    bool isWhole = true, isBorrowed = true;
    while (count == 0) {
        queue.takeAll([&](const ModuleHead& head, std::string_view bytes) {
            ++count;
            isBorrowed = bytes.data() == code.data() && !isBack;
            isWhole = head.bytes == bytes.size() && bytes.find_first_not_of('x') == std::string_view::npos;
        });
    }
    loader.join();
    QVERIFY(isWhole);
    QVERIFY(isBorrowed);
    QVERIFY(wasPut);
}

void TestModuleQueue::borrowsWhatFindsNoRoom() {
    ModuleQueue queue;
    const std::string code(ModuleQueue::kLargestCopied, 'x');
    QVERIFY(queue.put(headOf(1), code));
    std::thread second([&] { QVERIFY(queue.put(headOf(2), code)); });
    std::vector<uint32_t> modules;
    while (modules.size() < 2) {
        queue.takeAll([&](const ModuleHead& head, std::string_view) { modules.push_back(head.module); });
    }
    second.join();
    QCOMPARE(modules, (std::vector<uint32_t>{1, 2}));
    // There is room again.
    QVERIFY(queue.put(headOf(3), code));
    QCOMPARE(queue.close(), 1U);
}

void TestModuleQueue::letsGoOfThoseThatWait() {
    ModuleQueue queue;
    const std::string code(ModuleQueue::kLargestCopied + 1, 'x');
    std::atomic<bool> isWaiting{false};
    std::atomic<int> result{-1};
    std::thread loader([&] {
        isWaiting = true;
        result = queue.put(headOf(1), code) ? 1 : 0;
    });
    while (!isWaiting) {
        std::this_thread::yield();
    }
    QCOMPARE(queue.close(), 0U);
    loader.join();
    QCOMPARE(result.load(), 0);
}

void TestModuleQueue::refusesWhenClosed() {
    ModuleQueue queue;
    QVERIFY(queue.put(headOf(1), "a"));
    QVERIFY(queue.put(headOf(2), "b"));
    QCOMPARE(queue.close(), 2U);
    QVERIFY(!queue.put(headOf(3), "c"));
    int count = 0;
    queue.takeAll([&](const ModuleHead&, std::string_view) { ++count; });
    QCOMPARE(count, 0);
}

void TestModuleQueue::manyThreads() {
    ModuleQueue queue;
    constexpr int kThreads = 4, kEach = 200;
    std::atomic<int> running{kThreads}, put{0};
    std::vector<std::thread> loaders;
    for (int i = 0; i < kThreads; ++i) {
        loaders.emplace_back([&, i] {
            for (int n = 0; n < kEach; ++n) {
                const std::string code(n % 50 == 0 ? ModuleQueue::kLargestCopied + 1 : 5000, char('a' + i));
                put += queue.put(headOf(uint32_t(i)), code) ? 1 : 0;
            }
            --running;
        });
    }
    int taken = 0;
    bool isGood = true;
    for (bool isLast = false; !isLast;) {
        isLast = running == 0;
        queue.takeAll([&](const ModuleHead& head, std::string_view code) {
            ++taken;
            isGood = isGood && code.front() == char('a' + head.module) && code.back() == code.front() &&
                     head.hash == ModuleQueue::hashOf(code);
        });
        std::this_thread::yield();
    }
    for (std::thread& loader : loaders) {
        loader.join();
    }
    QVERIFY(isGood);
    QCOMPARE(taken + int(queue.close()), put.load());
    QCOMPARE(put.load(), kThreads * kEach);
}

QTEST_GUILESS_MAIN(TestModuleQueue)
#include "tst_module_queue.moc"
