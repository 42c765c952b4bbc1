// SPDX-License-Identifier: MIT
#include <QTest>

#include "core/loaders/chrome_trace/json_text.h"

using namespace warpline;
using namespace warpline::loaders::chrome_trace;

class tst_JsonText : public QObject {
    Q_OBJECT

private slots:
    void scansValues_data();
    void scansValues();
    void refusesValues_data();
    void refusesValues();
    void everyPrefixOfAValueNeedsMore();
    void listsMembers();
    void writesStrictJson_data();
    void writesStrictJson();
    void deepNestingIsNoRecursion();
    void stopsWhenAsked();
};

void tst_JsonText::scansValues_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<int>("end");
    QTest::addColumn<uint>("oddities");
    const auto row = [](const char* text, int end, uint oddities) {
        QTest::newRow(text) << QByteArray(text) << end << oddities;
    };
    row("12,", 2, 0);
    row(" -1.5e3 ]", 7, 0);
    row("\"a\\\"b\" x", 6, 0);
    row("[1, [2, {}], \"]\"] ", 17, 0);
    row("{\"a\": {\"b\": [true, null]}}", 26, 0);
    row("nan}", 3, kOddWord);
    row("N/A,", 3, kOddWord);
    row("01,", 2, kOddWord);
    row("[1,,2]", 6, kStrayComma);
    row("[1,]", 4, kStrayComma);
    row("{\"a\": 1,}", 9, kStrayComma);
    row("{\"a\": 0,5, \"b\": 1}", 18, kOddWord);
    row("{\"a\": , \"b\": 1}", 15, kOddWord);
    row("[[[[1]]]]", 9, kTooDeep);
    row("\"C:\\dir\"", 8, 0);
}

void tst_JsonText::scansValues() {
    QFETCH(QByteArray, text);
    QFETCH(int, end);
    QFETCH(uint, oddities);
    const Scan scan = scanValue(text.toStdString(), 0, 3);
    QCOMPARE(scan.status, ScanStatus::Ok);
    QCOMPARE(int(scan.end), end);
    QCOMPARE(scan.oddities, oddities);
}

void tst_JsonText::refusesValues_data() {
    QTest::addColumn<QByteArray>("text");
    for (const char* text : {"[1}", "{\"a\" 1}", "{\"a\": 1]", "[\"a\"b\"]", "{\"a\": \"b\"c\"}", "{1: 2}", ":",
                             "[1 2 \"x\"]", "{\"x\":1,\"a\":,5}", "[{\"a\":1,\"b\":,-2}]"}) {
        QTest::newRow(text) << QByteArray(text);
    }
}

void tst_JsonText::refusesValues() {
    QFETCH(QByteArray, text);
    QCOMPARE(scanValue(text.toStdString(), 0, 9).status, ScanStatus::Broken);
}

void tst_JsonText::everyPrefixOfAValueNeedsMore() {
    const std::string text = R"({"a": [1, "x\"y", {"b": null}], "c": "\\", "d": 1.5})";
    std::vector<Member> members;
    for (size_t length = 1; length < text.size(); ++length) {
        QCOMPARE(scanValue(std::string_view(text).substr(0, length), 0, 9).status, ScanStatus::NeedMore);
        QCOMPARE(scanObject(std::string_view(text).substr(0, length), 0, 9, members).status, ScanStatus::NeedMore);
    }
    QCOMPARE(scanValue(text, 0, 9).status, ScanStatus::Ok);
}

void tst_JsonText::listsMembers() {
    const std::string text = R"( {"a": 1, "b" : "x,}", "a": [2, 3] , "c": 0,5, "d":{} })";
    std::vector<Member> members;
    const Scan scan = scanObject(text, 1, 9, members);
    QCOMPARE(scan.status, ScanStatus::Ok);
    QCOMPARE(scan.end, text.size());
    QCOMPARE(members.size(), size_t(5));
    QCOMPARE(members[1].key, std::string_view("b"));
    QCOMPARE(members[1].value, std::string_view("\"x,}\""));
    QCOMPARE(members[2].value, std::string_view("[2, 3]"));
    QCOMPARE(members[3].value, std::string_view("0,5"));
    QCOMPARE(members[4].value, std::string_view("{}"));
}

void tst_JsonText::writesStrictJson_data() {
    QTest::addColumn<QByteArray>("value");
    QTest::addColumn<QByteArray>("json");
    const auto row = [](const char* value, const char* json) {
        QTest::newRow(value) << QByteArray(value) << QByteArray(json);
    };
    row("{}", "{}");
    row("[]", "[]");
    row("{\"a\":[1,2.50,-0],\"b\":9007199254740993}", "{\"a\": [1, 2.50, -0], \"b\": 9007199254740993}");
    row("{\"a\": NaN, \"b\": 0,5, \"c\": N/A}", "{\"a\": \"NaN\", \"b\": \"0,5\", \"c\": \"N/A\"}");
    row("{\"f\": 1, \"u\": \"a\", \"f\": 2}", "{\"u\": \"a\", \"f\": 2}");
    row("{\"\\u0061\": 1, \"a\": 2}", "{\"a\": 2}");
    row("[[2, 3], [],]", "[[2, 3], []]");
    row("{\"a\": \"x\\q\\n\", \"b\": \"\x01\"}", "{\"a\": \"x\\\\q\\n\", \"b\": \"\\u0001\"}");
    row("{\"a\": [[[[7]]]], \"b\": 3}", "{\"a\": [[[\"…\"]]], \"b\": 3}");
    row("{\"a\": , \"b\": 1}", "{\"a\": null, \"b\": 1}");
    row("\"text\"", "\"text\"");
    row("{\"a\": 1, \"b\": {\"x\": 1, \"x\": {}}, \"a\": [2], \"\": 3, \"\": 4}",
        "{\"b\": {\"x\": {}}, \"a\": [2], \"\": 4}");
    row("{\"a\": {\"b\": 1, \"b\": [2, 3], \"c\": 4}, \"d\": {\"e\": 1, \"e\": 2}, \"a\": {\"x\": 1, \"x\": 2}}",
        "{\"d\": {\"e\": 2}, \"a\": {\"x\": 2}}");
    row("[{\"a\": 1, \"a\": 2}, {\"b\": 3, \"a\": 1, \"b\": 4, \"b\": 5}]", "[{\"a\": 2}, {\"a\": 1, \"b\": 5}]");
    row("{\"a\": 1,5,\"b\": 0,5,,-2}", "{\"a\": \"1,5\", \"b\": \"0,5,,-2\"}");
    row("{\"a\": {\"b\": {\"c\": {\"d\": {}}}}, \"e\": }", "{\"a\": {\"b\": {\"c\": {\"d\": \"…\"}}}, \"e\": null}");
}

void tst_JsonText::writesStrictJson() {
    QFETCH(QByteArray, value);
    QFETCH(QByteArray, json);
    std::string out;
    appendStrictJson(value.toStdString(), 4, out);
    QCOMPARE(QByteArray::fromStdString(out), json);
}

void tst_JsonText::deepNestingIsNoRecursion() {
    const size_t depth = 2'000'000;
    const std::string text = std::string(depth, '[') + std::string(depth, ']');
    const Scan scan = scanValue(text, 0, 256);
    QCOMPARE(scan.status, ScanStatus::Ok);
    QCOMPARE(scan.end, text.size());
    std::string out;
    QCOMPARE(appendStrictJson(text, 5, out), uint32_t(kTooDeep));
    QCOMPARE(out, std::string("[[[[[\"…\"]]]]]"));
}

void tst_JsonText::stopsWhenAsked() {
    std::string members;
    for (int i = 0; i < 100'000; ++i) {
        members += "\"k" + std::to_string(i) + "\": [1], ";
    }
    const std::string text = "{" + members + "\"z\": 1}";
    warpline::JobControl job;
    std::vector<Member> found;
    QCOMPARE(scanValue(text, 0, 256, &job).end, text.size());
    QCOMPARE(scanObject(text, 0, 256, found, &job).end, text.size());
    QCOMPARE(found.size(), size_t{100'001});
    std::string whole;
    appendStrictJson(text, 256, whole, &job);
    QCOMPARE(whole.size(), text.size());
    job.requestStop();
    QCOMPARE(scanValue(text, 0, 256, &job).status, ScanStatus::NeedMore);
    QCOMPARE(scanObject(text, 0, 256, found, &job).status, ScanStatus::NeedMore);
    QVERIFY(found.size() < 20'000);
    std::string part;
    appendStrictJson(text, 256, part, &job);
    QVERIFY(part.size() < whole.size() / 2);
}

QTEST_APPLESS_MAIN(tst_JsonText)
#include "tst_json_text.moc"
