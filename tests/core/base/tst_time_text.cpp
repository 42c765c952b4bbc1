// SPDX-License-Identifier: MIT
#include <QTest>

#include "core/base/time_text.h"

using namespace warpline;

class TestTimeText : public QObject {
    Q_OBJECT

private slots:
    void good_data();
    void good();
    void bad_data();
    void bad();
    void offsets();
    void writtenAndReadAgain_data();
    void writtenAndReadAgain();
};

void TestTimeText::good_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<qlonglong>("ns");
    QTest::newRow("ns without a unit") << "12" << 12LL;
    QTest::newRow("ns") << "12ns" << 12LL;
    QTest::newRow("us") << "1.5us" << 1'500LL;
    QTest::newRow("micro sign") << QStringLiteral("7\u00b5s") << 7'000LL;
    QTest::newRow("ms, negative") << "-1.5ms" << -1'500'000LL;
    QTest::newRow("s with a blank") << "2 s" << 2'000'000'000LL;
    QTest::newRow("to the nearest ns") << "0.0016us" << 2LL;
    QTest::newRow("beyond what a double holds") << "1700000000.000000001s" << 1'700'000'000'000'000'001LL;
    QTest::newRow("nothing") << "0ms" << 0LL;
}

void TestTimeText::good() {
    QFETCH(QString, text);
    QFETCH(qlonglong, ns);
    const auto time = parseTimeText(text.toStdString());
    QVERIFY(time.has_value());
    QCOMPARE(static_cast<qlonglong>(*time), ns);
}

void TestTimeText::bad_data() {
    QTest::addColumn<QString>("text");
    for (const char* text : {"", "s", "ms", " 1ms", "1ms ", "1 ", "1e3", "1e3s", "0x1s", "1,5ms", "--1s", "1m", "1h",
                             "nan", "9223372036854775807", "1e400s"}) {
        QTest::newRow(text) << QString(text);
    }
}

void TestTimeText::bad() {
    QFETCH(QString, text);
    QVERIFY(!parseTimeText(text.toStdString()).has_value());
    QVERIFY(!parseOffsetText(text.toStdString()).has_value());
}

void TestTimeText::offsets() {
    QCOMPARE(parseOffsetText("1.5ms"), std::optional<DurationNs>(1'500'000));
    QCOMPARE(parseOffsetText("-0.5us"), std::optional<DurationNs>(-500));
    // Farther back than any event of a trace.
    QCOMPARE(parseOffsetText("-1790857026s"), std::optional<DurationNs>(-1'790'857'026'000'000'000));
    QVERIFY(!parseOffsetText("-9223372036854775807").has_value());
    QVERIFY(!parseOffsetText("--0s").has_value());
}

void TestTimeText::writtenAndReadAgain_data() {
    QTest::addColumn<qlonglong>("ns");
    QTest::addColumn<QString>("text");
    QTest::newRow("zero") << 0LL << "0";
    QTest::newRow("ns") << 999LL << "999ns";
    QTest::newRow("us") << 1'001LL << "1.001us";
    QTest::newRow("whole us") << 250'000LL << "250us";
    QTest::newRow("ms") << -1'500'000LL << "-1.5ms";
    QTest::newRow("s") << 499'995'000'000LL << "499.995s";
    QTest::newRow("too fine for ms") << 499'995'001LL << "499995.001us";
    QTest::newRow("two s") << -2'000'000'000LL << "-2s";
}

void TestTimeText::writtenAndReadAgain() {
    QFETCH(qlonglong, ns);
    QFETCH(QString, text);
    QCOMPARE(QString::fromStdString(timeText(ns)), text);
    QCOMPARE(static_cast<qlonglong>(parseTimeText(timeText(ns)).value()), ns);
}

QTEST_APPLESS_MAIN(TestTimeText)
#include "tst_time_text.moc"
