// SPDX-License-Identifier: MIT
#include <QTest>

#include <thread>

#include "core/record/inject/launch_ring.h"

using namespace warpline::record;

namespace {

struct Note {
    uint32_t thread = 0;
    uint32_t number = 0;
    uint64_t check = 0;
};

Note noteOf(uint32_t thread, uint32_t number) {
    return {thread, number, (uint64_t{thread} << 32 | number) * 31};
}

}  // namespace

class TestLaunchRing : public QObject {
    Q_OBJECT

private slots:
    void keepsOrder();
    void isFull();
    void goesRound();
    void manyProducers();
};

void TestLaunchRing::keepsOrder() {
    LaunchRing<Note> ring(8);
    Note note;
    QVERIFY(!ring.pop(note));
    for (uint32_t i = 0; i < 5; ++i) {
        QVERIFY(ring.push(noteOf(0, i)));
    }
    QCOMPARE(ring.claimed(), 5U);
    for (uint32_t i = 0; i < 5; ++i) {
        QVERIFY(ring.pop(note));
        QCOMPARE(note.number, i);
    }
    QCOMPARE(ring.taken(), 5U);
    QVERIFY(!ring.pop(note));
}

void TestLaunchRing::isFull() {
    LaunchRing<Note> ring(4);
    for (uint32_t i = 0; i < 4; ++i) {
        QVERIFY(ring.push(noteOf(0, i)));
    }
    QVERIFY(!ring.push(noteOf(0, 4)));
    QCOMPARE(ring.claimed(), 4U);
    Note note;
    QVERIFY(ring.pop(note));
    QCOMPARE(note.number, 0U);
    QVERIFY(ring.push(noteOf(0, 5)));
    QVERIFY(!ring.push(noteOf(0, 6)));
}

void TestLaunchRing::goesRound() {
    LaunchRing<Note> ring(4);
    Note note;
    for (uint32_t i = 0; i < 1000; ++i) {
        QVERIFY(ring.push(noteOf(1, i)));
        QVERIFY(ring.push(noteOf(2, i)));
        QVERIFY(ring.pop(note));
        QCOMPARE(note.thread, 1U);
        QVERIFY(ring.pop(note));
        QCOMPARE(note.thread, 2U);
        QCOMPARE(note.number, i);
    }
}

/// Of each producer all that went in comes out, once, whole and in its order; what is refused is only so when it is
/// full.
void TestLaunchRing::manyProducers() {
    constexpr uint32_t kProducers = 4, kEach = 50'000;
    LaunchRing<Note> ring(256);
    std::atomic<uint32_t> running{kProducers};
    std::vector<std::thread> producers;
    for (uint32_t producer = 0; producer < kProducers; ++producer) {
        producers.emplace_back([&ring, &running, producer] {
            for (uint32_t i = 0; i < kEach; ++i) {
                while (!ring.push(noteOf(producer, i))) {
                    std::this_thread::yield();
                }
            }
            --running;
        });
    }
    uint32_t next[kProducers] = {};
    bool isGood = true;
    Note note;
    for (;;) {
        const bool isLast = running == 0;
        bool gotOne = false;
        while (ring.pop(note)) {
            gotOne = true;
            isGood = isGood && note.thread < kProducers && note.number == next[note.thread] &&
                     note.check == noteOf(note.thread, note.number).check;
            ++next[note.thread % kProducers];
        }
        if (isLast && !gotOne) {
            break;
        }
        std::this_thread::yield();
    }
    for (std::thread& producer : producers) {
        producer.join();
    }
    QVERIFY(isGood);
    for (const uint32_t count : next) {
        QCOMPARE(count, kEach);
    }
}

QTEST_GUILESS_MAIN(TestLaunchRing)
#include "tst_launch_ring.moc"
