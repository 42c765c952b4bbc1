// SPDX-License-Identifier: MIT
#include <QTest>

#include "core/loaders/perfetto_proto/clocks.h"

using namespace warpline;
using namespace warpline::loaders::perfetto_proto;

class tst_Clocks : public QObject {
    Q_OBJECT

private slots:
    void theTracesOwnClock();
    void theSnapshotBeforeCounts();
    void incrementalClocksOfSequences();
    void throughAnotherClock();
    void clocksThatNothingTies();
    void numbersThatAreTooLarge();
    void wallClock();
    void hostileSnapshots();
};

void tst_Clocks::theTracesOwnClock() {
    Clocks clocks;
    QCOMPARE(clocks.traceClock(), kBootClock);
    const auto time = clocks.packetTime(1, kBootClock, 5);
    QCOMPARE(time.ns, std::optional<TimeNs>(5));
    QVERIFY(time.isOnTraceClock);
    clocks.addSnapshot(1, {{kMonotonicClock, 100}, {kBootClock, 1100}}, kMonotonicClock);
    clocks.addSnapshot(1, {{kMonotonicClock, 200}, {kBootClock, 1200}}, kBootClock);  // too late to change
    QCOMPARE(clocks.traceClock(), kMonotonicClock);
    QCOMPARE(clocks.packetTime(1, kBootClock, 1150).ns, std::optional<TimeNs>(150));
}

void tst_Clocks::theSnapshotBeforeCounts() {
    Clocks clocks;
    clocks.addSnapshot(1, {{kMonotonicClock, 100}, {kBootClock, 1000}}, {});
    clocks.addSnapshot(1, {{kMonotonicClock, 200}, {kBootClock, 1500}}, {});  // slept between
    QCOMPARE(clocks.packetTime(1, kMonotonicClock, 199).ns, std::optional<TimeNs>(1099));
    QCOMPARE(clocks.packetTime(1, kMonotonicClock, 200).ns, std::optional<TimeNs>(1500));
    QCOMPARE(clocks.packetTime(1, kMonotonicClock, 250).ns, std::optional<TimeNs>(1550));
    QCOMPARE(clocks.packetTime(1, kMonotonicClock, 50).ns, std::optional<TimeNs>(950));
}

void tst_Clocks::incrementalClocksOfSequences() {
    Clocks clocks;
    clocks.addSnapshot(1, {{64, 10, true, 1000}, {kBootClock, 10'500}}, {});
    clocks.addSnapshot(2, {{64, 70, true, 1}, {kBootClock, 100}}, {});
    QCOMPARE(clocks.packetTime(1, 64, 3).ns, std::optional<TimeNs>(13'500));
    QCOMPARE(clocks.packetTime(2, 64, 1).ns, std::optional<TimeNs>(101));
    QCOMPARE(clocks.packetTime(1, 64, 2).ns, std::optional<TimeNs>(15'500));
    QCOMPARE(clocks.packetTime(1, 64, 0).ns, std::optional<TimeNs>(15'500));
    clocks.addSnapshot(1, {{64, 20, true, 1000}, {kBootClock, 20'700}}, {});
    QCOMPARE(clocks.packetTime(1, 64, 1).ns, std::optional<TimeNs>(21'700));
}

void tst_Clocks::throughAnotherClock() {
    Clocks clocks;
    clocks.addSnapshot(1, {{64, 10, true, 1000}, {kMonotonicClock, 10'007}}, {});
    QVERIFY(!clocks.packetTime(1, 64, 0).isOnTraceClock);  // nothing is known of the boot clock yet
    clocks.addSnapshot(9, {{kMonotonicClock, 20'000}, {kBootClock, 25'000}}, {});
    const auto time = clocks.packetTime(1, 64, 1);
    QVERIFY(time.isOnTraceClock);
    QCOMPARE(time.ns, std::optional<TimeNs>(16'007));
}

void tst_Clocks::clocksThatNothingTies() {
    Clocks clocks;
    const auto time = clocks.packetTime(1, 77, 5);
    QCOMPARE(time.ns, std::optional<TimeNs>(5));
    QVERIFY(!time.isOnTraceClock);
    QVERIFY(!clocks.sharedTime(kMonotonicClock, 5).isOnTraceClock);
}

void tst_Clocks::numbersThatAreTooLarge() {
    Clocks clocks;
    QVERIFY(!clocks.packetTime(1, kBootClock, ~uint64_t{0}).ns.has_value());
    clocks.addSnapshot(1, {{64, 1, false, ~uint64_t{0}}, {65, 1, false, 0}, {kBootClock, 9}}, {});
    QVERIFY(!clocks.packetTime(1, 64, 2).ns.has_value());
    QCOMPARE(clocks.packetTime(1, 65, 2).ns, std::optional<TimeNs>(10));  // a unit of nothing is one of 1 ns
    clocks.addSnapshot(1, {{kMonotonicClock, 1}, {kBootClock, uint64_t{1} << 62}}, {});
    QVERIFY(clocks.packetTime(1, kMonotonicClock, uint64_t{1} << 62).ns.has_value());
}

void tst_Clocks::wallClock() {
    Clocks clocks;
    QVERIFY(!clocks.wallClockAtZero().has_value());
    clocks.addSnapshot(1, {{kBootClock, 1000}, {kRealtimeClock, 1'700'000'000'000'001'000}}, {});
    QCOMPARE(clocks.wallClockAtZero(), std::optional<int64_t>(1'700'000'000'000'000'000));
}

void tst_Clocks::hostileSnapshots() {
    Clocks clocks;
    std::vector<ClockReading> many;
    for (uint32_t i = 0; i < 100'000; ++i) {
        many.push_back({128 + i, i});
    }
    clocks.addSnapshot(1, many, {});
    for (uint64_t i = 0; i < 1000; ++i) {
        clocks.addSnapshot(1, {{kMonotonicClock, 5000 - i}, {kBootClock, i}, {kBootClock, i}}, {});
    }
    QVERIFY(clocks.packetTime(1, kMonotonicClock, 1).ns.has_value());
}

QTEST_APPLESS_MAIN(tst_Clocks)
#include "tst_clocks.moc"
