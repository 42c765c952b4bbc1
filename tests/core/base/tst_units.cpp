// SPDX-License-Identifier: MIT
#include <QtTest>
#include <limits>

#include "core/base/units.h"

using namespace warpline;

namespace {
QString text(const std::string& s) {
    return QString::fromStdString(s);
}
}  // namespace

class tst_Units : public QObject {
    Q_OBJECT
private slots:
    void durations_data() {
        QTest::addColumn<qint64>("ns");
        QTest::addColumn<QString>("expected");
        QTest::newRow("zero") << qint64{0} << "0 ns";
        QTest::newRow("ns") << qint64{812} << "812 ns";
        QTest::newRow("us") << qint64{12345} << "12.345 µs";
        QTest::newRow("last us") << qint64{999999} << "999.999 µs";
        QTest::newRow("ms") << qint64{1234000} << "1.234 ms";
        QTest::newRow("rounds into the next unit") << qint64{999999999} << "1.000 s";
        QTest::newRow("s") << qint64{2500000000} << "2.500 s";
        QTest::newRow("almost a minute") << qint64{59999999999} << "1 min 0.0 s";
        QTest::newRow("minutes") << qint64{192000000000} << "3 min 12.0 s";
        QTest::newRow("tenths carry") << qint64{119960000000} << "2 min 0.0 s";
        QTest::newRow("negative") << qint64{-1500} << "-1.500 µs";
        QTest::newRow("least") << std::numeric_limits<qint64>::min() << "-153722867 min 16.9 s";
    }
    void durations() {
        QFETCH(qint64, ns);
        QFETCH(QString, expected);
        QCOMPARE(text(formatDuration(DurationNs{ns})), expected);
    }
    void fractionalDurations() {
        QCOMPARE(text(formatDuration(198062.7)), QStringLiteral("198.063 µs"));
        QCOMPARE(text(formatDuration(12.0)), QStringLiteral("12 ns"));
        QCOMPARE(text(formatDuration(12.26)), QStringLiteral("12.3 ns"));
        QCOMPARE(text(formatDuration(999.96)), QStringLiteral("1.000 µs"));
        QCOMPARE(text(formatDuration(std::numeric_limits<double>::quiet_NaN())), QStringLiteral("n/a"));
    }
    void bytes() {
        QCOMPARE(text(formatBytes(512)), QStringLiteral("512 B"));
        QCOMPARE(text(formatBytes(4096)), QStringLiteral("4.00 KiB"));
        QCOMPARE(text(formatBytes(1.5 * 1024 * 1024 * 1024)), QStringLiteral("1.50 GiB"));
        QCOMPARE(text(formatBytes(1024 * 1024 - 1)), QStringLiteral("1.00 MiB"));
        QCOMPARE(text(formatBytes(-2048)), QStringLiteral("-2.00 KiB"));
    }
    void counts() {
        QCOMPARE(text(formatCount(0)), QStringLiteral("0"));
        QCOMPARE(text(formatCount(999)), QStringLiteral("999"));
        QCOMPARE(text(formatCount(1000)), QStringLiteral("1,000"));
        QCOMPARE(text(formatCount(1234567)), QStringLiteral("1,234,567"));
        QCOMPARE(text(formatCountOf(0, "track")), QStringLiteral("0 tracks"));
        QCOMPARE(text(formatCountOf(1, "track")), QStringLiteral("1 track"));
        QCOMPARE(text(formatCountOf(1234, "track")), QStringLiteral("1,234 tracks"));
        QCOMPARE(text(formatCountOf(1, "process", "processes")), QStringLiteral("1 process"));
        QCOMPARE(text(formatCountOf(2, "process", "processes")), QStringLiteral("2 processes"));
    }
    void ratios() {
        QCOMPARE(text(formatRatio(0.1234)), QStringLiteral("12.3 %"));
        QCOMPARE(text(formatRatio(1)), QStringLiteral("100.0 %"));
        QCOMPARE(text(formatRatio(-0.00001)), QStringLiteral("0.0 %"));
    }
    void rates() {
        QCOMPARE(text(formatRate(366.2e12, "FLOP/s")), QStringLiteral("366 TFLOP/s"));
        QCOMPARE(text(formatRate(1.54e12, "B/s")), QStringLiteral("1.54 TB/s"));
        QCOMPARE(text(formatRate(12.34e9, "B/s")), QStringLiteral("12.3 GB/s"));
        QCOMPARE(text(formatRate(999.6e9, "B/s")), QStringLiteral("1.00 TB/s"));
        QCOMPARE(text(formatRate(12, "B/s")), QStringLiteral("12 B/s"));
        QCOMPARE(text(formatRate(0, "B/s")), QStringLiteral("0 B/s"));
    }
};

QTEST_APPLESS_MAIN(tst_Units)
#include "tst_units.moc"
