// SPDX-License-Identifier: MIT
#include <QtTest>

#include "core/devices/occupancy.h"

using namespace warpline;

class tst_Occupancy : public QObject {
    Q_OBJECT
private slots:
    void hopper_data() {
        QTest::addColumn<int>("threads");
        QTest::addColumn<int>("registers");
        QTest::addColumn<int>("shared");
        QTest::addColumn<int>("blocks");
        QTest::addColumn<double>("ratio");
        QTest::addColumn<QString>("limiter");
        // By hand for 64 warps, 32 blocks, 65,536 registers and 228 KiB of shared memory a multiprocessor.
        QTest::newRow("full") << 256 << 26 << 0 << 8 << 1.0 << "warps";
        QTest::newRow("registers, 184 x 8 warps: one block") << 256 << 184 << 147456 << 1 << 0.125 << "registers";
        QTest::newRow("shared memory") << 128 << 32 << 147456 << 1 << 0.0625 << "shared_memory";
        QTest::newRow("above 48 KB is no obstacle") << 384 << 168 << 213188 << 1 << 0.1875 << "registers";
        // 40 registers x 32 = 1,280 a warp: 51 warps fit by the sum, but 12 in each of four partitions: 48.
        QTest::newRow("registers by partition") << 128 << 39 << 24 << 12 << 0.75 << "registers";
        QTest::newRow("blocks") << 32 << 16 << 0 << 32 << 0.5 << "blocks";
        // (2,064 + 1,024) rounds to 3,200: 72 blocks; 56 registers x 32 = 1,792: 36 warps.
        QTest::newRow("reduce") << 128 << 54 << 2064 << 9 << 0.5625 << "registers";
        QTest::newRow("a part of a warp takes a whole one") << 33 << 16 << 0 << 32 << 1.0 << "warps";
        QTest::newRow("too much shared memory") << 128 << 32 << 232449 << 0 << 0.0 << "shared_memory";
        QTest::newRow("too many threads") << 1025 << 16 << 0 << 0 << 0.0 << "warps";
        QTest::newRow("too many registers") << 1024 << 65 << 0 << 0 << 0.0 << "registers";
    }
    void hopper() {
        QFETCH(int, threads);
        QFETCH(int, registers);
        QFETCH(int, shared);
        QFETCH(int, blocks);
        QFETCH(double, ratio);
        QFETCH(QString, limiter);
        const auto occupancy = computeOccupancy(*smLimitsOf(9, 0), threads, registers, shared);
        QVERIFY(occupancy.has_value());
        QCOMPARE(occupancy->activeBlocks, int64_t{blocks});
        QCOMPARE(occupancy->ratio, ratio);
        const auto name = occupancyLimiterName(occupancy->limiter);
        QCOMPARE(QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size())), limiter);
    }
    void otherGenerations() {
        // 8.6: 48 warps, 16 blocks, 100 KiB; 7.5: 32 warps, no reserve; 12.0: 24 blocks.
        QCOMPARE(computeOccupancy(*smLimitsOf(8, 6), 32, 16, 0)->activeBlocks, int64_t{16});
        QCOMPARE(computeOccupancy(*smLimitsOf(8, 6), 1024, 16, 0)->ratio, 32.0 / 48);
        QCOMPARE(computeOccupancy(*smLimitsOf(8, 6), 128, 16, 24 * 1024)->activeBlocks, int64_t{4});
        QCOMPARE(computeOccupancy(*smLimitsOf(7, 5), 128, 16, 16 * 1024)->activeBlocks, int64_t{4});
        QCOMPARE(computeOccupancy(*smLimitsOf(12, 0), 32, 16, 0)->activeBlocks, int64_t{24});
        QVERIFY(!smLimitsOf(6, 0).has_value());
        QVERIFY(!smLimitsOf(99, 0).has_value());
    }
    void theTraceKnowsItsDeviceBetter() {
        DeviceInfo device;
        QVERIFY(!smLimitsOf(device).has_value());
        device.computeMajor = 9;
        device.computeMinor = 0;
        device.maxThreadsPerSm = 1024;
        device.sharedBytesPerSm = 102400;
        const auto limits = smLimitsOf(device);
        QCOMPARE(limits->maxWarps, int64_t{32});
        QCOMPARE(limits->sharedBytes, int64_t{102400});
        QCOMPARE(limits->registers, int64_t{65536});
    }
    void unknownNumbers() {
        const SmLimits sm = *smLimitsOf(9, 0);
        QVERIFY(!computeOccupancy(sm, 0, 16, 0).has_value());
        QVERIFY(!computeOccupancy(sm, 128, -1, 0).has_value());
        QVERIFY(!computeOccupancy(sm, 128, 16, -1).has_value());
        QVERIFY(!computeOccupancy(sm, int64_t{1} << 50, 16, 0).has_value());
    }
    void waves() {
        const SmLimits sm = *smLimitsOf(9, 0);
        QCOMPARE(*computeWaves(*computeOccupancy(sm, 256, 184, 147456), 512, 132), 512.0 / 132);
        QCOMPARE(*computeWaves(*computeOccupancy(sm, 256, 26, 0), 16384, 132), 16384.0 / (132 * 8));
        QVERIFY(!computeWaves(*computeOccupancy(sm, 1025, 16, 0), 512, 132).has_value());
        QVERIFY(!computeWaves(*computeOccupancy(sm, 256, 26, 0), 512, 0).has_value());
    }
};

QTEST_APPLESS_MAIN(tst_Occupancy)
#include "tst_occupancy.moc"
