// SPDX-License-Identifier: MIT
#include <QTest>
#include <string>

#include "core/base/json_string.h"

using namespace warpline;

class TestJsonString : public QObject {
    Q_OBJECT
private slots:
    void numbers();
    void decodesStrings_data();
    void decodesStrings();
    void tellsPlainStrings();
};

void TestJsonString::decodesStrings_data() {
    QTest::addColumn<QByteArray>("inner");
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<uint>("oddities");
    const auto row = [](const char* name, const char* inner, const char* text, uint oddities) {
        QTest::newRow(name) << QByteArray(inner) << QByteArray(text) << oddities;
    };
    row("plain", "abc", "abc", 0);
    row("escapes", R"(\"\\\/\b\f\n\r\t)", "\"\\/\b\f\n\r\t", 0);
    row("code points", R"(\u00e9\u6838\ud83d\ude80)", "é核🚀", 0);
    row("utf-8", "é核🚀", "é核🚀", 0);
    row("windows path", R"(C:\users\lab\j)", R"(C:\users\lab\j)", kBadEscape);
    row("cut escape", R"(ab\u12)", R"(ab\u12)", kBadEscape);
    row("half a pair", R"(x\ud83dy)", "x\xef\xbf\xbdy", kBadEscape);
    row("stray byte",
        "a\x93"
        "b",
        "a\xef\xbf\xbd"
        "b",
        kBadUtf8);
    row("two stray bytes", "\xff\xfe", "\xef\xbf\xbd\xef\xbf\xbd", kBadUtf8);
    row("overlong", "\xc0\xaf", "\xef\xbf\xbd\xef\xbf\xbd", kBadUtf8);
    row("surrogate bytes", "\xed\xa0\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd", kBadUtf8);
    row("cut sequence", "a\xe6\xa0", "a\xef\xbf\xbd\xef\xbf\xbd", kBadUtf8);
    row("control",
        "a\x01"
        "b",
        "a\x01"
        "b",
        kControlCharacter);
}

void TestJsonString::decodesStrings() {
    QFETCH(QByteArray, inner);
    QFETCH(QByteArray, text);
    QFETCH(uint, oddities);
    std::string out;
    QCOMPARE(appendDecoded(inner.toStdString(), out), oddities);
    QCOMPARE(QByteArray::fromStdString(out), text);
}

void TestJsonString::tellsPlainStrings() {
    QVERIFY(isPlainString("abc [1] /"));
    QVERIFY(isPlainString(""));
    QVERIFY(!isPlainString("a\\n"));
    QVERIFY(!isPlainString("a\n"));
    QVERIFY(!isPlainString("\xc3\xa9"));
}

void TestJsonString::numbers() {
    for (const char* word :
         {"0", "-0", "12", "0.5", "-1.25", "1e9", "1E+9", "1.5e-300", "123456789012345678901234567890"}) {
        QVERIFY2(isJsonNumber(word), word);
    }
    for (const char* word : {"", "-", "+1", "01", ".5", "8.", "8.e1", "1e", "1e+", "0x1", "nan", "1 ", "1,5", "--1"}) {
        QVERIFY2(!isJsonNumber(word), word);
    }
}

QTEST_APPLESS_MAIN(TestJsonString)
#include "tst_json_string.moc"
