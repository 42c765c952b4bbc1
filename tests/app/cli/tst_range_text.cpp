// SPDX-License-Identifier: MIT
#include <QTest>
#include <limits>

#include "app/cli/range_text.h"

using warpline::cli::parseRange;

class TestRangeText : public QObject {
    Q_OBJECT

private slots:
    void good_data();
    void good();
    void bad_data();
    void bad();
};

void TestRangeText::good_data() {
    constexpr qlonglong kFirst = std::numeric_limits<qlonglong>::min();
    constexpr qlonglong kLast = std::numeric_limits<qlonglong>::max();
    QTest::addColumn<QString>("text");
    QTest::addColumn<qlonglong>("begin");
    QTest::addColumn<qlonglong>("end");
    QTest::newRow("ns") << "10:20" << 1010LL << 1020LL;
    QTest::newRow("named ns") << "10ns:20ns" << 1010LL << 1020LL;
    QTest::newRow("us") << "1us:2.5us" << 2000LL << 3500LL;
    QTest::newRow("ms") << "0:1.5ms" << 1000LL << 1501000LL;
    QTest::newRow("s") << "1s:2s" << 1000001000LL << 2000001000LL;
    QTest::newRow("mixed") << "500us:1ms" << 501000LL << 1001000LL;
    QTest::newRow("open start") << ":5" << kFirst << 1005LL;
    QTest::newRow("open end") << "5:" << 1005LL << kLast;
    QTest::newRow("all") << ":" << kFirst << kLast;
    QTest::newRow("before the start") << "-10:0" << 990LL << 1000LL;
}

void TestRangeText::good() {
    QFETCH(QString, text);
    QFETCH(qlonglong, begin);
    QFETCH(qlonglong, end);
    const auto range = parseRange(text.toStdString(), 1000);
    QVERIFY(range.ok());
    QCOMPARE(static_cast<qlonglong>(range.value().begin), begin);
    QCOMPARE(static_cast<qlonglong>(range.value().end), end);
}

void TestRangeText::bad_data() {
    QTest::addColumn<QString>("text");
    for (const char* text : {"", "5", "a:b", "1:2:3", "2:1", "5:5", "1m:2m", "ms:5", "1e3:2e3", "1 :2",
                             "1h:", "0x1:", "99999999999999999999:", "9223372036854775807:"}) {
        QTest::newRow(*text == '\0' ? "empty" : text) << text;
    }
}

void TestRangeText::bad() {
    QFETCH(QString, text);
    const auto range = parseRange(text.toStdString(), 1000);
    QVERIFY(!range.ok());
    QVERIFY(range.error().message.find("wanted is A:B") != std::string::npos);
}

QTEST_GUILESS_MAIN(TestRangeText)
#include "tst_range_text.moc"
