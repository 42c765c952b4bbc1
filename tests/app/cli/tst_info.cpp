// SPDX-License-Identifier: MIT
#include <QFile>
#include <QTest>
#include <nlohmann/json.hpp>

#include "tests/support/cli_process.h"

using namespace warpline::test;
using nlohmann::json;

namespace {

const QString kSample = QStringLiteral(WARPLINE_SAMPLES_DIR "/quickstart.trace.json.gz");

json documentOf(const CliRun& run) {
    return json::parse(run.out.constData(), run.out.constData() + run.out.size(), nullptr, false);
}

CliOptions withInput(const QByteArray& text) {
    CliOptions options;
    options.input = text;
    return options;
}

const QByteArray kCutTrace =
    "{\"traceEvents\": [\n"
    "{\"ph\":\"X\",\"name\":\"a\",\"cat\":\"cpu_op\",\"pid\":1,\"tid\":1,\"ts\":1,\"dur\":2},\n"
    "{\"ph\":\"X\",\"name\":\"b\",\"cat\":\"cpu_op\",\"pid\":1,\"tid\":1,\"ts\":4,\"du";

}  // namespace

class TestInfo : public QObject {
    Q_OBJECT

private slots:
    void strictCountsWhatIsCutBetweenEvents();
    void countsOfARecordedTrace();
    void standardInput();
    void issuesAndStrict();
    void emptyTrace();
    void failureDocument();
    void text();
};

void TestInfo::countsOfARecordedTrace() {
    const CliRun run = runCli({"info", kSample, "--json", "--strict"});
    QCOMPARE(run.code, 0);
    const json doc = documentOf(run);
    QCOMPARE(doc["file"].get<std::string>(), kSample.toStdString());
    QCOMPARE(doc["format"].get<std::string>(), std::string("kineto-json"));
    QCOMPARE(doc["compressed"].get<std::string>(), std::string("gzip"));
    QCOMPARE(doc["bytes"].get<qint64>(), QFile(kSample).size());
    const json events = {{"slices", 244}, {"instants", 2}, {"counters", 0},
                         {"flows", 122},  {"async", 0},    {"metadata", 58}};
    QCOMPARE(QString::fromStdString(doc["events"].dump()), QString::fromStdString(events.dump()));
    QCOMPARE(doc["by_category"]["kernel"].get<int>(), 40);
    QCOMPARE(doc["by_category"]["gpu_user_annotation"].get<int>(), 40);
    QCOMPARE(doc["base_time_ns"].get<qint64>(), 1790857026000000000);
    QCOMPARE(doc["start_ns"].get<qint64>(), 5110050593376976);
    QCOMPARE(doc["devices"].size(), size_t{1});
    QCOMPARE(doc["devices"][0]["name"].get<std::string>(), std::string("NVIDIA H200"));
    QCOMPARE(doc["devices"][0]["compute_capability"].get<std::string>(), std::string("9.0"));
    QCOMPARE(doc["devices"][0]["sm_count"].get<int>(), 132);
    for (const json& issue : doc["issues"]) {
        QVERIFY2(issue["severity"] != "data_loss" && issue["severity"] != "error", issue.dump().c_str());
    }
}

void TestInfo::standardInput() {
    QFile file(kSample);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const CliRun run = runCli({"info", "-", "--json"}, withInput(file.readAll()));
    QCOMPARE(run.code, 0);
    const json doc = documentOf(run);
    QCOMPARE(doc["file"].get<std::string>(), std::string("-"));
    QCOMPARE(doc["compressed"].get<std::string>(), std::string("gzip"));
    QCOMPARE(doc["events"]["slices"].get<int>(), 244);
}

void TestInfo::issuesAndStrict() {
    const CliRun run = runCli({"info", "-", "--json"}, withInput(kCutTrace));
    QCOMPARE(run.code, 0);
    const json doc = documentOf(run);
    QCOMPARE(doc["events"]["slices"].get<int>(), 1);
    QCOMPARE(doc["issues"].size(), size_t{1});
    const json& issue = doc["issues"][0];
    QCOMPARE(issue["code"].get<std::string>(), std::string("truncated"));
    QCOMPARE(issue["severity"].get<std::string>(), std::string("data_loss"));
    QCOMPARE(issue["count"].get<int>(), 1);
    QCOMPARE(issue["first_offset"].get<qint64>(), qint64{kCutTrace.lastIndexOf("{\"ph\"")});
    QVERIFY2(run.err.startsWith("warpline: -: byte "), run.err.constData());
    QCOMPARE(run.errorLines().size(), 1);

    for (const char* command : {"info", "ops", "kernels", "dump"}) {
        const CliRun strict = runCli({command, "-", "--json", "--strict"}, withInput(kCutTrace));
        QCOMPARE(strict.code, 3);
        QVERIFY(documentOf(strict).is_object());  // the output is complete all the same
        QCOMPARE(runCli({command, "-", "--json"}, withInput(kCutTrace)).code, 0);
    }
}

void TestInfo::emptyTrace() {
    const CliRun run = runCli({"info", "-", "--json"}, withInput("[]"));
    QCOMPARE(run.code, 0);
    const json doc = documentOf(run);
    QCOMPARE(doc["events"]["slices"].get<int>(), 0);
    QVERIFY(doc["start_ns"].is_null());
    QVERIFY(doc["end_ns"].is_null());
    QVERIFY(doc["base_time_ns"].is_null());
    QCOMPARE(doc["devices"].size(), size_t{0});
}

void TestInfo::failureDocument() {
    const CliRun run = runCli({"info", "-", "--json"}, withInput("no trace"));
    QCOMPARE(run.code, 1);
    const json doc = documentOf(run);
    QVERIFY(doc["loads"] == false);
    QCOMPARE(doc["issues"].size(), size_t{1});
    QCOMPARE(doc["issues"][0]["severity"].get<std::string>(), std::string("error"));
    QVERIFY(run.err.contains(doc["issues"][0]["message"].get<std::string>().c_str()));
}

void TestInfo::text() {
    const CliRun run = runCli({"info", "quickstart.trace.json.gz"}, [] {
        CliOptions options;
        options.folder = QStringLiteral(WARPLINE_SAMPLES_DIR);
        return options;
    }());
    QCOMPARE(run.code, 0);
    for (const char* part :
         {"File        quickstart.trace.json.gz\n", "Format      kineto-json, gzip\n",
          "Device      GPU 0: NVIDIA H200, compute capability 9.0, 132 SMs, 139.80 GiB\n",
          "Events      244 slices, 2 instants, 122 flow points, 58 metadata\n", "        40  kernel\n"}) {
        QVERIFY2(run.out.contains(part), run.out.constData());
    }
}

/// The object is not closed and nothing says how many events were to follow.
void TestInfo::strictCountsWhatIsCutBetweenEvents() {
    const QByteArray cut = R"({"traceEvents":[{"ph":"X","name":"a","pid":1,"tid":1,"ts":1,"dur":1})";
    const CliRun run = runCli({"info", "-", "--json"}, withInput(cut));
    QCOMPARE(run.code, 0);
    QVERIFY2(run.err.contains("cut off"), run.err.constData());
    QCOMPARE(runCli({"info", "-", "--json", "--strict"}, withInput(cut)).code, 3);
    QCOMPARE(runCli({"info", "-", "--json", "--strict"}, withInput(cut + "]}")).code, 0);
}

QTEST_GUILESS_MAIN(TestInfo)
#include "tst_info.moc"
