// SPDX-License-Identifier: MIT
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <nlohmann/json.hpp>

#include "tests/support/cli_process.h"
#include "tests/support/nsys_export.h"

using namespace warpline::test;
using nlohmann::json;

namespace {

json documentOf(const CliRun& run) {
    return json::parse(run.out.constData(), run.out.constData() + run.out.size(), nullptr, false);
}

json dumpOf(const QByteArray& text, int expectedCode = 0) {
    CliOptions options;
    options.input = text;
    const CliRun run = runCli({"dump", "-", "--json"}, options);
    return run.code == expectedCode ? documentOf(run) : json();
}

json eventsOf(const char* events) {
    return dumpOf(QByteArray("[") + events + "]");
}

/// How `got` misses `want`: every key of `want` must be there and equal; `got` may have more.
QString firstDifference(const json& want, const json& got, const std::string& path = {}) {
    if (want.is_object() && got.is_object()) {
        for (const auto& [key, value] : want.items()) {
            if (!got.contains(key)) {
                return QString::fromStdString(path + "/" + key + " is missing");
            }
            if (const QString inner = firstDifference(value, got[key], path + "/" + key); !inner.isEmpty()) {
                return inner;
            }
        }
        return {};
    }
    if (want.is_array() && got.is_array() && want.size() == got.size()) {
        for (size_t i = 0; i < want.size(); ++i) {
            const QString inner = firstDifference(want[i], got[i], path + "/" + std::to_string(i));
            if (!inner.isEmpty()) {
                return inner;
            }
        }
        return {};
    }
    return want == got ? QString() : QString::fromStdString(path + ": wanted " + want.dump() + ", got " + got.dump());
}

void comparePart(const json& got, const char* wanted) {
    const QString missed = firstDifference(json::parse(wanted), got);
    QVERIFY2(missed.isEmpty(), qPrintable(missed));
}

}  // namespace

class TestDump : public QObject {
    Q_OBJECT

private slots:
    void everyList();
    void everyKeyIsThereInAnEmptyTrace();
    void argsStayAsTheyStand();
    void unknownIsNull();
    void counters();
    void wholeCountersKeepTheirDigits();
    void roundedCountersAreNoted_data();
    void roundedCountersAreNoted();
    void wholeCountersBesideFractionsAreRoundedAndNoted();
    void asyncAndInstants();
    void flows();
    void memoryLevels();
    void memoryTimeline();
    void severalFilesShareAnAxis();
    void fractionsOfADayAndLargeTimesAreExact();
    void failureDocument();
    void argsThatCannotBeReadAgain();
    void textIsATree();
};

void TestDump::everyList() {
    const json doc = dumpOf(R"__({"baseTimeNanoseconds": 1700000000000000000, "traceEvents": [
{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 9, "tid": 9, "ts": 12, "dur": 3, "args": {"correlation": 5}},
{"ph": "X", "cat": "kernel", "name": "_Z4reluPf", "pid": 0, "tid": 7, "ts": 20, "dur": 4.5, "args": {"correlation": 5}},
{"ph": "E", "pid": 9, "tid": 9, "ts": 30}]}
)__");
    comparePart(doc, R"__({"loads": true, "complete": true, "document": "trace",
 "issues": [{"code": "unmatched_end", "severity": "data_loss", "count": 1, "file": 0, "first_offset": 315, "space": "file",
   "message": "1 end without a begin was dropped (pid 9, tid 9)"
}],
 "files": [{"file": "-", "rank": null, "world_size": null, "base_time_ns": 1700000000000000000}],
 "devices": [], "metadata": 0, "initial_view_ns": [12000, 24500],
 "processes": [{"file": 0, "pid": "0", "name": null, "label": "0"}, {"file": 0, "pid": "9", "name": null, "label": "9"}],
 "threads": [{"file": 0, "pid": "0", "tid": "7", "name": null, "label": "7", "device": true},
   {"file": 0, "pid": "9", "tid": "9", "name": null, "label": "9", "device": false}],
 "slices": [{"id": 0, "file": 0, "pid": "9", "tid": "9", "name": "cudaLaunchKernel", "display_name": "cudaLaunchKernel",
   "cat": "cuda_runtime", "kind": "runtime", "ts_ns": 12000, "absolute_ns": 1700000000000012000, "dur_ns": 3000, "self_ns": 3000,
   "depth": 0, "parent": null, "unfinished": false, "launch": null, "args": {"correlation": 5}},
  {"id": 1, "file": 0, "pid": "0", "tid": "7", "name": "_Z4reluPf", "display_name": "relu(float*)",
   "cat": "kernel", "kind": "kernel", "ts_ns": 20000, "absolute_ns": 1700000000000020000, "dur_ns": 4500, "self_ns": 4500,
   "depth": 0, "parent": null, "unfinished": false, "launch": 0, "args": {"correlation": 5}}],
 "async_slices": [], "async_instants": [], "instants": [], "counters": [], "flows": [],
 "op_table": [{"name": "cudaLaunchKernel", "count": 1, "cpu_ns": 3000, "self_cpu_ns": 3000, "device_ns": 0, "self_device_ns": 0}],
 "kernel_table": [{"name": "_Z4reluPf", "display_name": "relu(float*)", "count": 1, "total_ns": 4500}],
 "gpus": [{"file": 0, "pid": "0", "device_ns": 4500, "busy_ns": 4500, "span_ns": 4500, "busy_ratio": 1.0}],
 "memory_counters": [], "out_of_memory": [], "memory": [], "memory_timeline": null})__");
}

void TestDump::everyKeyIsThereInAnEmptyTrace() {
    comparePart(dumpOf("[]"),
                R"__({"loads": true, "complete": true, "document": "trace", "devices": [], "metadata": 0,
 "initial_view_ns": null, "processes": [], "threads": [], "slices": [], "async_slices": [], "async_instants": [],
 "instants": [], "counters": [], "flows": [], "op_table": [], "kernel_table": [], "gpus": [], "memory_counters": [],
 "out_of_memory": [], "memory": [], "memory_timeline": null})__");
}

void TestDump::argsStayAsTheyStand() {
    CliOptions options;
    options.input =
        "[{\"ph\":\"X\",\"name\":\"a\",\"pid\":1,\"tid\":1,\"ts\":1,\"dur\":1,\"args\":{\"big\":"
        "123456789012345678901234567890,"
        "\"real\":0.1,\"odd\":N/A,\"text\":\"\\u00e4\\\"\"}}]";
    const CliRun run = runCli({"dump", "-", "--json"}, options);
    QCOMPARE(run.code, 0);
    QVERIFY(run.out.contains("123456789012345678901234567890"));
    const json args = documentOf(run)["slices"][0]["args"];
    QCOMPARE(args["real"].get<double>(), 0.1);
    QCOMPARE(args["odd"].get<std::string>(), std::string("N/A"));
    QCOMPARE(args["text"].get<std::string>(), std::string("ä\""));
}

void TestDump::unknownIsNull() {
    comparePart(eventsOf(R"__({"ph":"X","ts":5}, {"ph":"B","name":"b","pid":1,"tid":1,"ts":6},
                             {"ph":"i","name":"i","pid":1,"tid":1,"ts":9,"s":"t"})__")["slices"],
                R"__([{"pid": null, "tid": null, "name": "", "display_name": "(no name)", "cat": "", "kind": "other",
                      "ts_ns": 5000, "absolute_ns": null, "dur_ns": null, "self_ns": null, "unfinished": true,
                      "args": null},
                     {"pid": "1", "tid": "1", "name": "b", "ts_ns": 6000, "dur_ns": null, "self_ns": null,
                      "unfinished": true}])__");
}

void TestDump::wholeCountersKeepTheirDigits() {
    // 2^64, -2^63 - 2^11 and 2^70 are doubles.
    CliOptions options;
    options.input = R"__([{"ph":"C","name":"m","pid":1,"ts":1,"args":
        {"a":18446744073709551616,"b":-9223372036854777856,"c":1180591620717411303424,"d":0.5}}])__";
    const CliRun exact = runCli({"dump", "-", "--json"}, options);
    for (const char* digits : {"1000, 18446744073709551616]", "1000, -9223372036854777856]",
                               "1000, 1180591620717411303424]", "1000, 0.5]"}) {
        QVERIFY2(exact.out.contains(digits), exact.out.constData());
    }
    QVERIFY(!exact.out.contains("rounded_number"));
}

void TestDump::roundedCountersAreNoted_data() {
    QTest::addColumn<QByteArray>("args");
    QTest::addColumn<int>("count");
    QTest::newRow("2^64 - 1") << QByteArray(R"({"a":18446744073709551615})") << 1;
    QTest::newRow("2^70 + 1, negative") << QByteArray(R"({"a":-1180591620717411303425})") << 1;
    QTest::newRow("not where a double does") << QByteArray(R"({"a":1e300,"b":0.1,"c":18446744073709551616})") << 0;
    QTest::newRow("nor where 64 bits do") << QByteArray(R"({"a":9223372036854775807})") << 0;
}

void TestDump::roundedCountersAreNoted() {
    QFETCH(QByteArray, args);
    QFETCH(int, count);
    const json doc = dumpOf(R"__([{"ph":"C","name":"m","pid":1,"ts":1,"args":)__" + args + "}]");
    QCOMPARE(doc["issues"].size(), size_t(count));
    if (count > 0) {
        QCOMPARE(doc["issues"][0]["code"].get<std::string>(), std::string("rounded_number"));
        QCOMPARE(doc["issues"][0]["severity"].get<std::string>(), std::string("info"));
        QCOMPARE(doc["issues"][0]["count"].get<int>(), count);
    }
}

void TestDump::wholeCountersBesideFractionsAreRoundedAndNoted() {
    const json doc = eventsOf(R"__({"ph":"C","name":"m","pid":1,"ts":1,"args":{"a":9007199254740993}},
                                   {"ph":"C","name":"m","pid":1,"ts":2,"args":{"a":0.5}},
                                   {"ph":"C","name":"m","pid":1,"ts":3,"args":{"a":9223372036854775807}})__");
    QCOMPARE(doc["issues"].size(), size_t{1});
    QCOMPARE(doc["issues"][0]["code"].get<std::string>(), std::string("rounded_number"));
    QCOMPARE(doc["issues"][0]["count"].get<int>(), 2);
}

void TestDump::counters() {
    comparePart(eventsOf(R"__({"ph":"C","name":"m","pid":1,"ts":2,"args":{"a":9007199254740993,"b":0.5}},
                             {"ph":"C","name":"m","pid":1,"ts":1,"args":{"a":1,"b":nan}})__")["counters"],
                R"__([{"file": 0, "pid": "1", "name": "m", "id": null,
                      "series": {"a": [[1000, 1], [2000, 9007199254740993]], "b": [[1000, null], [2000, 0.5]]}}])__");
}

void TestDump::asyncAndInstants() {
    const json doc = eventsOf(R"__({"ph":"b","cat":"c","name":"n","id":"0x1","pid":1,"tid":2,"ts":1,"args":{"x":1}},
        {"ph":"n","cat":"c","name":"n","id":"0x1","pid":1,"tid":2,"ts":2},
        {"ph":"e","cat":"c","name":"n","id":"0x1","pid":1,"tid":2,"ts":4},
        {"ph":"b","cat":"c","name":"n","id":7,"pid":1,"tid":2,"ts":5},
        {"ph":"i","cat":"k","name":"mark","pid":1,"tid":3,"ts":6,"s":"p"})__");
    comparePart(doc["async_slices"],
                R"__([{"file": 0, "pid": "1", "tid": "2", "name": "n", "cat": "c", "id": "0x1", "ts_ns": 1000,
                      "dur_ns": 3000, "unfinished": false, "args": {"x": 1}},
                     {"id": "7", "ts_ns": 5000, "dur_ns": null, "unfinished": true, "args": null}])__");
    comparePart(doc["async_instants"], R"__([{"name": "n", "id": "0x1", "ts_ns": 2000, "args": null}])__");
    comparePart(doc["instants"], R"__([{"pid": "1", "tid": "3", "name": "mark", "cat": "k", "ts_ns": 6000}])__");
}

void TestDump::flows() {
    const json doc = eventsOf(R"__({"ph":"X","name":"a","pid":1,"tid":1,"ts":1,"dur":5},
        {"ph":"X","name":"b","pid":1,"tid":2,"ts":10,"dur":5},
        {"ph":"s","cat":"ac2g","name":"x","id":3,"pid":1,"tid":1,"ts":2},
        {"ph":"f","bp":"e","cat":"ac2g","name":"x","id":3,"pid":1,"tid":2,"ts":10})__");
    QCOMPARE(doc["flows"].size(), size_t{1});
    const json& flow = doc["flows"][0];
    const auto nameOf = [&](const char* end) {
        for (const json& slice : doc["slices"]) {
            if (slice["id"] == flow[end]) {
                return slice["name"].get<std::string>();
            }
        }
        return std::string("no slice");
    };
    QCOMPARE(nameOf("from"), std::string("a"));
    QCOMPARE(nameOf("to"), std::string("b"));
    comparePart(flow, R"__({"cat": "ac2g", "id": "3"})__");
}

void TestDump::memoryLevels() {
    const json doc = eventsOf(R"__(
        {"ph":"i","name":"[memory]","cat":"cpu_instant_event","pid":1,"tid":1,"ts":2,"s":"t","args":{"Total Reserved":4096,
         "Total Allocated":1024,"Bytes":1024,"Addr":1,"Device Id":0,"Device Type":1}},
        {"ph":"i","name":"[memory]","cat":"cpu_instant_event","pid":1,"tid":1,"ts":1,"s":"t","args":{"Total Reserved":2048,
         "Total Allocated":2000,"Bytes":512,"Addr":2,"Device Id":0,"Device Type":1}},
        {"ph":"i","name":"[OutOfMemory]","cat":"cpu_instant_event","pid":1,"tid":1,"ts":3,"s":"t","args":{"Bytes":99,
         "Device Id":0,"Device Type":1}})__");
    comparePart(doc["memory_counters"], R"__([{"file": 0, "device_type": 1, "device": 0,
        "allocated": [[1000, 2000], [2000, 1024]], "reserved": [[1000, 2048], [2000, 4096]], "peak_allocated": 2000}])__");
    comparePart(doc["out_of_memory"],
                R"__([{"file": 0, "ts_ns": 3000, "device_type": 1, "device": 0, "requested": 99}])__");
}

void TestDump::memoryTimeline() {
    const json columns = dumpOf(
        "[[1700000000000100, 1700000000000100, 1700000000000150], [[0, 4096, 0, 0, 0, 0, 0, 0, 0], "
        "[0, 4096, 0, 0, 0, 0, 0, 0, 512], [0, 0, 0, 0, null, 0, 0, 0, 512]]]");
    comparePart(columns, R"__({"document": "memory timeline", "memory_timeline": {
 "categories": ["Parameter", "Optimizer state", "Input", "Temporary", "Activation", "Gradient", "Autograd detail", "Unknown"],
 "events": null, "start_bytes": null,
 "times_ns": [1700000000000100000, 1700000000000100000, 1700000000000150000],
 "bytes": [[4096, 0, 0, 0, 0, 0, 0, 0], [4096, 0, 0, 0, 0, 0, 0, 512], [0, 0, 0, null, 0, 0, 0, 512]],
 "peak_bytes": 4608, "peak_time_ns": 1700000000000100000, "at_peak": {"Parameter": 4096, "Gradient": 0, "Unknown": 512}}})__");
    const json raw = dumpOf("[[-1, 1, 100, 0], [1700000000000000005, 2, 8, 3], [1700000000000000006, 4, -8, 3]]");
    comparePart(raw, R"__({"document": "memory timeline", "memory_timeline": {"events": 3, "start_bytes": 100,
 "times_ns": [1700000000000000005, 1700000000000000006],
 "bytes": [[100, 0, 0, 8, 0, 0, 0, 0], [100, 0, 0, 0, 0, 0, 0, 0]], "peak_bytes": 108}})__");
    QVERIFY(eventsOf(R"({"ph": "X", "ts": 1, "dur": 1})")["memory_timeline"].is_null());
}

void TestDump::severalFilesShareAnAxis() {
    const QTemporaryDir folder;
    const auto write = [&](const char* name, int rank, const char* base, int ts) {
        QFile file(folder.filePath(name));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(
            QStringLiteral("{\"baseTimeNanoseconds\": %1, \"distributedInfo\": {\"rank\": %2, \"world_size\": 2}, "
                           "\"traceEvents\": [{\"ph\":\"X\",\"name\":\"op\",\"cat\":\"cpu_op\",\"pid\":1,\"tid\":1,"
                           "\"ts\":%3,\"dur\":1}]}")
                .arg(base)
                .arg(rank)
                .arg(ts)
                .toUtf8());
    };
    write("r0.json", 0, "1700000000000000000", 10);
    write("r1.json", 1, "1700000000000005000", 20);
    CliOptions options;
    options.folder = folder.path();
    const CliRun run = runCli({"dump", "r0.json", "r1.json", "--json"}, options);
    QCOMPARE(run.code, 0);
    comparePart(documentOf(run), R"__({
        "files": [{"file": "r0.json", "rank": 0, "world_size": 2, "base_time_ns": 1700000000000000000},
                  {"file": "r1.json", "rank": 1, "world_size": 2, "base_time_ns": 1700000000000005000}],
        "initial_view_ns": [10000, 26000],
        "slices": [{"file": 0, "ts_ns": 10000, "absolute_ns": 1700000000000010000},
                   {"file": 1, "ts_ns": 20000, "absolute_ns": 1700000000000025000}],
        "op_table": [{"name": "op", "count": 2, "cpu_ns": 2000}]})__");
}

void TestDump::fractionsOfADayAndLargeTimesAreExact() {
    const json doc = dumpOf(R"__({"baseTimeNanoseconds": 1790857026000000000, "traceEvents": [
        {"ph":"X","name":"a","pid":1,"tid":1,"ts":5110050593376.9761,"dur":0.0005},
        {"ph":"X","name":"b","pid":1,"tid":1,"ts":8223372036854775.807,"dur":0}]})__");
    comparePart(doc["slices"], R"__([{"ts_ns": 5110050593376976, "dur_ns": 1, "absolute_ns": 1795967076593376976},
        {"ts_ns": 8223372036854775807, "dur_ns": 0, "absolute_ns": 10014229062854775807}])__");
}

void TestDump::failureDocument() {
    const QTemporaryDir folder;
    QFile file(folder.filePath("bad.json"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("garbage");
    file.close();
    CliOptions options;
    options.folder = folder.path();
    const CliRun run = runCli({"dump", "bad.json", "--json"}, options);
    QCOMPARE(run.code, 1);
    const json doc = documentOf(run);
    comparePart(
        doc, R"__({"loads": false, "issues": [{"severity": "error", "count": 1, "file": 0, "first_offset": null}]})__");
    QCOMPARE(run.err, QByteArray("warpline: ") + doc["issues"][0]["message"].get<std::string>().c_str() + "\n");
}

/// A key of an inner page is damaged, so that a walk of the table comes to all its rows and a search to some.
void TestDump::argsThatCannotBeReadAgain() {
    QByteArray bytes = sqliteFile(
        "CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT); INSERT INTO StringIds VALUES (1, 'poll');"
        "CREATE TABLE OSRT_API (start INTEGER, end INTEGER, nameId INTEGER, globalTid INTEGER, returnValue INTEGER);"
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100) "
        "INSERT INTO OSRT_API SELECT i * 10, i * 10 + 5, 1, 1, i FROM n;");
    constexpr qsizetype kPage = 512;
    qsizetype page = kPage;
    while (page < bytes.size() && bytes[page] != 5) {
        page += kPage;
    }
    QVERIFY(page < bytes.size());
    const qsizetype cell = page + (uint8_t(bytes[page + 12]) << 8 | uint8_t(bytes[page + 13]));
    const int last = uint8_t(bytes[cell + 4]);
    QVERIFY(last > 10 && last < 100);
    bytes[cell + 4] = 10;
    QTemporaryDir folder;
    QFile file(folder.filePath("a.sqlite"));
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size());
    file.close();
    CliOptions options;
    options.folder = folder.path();
    const CliRun run = runCli({"dump", "a.sqlite", "--json"}, options);
    QCOMPARE(run.code, 0);
    const json doc = documentOf(run);
    QCOMPARE(doc["slices"].size(), size_t(100));
    for (size_t i = 0; i < 100; ++i) {
        const json& args = doc["slices"][i]["args"];
        const int row = int(i) + 1;
        QVERIFY(row > 10 && row <= last ? args.is_null() : args["returnValue"] == row);
    }
    size_t found = 0;
    for (const json& issue : doc["issues"]) {
        if (issue["code"] == "unreadable_args") {
            ++found;
            QCOMPARE(issue["severity"].get<std::string>(), std::string("warning"));
            QCOMPARE(issue["count"].get<int>(), last - 10);
        }
    }
    QCOMPARE(found, size_t(1));
    // What is converted lacks no more than these either, and says so with the name of the file.
    const CliRun converted = runCli({"convert", "a.sqlite", "a.json"}, options);
    QCOMPARE(converted.code, 0);
    QVERIFY2(converted.err.startsWith("warpline: a.sqlite: " + QByteArray::number(last - 10) + " events' args cannot"),
             converted.err.constData());
    const CliRun again = runCli({"dump", "a.json", "--json"}, options);
    const json slices = documentOf(again)["slices"];
    QCOMPARE(slices.size(), size_t(100));
    QVERIFY(slices[10]["args"].is_null() && slices[99]["args"]["returnValue"] == 100);
}

void TestDump::textIsATree() {
    CliOptions options;
    options.input = R"__([{"ph":"X","cat":"cpu_op","name":"outer","pid":1,"tid":2,"ts":1,"dur":5},
        {"ph":"X","cat":"cpu_op","name":"inner","pid":1,"tid":2,"ts":2,"dur":1.5},
        {"ph":"i","name":"mark","pid":1,"tid":2,"ts":9,"s":"t"}])__";
    const CliRun run = runCli({"dump", "-"}, options);
    QCOMPARE(run.code, 0);
    QCOMPARE(run.out, QByteArray("File -: kineto-json, none\n"
                                 "Process 1\n"
                                 "  Track 2\n"
                                 "    1000 ns  5.000 µs  outer [cpu_op]\n"
                                 "      2000 ns  1.500 µs  inner [cpu_op]\n"
                                 "    9000 ns  instant  mark\n"));
}

QTEST_GUILESS_MAIN(TestDump)
#include "tst_dump.moc"
