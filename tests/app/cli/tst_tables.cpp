// SPDX-License-Identifier: MIT
// `warpline ops` and `warpline kernels`: the four forms of output, order, limits and filters.
#include <QFile>
#include <QTest>
#include <map>
#include <nlohmann/json.hpp>
#include <string_view>

#include "tests/support/cli_process.h"

using namespace warpline::test;
using nlohmann::json;

namespace {

// Two ops on one thread, a launch under each, a kernel and a copy. Times in ns: see the comments.
const QByteArray kTrace = R"({"baseTimeNanoseconds": 1000, "traceEvents": [
{"ph":"X","cat":"cpu_op","name":"aten::mm","pid":9,"tid":9,"ts":10,"dur":50,"args":{"External id":1}},
{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":9,"tid":9,"ts":20,"dur":10,"args":{"External id":1,"correlation":5}},
{"ph":"X","cat":"cpu_op","name":"aten::copy_","pid":9,"tid":9,"ts":70,"dur":20,"args":{"External id":2}},
{"ph":"X","cat":"cuda_runtime","name":"cudaMemcpyAsync","pid":9,"tid":9,"ts":75,"dur":5,"args":{"External id":2,"correlation":6}},
{"ph":"X","cat":"kernel","name":"gemm, \"fast\" <half>","pid":0,"tid":7,"ts":40,"dur":30.5,"args":{"External id":1,"correlation":5,
"grid":[4,1,1],"block":[128,1,1],"registers per thread":32,"shared memory":0,"device":0,"stream":7}},
{"ph":"X","cat":"gpu_memcpy","name":"Memcpy HtoD","pid":0,"tid":7,"ts":100,"dur":2,"args":{"External id":2,"correlation":6,"device":0,"stream":7}}
]})";

CliRun runOnTrace(const QStringList& arguments) {
    CliOptions options;
    options.input = kTrace;
    return runCli(QStringList{arguments.first(), "-"} + arguments.mid(1), options);
}

json documentOf(const CliRun& run) {
    return json::parse(run.out.constData(), run.out.constData() + run.out.size(), nullptr, false);
}

QStringList namesOf(const CliRun& run, const char* key) {
    QStringList names;
    const json doc = documentOf(run);
    for (const json& row : doc["rows"]) {
        names += QString::fromStdString(row[key].get<std::string>());
    }
    return names;
}

const QString kGemm = "gemm, \"fast\" <half>";

}  // namespace

class TestTables : public QObject {
    Q_OBJECT

private slots:
    void opsJson();
    void kernelsJson();
    void order_data();
    void order();
    void filters_data();
    void filters();
    void csv();
    void markdown();
    void text_data();
    void text();
    void groupByShapeHasShapes();
    void kernelsByAnnotationAddUpToThoseByName();
    void whatVariesIsNullInJsonAndSaidElsewhere();
    void numbersAreWrittenOut();
    void groupingThatDoesNotExistIsSaid();
    void hostileFilterIsSaid();
    void unknownCategoryIsSaid();
};

void TestTables::opsJson() {
    const CliRun run = runOnTrace({"ops", "--json"});
    QCOMPARE(run.code, 0);
    QCOMPARE(run.err, QByteArray());
    const json doc = documentOf(run);
    QCOMPARE(doc["total_self_cpu_ns"].get<qint64>(), 70000);
    QCOMPARE(doc["total_self_device_ns"].get<qint64>(), 32500);
    QCOMPARE(doc["rows"].size(), size_t{6});
    const json* mm = nullptr;
    for (const json& row : doc["rows"]) {
        mm = row["key"] == "aten::mm" ? &row : mm;
    }
    QVERIFY(mm != nullptr);
    const json expected = {{"kind", "cpu_op"},
                           {"count", 1},
                           {"self_cpu_ns", 40000},
                           {"cpu_ns", 50000},
                           {"device_ns", 30500},
                           {"self_device_ns", 30500},
                           {"cpu_avg_ns", 50000.0},
                           {"device_avg_ns", 30500.0},
                           {"flops", nullptr},
                           {"self_cpu_bytes", nullptr},
                           {"self_device_bytes", nullptr},
                           {"shapes", nullptr}};
    for (const auto& [key, value] : expected.items()) {
        QVERIFY2(mm->contains(key) && (*mm)[key] == value, (key + ": " + mm->dump()).c_str());
    }
}

void TestTables::kernelsJson() {
    const CliRun run = runOnTrace({"kernels", "--json"});
    QCOMPARE(run.code, 0);
    const json doc = documentOf(run);
    QCOMPARE(doc["rows"].size(), size_t{2});
    const json& gemm = doc["rows"][0];
    QCOMPARE(gemm["name"].get<std::string>(), kGemm.toStdString());
    const json expected = {{"count", 1},           {"total_ns", 30500},
                           {"min_ns", 30500},      {"max_ns", 30500},
                           {"median_ns", 30500.0}, {"grid", {4, 1, 1}},
                           {"block", {128, 1, 1}}, {"registers", 32},
                           {"shared_bytes", 0},    {"launch_delay_median_ns", 20000.0}};
    for (const auto& [key, value] : expected.items()) {
        QVERIFY2(gemm.contains(key) && gemm[key] == value, (key + ": " + gemm.dump()).c_str());
    }
    for (const char* key :
         {"short_name", "mean_ns", "p95_ns", "stddev_ns", "device", "streams", "static_shared_bytes",
          "dynamic_shared_bytes", "local_bytes_per_thread", "occupancy", "occupancy_limiter", "waves"}) {
        QVERIFY2(gemm.contains(key), key);
    }
    QVERIFY(doc["rows"][1]["grid"].is_null());
}

void TestTables::order_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QStringList>("names");
    const QString mm = "aten::mm", copy = "aten::copy_", launch = "cudaLaunchKernel", memcpy = "cudaMemcpyAsync";
    QTest::newRow("self device time, then self CPU time")
        << QStringList{} << QStringList{mm, kGemm, copy, "Memcpy HtoD", launch, memcpy};
    QTest::newRow("a number, largest first")
        << QStringList{"--sort", "cpu_ns", "--limit", "3"} << QStringList{mm, copy, launch};
    QTest::newRow("turned") << QStringList{"--sort=-cpu_ns", "--limit", "4"}
                            << QStringList{kGemm, "Memcpy HtoD", memcpy, launch};
    QTest::newRow("a text, from A") << QStringList{"--sort", "key", "--limit", "2"} << QStringList{"Memcpy HtoD", copy};
    QTest::newRow("no rows") << QStringList{"--limit", "0"} << QStringList{};
}

void TestTables::order() {
    QFETCH(QStringList, arguments);
    QFETCH(QStringList, names);
    const CliRun run = runOnTrace(QStringList{"ops", "--json"} + arguments);
    QCOMPARE(run.code, 0);
    QCOMPARE(namesOf(run, "key"), names);
    QCOMPARE(documentOf(run)["total_self_cpu_ns"].get<qint64>(), 70000);
}

void TestTables::filters_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QStringList>("names");
    const QString copy = "Memcpy HtoD";
    QTest::newRow("all") << QStringList{} << QStringList{kGemm, copy};
    QTest::newRow("name") << QStringList{"--filter", "^gemm"} << QStringList{kGemm};
    QTest::newRow("name, searched") << QStringList{"--filter", "H.oD"} << QStringList{copy};
    QTest::newRow("nothing matches") << QStringList{"--filter", "nothing"} << QStringList{};
    QTest::newRow("category") << QStringList{"--category", "gpu_memcpy"} << QStringList{copy};
    QTest::newRow("categories") << QStringList{"--category", "gpu_memcpy,kernel"} << QStringList{kGemm, copy};
    // The trace begins at 10 us, the kernel at 40 us.
    QTest::newRow("range") << QStringList{"--range", "30us:31us"} << QStringList{kGemm};
    QTest::newRow("end of range is outside") << QStringList{"--range", "0:30us"} << QStringList{};
    QTest::newRow("open range") << QStringList{"--range", "30.001us:"} << QStringList{copy};
    QTest::newRow("beyond the trace") << QStringList{"--range", "5s:"} << QStringList{};
}

void TestTables::filters() {
    QFETCH(QStringList, arguments);
    QFETCH(QStringList, names);
    const CliRun run = runOnTrace(QStringList{"kernels", "--json"} + arguments);
    QCOMPARE(run.code, 0);
    QCOMPARE(namesOf(run, "name"), names);
}

void TestTables::unknownCategoryIsSaid() {
    const CliRun run = runOnTrace({"ops", "--json", "--category", "gpu_memcpy,kernle"});
    QCOMPARE(run.code, 0);
    QVERIFY2(run.err.startsWith("warpline: nothing has the category kernle; there are: "), run.err.constData());
    QVERIFY2(run.err.contains("gpu_memcpy") && run.err.count('\n') == 1, run.err.constData());
    QVERIFY(runOnTrace({"ops", "--json", "--category", "gpu_memcpy"}).err.isEmpty());
}

void TestTables::csv() {
    const CliRun run = runOnTrace({"kernels", "--csv"});
    QCOMPARE(run.code, 0);
    const QList<QByteArray> lines = run.out.split('\n');
    QCOMPARE(lines.size(), 4);
    QVERIFY(lines[0].startsWith("name,short_name,kind,count,total_ns,") && lines[0].endsWith('\r'));
    QVERIFY2(lines[1].startsWith("\"gemm, \"\"fast\"\" <half>\","), lines[1].constData());
    QVERIFY(lines[2].startsWith("Memcpy HtoD,"));
}

void TestTables::markdown() {
    const CliRun run = runOnTrace({"kernels", "--markdown"});
    QCOMPARE(run.code, 0);
    const QList<QByteArray> lines = run.out.split('\n');
    QCOMPARE(lines.size(), 5);
    for (int i = 0; i < 4; ++i) {
        QVERIFY(lines[i].startsWith("| ") && lines[i].endsWith(" |"));
    }
    QVERIFY(lines[3].contains("2.000 µs"));
}

void TestTables::text_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::newRow("ops") << QStringList{"ops"};
    QTest::newRow("kernels") << QStringList{"kernels"};
}

/// Reviewed as a diff; WARPLINE_UPDATE_GOLDEN=1 writes the files anew.
void TestTables::text() {
    QFETCH(QStringList, arguments);
    const CliRun run = runOnTrace(arguments);
    QCOMPARE(run.code, 0);
    QFile golden(QStringLiteral(WARPLINE_TEST_DATA_DIR "/../golden/cli_%1.txt").arg(arguments.first()));
    if (qEnvironmentVariableIsSet("WARPLINE_UPDATE_GOLDEN")) {
        QVERIFY(golden.open(QIODevice::WriteOnly));
        golden.write(run.out);
        golden.close();
    }
    QVERIFY(golden.open(QIODevice::ReadOnly));
    QCOMPARE(run.out, golden.readAll());
}

void TestTables::groupByShapeHasShapes() {
    const QString sample = QStringLiteral(WARPLINE_SAMPLES_DIR "/quickstart.trace.json.gz");
    const CliRun run = runCli({"ops", sample, "--group-by", "shape", "--filter", "^aten::mm$", "--json"});
    QCOMPARE(run.code, 0);
    const json rows = documentOf(run)["rows"];
    QCOMPARE(rows.size(), size_t{1});
    QVERIFY2(rows[0]["shapes"] == json::parse("[[4096, 4096], [4096, 4096]]"), rows[0].dump().c_str());
    QCOMPARE(rows[0]["flops"].get<double>(), 20 * 2.0 * 4096 * 4096 * 4096);
}

void TestTables::numbersAreWrittenOut() {
    CliOptions options;
    options.input = R"([{"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":1,"dur":100}])";
    const CliRun asJson = runCli({"kernels", "-", "--json"}, options);
    QVERIFY2(asJson.out.contains("100000") && !asJson.out.contains("e+"), asJson.out.constData());
    const CliRun asCsv = runCli({"kernels", "-", "--csv"}, options);
    QVERIFY2(asCsv.out.contains("100000") && !asCsv.out.contains("e+"), asCsv.out.constData());
}

void TestTables::kernelsByAnnotationAddUpToThoseByName() {
    const QString sample = QStringLiteral(WARPLINE_SAMPLES_DIR "/quickstart.trace.json.gz");
    std::map<std::string, int64_t> byName, summed;
    for (const auto* grouping : {"name", "shape", "stack", "annotation"}) {
        const CliRun run = runCli({"kernels", sample, "--group-by", grouping, "--json"});
        QCOMPARE(run.code, 0);
        const json doc = documentOf(run);
        summed.clear();
        for (const json& row : doc["rows"]) {
            summed[row["name"].get<std::string>()] += row["total_ns"].get<int64_t>();
            QCOMPARE(row.contains("annotation"), grouping == std::string_view("annotation"));
            QCOMPARE(row.contains("stack"), grouping == std::string_view("stack"));
        }
        byName = byName.empty() ? summed : byName;
        QVERIFY2(!summed.empty() && summed == byName, grouping);
    }
}

void TestTables::whatVariesIsNullInJsonAndSaidElsewhere() {
    CliOptions options;
    options.input = R"([{"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":1,"dur":1,"args":{"grid":[1,1,1]}},
        {"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":3,"dur":1,"args":{"grid":[2,1,1]}}])";
    const json row = documentOf(runCli({"kernels", "-", "--json"}, options))["rows"][0];
    QVERIFY(row.contains("grid") && row["grid"].is_null());
    QCOMPARE(row["launch_shapes"].get<int>(), 2);
    for (const auto* form : {"--csv", "--markdown", "--wide"}) {
        const CliRun run = runCli({"kernels", "-", form}, options);
        QVERIFY2(run.out.contains("varies"), run.out.constData());
    }
}

void TestTables::groupingThatDoesNotExistIsSaid() {
    const CliRun run = runOnTrace({"kernels", "--group-by", "colour"});
    QCOMPARE(run.code, 2);
    QVERIFY2(run.err.contains("`kernels` are made by name, shape, stack, annotation, not by colour"),
             run.err.constData());
    QCOMPARE(runOnTrace({"kernels", "--group-by", "name"}).code, 0);
}

void TestTables::hostileFilterIsSaid() {
    const CliRun deep = runOnTrace({"ops", "--filter", QString(60000, '(')});
    QCOMPARE(deep.code, 2);
    QCOMPARE(deep.errorLines().size(), 1);
    CliOptions options;
    options.input = R"([{"ph":"X","cat":"cpu_op","name":")" + QByteArray(41, 'a') + R"(!","ts":1,"dur":1}])";
    const CliRun endless = runCli({"ops", "-", "--filter", "(a+)+$"}, options);
    QCOMPARE(endless.code, 1);
    QVERIFY2(endless.err.contains(QByteArray(41, 'a') + "!"), endless.err.constData());
}

QTEST_GUILESS_MAIN(TestTables)
#include "tst_tables.moc"
