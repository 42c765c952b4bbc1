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

QTEST_APPLESS_MAIN(tst_BrokenItems)
#include "tst_broken_items.moc"
