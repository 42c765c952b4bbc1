// SPDX-License-Identifier: MIT
#include <QTest>

#include "core/record/nvml/throttle_reasons.h"

using namespace warpline::record;

class TestThrottleReasons : public QObject {
    Q_OBJECT

private slots:
    void text_data();
    void text();
    void onlySomeSlowDown();
};

void TestThrottleReasons::text_data() {
    QTest::addColumn<quint64>("bits");
    QTest::addColumn<QString>("text");
    QTest::newRow("none") << quint64{0} << "none";
    QTest::newRow("idle") << quint64{1} << "idle";
    QTest::newRow("power and heat") << quint64{0x44} << "power cap, thermal slowdown by the hardware";
    QTest::newRow("all") << quint64{0x1ff}
                         << "idle, application clocks setting, power cap, hardware slowdown, sync boost, thermal "
                            "slowdown by the driver, thermal slowdown by the hardware, power brake, display clocks "
                            "setting";
    QTest::newRow("unknown") << quint64{0x8000000000000a00} << "reason 0x200, reason 0x800, reason 0x8000000000000000";
}

void TestThrottleReasons::text() {
    QFETCH(quint64, bits);
    QFETCH(QString, text);
    QCOMPARE(QString::fromStdString(throttleReasonText(bits)), text);
}

void TestThrottleReasons::onlySomeSlowDown() {
    QCOMPARE(slowingReasons(0x1 | 0x2 | 0x10 | 0x100 | 0x800), uint64_t{0});
    QCOMPARE(slowingReasons(0x1ff), uint64_t{0x4 | 0x8 | 0x20 | 0x40 | 0x80});
}

QTEST_GUILESS_MAIN(TestThrottleReasons)
#include "tst_throttle_reasons.moc"
