// SPDX-License-Identifier: MIT
// Wrong and missing bytes anywhere in a trace: they cost the events that they hit, what they cost is told, and neither
// the threads nor the cuts have a say in it.
#include <QTest>

#include "tests/core/loaders/loader_testing.h"

using namespace warpline;
using namespace warpline::loaders::chrome_trace;
using namespace warpline::test;

namespace {

constexpr int kEvents = 6;
/// Sanitizers slow every byte down.
constexpr qsizetype kStep = WARPLINE_SANITIZED ? 23 : 3;

/// An event of each layout that producers have.
QByteArray eventText(const QByteArray& layout, int i) {
    const QByteArray n = QByteArray::number(i);
    if (layout == "Kineto") {
        return "  {\n    \"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"op" + n +
               "\", \"pid\": 1, \"tid\": 2,\n    \"ts\": 10" + n +
               "0.5, \"dur\": 5,\n    \"args\": {\n      \"External id\": " + n +
               ",\"Input Dims\": [[2, 3], []], \"name\": \"x" + n + "\"\n    }\n  }";
    }
    return R"({"ph":"X","cat":"cpu_op","name":"op)" + n + R"(","pid":1,"tid":2,"ts":10)" + n + R"(0,"dur":5})";
}

QByteArray traceText(const QByteArray& layout, int events = kEvents) {
    const bool isArray = layout == "array";
    QByteArray text = isArray               ? "["
                      : layout == "compact" ? "{\"displayTimeUnit\":\"ms\",\"traceEvents\":["
                      : layout == "lines"   ? "{\"traceEvents\":[\n"
                                            : "{\n  \"schemaVersion\": 1,\n  \"deviceProperties\": [\n    {\"id\": 0, "
                                              "\"name\": \"Example GPU\"}\n  ],\n  \"traceEvents\": [\n";
    for (int i = 0; i < events; ++i) {
        text += (i == 0 ? "" : layout == "compact" ? "," : ",\n") + eventText(layout, i);
    }
    text += isArray ? "]" : layout == "compact" ? "],\"otherData\":{\"a\":1}}" : "\n]}\n";
    return text;
}

void addLayouts() {
    QTest::addColumn<QByteArray>("layout");
    for (const char* layout : {"Kineto", "compact", "lines", "array"}) {
        QTest::newRow(layout) << QByteArray(layout);
    }
}

/// What must come out the same however the text is read.
QStringList outcome(const QByteArray& text, size_t window, unsigned threads) {
    LoadOptions options;
    options.threads = threads;
    const auto trace = loadText(text, {.windowBytes = window}, options);
    return trace ? digest(*trace.value()) + issueLines(*trace.value()) +
                       QStringList(trace.value()->report().complete() ? "complete" : "incomplete")
                 : QStringList(QString::fromStdString(trace.error().message));
}

class Damage {
public:
    /// Checks one damaged text; returns what is wrong.
    QString check(const QByteArray& text, int mostMissing) {
        const auto trace = loadText(text, {.windowBytes = 4096});
        if (!trace) {
            return QString::fromStdString(trace.error().message);
        }
        const EventCounts& counts = trace.value()->counts();
        // A wrong phase makes an event of another sort.
        const int missing = kEvents - int(counts.slices + counts.instants + counts.flows + counts.async +
                                          counts.metadata + counts.counters + trace.value()->asyncInstants().size());
        const ImportReport& report = trace.value()->report();
        if (missing > mostMissing) {
            return QString("%1 events are missing").arg(missing);
        }
        if (missing > 0 && report.lostCount() == 0) {
            return QString("%1 events are missing and it does not say so").arg(missing);
        }
        if (report.lostCount() > 2) {
            return QString("%1 events are said to be lost").arg(report.lostCount());
        }
        // The ways of reading take turns.
        constexpr size_t kWindows[] = {1, 40, 100, 300};
        const size_t window = kWindows[m_count % std::size(kWindows)];
        const unsigned threads = m_count % 64 == 0 ? 3 : 1;
        constexpr int kEach = WARPLINE_SANITIZED ? 50 : 10;
        if (m_count++ % kEach == 0) {
            const QStringList whole = outcome(text, 4096, 1);
            const QStringList cut = outcome(text, window, threads);
            if (whole != cut) {
                return QString("differs with a window of %1: %2\n%3").arg(window).arg(whole.join('\n'), cut.join('\n'));
            }
        }
        return {};
    }

private:
    size_t m_count = 0;
};

}  // namespace

class tst_Damage : public QObject {
    Q_OBJECT

private slots:
    void items_data();
    void items();
    void wrongBytes_data() { addLayouts(); }
    void wrongBytes();
    void lostBytes_data() { addLayouts(); }
    void lostBytes();
    void holes_data() { addLayouts(); }
    void holes();
    void heads_data();
    void heads();
    void otherLists_data();
    void otherLists();
    void listUnderAnotherKeyIsReadAgain();
    void sniffsDamagedHeads_data();
    void sniffsDamagedHeads();
    void linearTime_data();
    void linearTime();
};

void tst_Damage::items_data() {
    QTest::addColumn<QByteArray>("before");  // in the first event, or between it and the next
    QTest::addColumn<QByteArray>("after");
    QTest::addColumn<int>("slices");
    QTest::addColumn<QStringList>("issues");
    const auto row = [](const char* name, const QByteArray& before, const QByteArray& after, int slices,
                        const QStringList& issues) { QTest::newRow(name) << before << after << slices << issues; };
    row("a quote that is a brace", R"(,"cat)", R"(,}cat)", 5,
        {"bad_timestamp data_loss 1 @17", "invalid_json info 1 @17"});
    row("a quote that is a brace, behind the times", R"("dur":5})", R"("dur":5}args":{"a":"b, ]}"}})", 6,
        {"invalid_json data_loss 1 @89"});
    row("bytes between two events are gone", "},\n{\"ph\":\"X\",\"cat\":\"cp", "},\n", 5,
        {"invalid_json data_loss 1 @91"});
    row("a stray colon", "},\n{", "},\n : {", 6, {"invalid_json info 1 @92"});
    row("a stray letter", "},\n{", "},\nx{", 6, {"invalid_json data_loss 1 @91"});
    row("zeros in a string", "cpu_op", QByteArray("cpu") + QByteArray(600, '\0'), 5, {"invalid_json data_loss 1 @17"});
    row("zeros in a number", "\"ts\":1", "\"ts\":1" + QByteArray(600, '\0'), 5, {"invalid_json data_loss 1 @17"});
    row("zeros from one event into the next",
        "\"op0\",\"pid\":1,\"tid\":2,\"ts\":1000,\"dur\":5},\n{\"ph\":\"X\",\"cat\":\"cpu",
        "\"op" + QByteArray(40, '\0'), 4, {"invalid_json data_loss 1 @17"});
    row("two events that run into one",
        R"(:1,"tid":2,"ts":1000,"dur":5},)"
        "\n"
        R"({"ph":"X","cat":"cpu_op","name)",
        R"(:1,"name)", 4, {"invalid_json data_loss 1 @17"});
    row("an event as a value", "5},\n", "", 5, {"invalid_json data_loss 1 @17"});
}

void tst_Damage::items() {
    QFETCH(QByteArray, before);
    QFETCH(QByteArray, after);
    QFETCH(int, slices);
    QFETCH(QStringList, issues);
    QByteArray text = traceText("lines");
    const qsizetype at = text.indexOf(before);
    QVERIFY(at > 0);
    text.replace(at, before.size(), after);
    const auto trace = loadText(text);
    QCOMPARE(int(trace.value()->sliceCount()), slices);
    QCOMPARE(issueLines(*trace.value()), issues);
    QCOMPARE(trace.value()->report().complete(), slices == kEvents && !issues.join("").contains("loss"));
}

void tst_Damage::wrongBytes() {
    QFETCH(QByteArray, layout);
    const QByteArray text = traceText(layout);
    Damage damage;
    for (qsizetype at = 0; at < text.size(); at += kStep) {
        for (const char byte : {'"', '}', '{', '[', ']', ',', '\\', '\0', ':', 'x', '\n'}) {
            QByteArray damaged = text;
            damaged[at] = byte;
            const QString wrong = damage.check(damaged, 1);
            QVERIFY2(wrong.isEmpty(), qPrintable(wrong + "\nin " + damaged));
        }
    }
}

void tst_Damage::lostBytes() {
    QFETCH(QByteArray, layout);
    const QByteArray text = traceText(layout);
    Damage damage;
    for (qsizetype at = 0; at < text.size(); at += kStep) {
        for (qsizetype length = 1; length <= 40; length += length < 8 ? 1 : 4) {
            QByteArray damaged = text;
            damaged.remove(at, length);
            const QString wrong = damage.check(damaged, 2);
            QVERIFY2(wrong.isEmpty(), qPrintable(wrong + "\nin " + damaged));
        }
    }
}

void tst_Damage::holes() {
    QFETCH(QByteArray, layout);
    const QByteArray text = traceText(layout);
    Damage damage;
    for (qsizetype at = 0; at < text.size(); at += kStep) {
        for (const qsizetype length : {2, 5, 30}) {
            QByteArray damaged = text;
            damaged.replace(at, length, QByteArray(length, '\0'));
            const QString wrong = damage.check(damaged, 2);
            QVERIFY2(wrong.isEmpty(), qPrintable(wrong + "\nin " + damaged.replace('\0', '~')));
        }
    }
}

#define EVENT R"({"ph":"X","name":"a","pid":1,"tid":1,"ts":1,"dur":1})"

void tst_Damage::heads_data() {
    QTest::addColumn<QByteArray>("head");  // in place of {"traceEvents":[
    QTest::addColumn<QStringList>("issues");
    QTest::addColumn<bool>("complete");
    const auto row = [](const char* name, const QByteArray& head, const QStringList& issues, bool complete) {
        QTest::newRow(name) << head << issues << complete;
    };
    const QStringList inFront = {"invalid_json warning 1 @0"};
    row("first byte", "x\"traceEvents\":[", inFront, false);
    row("no bracket", "\"traceEvents\":[", inFront, false);
    row("zeros", QByteArray(3, '\0') + "{\"traceEvents\":[", inFront, false);
    row("a zero for the bracket", QByteArray(1, '\0') + "\"traceEvents\":[", inFront, false);
    row("a comma", ",{\"traceEvents\":[", inFront, false);
    row("a line of a log", "INFO: \"start\" of it\n{\"traceEvents\":[", inFront, false);
    row("a zeroed page", QByteArray(4096, '\0') + "\"ts\":5,\"dur\":1},\n", {"invalid_json data_loss 1 @0"}, false);
    row("a wrong key", R"({"deviceProperties":[{"id":0,"name":"H"}],"traceEvenXs":[)", {"invalid_json warning 1 @56"},
        true);
    row("a key without its end", "{\"traceEvents:[", {"invalid_json warning 2 @1"}, false);
    row("a bracket of the wrong sort", "{\"traceEvents\":{", {"invalid_json info 1 @15"}, true);
    row("no bracket of the list", "{\"traceEvents\":", {"invalid_json info 1 @15"}, true);
    row("zeros in a member", QByteArray("{\"deviceProperties\":[{\"na") + QByteArray(50, '\0') + "\"ts\":5},",
        {"invalid_json data_loss 1 @25", "invalid_json warning 1 @20"}, false);
}

void tst_Damage::heads() {
    QFETCH(QByteArray, head);
    QFETCH(QStringList, issues);
    QFETCH(bool, complete);
    constexpr int kMany = 1000;
    QByteArray text = head;
    for (int i = 0; i < kMany; ++i) {
        text += (i == 0 ? "" : ",") + eventText("lines", i);
    }
    text += "]}";
    const auto whole = loadText(text);
    QVERIFY2(whole.ok(), whole.ok() ? "" : whole.error().message.c_str());
    QCOMPARE(int(whole.value()->sliceCount()), kMany);
    QCOMPARE(issueLines(*whole.value()).mid(0, issues.size()), issues);
    QCOMPARE(whole.value()->report().complete(), complete);
    const QStringList expected = outcome(text, size_t{1} << 19, 1);
    for (const unsigned threads : {1U, 3U}) {
        for (const size_t window : {1, 30, 700, 10'000}) {
            QCOMPARE(outcome(text, window, threads), expected);
        }
    }
}

void tst_Damage::otherLists_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<int>("slices");
    QTest::addColumn<QStringList>("issues");
    const auto row = [](const char* name, const char* text, int slices, const QStringList& issues) {
        QTest::newRow(name) << QByteArray(text) << slices << issues;
    };
    row("before the list", R"({"recent":[)" EVENT "," EVENT R"(],"traceEvents":[)" EVENT "]}", 1, {});
    row("behind the list", R"({"traceEvents":[)" EVENT R"(],"recent":[)" EVENT "," EVENT "]}", 1, {});
    row("no events", R"({"traceEvents":[)" EVENT R"(],"samples":[{"name":"x","ts":1}]})", 1,
        {"not_shown warning 1 @-1"});
    row("in an object", R"({"run":{"traceEvents":[)" EVENT "]}}", 1, {"invalid_json warning 1 @7"});
    row("in an object before the list", R"({"run":{"traceEvents":[)" EVENT R"(]},"traceEvents":[)" EVENT "," EVENT "]}",
        2, {});
    row("an event in a member", R"({"first":)" EVENT R"(,"traceEvents":[)" EVENT "," EVENT "]}", 2, {});
    row("a line in front of events", "{\"version\":1}\n" EVENT "\n" EVENT "\n", 2, {});
}

void tst_Damage::otherLists() {
    QFETCH(QByteArray, text);
    QFETCH(int, slices);
    QFETCH(QStringList, issues);
    for (const size_t window : {size_t(7), size_t{1} << 19}) {
        const auto trace = loadText(text, {.windowBytes = window});
        QVERIFY2(trace.ok(), trace.ok() ? "" : trace.error().message.c_str());
        QCOMPARE(int(trace.value()->sliceCount()), slices);
        QStringList lines = issueLines(*trace.value());
        lines.removeIf([](const QString& line) { return line.startsWith("overlap") || line.contains(" info "); });
        QCOMPARE(lines, issues);
        QVERIFY(trace.value()->report().complete());
    }
}

/// Compressed text too, and one that is longer than a top-level value may be.
void tst_Damage::listUnderAnotherKeyIsReadAgain() {
    constexpr int kMany = 3000;
    QByteArray list;
    for (int i = 0; i < kMany; ++i) {
        list += (i == 0 ? "" : ",") + eventText("lines", i);
    }
    const QByteArray text = R"({"schemaVersion":1,"traceEventz":[)" + list + R"(],"traceName":"t"})";
    for (const bool isPacked : {false, true}) {
        for (const size_t headerBytes : {SIZE_MAX, size_t(1000)}) {
            const ReadLimits limits{.windowBytes = 5000, .headerBytes = headerBytes};
            const auto trace = isPacked
                                   ? loadSource(makeGzipSource(makeMemoryBytes(gzipped(text).toStdString())), limits)
                                   : loadText(text, limits);
            QVERIFY(trace.ok());
            QCOMPARE(int(trace.value()->sliceCount()), kMany);
            QCOMPARE(issueLines(*trace.value()).mid(0, 1), QStringList("invalid_json warning 1 @33"));
            QCOMPARE(trace.value()->files()[0].properties.at("traceName"), std::string("\"t\""));
            QVERIFY(!trace.value()->files()[0].properties.contains("traceEventz"));
        }
    }
}

void tst_Damage::sniffsDamagedHeads_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<bool>("isTrace");
    const auto row = [](const char* name, const QByteArray& text, bool isTrace) {
        QTest::newRow(name) << text << isTrace;
    };
    const QByteArray list = "[" EVENT ",\n" EVENT "]";
    const QByteArray trace = "{\"traceEvents\":" + list + "}\n";
    row("first byte", "x" + trace.mid(1), true);
    row("no bracket", trace.mid(1), true);
    row("a comma", "," + trace, true);
    row("a line of a log", "INFO: start\n" + trace, true);
    row("one zero", QByteArray(1, '\0') + trace.mid(1), true);
    row("zeros", QByteArray(4096, '\0') + trace, true);
    row("zeros up to an event", QByteArray(4096, '\0') + "\"ts\":5},\n" EVENT ",\n" EVENT ",\n" EVENT, true);
    row("more members", trace.mid(1).replace("]}", "],\"traceName\":\"x\"}"), true);
    row("cut", trace.mid(1, trace.size() - 8), true);
    row("a page", "<html><script>var t = " + trace + "</script></html>", false);
    row("a manual", "# Traces\n```\n" + trace + "```\nEach event has a phase.\n", false);
    row("a program", "t = json.loads('" + trace.trimmed() + "')\nprint(t)\n", false);
    row("a log", "12:00 sent " + trace.trimmed() + "\n12:01 sent another\n", false);
    row("a log that mentions the key", "12:00 the key \"traceEvents\": [ is missing\n", false);
    row("a table", "name,args\na,\"{\"\"ph\"\":1}\"\n", false);
    row("other objects", "x {\"name\": 1, \"id\": 2}\n{\"name\": 1, \"id\": 3}\n", false);
}

void tst_Damage::sniffsDamagedHeads() {
    QFETCH(QByteArray, text);
    QFETCH(bool, isTrace);
    const int score = ChromeTraceLoader().sniff({std::string_view(text.data(), size_t(text.size())), "a.json"});
    // Less than what any other format says of a file of its own.
    QVERIFY2(isTrace ? score > 0 && score <= 20 : score == 0, qPrintable(QString::number(score)));
}

// Each of these took minutes if anything were looked at again and again.
void tst_Damage::linearTime_data() {
    QTest::addColumn<QByteArray>("begin");
    QTest::addColumn<QByteArray>("repeated");
    const auto row = [](const char* name, const QByteArray& begin, const QByteArray& repeated) {
        QTest::newRow(name) << begin << repeated;
    };
    const QByteArray list = "[" EVENT ",";
    row("quotes", list, "\"");
    row("escaped quotes", list + "x ", "\\\"");
    row("words and quotes", list + "}cat\":", "\"cpu_op\",\"name\":\"e0\",");
    row("events in values", list + "x ", ":{\"name\":");
    row("events behind letters", list, "x{\"ph\":\"X\",");
    row("values that are events", list, "{\"ph\":\"X\",\"pid\":1,\"a\":{\"ph\":\"X\",\"ts\":1}x");
    row("zeros", list, QByteArray("{\"name\":\"a\0", 11));
    row("brackets", list + "1", "],\"ts\":1");
    row("events in a broken value", "{\"a\":[x,", ",{\"ph\":\"X\",");
    row("lists in a broken value", "{\"a\":[x", "[{\"ph\":");
    row("keys without values", "{", "\"a\" ");
    row("escaped quotes between members", "{x", "\"\\");
    row("lists under other keys", "{", "\"a\":[{\"x\":1}],");
    row("events in front", "x", "{\"name\":");
    row("documents", "", "[" EVENT "]\n");
    row("documents that are objects", "", "{\"traceEvents\":[" EVENT "]}\n");
}

void tst_Damage::linearTime() {
    QFETCH(QByteArray, begin);
    QFETCH(QByteArray, repeated);
    constexpr qsizetype kBytes = WARPLINE_SANITIZED ? 500'000 : 20'000'000;
    const auto trace = loadText(begin + repeated.repeated(kBytes / repeated.size()));
    QVERIFY(trace.ok() || !trace.error().message.empty());
}

QTEST_APPLESS_MAIN(tst_Damage)
#include "tst_damage.moc"
