// SPDX-License-Identifier: MIT
#include <QTest>

#include "core/base/decimal_time.h"

using namespace warpline;

namespace {

/// From a text with digits right behind it, which are not its own.
std::optional<TimeNs> padded(const QByteArray& text, DecimalError& error) {
    const std::string longer = text.toStdString() + std::string(kPaddedTimeBytes, '7');
    return nsFromPaddedMicrosText(std::string_view(longer).substr(0, static_cast<size_t>(text.size())), &error);
}

}  // namespace

class tst_DecimalTime : public QObject {
    Q_OBJECT

private slots:
    void reads_data();
    void reads();
    void refuses_data();
    void refuses();
    void paddedAgrees();
    void writesWhatItReads_data();
    void writesWhatItReads();
};

void tst_DecimalTime::reads_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<qint64>("ns");
    const auto row = [](const char* text, qint64 ns) { QTest::newRow(text) << QByteArray(text) << ns; };
    row("0", 0);
    row("12", 12'000);
    row("12.", 12'000);
    row(".5", 500);
    row("1.057", 1'057);
    row("1.5", 1'500);
    row("-3.5e2", -350'000);
    row("+7", 7'000);
    row("1.0569999999999999", 1'057);  // rounded, not cut
    row("1.0004", 1'000);
    row("1.0005", 1'001);  // half away from zero
    row("-1.0005", -1'001);
    row("0.0004", 0);
    row("5110050593696.860", 5'110'050'593'696'860);
    row("1714123456789012.381", 1'714'123'456'789'012'381);  // a double would give …012.500
    row("1.7000000000000045e+15", 1'700'000'000'000'004'500);
    row("17000000000000200e-1", 1'700'000'000'000'020'000);
    row("1.25E1", 12'500);
    row("0e999999", 0);
    row("1e-400", 0);
    row("9123372036854775.807", warpline::kLatestTime);
    row("-100000000000000", warpline::kEarliestTime);
    row("000000000000000000000012", 12'000);
    row("999999999999999.999", 999'999'999'999'999'999);
}

void tst_DecimalTime::reads() {
    QFETCH(QByteArray, text);
    QFETCH(qint64, ns);
    DecimalError error = DecimalError::NotANumber;
    const auto value = nsFromMicrosText(text.toStdString(), &error);
    QVERIFY(value.has_value());
    QCOMPARE(qint64(*value), ns);
    QCOMPARE(error, DecimalError::None);
    QCOMPARE(padded(text, error), value);
    QCOMPARE(error, DecimalError::None);
}

void tst_DecimalTime::refuses_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<int>("why");
    for (const char* text :
         {"", " 1", "1 ", "soon", "nan", "inf", "-", ".", "1e", "1e+", "1.2.3", "0x10", "1,5", "--1"}) {
        QTest::newRow(text) << QByteArray(text) << int(DecimalError::NotANumber);
    }
    for (const char* text : {"-100000000000000.001", "9123372036854775.808", "9123372036854775.8075",
                             "9223372036854775.808", "1e16", "-1e300", "1e999999999999", "92233720368547758070"}) {
        QTest::newRow(text) << QByteArray(text) << int(DecimalError::OutOfRange);
    }
}

void tst_DecimalTime::refuses() {
    QFETCH(QByteArray, text);
    QFETCH(int, why);
    DecimalError error = DecimalError::None;
    QVERIFY(!nsFromMicrosText(text.toStdString(), &error).has_value());
    QCOMPARE(int(error), why);
    QVERIFY(!padded(text, error).has_value());
    QCOMPARE(int(error), why);
}

/// Every number of digits before and after the point, with whatever stands behind it.
void tst_DecimalTime::paddedAgrees() {
    const std::string digits = "9081726354091827364";
    size_t count = 0;
    for (size_t whole = 0; whole <= digits.size(); ++whole) {
        for (size_t decimals = 0; decimals <= 5; ++decimals) {
            for (const char* behind : {"", "5", ".", "x", "-", "\xb5"}) {
                const std::string text =
                    digits.substr(0, whole) + (decimals > 0 ? "." : "") + digits.substr(0, decimals) + behind;
                DecimalError error = DecimalError::None;
                const auto expected = nsFromMicrosText(text, &error);
                DecimalError paddedError = DecimalError::None;
                QCOMPARE(padded(QByteArray::fromStdString(text), paddedError), expected);
                QCOMPARE(paddedError, expected ? DecimalError::None : error);
                count += expected ? 1 : 0;
            }
        }
    }
    QVERIFY(count > 200);
}

void tst_DecimalTime::writesWhatItReads_data() {
    QTest::addColumn<qint64>("ns");
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("zero") << qint64(0) << QByteArray("0");
    QTest::newRow("whole") << qint64(12'000) << QByteArray("12");
    QTest::newRow("tenths") << qint64(1'500) << QByteArray("1.5");
    QTest::newRow("hundred") << qint64(100'000) << QByteArray("100");
    QTest::newRow("negative") << qint64(-1) << QByteArray("-0.001");
    QTest::newRow("largest") << qint64(warpline::kLatestTime) << QByteArray("9123372036854775.807");
}

void tst_DecimalTime::writesWhatItReads() {
    QFETCH(qint64, ns);
    QFETCH(QByteArray, text);
    QCOMPARE(QByteArray::fromStdString(microsTextFromNs(ns)), text);
    QCOMPARE(qint64(nsFromMicrosText(text.toStdString()).value()), ns);
}

QTEST_APPLESS_MAIN(tst_DecimalTime)
#include "tst_decimal_time.moc"
