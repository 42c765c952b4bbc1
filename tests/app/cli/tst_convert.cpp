// SPDX-License-Identifier: MIT
// `warpline convert`: what is written reads back as the same numbers, and nothing else is touched.
#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <nlohmann/json.hpp>
#include <set>

#include "tests/support/cli_process.h"

using namespace warpline::test;
using nlohmann::json;

namespace {

json documentOf(const CliRun& run) {
    return json::parse(run.out.constData(), run.out.constData() + run.out.size(), nullptr, false);
}

QByteArray contentOf(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

void writeFile(const QString& path, const QByteArray& text) {
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(text);
}

const QByteArray kEverySort = R"([
{"ph":"M","name":"process_name","pid":1,"args":{"name":"main \u00e4"}},
{"ph":"M","name":"process_sort_index","pid":1,"args":{"sort_index":7}},
{"ph":"M","name":"thread_name","pid":1,"tid":"worker","args":{"name":"the worker"}},
{"ph":"X","cat":"cpu_op","name":"outer","pid":1,"tid":"worker","ts":1.001,"dur":10,"args":{"x":[1,{"y":2}],"big":12345678901234567890}},
{"ph":"X","cat":"cpu_op","name":"inner","pid":1,"tid":"worker","ts":1.001,"dur":4},
{"ph":"X","cat":"cpu_op","name":"no end","pid":1,"tid":"worker","ts":30},
{"ph":"B","name":"begun","pid":1,"tid":2,"ts":3,"args":{"a":1}},
{"ph":"E","name":"begun","pid":1,"tid":2,"ts":6,"args":{"b":2}},
{"ph":"B","name":"open","pid":1,"tid":2,"ts":8},
{"ph":"X","name":"alone"  ,"ts":5,"dur":1},
{"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":20,"dur":3,"args":{"correlation":4}},
{"ph":"i","name":"mark","pid":1,"tid":2,"ts":9,"s":"p","args":"words"},
{"ph":"C","name":"level","pid":1,"id":"a","ts":1,"args":{"u":1,"v":nan}},
{"ph":"C","name":"level","pid":1,"id":"a","ts":2,"args":{"u":9007199254740993}},
{"ph":"b","cat":"c","name":"async","id":"0x1","pid":1,"tid":2,"ts":1,"args":{"q":1}},
{"ph":"n","cat":"c","name":"async","id":"0x1","pid":1,"tid":2,"ts":2},
{"ph":"e","cat":"c","name":"async","id":"0x1","pid":1,"tid":2,"ts":4},
{"ph":"b","cat":"c","name":"async","id":2,"pid":1,"tid":2,"ts":4},
{"ph":"b","cat":"c","name":"scoped","id":3,"scope":"s1","pid":1,"tid":2,"ts":5},
{"ph":"b","cat":"c","name":"scoped","id":3,"scope":"s2","pid":1,"tid":2,"ts":6},
{"ph":"e","cat":"c","name":"scoped","id":3,"scope":"s1","pid":1,"tid":2,"ts":7},
{"ph":"e","cat":"c","name":"scoped","id":3,"scope":"s2","pid":1,"tid":2,"ts":9},
{"ph":"s","cat":"f","name":"f","id":1,"pid":1,"tid":"worker","ts":6},
{"ph":"t","cat":"f","name":"f","id":1,"pid":1,"tid":2,"ts":8.5},
{"ph":"f","bp":"e","cat":"f","name":"f","id":1,"pid":0,"tid":7,"ts":21}
])";

}  // namespace

class TestConvert : public QObject {
    Q_OBJECT

private slots:
    void sumsStaySums();
    void roundTripOfEverySortOfEvent_data();
    void roundTripOfEverySortOfEvent();
    void roundTripOfRecordedTraces_data();
    void roundTripOfRecordedTraces();
    void roundTripOfEveryFormat_data();
    void roundTripOfEveryFormat();
    void csv();
    void inputIsNeverOverwritten();
    void failedWriteLeavesTheOldFile();
    void lossIsReported();
    void unfinishedSlicesStayUnfinished_data();
    void unfinishedSlicesStayUnfinished();
    void pairsStayOneEventWhereNothingIsUnfinished();
    void arrowEndsWithoutAPartnerComeBack_data();
    void arrowEndsWithoutAPartnerComeBack();
    void arrowEndsThatWouldDisturbArrowsAreReported();

private:
    void compareIssues(const QString& a, const QString& b);
    void compare(const QString& a, const QString& b, bool withDump);
};

void TestConvert::compare(const QString& a, const QString& b, bool withDump) {
    const json before = documentOf(runCli({"info", a, "--json"}));
    const json after = documentOf(runCli({"info", b, "--json"}));
    for (const char* key : {"slices", "instants", "counters", "async"}) {
        QCOMPARE(after["events"][key].get<int>(), before["events"][key].get<int>());
    }
    for (const char* key :
         {"format", "by_category", "processes", "tracks", "start_ns", "end_ns", "base_time_ns", "devices"}) {
        QVERIFY2(after[key] == before[key], key);
    }
    for (const char* command : {"ops", "kernels"}) {
        QCOMPARE(runCli({command, b, "--json"}).out, runCli({command, a, "--json"}).out);
    }
    if (!withDump) {
        return;
    }
    const json oldDump = documentOf(runCli({"dump", a, "--json"}));
    const json newDump = documentOf(runCli({"dump", b, "--json"}));
    for (const auto& [key, value] : oldDump.items()) {
        if (key != "issues" && key != "files" && key != "metadata") {
            QVERIFY2(newDump[key] == value, (key + ": " + value.dump() + "\n" + newDump[key].dump()).c_str());
        }
    }
}

void TestConvert::roundTripOfEverySortOfEvent_data() {
    QTest::addColumn<QString>("ending");
    QTest::newRow("plain") << ".json";
    QTest::newRow("gzip") << ".json.gz";
}

void TestConvert::roundTripOfEverySortOfEvent() {
    QFETCH(QString, ending);
    const QTemporaryDir folder;
    const QString in = folder.filePath("in.json");
    const QString out = folder.filePath("out" + ending);
    writeFile(in, kEverySort);
    const CliRun run = runCli({"convert", in, out});
    QCOMPARE(run.code, 0);
    QCOMPARE(run.out, QByteArray());
    QCOMPARE(run.err, QByteArray());
    compare(in, out, true);
    const json info = documentOf(runCli({"info", out, "--json"}));
    QCOMPARE(info["events"]["flows"].get<int>(), 3);
    QCOMPARE(info["events"]["metadata"].get<int>(), 3);
    QCOMPARE(info["compressed"].get<std::string>(), std::string(ending == ".json" ? "none" : "gzip"));
    if (ending == ".json") {
        const QByteArray text = contentOf(out);
        QVERIFY(text.contains("12345678901234567890"));
        QVERIFY(json::accept(text.constData(), text.constData() + text.size()));
    }
}

void TestConvert::roundTripOfRecordedTraces_data() {
    QTest::addColumn<QString>("file");
    for (const char* name : {"quickstart", "worked_example", "multi_stream"}) {
        QTest::newRow(name) << QStringLiteral(WARPLINE_SAMPLES_DIR "/%1.trace.json.gz").arg(name);
    }
}

void TestConvert::roundTripOfRecordedTraces() {
    QFETCH(QString, file);
    const QTemporaryDir folder;
    const QString out = folder.filePath("out.json.gz");
    QCOMPARE(runCli({"convert", file, out}).code, 0);
    compare(file, out, true);
}

void TestConvert::roundTripOfEveryFormat_data() {
    QTest::addColumn<QString>("file");
    for (QDirIterator it(WARPLINE_TEST_DATA_DIR, QDir::Files, QDirIterator::Subdirectories); it.hasNext();) {
        const QString file = it.next();
        constexpr qint64 kMost = WARPLINE_SANITIZED ? 60 << 10 : 100 << 20;  // a sanitizer takes minutes for the large
        if (it.fileInfo().size() <= kMost && runCli({"info", file}).code == 0) {
            QTest::newRow(qPrintable(QDir(WARPLINE_TEST_DATA_DIR).relativeFilePath(file))) << file;
        }
    }
}

/// Of a trace in any format: what there is, and of what kind.
void TestConvert::roundTripOfEveryFormat() {
    QFETCH(QString, file);
    const QTemporaryDir folder;
    const QString out = folder.filePath("out.json");
    QCOMPARE(runCli({"convert", file, out}).code, 0);
    const json before = documentOf(runCli({"dump", file, "--json"}));
    const json after = documentOf(runCli({"dump", out, "--json"}));
    for (const char* key : {"kernel_table", "gpus", "op_table", "slices", "counters", "flows", "threads"}) {
        // The arrows of a capture's launches are written out, as Kineto writes them.
        if (key == std::string_view("flows") && file.contains("/captures/")) {
            continue;
        }
        QVERIFY2(before[key] == after[key],
                 (key + (": " + before[key].dump() + "\n" + after[key].dump()).substr(0, 2000)).c_str());
    }
    for (const char* key : {"instants", "async_slices", "async_instants"}) {
        QCOMPARE(after[key].size(), before[key].size());
    }
}

void TestConvert::csv() {
    const QTemporaryDir folder;
    const QString in = folder.filePath("in.json");
    const QString out = folder.filePath("out.csv");
    writeFile(
        in, R"([{"ph":"X","cat":"cpu_op","name":"a, \"b\"","pid":1,"tid":2,"ts":1.5,"dur":10,"args":{"External id":3}},
                      {"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":5,"args":{"correlation":9}}])");
    QCOMPARE(runCli({"convert", in, out}).code, 0);
    QCOMPARE(
        contentOf(out),
        QByteArray(
            "pid,tid,process,track,name,category,kind,ts_ns,dur_ns,self_ns,depth,correlation,external_id,unfinished\r\n"
            "1,2,1,2,\"a, \"\"b\"\"\",cpu_op,cpu_op,1500,10000,10000,0,,3,false\r\n"
            "0,7,0,7,k,kernel,kernel,5000,,,0,9,,true\r\n"));
}

void TestConvert::inputIsNeverOverwritten() {
    const QTemporaryDir folder;
    const QString in = folder.filePath("in.json");
    writeFile(in, kEverySort);
    QVERIFY(QFile::link(in, folder.filePath("link.json")));
    for (const QString& out : {in, folder.filePath("./in.json"), folder.filePath("link.json")}) {
        const CliRun run = runCli({"convert", in, out});
        QCOMPARE(run.code, 2);
        QCOMPARE(run.errorLines().size(), 1);
        QCOMPARE(contentOf(in), kEverySort);
    }
}

void TestConvert::failedWriteLeavesTheOldFile() {
    const QTemporaryDir folder;
    const QString out = folder.filePath("out.json");
    writeFile(out, "old");
    writeFile(folder.filePath("in.json"), "no trace");
    QCOMPARE(runCli({"convert", folder.filePath("in.json"), out}).code, 1);
    QCOMPARE(contentOf(out), QByteArray("old"));

    writeFile(folder.filePath("in.json"), kEverySort);
    CliOptions shell;
    shell.program = "/bin/sh";
    const CliRun run = runCli({"-c", "ulimit -f 1; trap '' XFSZ; \"$0\" convert \"$1\" \"$2\"", WARPLINE_CLI_PATH,
                               QStringLiteral(WARPLINE_SAMPLES_DIR "/worked_example.trace.json.gz"), out},
                              shell);
    QCOMPARE(run.code, 1);
    QVERIFY2(run.err.contains("out.json: File too large"), run.err.constData());
    QCOMPARE(contentOf(out), QByteArray("old"));
    QCOMPARE(QDir(folder.path()).entryList(QDir::Files).size(), 2);

    QCOMPARE(runCli({"convert", folder.filePath("in.json"), out}).code, 0);
    QVERIFY(contentOf(out).startsWith("{"));
}

void TestConvert::lossIsReported() {
    const QTemporaryDir folder;
    const QString in = folder.filePath("in.json");
    writeFile(in, "[{\"ph\":\"X\",\"name\":\"a\",\"pid\":1,\"tid\":1,\"ts\":1,\"dur\":1},{\"ph\":\"X\",\"na");
    const CliRun run = runCli({"convert", in, folder.filePath("out.json"), "--strict"});
    QCOMPARE(run.code, 3);
    QVERIFY(QFile::exists(folder.filePath("out.json")));
    QCOMPARE(run.errorLines().size(), 1);
    QCOMPARE(runCli({"convert", in, folder.filePath("out.json")}).code, 0);
}

void TestConvert::unfinishedSlicesStayUnfinished_data() {
    QTest::addColumn<QByteArray>("events");
    QTest::addColumn<int>("unfinished");
    QTest::newRow("closed by an outer end") << QByteArray(R"(
        {"ph":"B","name":"outer","pid":1,"tid":1,"ts":1,"args":{"a":1}},
        {"ph":"B","name":"forced","pid":1,"tid":1,"ts":2,"args":{"b":2}},
        {"ph":"X","name":"x","pid":1,"tid":1,"ts":3,"dur":2},
        {"ph":"E","name":"outer","pid":1,"tid":1,"ts":9,"args":{"c":3}},
        {"ph":"X","name":"late","pid":1,"tid":1,"ts":10,"dur":1})")
                                            << 1;
    QTest::newRow("two at the same time") << QByteArray(R"(
        {"ph":"B","name":"a","pid":1,"tid":1,"ts":1}, {"ph":"B","name":"f","pid":1,"tid":1,"ts":2},
        {"ph":"B","name":"a","pid":1,"tid":1,"ts":3}, {"ph":"B","name":"f","pid":1,"tid":1,"ts":4},
        {"ph":"E","name":"a","pid":1,"tid":1,"ts":9}, {"ph":"E","name":"a","pid":1,"tid":1,"ts":9},
        {"ph":"B","name":"o","pid":1,"tid":1,"ts":9}, {"ph":"B","name":"zero","pid":1,"tid":1,"ts":9},
        {"ph":"E","name":"o","pid":1,"tid":1,"ts":9}, {"ph":"X","name":"x","pid":1,"tid":2,"ts":20,"dur":1})")
                                          << 3;
    QTest::newRow("open below and above") << QByteArray(R"(
        {"ph":"B","name":"open","pid":1,"tid":1,"ts":0}, {"ph":"X","name":"long","pid":1,"tid":1,"ts":1,"dur":8},
        {"ph":"B","name":"o","pid":1,"tid":1,"ts":2}, {"ph":"B","name":"f","pid":1,"tid":1,"ts":3},
        {"ph":"E","name":"o","pid":1,"tid":1,"ts":9}, {"ph":"B","name":"open","pid":1,"tid":1,"ts":9})")
                                          << 3;
    QTest::newRow("ends without names") << QByteArray(R"(
        {"ph":"B","name":"a","pid":1,"tid":1,"ts":1}, {"ph":"B","name":"b","pid":1,"tid":1,"ts":2},
        {"ph":"B","name":"c","pid":1,"tid":1,"ts":3}, {"ph":"E","pid":1,"tid":1,"ts":5},
        {"ph":"E","name":"a","pid":1,"tid":1,"ts":6})")
                                        << 1;
    QTest::newRow("out of order in the file") << QByteArray(R"(
        {"ph":"E","name":"a","pid":1,"tid":1,"ts":6}, {"ph":"B","name":"f","pid":1,"tid":1,"ts":2},
        {"ph":"X","name":"x","pid":1,"tid":1,"ts":3,"dur":1}, {"ph":"B","name":"a","pid":1,"tid":1,"ts":1})")
                                              << 1;
    QTest::newRow("at the end of the file") << QByteArray(R"(
        {"ph":"X","name":"a","pid":1,"tid":1,"ts":1,"dur":4}, {"ph":"B","name":"last","pid":1,"tid":1,"ts":5})")
                                            << 1;
    QTest::newRow("without a duration") << QByteArray(R"(
        {"ph":"X","name":"a","pid":1,"tid":1,"ts":1,"dur":4}, {"ph":"X","name":"last","pid":1,"tid":1,"ts":5})")
                                        << 1;
}

/// Issues too, but for their places in the file.
void TestConvert::compareIssues(const QString& a, const QString& b) {
    const auto issuesOf = [](const QString& file) {
        json issues = documentOf(runCli({"dump", file, "--json"}))["issues"];
        for (json& issue : issues) {
            issue.erase("first_offset");
        }
        return issues;
    };
    const json before = issuesOf(a);
    const json after = issuesOf(b);
    QVERIFY2(!before.is_null() && before == after, (before.dump() + "\n" + after.dump()).c_str());
}

void TestConvert::unfinishedSlicesStayUnfinished() {
    QFETCH(QByteArray, events);
    QFETCH(int, unfinished);
    const QTemporaryDir folder;
    const QString in = folder.filePath("in.json");
    const QString out = folder.filePath("out.json");
    writeFile(in, "[" + events + "]");
    QCOMPARE(runCli({"convert", in, out}).code, 0);
    compare(in, out, true);
    compareIssues(in, out);
    int count = 0;
    const json dump = documentOf(runCli({"dump", out, "--json"}));
    for (const json& slice : dump["slices"]) {
        count += slice["unfinished"].get<bool>() ? 1 : 0;
    }
    QCOMPARE(count, unfinished);
}

void TestConvert::pairsStayOneEventWhereNothingIsUnfinished() {
    const QTemporaryDir folder;
    const QString in = folder.filePath("in.json");
    writeFile(in, R"([{"ph":"B","name":"a","pid":1,"tid":1,"ts":1},{"ph":"E","name":"a","pid":1,"tid":1,"ts":3}])");
    QCOMPARE(runCli({"convert", in, folder.filePath("out.json")}).code, 0);
    const json events = json::parse(contentOf(folder.filePath("out.json")).toStdString())["traceEvents"];
    QCOMPARE(events.size(), size_t{1});
    QCOMPARE(events[0]["ph"].get<std::string>(), std::string("X"));
}

void TestConvert::arrowEndsWithoutAPartnerComeBack_data() {
    QTest::addColumn<QByteArray>("events");
    QTest::addColumn<int>("dangling");
    QTest::addColumn<int>("arrows");
    QTest::newRow("a start") << QByteArray(R"({"ph":"s","cat":"f","id":1,"pid":1,"tid":1,"ts":1.5})") << 1 << 0;
    QTest::newRow("a finish and a step of other ids")
        << QByteArray(R"({"ph":"f","bp":"e","cat":"f","id":"x","pid":1,"tid":2,"ts":6},
                         {"ph":"t","cat":"f","id2":{"local":3},"pid":1,"tid":2,"ts":6})")
        << 2 << 0;
    QTest::newRow("beside an arrow from a slice to itself")
        << QByteArray(R"({"ph":"s","cat":"f","id":1,"pid":1,"tid":2,"ts":5.5},
                         {"ph":"f","bp":"e","cat":"f","id":1,"pid":1,"tid":2,"ts":6},
                         {"ph":"s","cat":"f","id":2,"pid":1,"tid":2,"ts":5.5})")
        << 1 << 1;
    QTest::newRow("without an id") << QByteArray(R"({"ph":"s","cat":"f","pid":1,"tid":1,"ts":1.5})") << 1 << 0;
    QTest::newRow("beside an arrow of its id, outside of all slices")
        << QByteArray(R"({"ph":"s","cat":"f","id":1,"pid":1,"tid":1,"ts":1.5},
                         {"ph":"f","bp":"e","cat":"f","id":1,"pid":1,"tid":2,"ts":6},
                         {"ph":"f","bp":"e","cat":"f","id":1,"pid":1,"tid":2,"ts":60},
                         {"ph":"s","cat":"f","id":1,"pid":1,"tid":1,"ts":5.5})")
        << 2 << 1;
}

void TestConvert::arrowEndsWithoutAPartnerComeBack() {
    QFETCH(QByteArray, events);
    QFETCH(int, dangling);
    QFETCH(int, arrows);
    const QTemporaryDir folder;
    const QString in = folder.filePath("in.json");
    const QString out = folder.filePath("out.json");
    writeFile(in, R"([{"ph":"X","name":"a","pid":1,"tid":1,"ts":1,"dur":1},
                      {"ph":"X","name":"b","pid":1,"tid":2,"ts":5,"dur":2},)" +
                      events + "]");
    const CliRun run = runCli({"convert", in, out});
    QCOMPARE(run.code, 0);
    QCOMPARE(run.err, QByteArray());
    compare(in, out, true);
    compareIssues(in, out);
    const json dump = documentOf(runCli({"dump", out, "--json"}));
    QCOMPARE(dump["flows"].size(), size_t(arrows));
    QCOMPARE(dump["issues"].size(), size_t{1});
    QCOMPARE(dump["issues"][0]["code"].get<std::string>(), std::string("dangling_flow"));
    QCOMPARE(dump["issues"][0]["count"].get<int>(), dangling);
    const json info = documentOf(runCli({"info", out, "--json"}));
    QCOMPARE(info["events"]["flows"].get<int>(), 2 * arrows + dangling);
    // Each end is the same kind of end, at the same place.
    const auto endsOf = [](const json& list) {
        std::multiset<std::string> ends;
        for (const json& event : list) {
            if (event.contains("cat") && event["cat"] == "f") {
                ends.insert(event["ph"].dump() + event.value("bp", "") + event["tid"].dump() +
                            event.value("id", json()).dump() + event.value("id2", json()).dump());
            }
        }
        return ends;
    };
    const auto read = [](const QString& path) { return json::parse(contentOf(path).toStdString()); };
    QVERIFY(endsOf(read(in)) == endsOf(read(out)["traceEvents"]));
}

void TestConvert::arrowEndsThatWouldDisturbArrowsAreReported() {
    const QTemporaryDir folder;
    const QString in = folder.filePath("in.json");
    const QString out = folder.filePath("out.json");
    writeFile(in, R"([{"ph":"X","name":"a","pid":1,"tid":1,"ts":1,"dur":1},
                      {"ph":"X","name":"b","pid":1,"tid":2,"ts":5,"dur":2},
                      {"ph":"s","cat":"f","id":1,"pid":1,"tid":1,"ts":1.25},
                      {"ph":"s","cat":"f","id":1,"pid":1,"tid":1,"ts":1.5},
                      {"ph":"f","bp":"e","cat":"f","id":1,"pid":1,"tid":2,"ts":6}])");
    const CliRun run = runCli({"convert", in, out});
    QCOMPARE(run.code, 0);
    QVERIFY2(run.err.contains("1 arrow end without a partner not written"), run.err.constData());
    compare(in, out, true);
}

/// A profile of sums has no times of its own: what is written of it is no CPU time either.
void TestConvert::sumsStaySums() {
    QTemporaryDir folder;
    CliOptions options;
    options.folder = folder.path();
    writeFile(folder.filePath("untimed.hatchet"), R"([{"frame":{"name":"r"},"metrics":{"cycles":9},"children":[]}])");
    for (const QString& profile : {dataFile("proton.hatchet"), QString("untimed.hatchet")}) {
        QCOMPARE(runCli({"convert", profile, "a.json"}, options).code, 0);
        const json before = documentOf(runCli({"dump", profile, "--json"}, options));
        const json after = documentOf(runCli({"dump", "a.json", "--json"}, options));
        for (const char* key : {"issues", "slices", "instants", "op_table", "kernel_table", "gpus", "complete"}) {
            QVERIFY2(before[key] == after[key], key);
        }
        QVERIFY(before["op_table"].empty());
        for (const char* command : {"ops", "kernels"}) {
            const CliRun rows = runCli({command, "a.json", "--json"}, options);
            QCOMPARE(rows.out, runCli({command, profile, "--json"}, options).out);
        }
    }
    // Any other value says nothing, and is noted.
    writeFile(folder.filePath("b.json"), R"({"warplineSums": 1, "traceEvents": [
        {"ph": "X", "name": "a", "ts": 1, "dur": 2, "pid": 1, "tid": 1}]})");
    const json other = documentOf(runCli({"info", "b.json", "--json"}, options));
    QCOMPARE(other["issues"][0]["code"].get<std::string>(), std::string("odd_value"));
}

QTEST_GUILESS_MAIN(TestConvert)
#include "tst_convert.moc"
