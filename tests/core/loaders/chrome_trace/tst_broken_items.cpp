// SPDX-License-Identifier: MIT
// Damage in the list of events costs what it hit, and no event behind it.
#include <QTest>

#include "tests/core/loaders/loader_testing.h"

using namespace warpline;
using namespace warpline::loaders::chrome_trace;
using namespace warpline::test;

namespace {

constexpr int kEvents = 1200;

QByteArray eventText(int i, bool isIndented) {
    const QByteArray n = QByteArray::number(i);
    return isIndented ? "  {\n    \"ph\": \"X\", \"name\": \"op" + n + "\", \"pid\": 1, \"tid\": 1, \"ts\": " + n +
                            ", \"dur\": 1,\n    \"args\": {\n      \"External id\": " + n + "\n    }\n  }"
                      : "{\"ph\":\"X\",\"name\":\"op" + n + "\",\"pid\":1,\"tid\":1,\"ts\":" + n + ",\"dur\":1}";
}

/// Events with `broken` after each of `places` of them, and where the first of these stands.
QByteArray traceWith(const QByteArray& broken, const QList<int>& places, bool isIndented, qsizetype& at) {
    QByteArray text = isIndented ? "{\n  \"traceEvents\": [\n" : "{\"traceEvents\":[";
    const QByteArray comma = isIndented ? ",\n" : ",";
    at = -1;
    for (int i = 0; i < kEvents; ++i) {
        text += (i == 0 ? QByteArray() : comma) + eventText(i, isIndented);
        if (places.contains(i)) {
            text += comma;
            at = at < 0 ? text.size() : at;
            text += broken;
        }
    }
    return text + (isIndented ? "\n  ],\n  \"traceName\": \"x\"\n}\n" : "]}");
}

#define CUT(rest) R"({"ph":"X","name":"cut","pid":1,"tid":1,"ts":5,"dur":1,"args":{)" rest

}  // namespace

class tst_BrokenItems : public QObject {
    Q_OBJECT

private slots:
    void loseNothingBehind_data();
    void loseNothingBehind();
    void eventThatHoldsEvents_data();
    void eventThatHoldsEvents();
    void longestEventBoundsTheLook();
    void nestedItemsAreReadInLinearTime();
    void readsOnBehindTheEnd_data();
    void readsOnBehindTheEnd();
    void damagedHead_data();
    void damagedHead();
    void longTopLevelValues();
    void manyBlanksBefore();
};

void tst_BrokenItems::loseNothingBehind_data() {
    QTest::addColumn<QByteArray>("broken");
    QTest::addColumn<bool>("isLoss");
    const auto row = [](const char* name, const char* broken, bool isLoss = true) {
        QTest::newRow(name) << QByteArray(broken) << isLoss;
    };
    row("in a list in a list", CUT(R"("Input Dims":[[1, 2], [3)"));
    row("at the start of a list", CUT(R"("Input Dims":[[1, 2], [)"));
    row("in a list", CUT(R"("list":[1)"));
    row("in an object", CUT(R"("a":{"b":1)"));
    row("lists of objects before it", CUT(R"("a":[{"ph":"X","pid":1}],"b":[[1)"));
    row("no event", R"({"a":[)");
    row("an open object", "{");
    row("a quote too many", R"({"ph":"X","name":"a"b","pid":1,"ts":1})");
    row("a quote too few", R"({"ph":"X","name":"a,"pid":1,"ts":1})");
    row("an open list", "[", false);
}

void tst_BrokenItems::loseNothingBehind() {
    QFETCH(QByteArray, broken);
    QFETCH(bool, isLoss);
    for (const bool isIndented : {true, false}) {
        QList<int> few = {kEvents / 2};
        QList<int> many;
        for (int i = 4; i < kEvents - 1; i += 7) {
            many << i;
        }
        for (const QList<int>& places : {few, many}) {
            qsizetype at = 0;
            const QByteArray text = traceWith(broken, places, isIndented, at);
            QStringList expected;
            for (const unsigned threads : {1U, 3U}) {
                for (const size_t bytes : {size_t(300), size_t(5000), size_t(1) << 19}) {
                    LoadOptions options;
                    options.threads = threads;
                    const auto trace = loadText(text, {.windowBytes = bytes}, options);
                    QVERIFY(trace.ok());
                    QCOMPARE(trace.value()->sliceCount(), uint32_t(kEvents));
                    QCOMPARE(trace.value()->report().lostCount(), uint64_t(isLoss ? places.size() : 0));
                    QCOMPARE(trace.value()->report().complete(), !isLoss);
                    const QString line =
                        QString("invalid_json %1 %2 @%3").arg(isLoss ? "data_loss" : "info").arg(places.size()).arg(at);
                    QVERIFY2(issueLines(*trace.value()).contains(line),
                             qPrintable(line + " not in " + issueLines(*trace.value()).join(", ")));
                    const QStringList all = digest(*trace.value());
                    expected = expected.isEmpty() ? all : expected;
                    QCOMPARE(all, expected);
                    if (bytes != 5000) {
                        continue;
                    }
                    const auto packed = loadSource(makeGzipSource(makeMemoryBytes(gzipped(text).toStdString())),
                                                   {.windowBytes = bytes}, options);
                    QCOMPARE(digest(*packed.value()), expected);
                }
            }
        }
    }
}

void tst_BrokenItems::eventThatHoldsEvents_data() {
    QTest::addColumn<QByteArray>("before");
    QTest::addColumn<int>("slices");
    QTest::newRow("whole") << QByteArray() << kEvents + 1;
    QTest::newRow("behind a broken one") << QByteArray(CUT(R"("list":[1)") ",") << kEvents + 1;
}

/// An event that ends and has a `ph` is one event, whatever its args look like.
void tst_BrokenItems::eventThatHoldsEvents() {
    QFETCH(QByteArray, before);
    QFETCH(int, slices);
    for (const bool isIndented : {true, false}) {
        QByteArray list;
        for (int i = 0; i < 4000; ++i) {
            list += (i == 0 ? "" : isIndented ? ",\n" : ",") + eventText(i, isIndented);
        }
        const QByteArray big = R"({"ph":"X","name":"big","pid":1,"tid":2,"ts":1,"dur":1,"args":{"list":[)" + list +
                               R"(], "metadata": 1, "more":[1,)" + list + "]}}";
        qsizetype at = 0;
        const QByteArray text = traceWith(before + big, {kEvents / 2}, isIndented, at);
        for (const unsigned threads : {1U, 3U}) {
            LoadOptions options;
            options.threads = threads;
            const auto trace = loadText(text, {.windowBytes = 10'000}, options);
            QCOMPARE(int(trace.value()->sliceCount()), slices);
            QCOMPARE(trace.value()->report().lostCount(), uint64_t(before.isEmpty() ? 0 : 1));
        }
    }
}

void tst_BrokenItems::longestEventBoundsTheLook() {
    qsizetype at = 0;
    const QByteArray text = traceWith(CUT(R"("list":[)"), {10, 20, 1000}, false, at);
    LoadOptions options;
    options.maxEventBytes = 1000;
    const auto trace = loadText(text, {.windowBytes = 500}, options);
    QCOMPARE(trace.value()->sliceCount(), uint32_t(kEvents));
    QCOMPARE(trace.value()->report().lostCount(), uint64_t(3));
}

// Each of these took minutes if what is inside were looked at again for each item.
void tst_BrokenItems::nestedItemsAreReadInLinearTime() {
    constexpr int kDepth = WARPLINE_SANITIZED ? 5'000 : 100'000;
    const QByteArray item = R"({"a":[{"ph":"X","pid":1,"ts":1,"dur":1},)";
    const auto open = loadText("[" + item.repeated(kDepth));
    QCOMPARE(open.value()->sliceCount(), uint32_t(kDepth));
    const auto closed = loadText("[" + item.repeated(kDepth) + QByteArray("]}").repeated(kDepth) + "]");
    QVERIFY(closed.value()->sliceCount() > 10U);
    QVERIFY(closed.value()->report().lostCount() > 0);
    const auto events = loadText("[" + QByteArray(R"({"ph":"X","pid":1,"ts":1,"dur":1,"a":[)").repeated(kDepth));
    QVERIFY(!events.ok());
    const auto lists = loadText("[" + QByteArray(R"([{"ph":"X","pid":1,"ts":1,"dur":1},)").repeated(kDepth));
    QCOMPARE(lists.value()->sliceCount(), uint32_t(kDepth));
}

void tst_BrokenItems::readsOnBehindTheEnd_data() {
    QTest::addColumn<QByteArray>("between");  // half of the events and the others
    QTest::addColumn<QString>("issue");
    const QByteArray head = "{\"traceEvents\":[";
    const auto row = [](const char* name, const QByteArray& between, const char* issue) {
        QTest::newRow(name) << between << QString(issue);
    };
    row("a document behind a line", "]}\n# rank 1\n" + head, "trailing_data warning 1 @+3");
    row("a document behind a line of a log", "]}\n[2024-01-01] INFO {\"a\":1} {\"name\": oops\n" + head,
        "trailing_data data_loss 1 @+3");
    row("a document behind an object without its end", "]}\n# {\"a\":{\"b\":\n" + head, "trailing_data warning 1 @+3");
    row("a document behind zeros", "]}" + QByteArray(4096, '\0') + head, "trailing_data warning 1 @+2");
    row("a document behind a comma", "]}," + head, "trailing_data warning 1 @+2");
    row("a list behind a word", "]} x [", "trailing_data warning 2 @+3");
    row("events behind zeros", "]}" + QByteArray(700, '\0') + ",", "trailing_data warning 1 @+2");
    row("events behind a comma", "]},", "invalid_json info 1 @+0");
    row("a stray bracket", "\n]\n", "invalid_json info 2 @+1");
    row("a stray bracket and a comma", "\n],\n", "invalid_json info 1 @+1");
    row("a member in between", "],\"x\": 1\n,", "invalid_json info 1 @+10");
    row("zeros in the object", "]" + QByteArray(700, '\0') + ",", "invalid_json warning 1 @+1");
    row("a quote in between", "\",", "invalid_json info 2 @+0");
    row("a comma and a quote in between", ",\"", "invalid_json info 1 @+1");
    row("an event cut in a key", R"(,{"ph":"X","pid":1,"ts":1,"dur":1,"ar)", "invalid_json data_loss 1 @+1");
    row("an event whose last string does not end", R"(,{"ph":"X","pid":1,"ts":1,"dur":1,"args":{"a":"b}},)",
        "invalid_json data_loss 1 @+1");
}

void tst_BrokenItems::readsOnBehindTheEnd() {
    QFETCH(QByteArray, between);
    QFETCH(QString, issue);
    QByteArray text = "{\"traceEvents\":[";
    for (int i = 0; i < kEvents; ++i) {
        if (i == kEvents / 2) {
            const auto plus = issue.lastIndexOf('+');
            issue = issue.left(plus) + QString::number(text.size() + issue.mid(plus + 1).toInt());
            text += between;
        } else if (i > 0) {
            text += ",";
        }
        text += eventText(i, false);
    }
    text += "]}";
    QStringList expected;
    for (const unsigned threads : {1U, 3U}) {
        for (const size_t bytes : {size_t(200), size_t(5000), size_t(1) << 19}) {
            LoadOptions options;
            options.threads = threads;
            const auto trace = loadText(text, {.windowBytes = bytes}, options);
            QVERIFY(trace.ok());
            QCOMPARE(trace.value()->sliceCount(), uint32_t(kEvents));
            const QStringList lines = issueLines(*trace.value());
            QVERIFY2(lines.contains(issue), qPrintable(issue + " not in " + lines.join(", ")));
            QCOMPARE(trace.value()->report().lostCount(), uint64_t(issue.contains("data_loss") ? 1 : 0));
            expected = expected.isEmpty() ? lines : expected;
            QCOMPARE(lines, expected);
        }
    }
}

void tst_BrokenItems::damagedHead_data() {
    QTest::addColumn<QByteArray>("head");
    QTest::addColumn<int>("at");
    QTest::newRow("a string without its end") << QByteArray("\"note\":\"abc,\n") << 15;
    QTest::newRow("an object without its end") << QByteArray("\"x\":{\"a\":1,") << 5;
    QTest::newRow("an empty one") << QByteArray("\"x\":{,") << 5;
    QTest::newRow("a list without its end") << QByteArray("\"x\":[1,") << 5;
    QTest::newRow("a string in an object") << QByteArray(R"("x":{"a":"b},)") << 5;
    QTest::newRow("a key without its end") << QByteArray(R"("no:"abc",)") << 1;
}

void tst_BrokenItems::damagedHead() {
    QFETCH(QByteArray, head);
    QFETCH(int, at);
    qsizetype unused = 0;
    const QByteArray text = "{" + head + traceWith({}, {}, false, unused).mid(1);
    for (const size_t bytes : {size_t(1), size_t(100), size_t(5000), size_t(1) << 19}) {
        const auto trace = loadText(text, {.windowBytes = bytes});
        QVERIFY(trace.ok());
        QCOMPARE(trace.value()->sliceCount(), uint32_t(kEvents));
        QVERIFY(!trace.value()->report().complete());
        const Issue& first = trace.value()->report().issues().front();
        QCOMPARE(first.code, std::string("invalid_json"));
        QCOMPARE(first.severity, Severity::Warning);
        QCOMPARE(int(first.firstOffset.value_or(0)), at);
    }
}

void tst_BrokenItems::longTopLevelValues() {
    const QByteArray list = R"("traceEvents":[{"ph":"X","name":"a","ts":1,"dur":1}]})";
    const auto whole = loadText("{\"note\":\"" + QByteArray(3'000'000, 'x') + "\"," + list);
    QVERIFY(whole.value()->report().issues().empty());
    QCOMPARE(whole.value()->files()[0].properties.at("note").size(), size_t(3'000'002));
    LoadOptions options;
    options.maxEventBytes = 2'000'000;
    // Together they may be as long as one event.
    const QByteArray value(1'200'000, 'x');
    const auto bounded =
        loadText("{\"a\":\"" + value + "\",\"b\":\"" + value + "\"," + list, {.windowBytes = 512}, options);
    QCOMPARE(bounded.value()->sliceCount(), 1U);
    QCOMPARE(issueLines(*bounded.value()), QStringList("value_too_long data_loss 1 @1200012"));
}

void tst_BrokenItems::manyBlanksBefore() {
    const std::string blanks(65'536, ' ');
    QVERIFY(ChromeTraceLoader().sniff({blanks, "a.json"}) > 0);
    QCOMPARE(ChromeTraceLoader().sniff({" \n", "a.json"}), 0);
}

QTEST_APPLESS_MAIN(tst_BrokenItems)
#include "tst_broken_items.moc"
