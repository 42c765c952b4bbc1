// SPDX-License-Identifier: MIT
#include <QTest>

#include "core/trace/event_id.h"

using namespace warpline;

class tst_EventId : public QObject {
    Q_OBJECT

private slots:
    void numbers_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<qint64>("number");  // -1: none
        QTest::newRow("zero") << QByteArray("0") << qint64(0);
        QTest::newRow("plain") << QByteArray("42") << qint64(42);
        QTest::newRow("largest") << QByteArray("999999999999999999") << qint64(999'999'999'999'999'999);
        QTest::newRow("too large") << QByteArray("1000000000000000000") << qint64(-1);
        QTest::newRow("leading zero") << QByteArray("042") << qint64(-1);
        QTest::newRow("two zeros") << QByteArray("00") << qint64(-1);
        QTest::newRow("sign") << QByteArray("-1") << qint64(-1);
        QTest::newRow("hexadecimal") << QByteArray("0x1") << qint64(-1);
        QTest::newRow("fraction") << QByteArray("1.0") << qint64(-1);
        QTest::newRow("space") << QByteArray(" 1") << qint64(-1);
        QTest::newRow("empty") << QByteArray("") << qint64(-1);
    }
    void numbers() {
        QFETCH(QByteArray, text);
        QFETCH(qint64, number);
        const auto found = idNumber(std::string_view(text.data(), size_t(text.size())));
        QCOMPARE(found ? qint64(*found) : -1, number);
    }
    void numbersAndTextsDiffer() {
        QVERIFY(EventId::ofNumber(7) != EventId(StringId(7)));
        QVERIFY(EventId::ofNumber(7) == EventId::ofNumber(7));
        QVERIFY(EventId::ofNumber(EventId::kMaxNumber).isNumber());
        QCOMPARE(EventId::ofNumber(EventId::kMaxNumber).number(), EventId::kMaxNumber);
        QCOMPARE(EventId(StringId(0xffffffffU)).text().value, 0xffffffffU);
        QVERIFY(EventId().text().empty());
    }
};

QTEST_APPLESS_MAIN(tst_EventId)
#include "tst_event_id.moc"
