// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "widgets/panels/details/args_tree.h"

using namespace warpline;

class TestArgsTree : public QObject {
    Q_OBJECT

private slots:
    void valuesKeepTheirText_data();
    void valuesKeepTheirText();
    void membersKeepTheirOrderAndRepetitions();
    void deepTextIsNested();
    void longListsAreATree();
    void whatIsNoJsonIsSaid();
};

void TestArgsTree::valuesKeepTheirText_data() {
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<QString>("value");
    QTest::newRow("whole") << QByteArray("12") << "12";
    QTest::newRow("above 2^53") << QByteArray("9007199254740993") << "9007199254740993";
    QTest::newRow("above 2^63") << QByteArray("18446744073709551615") << "18446744073709551615";
    QTest::newRow("above 2^64") << QByteArray("123456789012345678901234567890") << "123456789012345678901234567890";
    QTest::newRow("lowest") << QByteArray("-9223372036854775808") << "-9223372036854775808";
    QTest::newRow("many decimals") << QByteArray("1.0569999999999999999") << "1.0569999999999999999";
    QTest::newRow("trailing zeros") << QByteArray("1.500") << "1.500";
    QTest::newRow("exponent") << QByteArray("2E+3") << "2E+3";
    QTest::newRow("bool") << QByteArray("true") << "true";
    QTest::newRow("null") << QByteArray("null") << "null";
    QTest::newRow("text") << QByteArray("\"a\\u00b5\\n\"") << QString::fromUtf8("aµ\n");
    QTest::newRow("list") << QByteArray("[128,1, 1]") << "[128, 1, 1]";
    QTest::newRow("list of lists") << QByteArray("[[4096,4096],[]]") << "[[4096, 4096], []]";
    QTest::newRow("list with empty text") << QByteArray("[\"\",\"x\"]") << "[\"\", x]";
}

void TestArgsTree::valuesKeepTheirText() {
    QFETCH(QByteArray, json);
    Fact root;
    QCOMPARE(appendJson(root, "{\"key\":" + json.toStdString() + "}"), "");
    QCOMPARE(root.children.size(), size_t{1});
    QCOMPARE(root.children[0]->label, "key");
    QTEST(root.children[0]->value, "value");
    QVERIFY(root.children[0]->children.empty());
}

void TestArgsTree::membersKeepTheirOrderAndRepetitions() {
    Fact root;
    QCOMPARE(appendJson(root, R"({"z":1,"a":2,"z":3})"), "");
    QStringList seen;
    for (const auto& child : root.children) {
        seen << child->label + "=" + child->value;
    }
    QCOMPARE(seen, (QStringList{"z=1", "a=2", "z=3"}));
}

void TestArgsTree::deepTextIsNested() {
    Fact root;
    QCOMPARE(appendJson(root, R"({"a":{"b":{"c":7},"d":8}})"), "");
    const Fact& a = *root.children.at(0);
    QCOMPARE(a.value, "2 entries");
    const Fact& b = *a.children.at(0);
    QCOMPARE(b.label, "b");
    QCOMPARE(b.parent, &a);
    QCOMPARE(b.children.at(0)->value, "7");
    QCOMPARE(a.children.at(1)->row, 1);
    // As deep as the loader lets through, and more.
    const std::string deep = std::string(20000, '[') + std::string(20000, ']');
    Fact other;
    QCOMPARE(appendJson(other, deep), "");
}

void TestArgsTree::longListsAreATree() {
    std::string json = "[";
    for (int i = 0; i < 100; ++i) {
        json += (i > 0 ? "," : "") + std::to_string(i);
    }
    Fact root;
    QCOMPARE(appendJson(root, json + "]"), "");
    const Fact& list = *root.children.at(0);
    QCOMPARE(list.value, "100 items");
    QCOMPARE(list.children.at(42)->label, "[42]");
    QCOMPARE(list.children.at(42)->value, "42");
}

void TestArgsTree::whatIsNoJsonIsSaid() {
    for (const char* bad : {"", "{", "{\"a\":}", "nope"}) {
        Fact root;
        QVERIFY2(!appendJson(root, bad).isEmpty(), bad);
    }
}

QTEST_APPLESS_MAIN(TestArgsTree)
#include "tst_args_tree.moc"
