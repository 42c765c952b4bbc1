// SPDX-License-Identifier: MIT
#include <QTest>

#include <set>
#include <thread>

#include "core/record/inject/buffer_pool.h"

using namespace warpline::record;
using std::chrono::milliseconds;

class TestBufferPool : public QObject {
    Q_OBJECT

private slots:
    void handsOutAll();
    void spares();
    void filledInOrder();
    void emptyAndOverlong();
    void foreign();
    void growth();
    void wakes();
    void manyThreads();
};

constexpr size_t kFew = 4;

void TestBufferPool::handsOutAll() {
    BufferPool pool(kFew);
    std::set<uint8_t*> all;
    for (size_t i = 0; i < kFew + BufferPool::kSpares; ++i) {
        uint8_t* bytes = pool.take();
        QVERIFY(bytes != nullptr);
        QCOMPARE(reinterpret_cast<uintptr_t>(bytes) % 8, uintptr_t{0});
        bytes[0] = bytes[BufferPool::kBufferBytes - 1] = 1;
        QVERIFY(all.insert(bytes).second);
    }
    for (uint8_t* bytes : all) {
        const auto next = all.upper_bound(bytes);
        QVERIFY(next == all.end() || *next - bytes >= ptrdiff_t(BufferPool::kBufferBytes));
    }
    QVERIFY(pool.take() == nullptr);
    QCOMPARE(pool.bytesHeld(), (kFew + BufferPool::kSpares) * BufferPool::kBufferBytes);
    pool.takeFilled(*all.begin(), 0);
    QCOMPARE(pool.take(), *all.begin());
}

/// What stands in a buffer beyond the number of buffers is counted and dropped, and the buffer comes back as what it
/// was.
void TestBufferPool::spares() {
    BufferPool pool(kFew);
    std::vector<uint8_t*> taken;
    for (size_t i = 0; i < kFew + 2; ++i) {
        taken.push_back(pool.take());
        pool.takeFilled(taken.back(), 100);
    }
    FilledBuffer buffer;
    for (size_t i = 0; i < kFew + 2; ++i) {
        QVERIFY(pool.next(buffer, milliseconds(0)));
        QCOMPARE(buffer.isSpare, i >= kFew);
        pool.giveBack(buffer);
    }
    for (size_t i = 0; i < kFew; ++i) {
        pool.takeFilled(pool.take(), 100);
        QVERIFY(pool.next(buffer, milliseconds(0)));
        QVERIFY(!buffer.isSpare);
        // Not given back: the next is another one.
    }
    pool.takeFilled(pool.take(), 100);
    QVERIFY(pool.next(buffer, milliseconds(0)));
    QVERIFY(buffer.isSpare);
}

void TestBufferPool::filledInOrder() {
    BufferPool pool(kFew);
    std::vector<uint8_t*> taken{pool.take(), pool.take(), pool.take()};
    for (size_t i = 0; i < 3; ++i) {
        pool.takeFilled(taken[i], 10 * (i + 1));
    }
    FilledBuffer buffer;
    for (size_t i = 0; i < 3; ++i) {
        QVERIFY(pool.next(buffer, milliseconds(0)));
        QCOMPARE(buffer.bytes, taken[i]);
        QCOMPARE(buffer.validBytes, 10 * (i + 1));
    }
    QVERIFY(!pool.next(buffer, milliseconds(0)));
}

void TestBufferPool::emptyAndOverlong() {
    BufferPool pool(kFew);
    FilledBuffer buffer;
    pool.takeFilled(pool.take(), 0);
    QVERIFY(!pool.next(buffer, milliseconds(0)));
    pool.takeFilled(pool.take(), SIZE_MAX);
    QVERIFY(pool.next(buffer, milliseconds(0)));
    QCOMPARE(buffer.validBytes, BufferPool::kBufferBytes);
}

void TestBufferPool::foreign() {
    BufferPool pool(kFew);
    uint8_t* own = pool.take();
    uint8_t other[64] = {};
    for (uint8_t* bytes : {static_cast<uint8_t*>(nullptr), other, own + 8,
                           own + BufferPool::kBufferBytes * (kFew + BufferPool::kSpares)}) {
        pool.takeFilled(bytes, 40);
    }
    QCOMPARE(pool.foreignBuffers(), 4U);
    FilledBuffer buffer;
    QVERIFY(!pool.next(buffer, milliseconds(0)));
    pool.takeFilled(own, 40);
    QVERIFY(pool.next(buffer, milliseconds(0)));
}

void TestBufferPool::growth() {
    BufferPool pool;
    QCOMPARE(pool.bytesHeld(), BufferPool::kFirstBuffers * BufferPool::kBufferBytes);
    pool.growAheadOfNeed();
    QCOMPARE(pool.bytesHeld(), BufferPool::kFirstBuffers * BufferPool::kBufferBytes);
    for (size_t i = 0; i < BufferPool::kFirstBuffers; ++i) {
        QVERIFY(pool.take() != nullptr);
    }
    pool.growAheadOfNeed();
    const size_t grown = pool.bytesHeld();
    QVERIFY(grown > BufferPool::kFirstBuffers * BufferPool::kBufferBytes);
    pool.growAheadOfNeed();
    QCOMPARE(pool.bytesHeld(), grown);
    while (pool.take() != nullptr) {
        pool.growAheadOfNeed();
    }
    QCOMPARE(pool.bytesHeld(), (BufferPool::kMostBuffers + BufferPool::kSpares) * BufferPool::kBufferBytes);
    QVERIFY(pool.bytesHeld() <= size_t{36} << 20);
}

void TestBufferPool::wakes() {
    BufferPool pool(kFew);
    std::thread waker([&] { pool.wake(); });
    FilledBuffer buffer;
    QVERIFY(!pool.next(buffer, std::chrono::minutes(10)));
    waker.join();
}

/// Each buffer that was filled is read once.
void TestBufferPool::manyThreads() {
    BufferPool pool(kFew);
    constexpr int kThreads = 4, kEach = 5000;
    std::atomic<int> filled{0}, refused{0};
    std::atomic<bool> isDone{false};
    std::vector<std::thread> threads;
    for (int i = 0; i < kThreads; ++i) {
        threads.emplace_back([&] {
            for (int n = 0; n < kEach; ++n) {
                uint8_t* bytes = pool.take();
                if (bytes == nullptr) {
                    ++refused;
                    continue;
                }
                bytes[0] = 7;
                pool.takeFilled(bytes, 1);
                ++filled;
            }
        });
    }
    std::thread grower([&] {
        while (!isDone) {
            pool.growAheadOfNeed();
        }
    });
    int read = 0;
    FilledBuffer buffer;
    std::thread closer([&] {
        for (std::thread& thread : threads) {
            thread.join();
        }
        isDone = true;
        pool.wake();
    });
    for (;;) {
        const bool wasDone = isDone;
        if (pool.next(buffer, milliseconds(5))) {
            QCOMPARE(buffer.bytes[0], uint8_t{7});
            buffer.bytes[0] = 0;
            pool.giveBack(buffer);
            ++read;
        } else if (wasDone) {
            break;
        }
    }
    closer.join();
    grower.join();
    QCOMPARE(read, filled.load());
    QCOMPARE(filled + refused, kThreads * kEach);
}

QTEST_GUILESS_MAIN(TestBufferPool)
#include "tst_buffer_pool.moc"
