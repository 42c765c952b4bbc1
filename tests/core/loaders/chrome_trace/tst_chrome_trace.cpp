// SPDX-License-Identifier: MIT
// Trace Event JSON, as the format means it and as producers write it.
#include <QTest>
#include <cmath>

#include "tests/core/loaders/loader_testing.h"

using namespace warpline;
using namespace warpline::loaders::chrome_trace;
using namespace warpline::test;

// What would take minutes if it were quadratic is slow enough under a sanitizer with a tenth of it.
constexpr int kShare = WARPLINE_SANITIZED ? 10 : 1;

class tst_ChromeTrace : public QObject {
    Q_OBJECT

private slots:
    void loads_data();
    void loads();
    void reports_data();
    void reports();
    void refuses_data();
    void refuses();
    void numbersAreExact();
    void containers_data();
    void containers();
    void eventLongerThanAllowed();
    void longHeaderValueIsPassedOver();
    void argsAreReadBack();
    void argsOfBothEnds_data();
    void argsOfBothEnds();
    void recorderNotes();
    void textsThatInviteSlowReading_data();
    void textsThatInviteSlowReading();
};

void tst_ChromeTrace::loads_data() {
    QTest::addColumn<QByteArray>("events");
    QTest::addColumn<QStringList>("lines");  // those of the digest that matter
    const auto row = [](const char* name, const char* events, QStringList lines) {
        QTest::newRow(name) << QByteArray(events) << lines;
    };
    row("X", R"({"ph":"X","cat":"c","name":"n","pid":1,"tid":2,"ts":1.5,"dur":2.25,"args":{"k":1}})",
        {"slice 1/2 n c 1500+2250 kind other flags 0 corr 0 ext -1  {\"k\": 1}"});
    row("X without name, pid, tid", R"({"ph":"X","ts":1,"dur":2})",
        {"slice -/-   1000+2000 kind other flags 0 corr 0 ext -1  null"});
    row("B and E", R"({"ph":"B","name":"n","pid":1,"tid":1,"ts":1}, {"ph":"E","pid":1,"tid":1,"ts":4})",
        {"slice 1/1 n  1000+3000 kind other flags 0 corr 0 ext -1  null"});
    row("instants",
        R"({"ph":"i","name":"a","pid":1,"tid":1,"ts":1,"s":"g"}, {"ph":"I","name":"b","pid":1,"tid":1,"ts":2},
        {"ph":"R","name":"c","pid":1,"tid":1,"ts":3})",
        {"instant 1/1 a 1000 g null", "instant 1/1 b 2000 t null", "instant 1/1 c 3000 t null"});
    row("object marks show as instants",
        R"({"ph":"N","name":"o","id":1,"pid":1,"tid":1,"ts":1}, {"ph":"O","name":"o","id":1,
        "pid":1,"tid":1,"ts":2}, {"ph":"D","name":"o","id":1,"pid":1,"tid":1,"ts":3})",
        {"instant 1/1 o 1000 t null", "instant 1/1 o 2000 t null", "instant 1/1 o 3000 t null"});
    row("counter",
        R"({"ph":"C","name":"mem","pid":1,"ts":1,"args":{"a":4,"b":"2.5"}}, {"ph":"C","name":"mem","pid":1,"ts":2,
        "args":{"a":"x","b":3}})",
        {"counter mem/a 1000=4 2000=nan", "counter mem/b 1000=2.5 2000=3"});
    row("async", R"({"ph":"b","cat":"c","id":"0x1","name":"n","pid":1,"tid":1,"ts":1}, {"ph":"n","cat":"c","id":"0x1",
        "name":"m","pid":1,"tid":1,"ts":2}, {"ph":"e","cat":"c","id":"0x1","name":"n","pid":1,"tid":1,"ts":3})",
        {"async 1/1 n id 0x1 1000+2000 finished", "async instant 1/1 m id 0x1 2000"});
    row("legacy async", R"({"ph":"S","cat":"c","id":7,"name":"n","pid":1,"tid":1,"ts":1}, {"ph":"T","cat":"c","id":7,
        "name":"n","pid":1,"tid":1,"ts":2}, {"ph":"p","cat":"c","id":7,"name":"n","pid":1,"tid":1,"ts":2.5},
        {"ph":"F","cat":"c","id":7,"name":"n","pid":1,"tid":1,"ts":3})",
        {"async 1/1 n id 7 1000+2000 finished", "async instant 1/1 n id 7 2000", "async instant 1/1 n id 7 2500"});
    row("local ids are a process's own",
        R"({"ph":"b","id2":{"local":"0x1"},"name":"n","pid":1,"tid":1,"ts":1},
        {"ph":"b","id2":{"local":"0x1"},"name":"n","pid":2,"tid":1,"ts":1.5},
        {"ph":"e","id2":{"local":"0x1"},"name":"n","pid":1,"tid":1,"ts":2},
        {"ph":"e","id2":{"local":"0x1"},"name":"n","pid":2,"tid":1,"ts":3})",
        {"async 1/1 n id 0x1 1000+1000 finished", "async 2/1 n id 0x1 1500+1500 finished"});
    row("an id counts within its scope",
        R"({"ph":"b","cat":"c","id":1,"scope":"s1","name":"n","pid":1,"tid":1,"ts":1},
        {"ph":"b","cat":"c","id":1,"scope":"s2","name":"n","pid":1,"tid":1,"ts":2},
        {"ph":"b","cat":"c","id":1,"name":"n","pid":1,"tid":1,"ts":2.5},
        {"ph":"e","cat":"c","id":1,"scope":"s1","name":"n","pid":1,"tid":1,"ts":3},
        {"ph":"e","cat":"c","id":1,"name":"n","pid":1,"tid":1,"ts":4},
        {"ph":"e","cat":"c","id":1,"scope":"s2","name":"n","pid":1,"tid":1,"ts":5})",
        {"async 1/1 n id 1 1000+2000 finished", "async 1/1 n id 1 2000+3000 finished",
         "async 1/1 n id 1 2500+1500 finished"});
    row("global ids are not", R"({"ph":"b","id2":{"global":"0x1"},"name":"n","pid":1,"tid":1,"ts":1}, {"ph":"e",
        "id2":{"global":"0x1"},"name":"n","pid":2,"tid":1,"ts":2})",
        {"async 1/1 n id 0x1 1000+1000 finished"});
    row("flow",
        R"({"ph":"X","name":"a","pid":1,"tid":1,"ts":1,"dur":1}, {"ph":"X","name":"b","pid":1,"tid":2,"ts":5,"dur":1},
        {"ph":"s","cat":"f","id":9,"pid":1,"tid":1,"ts":1}, {"ph":"f","bp":"e","cat":"f","id":9,"pid":1,"tid":2,"ts":5})",
        {"flow 0 -> 1 id 9"});
    row("quoted numbers are the numbers", R"({"ph":"X","name":"a","pid":"1","tid":" 2 ","ts":"1","dur":"1"},
        {"ph":"X","name":"b","pid":1,"tid":"2","ts":3,"dur":1})",
        {"slice 1/2 b  3000+1000 kind other flags 0 corr 0 ext -1  null"});
    row("names and ids of every type", R"({"ph":"X","name":404,"pid":-1,"tid":"stream 7","ts":1,"dur":1})",
        {"slice -1/stream 7 404  1000+1000 kind other flags 0 corr 0 ext -1  null"});
    row("ids beyond 2^53", R"({"ph":"X","name":"a","pid":1,"tid":9007199254740993,"ts":1,"dur":1},
        {"ph":"X","name":"b","pid":1,"tid":9007199254740992,"ts":1,"dur":1})",
        {"slice 1/9007199254740993 a  1000+1000 kind other flags 0 corr 0 ext -1  null",
         "slice 1/9007199254740992 b  1000+1000 kind other flags 0 corr 0 ext -1  null"});
    row("metadata", R"({"ph":"X","name":"a","pid":1,"tid":2,"ts":1,"dur":1}, {"ph":"M","name":"process_name","pid":1,
        "args":{"name":"first"}}, {"ph":"M","name":"process_name","pid":"1","args":{"name":"last"}},
        {"ph":"M","name":"thread_name","pid":1,"tid":2,"args":{"name":"main"}})",
        {"process 1 last", "track main"});
    row("last of equal keys",
        R"({"ph":"X","name":"a","name":"b","pid":1,"tid":1,"ts":1,"dur":1,"args":{"f":1},"args":{"g":2}})",
        {"slice 1/1 b  1000+1000 kind other flags 0 corr 0 ext -1  {\"g\": 2}"});
    row("escapes that no value needs",
        R"({"ph":"\u0058","name":"\u0061","pid":"\u0031","tid":"\u0031","ts":"\u0031","dur":"\u0032","cat":"kern\u0065l",
            "args":{"correlation":"\u0037"}},
        {"ph":"\u0043","name":"c","pid":1,"ts":2,"args":{"v":"\u0035"}},
        {"ph":"X","name":"q\u0022\u005c","pid":1,"tid":1,"ts":7,"dur":1})",
        {R"(slice 1/1 a kernel 1000+2000 kind kernel flags 0 corr 7 ext -1  {"correlation": "7"})",
         R"(slice 1/1 q"\  7000+1000 kind other flags 0 corr 0 ext -1  null)", "counter c/v 2000=5"});
    row("escaped key", R"({"\u0070h":"X","name":"a","pid":1,"tid":1,"ts":1,"dur":1})",
        {"slice 1/1 a  1000+1000 kind other flags 0 corr 0 ext -1  null"});
}

void tst_ChromeTrace::loads() {
    QFETCH(QByteArray, events);
    QFETCH(QStringList, lines);
    for (const bool strict : {true, false}) {
        // A last event that nobody asks about lets the others go through the strict parser.
        const QByteArray text = "[" + events + ", {\"ph\":\"M\",\"name\":\"x\",\"pid\":1}]";
        const auto trace = loadText(text, {.strictFirst = strict});
        QVERIFY2(trace.ok(), trace.ok() ? "" : trace.error().message.c_str());
        const QStringList all = digest(*trace.value(), false);
        for (const QString& line : lines) {
            QVERIFY2(all.contains(line), qPrintable(line + "\nnot in\n" + all.join('\n')));
        }
        QCOMPARE(trace.value()->report().lostCount(), uint64_t(0));
    }
}

void tst_ChromeTrace::reports_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QStringList>("issues");
    QTest::addColumn<bool>("complete");
    const auto row = [](const char* name, const char* text, QStringList issues, bool complete = true) {
        QTest::newRow(name) << QByteArray(text) << issues << complete;
    };
#define SOUND R"({"ph":"X","name":"a","pid":1,"tid":1,"ts":1,"dur":1})"  // 52 bytes
    row("nothing", "[" SOUND "]", {});
    row("empty object", "[" SOUND ", {}]", {});
    row("no time", "[" SOUND R"(, {"ph":"X","name":"b","ts":null}])", {"bad_timestamp data_loss 1 @55"});
    row("a word for a time", "[" SOUND R"(, {"ph":"B","name":"b","ts":"soon"}])", {"bad_timestamp data_loss 1 @55"});
    row("time too large", "[" SOUND R"(, {"ph":"X","name":"b","ts":1e30,"dur":1}])", {"outlier data_loss 1 @55"});
    row("no duration", "[" SOUND R"(, {"ph":"X","name":"b","pid":1,"tid":2,"ts":1}])",
        {"missing_duration warning 1 @55"});
    row("negative duration", "[" SOUND R"(, {"ph":"X","name":"b","pid":1,"tid":2,"ts":1,"dur":-5}])",
        {"negative_duration warning 1 @55"});
    row("no name", "[" SOUND R"(, {"ph":"X","name":null,"pid":1,"tid":2,"ts":1,"dur":1}])",
        {"missing_name info 1 @55"});
    row("unknown phase", "[" SOUND R"(, {"ph":"Z","ts":1}, {"ts":1}])", {"unknown_phase data_loss 2 @55"});
    row("no objects", "[" SOUND ", 7, [1, [2]], \"x\", null]", {"not_an_event data_loss 4 @55"});
    row("repeated key", R"([{"ph":"X","name":"a","pid":1,"tid":1,"ts":1,"dur":1,"args":{"f":1,"g":3,"f":2}}])",
        {"duplicate_key info 1 @1"});
#define WITH_ARG(value) R"({"ph":"X","name":"a","pid":1,"tid":1,"ts":1,"dur":1,"args":{"f":)" value "}}"
    row("repeated key in an object of args", "[" WITH_ARG(R"({"a":1,"b":{"a":1},"a":2})") "," SOUND "," SOUND "]",
        {"duplicate_key info 1 @1"});
    row("repeated key in an object in a list", "[" WITH_ARG(R"([{"a":1},{"b":1,"b":2}])") "," SOUND "," SOUND "]",
        {"duplicate_key info 1 @1"});
    row("repeated key in a layout that is known",
        "[" WITH_ARG(R"({"a":1,"b":2})") "," WITH_ARG(R"({"a":1,"b":2})") "," WITH_ARG(R"({"a":1,"a":2})") "," SOUND
                                                                                                           "]",
        {"duplicate_key info 1 @161"});
    row("keys of different objects", "[" WITH_ARG(R"([{"a":1},{"a":1,"b":{"a":{"a":1}}}])") "," SOUND "," SOUND "]",
        {});
    row("raw tab in a key",
        "[" SOUND ", {\"ph\":\"X\",\"na\tme\":1,\"name\":\"b\",\"pid\":1,\"tid\":2,\"ts\":1,\"dur\":1}]",
        {"control_character warning 1 @55"});
    row("bad escape in a key", "[" SOUND R"(, {"ph":"X","na\qme":1,"name":"b","pid":1,"tid":2,"ts":1,"dur":1}])",
        {"invalid_escape warning 1 @55"});
    row("odd numbers", R"([{"ph":"X","name":"a","pid":1,"tid":1,"ts":1,"dur":1,"args":{"f":inf,"g":0,5}}])",
        {"nonfinite_number warning 1 @1"});
    row("stray commas", "[,," SOUND ",," SOUND ",]", {"invalid_json info 3 @1"});
    row("comma before the first event", "{\"traceEvents\": [, " SOUND "]}", {"invalid_json info 1 @17"});
    row("bad escape", R"([{"ph":"X","name":"C:\users","pid":1,"tid":1,"ts":1,"dur":1}])",
        {"invalid_escape warning 1 @1"});
    row("mark", "\xef\xbb\xbf[" SOUND "]", {"encoding info 1 @0"});
    row("open list", "[" SOUND ",\n", {"truncated info 1 @0"});
    row("open object", "{\"traceEvents\": [" SOUND, {"truncated warning 1 @16"}, false);
    row("object without its end", "{\"traceEvents\": [" SOUND "]", {"truncated warning 1 @0"});
    row("cut event", "{\"traceEvents\": [" SOUND ", {\"ph\": \"X", {"truncated data_loss 1 @71"}, false);
    row("unescaped quote", "[" SOUND R"(, {"ph":"X","name":"a"b","ts":1}, )" SOUND "]",
        {"invalid_json data_loss 1 @55"}, false);
    row("unescaped quote at the end", "[" SOUND R"(, {"ph":"X","name":"a"b","ts":1}])",
        {"invalid_json data_loss 1 @55"}, false);
    row("text after the end", "[" SOUND "] and more", {"trailing_data warning 1 @55"});
    row("two documents", "[" SOUND "]\n[" SOUND "]", {"multiple_documents info 1 @55"});
    row("second document is cut", "[" SOUND "]\n{\"traceEvents\": [{\"p",
        {"truncated data_loss 1 @72", "multiple_documents info 1 @55"}, false);
    row("stray brace", "[" SOUND "}, " SOUND ", " SOUND "]", {"invalid_json info 1 @53"});
    row("stray brace in an object", "{\"traceEvents\":[" SOUND "},\n" SOUND "]}", {"invalid_json info 1 @68"});
    row("early bracket", "[" SOUND "],\n" SOUND "]", {"invalid_json info 1 @53"});
    row("missing comma", "[" SOUND " " SOUND "]", {"invalid_json info 1 @54"});
    row("bare events need no commas", SOUND "\n" SOUND "\n", {});
    row("comments", "[ // note\n" SOUND ", /* {\"ph\": */ " SOUND "]", {"invalid_json info 2 @2"});
    row("words between events", "[" SOUND ", oops, " SOUND "]", {"invalid_json data_loss 1 @55"}, false);
    row("two lists", "{\"traceEvents\":[" SOUND "],\"traceEvents\":[" SOUND "]}", {"duplicate_key info 1 @70"});
    row("counter without a value",
        "[" SOUND R"(, {"ph":"C","name":"c","ts":1}, {"ph":"C","name":"c","ts":1,"args":[5]}])",
        {"counter_without_value data_loss 2 @55"});
    row("counter values that are no numbers",
        "[" SOUND
        R"(, {"ph":"C","name":"c","ts":1,"args":{"a":"abc","b":[1]}}, {"ph":"C","name":"c","ts":2,"args":{"a":true}}, )"
        R"({"ph":"C","name":"c","ts":2,"args":{"a":null,"b":"5"}}])",
        {"nonfinite_number warning 2 @55"});
    row("negative durations that round or do not fit",
        R"([{"ph":"X","pid":1,"tid":1,"name":"a","ts":1,"dur":-0.0001}, {"ph":"X","pid":1,"tid":2,"name":"a","ts":1,"dur":-1e300}])",
        {"negative_duration warning 2 @1"});
    row("negative zero", R"([{"ph":"X","pid":1,"tid":1,"name":"a","ts":1,"dur":-0.0}])", {});
    row("a number beyond all",
        R"([{"ph":"X","pid":1,"tid":1,"name":"a","ts":1,"dur":1,"args":{"v":1e999,"w":1e-999}}])",
        {"nonfinite_number warning 1 @1"});
    QTest::newRow("hole of zeros") << QByteArray("[" SOUND ", ") + QByteArray(5000, '\0') + SOUND "]"
                                   << QStringList{"invalid_json data_loss 1 @55"} << false;
#undef SOUND
}

void tst_ChromeTrace::reports() {
    QFETCH(QByteArray, text);
    QFETCH(QStringList, issues);
    QFETCH(bool, complete);
    const auto trace = loadText(text);
    QVERIFY2(trace.ok(), trace.ok() ? "" : trace.error().message.c_str());
    QStringList lines = issueLines(*trace.value());
    lines.removeIf([](const QString& line) { return line.startsWith("overlap"); });
    QCOMPARE(lines, issues);
    QCOMPARE(trace.value()->report().complete(), complete);
}

void tst_ChromeTrace::refuses_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("code");
    const auto row = [](const char* name, const QByteArray& text, const char* code) {
        QTest::newRow(name) << text << QByteArray(code);
    };
    row("no trace", "{\"a\": 1}", "unsupported");
    row("numbers", "[1, 2, 3]", "unsupported");
    row("text", "hello", "unsupported");
    row("cut before the first event", "{\"traceEvents\": [{\"ph\": \"X", "truncated");
    row("cut in a key", "{\"traceEv", "truncated");
    row("UTF-16", QByteArray("\xff\xfe[\0]\0", 6), "encoding");
    row("UTF-16 without a mark", QByteArray("[\0{\0", 4), "encoding");
}

void tst_ChromeTrace::refuses() {
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, code);
    const auto trace = loadText(text);
    QVERIFY(!trace.ok());
    QCOMPARE(QByteArray::fromStdString(trace.error().code), code);
    QVERIFY(!trace.error().message.empty());
}

void tst_ChromeTrace::numbersAreExact() {
    const auto trace =
        loadText(R"([{"ph":"X","cat":"kernel","name":"a","pid":0,"tid":7,"ts":1714123456789012.380,"dur":1.240,
        "args":{"correlation":18446744073709551615,"External id":9007199254740993}},
        {"ph":"C","name":"c","pid":1,"ts":1,"args":{"v":9007199254740993}},
        {"ph":"C","name":"no number","pid":1,"ts":1,"args":{"v":"09007199254740993"}}])");
    const SliceColumns& s = trace.value()->slices();
    QCOMPARE(s.begin[0], TimeNs(1714123456789012380));
    QCOMPARE(s.duration[0], DurationNs(1240));
    QCOMPARE(s.correlation[0], UINT64_MAX);
    QCOMPARE(s.externalId[0], uint64_t(9007199254740993));
    QCOMPARE(trace.value()->counters()[0].series[0].whole, std::vector<int64_t>{9007199254740993});
    QCOMPARE(trace.value()->counters()[1].series[0].whole, std::vector<int64_t>());
    QVERIFY(std::isnan(trace.value()->counters()[1].series[0].value[0]));
}

void tst_ChromeTrace::containers_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<int>("slices");
#define EVENT R"({"ph":"X","name":"a","pid":1,"tid":1,"ts":1,"dur":1})"
    QTest::newRow("array") << QByteArray("[" EVENT "," EVENT "]") << 2;
    QTest::newRow("object") << QByteArray("{\"traceEvents\":[" EVENT "]}") << 1;
    QTest::newRow("CRLF") << QByteArray("{\r\n\"traceEvents\":\r\n[\r\n" EVENT ",\r\n" EVENT "\r\n]\r\n}\r\n") << 2;
    QTest::newRow("list comes late")
        << QByteArray(
               "{\"note\":\"\\\"traceEvents\\\": [{\\\"ph\\\"\", \"x\":{\"traceEvents\":[1,[2]]},"
               "\"traceEvents\":[" EVENT "],\"after\":[\"]}\"]}")
        << 1;
    QTest::newRow("lines") << QByteArray(EVENT "\n" EVENT "\n" EVENT "\n") << 3;
    QTest::newRow("lines with commas") << QByteArray(EVENT ",\n" EVENT ",\n") << 2;
    QTest::newRow("stray bracket") << QByteArray("[" EVENT "]}," EVENT "]") << 2;
    QTest::newRow("list, then an object") << QByteArray("{\"traceEvents\":[" EVENT "],\"x\":{\"ph\":1}}") << 1;
    QTest::newRow("empty list") << QByteArray("[]") << 0;
    QTest::newRow("empty member") << QByteArray("{\"traceEvents\":[]}") << 0;
    QTest::newRow("two documents") << QByteArray("{\"traceEvents\":[" EVENT "]}\n{\"traceEvents\":[" EVENT "]}") << 2;
#undef EVENT
}

void tst_ChromeTrace::containers() {
    QFETCH(QByteArray, text);
    QFETCH(int, slices);
    const auto trace = loadText(text);
    QVERIFY2(trace.ok(), trace.ok() ? "" : trace.error().message.c_str());
    QCOMPARE(int(trace.value()->sliceCount()), slices);
    QVERIFY(trace.value()->report().complete());
    QCOMPARE(trace.value()->report().lostCount(), uint64_t(0));
}

void tst_ChromeTrace::eventLongerThanAllowed() {
    const QByteArray text =
        R"([{"ph":"X","name":"a","pid":1,"tid":1,"ts":1,"dur":1}, {"ph":"X","name":")" + QByteArray(100'000, 'x') +
        R"(","pid":1,"tid":1,"ts":3,"dur":1}, {"ph":"X","name":"b","pid":1,"tid":1,"ts":5,"dur":1}])";
    LoadOptions options;
    options.maxEventBytes = 10'000;
    const auto trace = loadText(text, {.windowBytes = 1000}, options);
    QCOMPARE(trace.value()->sliceCount(), 2U);
    QCOMPARE(issueLines(*trace.value()), QStringList("event_too_long data_loss 1 @55"));
    QVERIFY(!trace.value()->report().complete());
}

void tst_ChromeTrace::longHeaderValueIsPassedOver() {
    const QByteArray text =
        "{\"systemTraceEvents\": \"" + QByteArray(50'000, 'x') +
        R"(", "stackFrames": {"1": {"name": "]}"}}, "traceEvents": [{"ph":"X","name":"a","ts":1,"dur":1}]})";
    const auto trace = loadText(text, {.windowBytes = 512, .headerBytes = 2000});
    QCOMPARE(trace.value()->sliceCount(), 1U);
    QVERIFY(trace.value()->report().complete());
}

void tst_ChromeTrace::argsAreReadBack() {
    const QByteArray text =
        "["
        R"({"ph":"X","name":"a","ts":1,"dur":1,"args":{"a":[1,2.50],"b":nan}},)"
        R"({"ph":"X","name":"b","ts":3,"dur":1,"args":[]},)"
        R"({"ph":"X","name":"c","ts":5,"dur":1,"args":"text"},)"
        R"({"ph":"X","name":"d","ts":7,"dur":1}])";
    for (const bool packed : {false, true}) {
        const auto source = packed ? makeGzipSource(makeMemoryBytes(gzipped(text).toStdString()))
                                   : makeMemorySource(text.toStdString());
        const auto trace = loadSource(source);
        QStringList args;
        for (uint32_t row = 0; row < 4; ++row) {
            args << QString::fromStdString(trace.value()->argsJson(EventRow(row)).value());
        }
        QCOMPARE(args, (QStringList{"{\"a\": [1, 2.50], \"b\": \"nan\"}", "[]", "\"text\"", "null"}));
        const SourceRef third = trace.value()->slices().source(2);
        QCOMPARE(text.mid(static_cast<qsizetype>(third.offset), static_cast<qsizetype>(third.length)),
                 QByteArray(R"({"ph":"X","name":"c","ts":5,"dur":1,"args":"text"})"));
    }
}

void tst_ChromeTrace::argsOfBothEnds_data() {
    QTest::addColumn<QByteArray>("begin");
    QTest::addColumn<QByteArray>("end");
    QTest::addColumn<QString>("joined");
    QTest::newRow("other keys") << QByteArray(R"({"a":1})") << QByteArray(R"({"b":2})") << "{\"a\": 1, \"b\": 2}";
    QTest::newRow("the end counts") << QByteArray(R"({"a":1,"b":1})") << QByteArray(R"({"a":2})")
                                    << "{\"b\": 1, \"a\": 2}";
    QTest::newRow("empty begin") << QByteArray("{}") << QByteArray(R"({"a":2})") << "{\"a\": 2}";
    QTest::newRow("empty end") << QByteArray(R"({"a":1})") << QByteArray("{}") << "{\"a\": 1}";
    QTest::newRow("no begin") << QByteArray("null") << QByteArray(R"({"a":2})") << "{\"a\": 2}";
    QTest::newRow("no end") << QByteArray(R"({"a":1})") << QByteArray("null") << "{\"a\": 1}";
}

void tst_ChromeTrace::argsOfBothEnds() {
    QFETCH(QByteArray, begin);
    QFETCH(QByteArray, end);
    QFETCH(QString, joined);
    const auto trace = loadText(R"([{"ph":"B","name":"x","ts":1,"args":)" + begin + R"(},{"ph":"E","ts":2,"args":)" +
                                end + R"(},{"ph":"b","name":"y","id":1,"ts":1,"args":)" + begin +
                                R"(},{"ph":"e","name":"y","id":1,"ts":2,"args":)" + end + "}]");
    QCOMPARE(QString::fromStdString(trace.value()->argsJson(EventRow(0U)).value()), joined);
    const AsyncSlice& async = trace.value()->asyncSlices()[0];
    QCOMPARE(QString::fromStdString(trace.value()->argsJson(async.track, async.source, async.endSource).value()),
             joined);
}

void tst_ChromeTrace::recorderNotes() {
    const auto trace = loadText(R"({"traceEvents":[{"ph":"X","name":"a","ts":1,"dur":1}],"ERROR":["out of buffers"]})");
    QCOMPARE(issueLines(*trace.value()), QStringList("recorder_note warning 1 @-1"));
    QVERIFY(QString::fromStdString(trace.value()->report().issues()[0].message).contains("out of buffers"));
}

// Each of these took minutes if anything in the reading were quadratic.
void tst_ChromeTrace::textsThatInviteSlowReading_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("event starts in garbage")
        << "[{\"ph\":\"X\"\"x\", " + QByteArray(R"({"name":)").repeated(300'000 / kShare);
    QTest::newRow("broken event starts in garbage")
        << "[{\"ph\":\"X\"\"x\", " + QByteArray(R"({"name":"a"b,)").repeated(300'000 / kShare);
    QByteArray series;
    for (int i = 0; i < 50'000 / kShare; ++i) {
        series += (i == 0 ? "\"" : ",\"") + QByteArray::number(i) + "\":1";
    }
    QTest::newRow("many series") << R"([{"ph":"C","name":"c","pid":1,"ts":1,"args":{)" + series + "}}]";
    QTest::newRow("many series twice") << R"([{"ph":"C","name":"c","pid":1,"ts":1,"args":{)" + series + "," + series +
                                              "}}]";
    QTest::newRow("commas") << "[" + QByteArray(3'000'000 / kShare, ',') + "]";
    QTest::newRow("blanks") << QByteArray("[{\"ph\":\"X\"\"x\",") + QByteArray("{    ").repeated(500'000 / kShare);
    QTest::newRow("backslashes") << QByteArray("[\"") + QByteArray(3'000'000 / kShare, '\\') + "\"]";
    QTest::newRow("quotes behind backslashes")
        << QByteArray("[\"") + QByteArray("\\\"").repeated(1'000'000 / kShare) + "\"]";
    QTest::newRow("broken values in the head")
        << "{" + QByteArray("\"a\":,").repeated(400'000 / kShare) + "\"traceEvents\":[]}";
    QTest::newRow("quotes behind the list")
        << "{\"traceEvents\":[], x " + QByteArray("\"\\").repeated(1'000'000 / kShare);
}

void tst_ChromeTrace::textsThatInviteSlowReading() {
    QFETCH(QByteArray, text);
    // Quadratic time would end in the time limit of the test; the benchmark `load` measures.
    const auto trace = loadText(text);
    QVERIFY(trace.ok() || !trace.error().message.empty());
}

QTEST_APPLESS_MAIN(tst_ChromeTrace)
#include "tst_chrome_trace.moc"
