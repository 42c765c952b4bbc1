// SPDX-License-Identifier: MIT
// However a text is cut into chunks, and whether it is read strictly or leniently, the trace is the same.
#include <QTest>

#include "core/loaders/chrome_trace/chunk_parser.h"
#include "tests/core/loaders/loader_testing.h"

using namespace warpline;
using namespace warpline::loaders::chrome_trace;
using namespace warpline::test;

class tst_ChunkCutting : public QObject {
    Q_OBJECT

private slots:
    void everyWindowSize();
    void strictAndLenientAgree_data();
    void strictAndLenientAgree();
    void strictParserTakesWholeEvents();
    void cutsAreBetweenEvents();
    void strictParserRefuses_data();
    void strictParserRefuses();
    void cutAtEveryByte();
    void oddEventsInEveryWindow();
    void chunksReadByTheirThreads_data();
    void chunksReadByTheirThreads();
};

void tst_ChunkCutting::everyWindowSize() {
    const QByteArray text = kinetoText(23);
    const auto whole = loadText(text);
    QVERIFY(whole.ok());
    const QStringList expected = digest(*whole.value());
    QCOMPARE(whole.value()->sliceCount(), 10U);
    QVERIFY(whole.value()->report().complete());
    // Sanitizers slow every byte down.
    constexpr size_t kEveryByteUpTo = WARPLINE_SANITIZED ? 200 : 700;
    for (size_t bytes = 1; bytes < size_t(text.size()) + 10; bytes += bytes < kEveryByteUpTo ? 1 : 37) {
        const auto trace = loadText(text, {.windowBytes = bytes});
        QVERIFY2(trace.ok(), qPrintable(QString::number(bytes)));
        QCOMPARE(digest(*trace.value()), expected);
        QCOMPARE(issueLines(*trace.value()), issueLines(*whole.value()));
    }
}

void tst_ChunkCutting::strictAndLenientAgree_data() {
    QTest::addColumn<QByteArray>("path");
    for (const char* name : {"quickstart", "worked_example", "multi_stream"}) {
        QTest::newRow(name) << QByteArray(WARPLINE_SAMPLES_DIR "/") + name + ".trace.json.gz";
    }
}

void tst_ChunkCutting::strictAndLenientAgree() {
    QFETCH(QByteArray, path);
    const auto load = [&](ReadLimits limits) {
        JobControl job;
        const auto trace = loadSource(openTextSource(path.toStdString(), job).value(), limits);
        return trace ? digest(*trace.value()) : QStringList(QString::fromStdString(trace.error().message));
    };
    const QStringList strict = load({});
    QVERIFY(strict.size() > 100);
    QCOMPARE(load({.strictFirst = false}), strict);
    QCOMPARE(load({.windowBytes = 4096}), strict);
}

void tst_ChunkCutting::strictParserTakesWholeEvents() {
    const std::string text =
        R"( {"ph": "X", "name": "a", "pid": 1, "tid": 2, "ts": 1.5, "dur": 2, "args": {"x": {"y": [1]}}} ,
        {"ph":"B","name":"b","pid":1,"tid":2,"ts":3} )";
    const size_t first = text.find('{');
    const size_t end = text.rfind('}') + 1;
    ChunkParser parser({});
    EventBatch batch;
    QVERIFY(parser.parseStrict(std::string_view(text).substr(first, end - first), 1000, batch));
    QCOMPARE(batch.events.size(), size_t(2));
    QCOMPARE(batch.events[0].timeNs, int64_t(1500));
    QCOMPARE(batch.events[0].durationNs, int64_t(2000));
    QCOMPARE(batch.events[0].source.offset, uint64_t(1000));
    QCOMPARE(batch.text(batch.events[1].name), std::string_view("b"));
    const SourceRef second = batch.events[1].source;
    QCOMPARE(text.substr(first + second.offset - 1000, second.length),
             std::string(R"({"ph":"B","name":"b","pid":1,"tid":2,"ts":3})"));
}

void tst_ChunkCutting::cutsAreBetweenEvents() {
    const std::string text = kinetoText(13).toStdString();
    const size_t cut = ChunkParser::findCut(text);
    QCOMPARE(text.substr(cut - 1, 6), std::string("},\n  {"));
    QVERIFY(text.find("\"ph\": \"s\"", cut) != std::string::npos);
    // A list of objects in args is no place to cut, if its keys are not those of events.
    QCOMPARE(ChunkParser::findCut(R"({"ph": "X", "args": {"a": [{"x": 1}, {"x": 2)"), size_t(0));
    QCOMPARE(ChunkParser::findCut("[1, 2"), size_t(0));
}

void tst_ChunkCutting::strictParserRefuses_data() {
    QTest::addColumn<QByteArray>("text");
    const auto row = [](const char* text) { QTest::newRow(text) << QByteArray(text); };
    row(R"({"ph": "X", "args": {"a": [{"ph": 1})");
    row(R"({"ph": "X", "args": {"a": NaN}})");
    row(R"({"ph": "X", "args": {"a": 0,5}})");
    row(R"({"ph": "X", "args": {"a": [1,]}})");
    row(R"({"ph": "X", "name": "a"b"})");
    row(R"({"ph": "X",, "name": "a"})");
    row(R"({"ph": "X"} {"ph": "X"})");
    row(R"({"ph": "X"}, 7)");
    row(R"({"ph": "X"}], [{"ph": "X"})");
    row("{\"ph\": \"X\", \"name\": \"\x93\"}");
    row("{\"ph\": \"X\", \"name\": \"\x01\"}");
    row(R"({"ph": "X", "dur": 1.2.3})");
    row(R"({"ph": "X", "dur": 01})");
    row(R"({"ph": "X", "dur": -})");
    row(R"({"ph": "X", "dur": 1 2})");
    row(R"({"ph": "X", "dur": "1"2})");
    row(R"({"ph": "X", "dur": \"1"})");
    row(R"({"ph": "X", "name": "\q"})");
    row(R"({"ph": "X", "name": "\u12g4"})");
    row(R"({"ph": "X", "name": "\ud800"})");
    row(R"({"ph": "X", "name": "\udc00\ud800"})");
    row(R"({"ph": "X", "name": "\ud83dx\ude00"})");
    row(R"({"ph": "X", "na\u006de": "a"})");
    row(R"({"ph": "X", "args": {"a": ["\q"]}})");
    row(R"({"ph": "X", "args": {"a": [1 2]}})");
    row(R"({"ph": "X", "args": {"a": {"b": 1,}}})");
    row(R"({"ph": "X", "args": {"a": {"b" 1}}})");
    row(R"({"ph": "X", "args": {"a": {1: 1}}})");
    row(R"({"ph": "X", "args": {"a": [1}}})");
    row(R"({"ph": "X", "args": {"a": [[1]}})");
    row(R"({"ph": "X", "args": {"a": {"b": nan}}})");
    row(R"({"ph": "X", "args": {"a"}})");
    row(R"({"ph": "X", "args": {"a": }})");
    row(R"({"ph": "X", "args": {})");
    row(R"({"ph": "X", "args")");
    row(R"({"ph")");
    row(R"({)");
    row(R"(})");
    row(R"({"ph": "X"}})");
    row(R"({"ph": "X"},)");
    row(R"({"ph": "X"}, )");
    row(R"(,{"ph": "X"})");
    row(R"({"ph": "X"},,{"ph": "X"})");
    row("{\"ph\": \"X\"}, \0{\"ph\": \"X\"}");
}

void tst_ChunkCutting::strictParserRefuses() {
    QFETCH(QByteArray, text);
    ChunkParser parser({});
    EventBatch batch;
    QVERIFY(!parser.parseStrict(std::string_view(text.data(), size_t(text.size())), 0, batch));
    QVERIFY(batch.events.empty() && batch.issues.empty());
}

void tst_ChunkCutting::cutAtEveryByte() {
    const QByteArray text = kinetoText(12);
    const qsizetype list = text.indexOf("\"traceEvents\"");
    for (qsizetype length = list + 16; length < text.size(); ++length) {
        const QByteArray cut = text.left(length);
        const auto trace = loadText(cut, {.windowBytes = 512});
        // Whole events are followed by a newline and two blanks at their depth.
        const auto wholeEvents = cut.count("\n  }");
        const bool listClosed = cut.contains("\n  ],\n  \"traceName\"");
        if (!trace) {
            QCOMPARE(trace.error().code, std::string("truncated"));
            QCOMPARE(wholeEvents, 0);
            continue;
        }
        const Trace& t = *trace.value();
        const EventCounts& n = t.counts();
        QCOMPARE(qsizetype(n.slices + n.instants + n.flows + n.metadata), wholeEvents);
        QCOMPARE(t.report().countOf("truncated"), uint64_t(1));
        const QByteArray events = cut.mid(list);
        const bool insideEvent = events.lastIndexOf("\n  {\n") > events.lastIndexOf("\n  }") && !listClosed;
        // A cut right behind an event's bracket leaves the next one untouched.
        if (insideEvent) {
            QCOMPARE(t.report().lostCount(), uint64_t(1));
            QVERIFY(!t.report().complete());
        } else {
            QVERIFY(t.report().lostCount() <= 1);
        }
    }
}

void tst_ChunkCutting::oddEventsInEveryWindow() {
    const QByteArray text =
        "{\"traceEvents\": [ ,\n"
        "{\"ph\": \"X\", \"name\": \"one\", \"pid\": 1, \"tid\": 1, \"ts\": 1, \"dur\": 1},\n"
        "{\"ph\": \"X\", \"name\": \"bro\"ken\", \"pid\": 1, \"tid\": 1, \"ts\": 3, \"dur\": 1},\n"
        "{\"ph\": \"X\", \"name\": \"two\", \"pid\": 1, \"tid\": 1, \"ts\": 5, \"dur\": 1, \"args\": {\"x\": NaN,}},\n"
        "17, \"text\", null,\n"
        "{\"ph\": \"X\", \"name\": \"thr\x93\", \"pid\": 1, \"tid\": 1, \"ts\": \"7\", \"dur\": 1},, {}\n"
        "], \"traceName\": \"x\",}\n";
    const auto whole = loadText(text);
    const QStringList expected = digest(*whole.value());
    QCOMPARE(whole.value()->sliceCount(), 3U);
    QCOMPARE(whole.value()->report().countOf("not_an_event"), uint64_t(3));
    for (size_t bytes = 1; bytes < size_t(text.size()) + 2; ++bytes) {
        const auto trace = loadText(text, {.windowBytes = bytes});
        QCOMPARE(digest(*trace.value()), expected);
        QCOMPARE(trace.value()->report().lostCount(), uint64_t(4));
    }
}

void tst_ChunkCutting::chunksReadByTheirThreads_data() {
    QTest::addColumn<QByteArray>("odd");  // in place of the event in the middle
    QTest::newRow("plain") << QByteArray();
    QTest::newRow("nan") << QByteArray(R"({"ph": "X", "name": "n", "pid": 1, "tid": 1, "ts": NaN, "dur": 1})");
    QTest::newRow("broken") << QByteArray(R"({"ph": "X", "name": "n" "pid": 1)");
    QTest::newRow("not an event") << QByteArray("[1, 2]");
    QTest::newRow("long") << "{\"ph\": \"i\", \"name\": \"n\", \"ts\": 1, \"args\": {\"a\": \"" +
                                 QByteArray(20'000, 'x') + "\"}}";
    QTest::newRow("the list ends") << QByteArray(R"({"ph": "i", "name": "n", "ts": 1}], "other": [{"ph": 1})");
    QTest::newRow("looks like a cut") << QByteArray(
        R"({"ph": "X", "name": "n", "ts": 5, "dur": 1, "args": {"list": [{"ts": 1}, {"name": 2}, {"ph": 3}]}})");
}

/// Text that is stored as it is is read by the threads that parse it; compressed, it comes through one. Both give the
/// same trace, as does one thread alone.
void tst_ChunkCutting::chunksReadByTheirThreads() {
    QFETCH(QByteArray, odd);
    QByteArray text = "{\"traceEvents\": [\n";
    constexpr int kEvents = 3000;  // far more text than is looked at before the list
    for (int i = 0; i < kEvents; ++i) {
        if (i == kEvents / 2 && !odd.isEmpty()) {
            text += odd + ",\n";
            continue;
        }
        text +=
            "  {\n    \"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"op" + QByteArray::number(i % 7) +
            "\", \"pid\": 1, \"tid\": 1,\n    \"ts\": " + QByteArray::number(10 * i) + ".5, \"dur\": 3" +
            (i % 5 == 0 ? QByteArray(", \"args\": {\"External id\": ") + QByteArray::number(i) + "}" : QByteArray()) +
            "\n  },\n";
    }
    text += "  {\"ph\": \"i\", \"name\": \"last\", \"ts\": 1}\n], \"traceName\": \"t\"}";
    const QByteArray packed = gzipped(text);
    LoadOptions alone;
    alone.threads = 1;
    LoadOptions several;
    several.threads = 3;
    const auto whole = loadText(text, {}, alone);
    QVERIFY(whole.ok());
    const QStringList expected = digest(*whole.value());
    QVERIFY(expected.size() >= kEvents / 2);
    for (const size_t bytes : {300, 1'000, 4'096, 10'000}) {
        const auto direct = loadText(text, {.windowBytes = bytes}, several);
        QVERIFY(direct.ok());
        QCOMPARE(digest(*direct.value()), expected);
        QCOMPARE(issueLines(*direct.value()), issueLines(*whole.value()));
        const auto through =
            loadSource(makeGzipSource(makeMemoryBytes(packed.toStdString())), {.windowBytes = bytes}, several);
        QVERIFY(through.ok());
        QCOMPARE(digest(*through.value()), expected);
        QCOMPARE(issueLines(*through.value()), issueLines(*whole.value()));
    }
}

QTEST_APPLESS_MAIN(tst_ChunkCutting)
#include "tst_chunk_cutting.moc"
