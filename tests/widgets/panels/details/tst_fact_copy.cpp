// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include <nlohmann/json.hpp>

#include "widgets/panels/details/fact_copy.h"

using namespace warpline;
using Json = nlohmann::json;

namespace {

std::shared_ptr<FactTree> sample() {
    auto tree = std::make_shared<FactTree>();
    tree->title = "sgemm(float*)";
    tree->rawName = "_Z5sgemmPf";
    tree->subtitle = "Kernel";
    Fact& time = tree->root.addSection("Time");
    time.add("Duration", QString::fromUtf8("1.235 µs")).exactly(int64_t{1235}, "ns");
    time.add("Short", "35 ns").exactly(int64_t{35}, "ns");
    time.addUnknown("End", "no end");
    time.add("Far", "x").exactly(int64_t{9007199254740993}, "ns");
    Fact& list = time.add("  Children", "2");
    list.add("first", "\"a\"").add("inner", "deep");
    list.add({}, "and 1 more");
    time.add("Occupancy", "50.0 %").exactly(0.5, "ratio");
    return tree;
}

}  // namespace

class TestFactCopy : public QObject {
    Q_OBJECT
private slots:
    void asText() {
        QCOMPARE(factsAsText(*sample()), QString::fromUtf8(R"(sgemm(float*)
_Z5sgemmPf
Kernel

Time
  Duration: 1.235 µs (1,235 ns)
  Short: 35 ns
  End: n/a – no end
  Far: x (9,007,199,254,740,993 ns)
  Children: 2
    first: "a"
      inner: deep
    and 1 more
  Occupancy: 50.0 %
)"));
        const auto tree = sample();
        const Fact& time = *tree->root.children.front();
        QCOMPARE(factAsText(*time.children[0]), QString::fromUtf8("Duration: 1.235 µs (1,235 ns)"));
        QCOMPARE(factAsText(*time.children[4]), "Children: 2\n  first: \"a\"\n    inner: deep\n  and 1 more");
    }
    void asJson() {
        const auto tree = sample();
        const Json json = Json::parse(factsAsJson(*tree).toStdString());
        QVERIFY(json["title"] == "sgemm(float*)");
        QVERIFY(json["name"] == "_Z5sgemmPf");
        QVERIFY(!json.contains("args"));
        const Json& time = json["sections"][0];
        QVERIFY(time["title"] == "Time");
        QCOMPARE(time["facts"].size(), size_t{6});
        QVERIFY(
            (time["facts"][0] == Json{{"label", "Duration"}, {"text", "1.235 µs"}, {"value", 1235}, {"unit", "ns"}}));
        QVERIFY((time["facts"][2] == Json{{"label", "End"}, {"text", "n/a – no end"}, {"value", nullptr}}));
        QVERIFY(time["facts"][3]["value"].is_number_integer());
        QCOMPARE(time["facts"][3]["value"].get<int64_t>(), int64_t{9007199254740993});
        QVERIFY(time["facts"][4]["label"] == "Children");
        QVERIFY(time["facts"][4]["facts"][0]["facts"][0]["text"] == "deep");
        QVERIFY(time["facts"][4]["facts"][1]["label"] == "");
        QCOMPARE(time["facts"][5]["value"].get<double>(), 0.5);
    }
    void argumentsStandAsInTheFile() {
        const auto tree = sample();
        tree->root.addSection("Arguments").add("big", "18446744073709551616");
        tree->argsJson = R"({"big": 18446744073709551616, "b": 1.50, "b": 2})";
        const QByteArray json = factsAsJson(*tree);
        QVERIFY2(json.contains(QByteArray::fromStdString(R"("args": )" + tree->argsJson)), json.constData());
        QCOMPARE(Json::parse(json.toStdString())["sections"].size(), size_t{1});
        QVERIFY(factsAsText(*tree).endsWith("\nArguments\n  big: 18446744073709551616\n"));
    }
    void anEmptyPageIsJsonToo() {
        QVERIFY(Json::parse(factsAsJson(FactTree()).toStdString())["sections"] == Json::array());
    }
    void deepArgumentsTakeNoStack() {
        FactTree tree;
        Fact* fact = &tree.root.addSection("Arguments");
        for (int i = 0; i < 20000; ++i) {
            fact = &fact->add("a", {});
        }
        QCOMPARE(factsAsText(tree).count(QLatin1Char('\n')), 3 + 20001);
    }
};

QTEST_GUILESS_MAIN(TestFactCopy)
#include "tst_fact_copy.moc"
