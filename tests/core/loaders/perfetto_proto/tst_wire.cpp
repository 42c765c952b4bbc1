// SPDX-License-Identifier: MIT
#include <QTest>

#include "core/loaders/perfetto_proto/wire.h"
#include "tests/support/perfetto_trace.h"

using namespace warpline::loaders::perfetto_proto;
using warpline::test::Message;

namespace {

std::string_view view(const QByteArray& bytes) {
    return {bytes.constData(), size_t(bytes.size())};
}

}  // namespace

class tst_Wire : public QObject {
    Q_OBJECT

private slots:
    void varints_data();
    void varints();
    void fields();
    void cutFieldsFail();
    void malformed_data();
    void malformed();
    void packedLists();
};

void tst_Wire::varints_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<bool>("isOk");
    QTest::addColumn<quint64>("value");
    QTest::addColumn<int>("length");
    QTest::newRow("zero") << QByteArray("\0", 1) << true << quint64(0) << 1;
    QTest::newRow("127") << QByteArray("\x7f") << true << quint64(127) << 1;
    QTest::newRow("300, and more behind it") << QByteArray("\xac\x02\x05") << true << quint64(300) << 2;
    QTest::newRow("longer than needed") << QByteArray("\x81\x80\x00", 3) << true << quint64(1) << 3;
    QTest::newRow("largest") << QByteArray("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01") << true << ~quint64(0) << 10;
    QTest::newRow("65 bits") << QByteArray("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02") << false << quint64(0) << 0;
    QTest::newRow("11 bytes") << QByteArray("\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x00", 11) << false << quint64(0)
                              << 0;
    QTest::newRow("cut") << QByteArray("\xff\xff") << false << quint64(0) << 0;
    QTest::newRow("empty") << QByteArray() << false << quint64(0) << 0;
}

void tst_Wire::varints() {
    QFETCH(QByteArray, bytes);
    QFETCH(bool, isOk);
    QFETCH(quint64, value);
    QFETCH(int, length);
    size_t place = 0;
    const auto read = readVarint(view(bytes), place);
    QCOMPARE(read.has_value(), isOk);
    QCOMPARE(place, size_t(length));
    QCOMPARE(read.value_or(0), uint64_t(value));
}

void tst_Wire::fields() {
    const QByteArray bytes = Message()
                                 .number(1, quint64(-2))
                                 .real(2, 0.5)
                                 .text(536870911, "text")
                                 .raw(QByteArray("\x25\x01\x00\x00\x80", 5))
                                 .text(5, "")
                                 .bytes();
    WireReader reader(view(bytes));
    QVERIFY(reader.next());
    QCOMPARE(reader.field().number, 1U);
    QCOMPARE(reader.field().asSigned(), int64_t(-2));
    QVERIFY(reader.next());
    QCOMPARE(reader.field().asDouble(), 0.5);
    QVERIFY(reader.next());
    QCOMPARE(reader.field().number, 536870911U);
    QCOMPARE(reader.field().bytes, std::string_view("text"));
    QVERIFY(reader.next());
    QCOMPARE(reader.field().number, 4U);
    QVERIFY(reader.field().type == WireType::Fixed32);
    QCOMPARE(reader.field().value, uint64_t(0x80000001));
    QVERIFY(reader.next());
    QVERIFY(reader.field().isBytes() && reader.field().bytes.empty());
    QVERIFY(!reader.next());
    QVERIFY(!reader.failed());
}

void tst_Wire::cutFieldsFail() {
    const QByteArray bytes = Message().number(1, 300).real(2, 1).text(3, "text").raw("\x25\x01\x02\x03\x04").bytes();
    const QList<qsizetype> whole = {0, 3, 12, 18, 23};  // lengths at which a field is whole
    for (qsizetype length = 0; length <= bytes.size(); ++length) {
        const QByteArray cut = bytes.left(length);
        WireReader reader(view(cut));
        while (reader.next()) {
        }
        QCOMPARE(reader.failed(), !whole.contains(length));
    }
}

void tst_Wire::malformed_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::newRow("field 0") << QByteArray("\x02\x00", 2);
    QTest::newRow("group") << QByteArray("\x0b\x0c");
    QTest::newRow("end of a group") << QByteArray("\x0c");
    QTest::newRow("sort 7") << QByteArray("\x0f\x00", 2);
    QTest::newRow("number above 29 bits") << QByteArray("\x80\x80\x80\x80\x10\x00", 6);
    QTest::newRow("length of 64 bits") << QByteArray("\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01x");
}

void tst_Wire::malformed() {
    QFETCH(QByteArray, bytes);
    WireReader reader(view(bytes));
    QVERIFY(!reader.next());
    QVERIFY(reader.failed());
    QVERIFY(!reader.next());
}

void tst_Wire::packedLists() {
    std::vector<uint64_t> values;
    const auto take = [&](uint64_t value) { values.push_back(value); };
    const QByteArray list("\x01\xac\x02", 3);
    WireField field;
    field.type = WireType::Bytes;
    field.bytes = view(list);
    QVERIFY(forEachNumber(field, false, take));
    QCOMPARE(values, (std::vector<uint64_t>{1, 300}));
    field.bytes = view(list).substr(0, 2);
    QVERIFY(!forEachNumber(field, false, take));
    values.clear();
    const QByteArray fixed = Message().fixed64(1, 7).bytes().mid(1) + Message().fixed64(1, 8).bytes().mid(1);
    field.bytes = view(fixed);
    QVERIFY(forEachNumber(field, true, take));
    QCOMPARE(values, (std::vector<uint64_t>{7, 8}));
    field.bytes = view(fixed).substr(1);
    QVERIFY(!forEachNumber(field, true, take));
}

QTEST_APPLESS_MAIN(tst_Wire)
#include "tst_wire.moc"
