// SPDX-License-Identifier: MIT
#include <QTest>
#include <limits>

#include "core/base/json_writer.h"

using warpline::JsonWriter;

class TestJsonWriter : public QObject {
    Q_OBJECT

private slots:
    void strings_data();
    void strings();
    void numbers();
    void oneLine();
    void multiline();
    void emptyContainersStayOnTheirLine();
    void outputMayBeTakenAway();
};

void TestJsonWriter::strings_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("json");
    QTest::newRow("plain") << QByteArray("abc") << QByteArray("\"abc\"");
    QTest::newRow("empty") << QByteArray("") << QByteArray("\"\"");
    QTest::newRow("quote and backslash") << QByteArray("a\"b\\c") << QByteArray("\"a\\\"b\\\\c\"");
    QTest::newRow("control") << QByteArray("\x01\n\t\r\x1f") << QByteArray("\"\\u0001\\n\\t\\r\\u001f\"");
    QTest::newRow("delete") << QByteArray("\x7f") << QByteArray("\"\\u007f\"");
    QTest::newRow("nul") << QByteArray("a\0b", 3) << QByteArray("\"a\\u0000b\"");
    QTest::newRow("two bytes") << QByteArray("\xc3\xa4") << QByteArray("\"\xc3\xa4\"");
    QTest::newRow("four bytes") << QByteArray("\xf0\x9f\x98\x80") << QByteArray("\"\xf0\x9f\x98\x80\"");
    QTest::newRow("stray byte") << QByteArray("a\x80z") << QByteArray("\"a\xef\xbf\xbdz\"");
    QTest::newRow("cut character") << QByteArray("a\xe2\x82") << QByteArray("\"a\xef\xbf\xbd\xef\xbf\xbd\"");
    QTest::newRow("overlong") << QByteArray("\xc0\xaf") << QByteArray("\"\xef\xbf\xbd\xef\xbf\xbd\"");
    QTest::newRow("surrogate") << QByteArray("\xed\xa0\x80") << QByteArray("\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"");
    QTest::newRow("above U+10FFFF") << QByteArray("\xf4\x90\x80\x80")
                                    << QByteArray("\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"");
}

void TestJsonWriter::strings() {
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, json);
    std::string out;
    warpline::appendJsonString(out, {text.constData(), static_cast<size_t>(text.size())});
    QCOMPARE(QByteArray::fromStdString(out), json);
}

void TestJsonWriter::numbers() {
    std::string out;
    JsonWriter json(out);
    json.beginArray();
    json.integer(std::numeric_limits<int64_t>::min()).unsignedInteger(std::numeric_limits<uint64_t>::max());
    json.real(1.0).real(0.1).real(1e300).real(-2.5);
    json.real(std::numeric_limits<double>::quiet_NaN()).real(std::numeric_limits<double>::infinity());
    json.boolean(true).boolean(false).null().optionalInteger(std::nullopt).optionalInteger(7);
    json.endArray();
    QCOMPARE(out, std::string("[-9223372036854775808, 18446744073709551615, 1.0, 0.1, 1e+300, -2.5, null, null, true, "
                              "false, null, null, 7]"));
}

void TestJsonWriter::oneLine() {
    std::string out;
    JsonWriter json(out);
    json.beginObject().key("a").beginArray().integer(1).beginObject().endObject().endArray();
    json.key("b\"").raw("{\"c\": 1e5}").endObject();
    QCOMPARE(out, std::string("{\"a\": [1, {}], \"b\\\"\": {\"c\": 1e5}}"));
}

void TestJsonWriter::multiline() {
    std::string out;
    JsonWriter json(out, 2);
    json.beginObject().key("rows").beginArray();
    json.beginObject().key("x").integer(1).key("y").integer(2).endObject();
    json.beginObject().key("x").integer(3).endObject();
    json.endArray().key("total").integer(4).endObject();
    QCOMPARE(out, std::string("{\n  \"rows\": [\n    {\"x\": 1, \"y\": 2},\n    {\"x\": 3}\n  ],\n  \"total\": 4\n}"));
}

void TestJsonWriter::emptyContainersStayOnTheirLine() {
    std::string out;
    JsonWriter json(out, 9);
    json.beginObject().key("a").beginArray().endArray().endObject();
    QCOMPARE(out, std::string("{\n  \"a\": []\n}"));
}

void TestJsonWriter::outputMayBeTakenAway() {
    std::string out, all;
    JsonWriter json(out);
    json.beginArray().integer(1);
    all += out;
    out.clear();
    json.integer(2).endArray();
    all += out;
    QCOMPARE(all, std::string("[1, 2]"));
}

QTEST_GUILESS_MAIN(TestJsonWriter)
#include "tst_json_writer.moc"
