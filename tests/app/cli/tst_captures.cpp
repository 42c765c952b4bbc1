// SPDX-License-Identifier: MIT
// Every command on a capture, as its users call it.
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <nlohmann/json.hpp>

#include "tests/support/capture_maker.h"
#include "tests/support/cli_process.h"

using namespace warpline::test;
using nlohmann::json;

class tst_Captures : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void info();
    void kernels();
    void ops();
    void dump();
    void strict();
    void standardInput();
    void convertedToChromeTrace();
    void convertedToCapture();
    void nothingElseBecomesACapture();

private:
    QString pathOf(const char* name) const { return m_folder.filePath(name); }
    static json documentOf(const CliRun& run) {
        return json::parse(run.out.constData(), run.out.constData() + run.out.size(), nullptr, false);
    }

    QTemporaryDir m_folder;
    QByteArray m_bytes;
};

void tst_Captures::initTestCase() {
    m_bytes = QByteArray::fromStdString(sampleCapture(2));
    QFile file(pathOf("a.wcap"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    QCOMPARE(file.write(m_bytes), m_bytes.size());
}

void tst_Captures::info() {
    const CliRun run = runCli({"info", "--json", pathOf("a.wcap")});
    QCOMPARE(run.code, 0);
    const json document = documentOf(run);
    QVERIFY(document["format"] == "capture");
    QVERIFY(document["compressed"] == "none");
    QCOMPARE(document["bytes"].get<qint64>(), m_bytes.size());
    QCOMPARE(document["events"]["slices"].get<int>(), 23);
    QCOMPARE(document["events"]["async"].get<int>(), 1);
    QCOMPARE(document["events"]["instants"].get<int>(), 8);
    QCOMPARE(document["by_category"]["kernel"].get<int>(), 7);
    QCOMPARE(document["by_category"]["cuda_runtime"].get<int>(), 5);
    QCOMPARE(document["by_category"]["cuda_sync"].get<int>(), 2);
    QCOMPARE(document["processes"].get<int>(), 3);
    QCOMPARE(document["start_ns"].get<qint64>(), 500);
    QCOMPARE(document["end_ns"].get<qint64>(), 117'000);
    QCOMPARE(document["base_time_ns"].get<qint64>(), qint64(kCaptureStart));
    QVERIFY(document["devices"][0]["name"] == "NVIDIA H200");
    QVERIFY(document["devices"][0]["compute_capability"] == "9.0");
    QCOMPARE(document["devices"][0]["sm_count"].get<int>(), 132);
    QVERIFY(document["issues"][0]["code"] == "no_timestamp");
    QVERIFY(document["issues"][0]["severity"] == "data_loss");
}

void tst_Captures::kernels() {
    const json document = documentOf(runCli({"kernels", "--json", pathOf("a.wcap")}));
    const json& row = document["rows"][0];
    QVERIFY(row["name"] == "add(float*, float*, int)");
    QVERIFY(row["short_name"] == "add");
    QCOMPARE(row["count"].get<int>(), 5);  // four launches and a graph's node: none replayed, none without times
    QCOMPARE(row["total_ns"].get<qint64>(), 40'100);
    QCOMPARE(row["min_ns"].get<qint64>(), 100);
    QCOMPARE(row["median_ns"].get<double>(), 10'000.0);
    QVERIFY(row["grid"] == json({264, 1, 1}));
    QCOMPARE(row["registers"].get<int>(), 32);
    QCOMPARE(row["shared_bytes"].get<int>(), 3072);
    QCOMPARE(row["static_shared_bytes"].get<int>(), 1024);
    QVERIFY(row["local_bytes_per_thread"].is_null());
    QCOMPARE(row["occupancy"].get<double>(), 1.0);
    QCOMPARE(row["launch_delay_median_ns"].get<double>(), 5000.0);
}

void tst_Captures::ops() {
    const json document = documentOf(runCli({"ops", "--json", pathOf("a.wcap")}));
    const auto rowOf = [&](const char* key) {
        for (const json& row : document["rows"]) {
            if (row["key"] == key) {
                return row;
            }
        }
        return json();
    };
    QVERIFY(rowOf("step")["kind"] == "annotation");
    QCOMPARE(rowOf("step")["cpu_ns"].get<qint64>(), 89'500);
    // Less a launch of 2000, a wait of 10000, a call of 500, and 8000 of a compilation beside them.
    QCOMPARE(rowOf("step")["self_cpu_ns"].get<qint64>(), 69'000);
    QVERIFY(rowOf("cudaLaunchKernel")["kind"] == "runtime");
    QCOMPARE(rowOf("cudaLaunchKernel")["count"].get<int>(), 4);
    QCOMPARE(rowOf("cudaLaunchKernel")["self_cpu_ns"].get<qint64>(), 7700);  // one holds 300 of overhead
    QVERIFY(rowOf("Activity Buffer Request")["kind"] == "overhead");
    QVERIFY(rowOf("[OutOfMemory]")["kind"] == "other");
}

void tst_Captures::dump() {
    const CliRun run = runCli({"dump", "--json", pathOf("a.wcap")});
    QCOMPARE(run.code, 0);
    const json document = documentOf(run);
    QVERIFY(!document.is_discarded());
    QVERIFY(run.out.contains("\"power cap\"") && run.out.contains("/home/me/.nv"));
}

void tst_Captures::strict() {
    const CliRun run = runCli({"info", "--strict", pathOf("a.wcap")});
    QCOMPARE(run.code, 3);
    QVERIFY(run.err.contains("no timestamps"));
}

void tst_Captures::standardInput() {
    CliOptions options;
    options.input = m_bytes;
    const CliRun run = runCli({"info", "--json", "-"}, options);
    QCOMPARE(run.code, 0);
    QCOMPARE(documentOf(run)["events"]["slices"].get<int>(), 23);
}

void tst_Captures::convertedToChromeTrace() {
    for (const char* name : {"b.json", "b.json.gz"}) {
        QCOMPARE(runCli({"convert", pathOf("a.wcap"), pathOf(name)}).code, 0);
        for (const char* table : {"kernels", "ops"}) {
            const CliRun before = runCli({table, "--csv", pathOf("a.wcap")});
            const CliRun after = runCli({table, "--csv", pathOf(name)});
            QVERIFY(!before.out.isEmpty());
            QCOMPARE(after.out, before.out);
        }
        const json document = documentOf(runCli({"info", "--json", pathOf(name)}));
        QVERIFY(document["format"] == "kineto-json");
        QCOMPARE(document["events"]["slices"].get<int>(), 23);
        QCOMPARE(document["events"]["flows"].get<int>(), 8);
        QCOMPARE(document["base_time_ns"].get<qint64>(), qint64(kCaptureStart));
    }
}

void tst_Captures::convertedToCapture() {
    const CliRun run = runCli({"convert", pathOf("a.wcap"), pathOf("packed.wcap")});
    QCOMPARE(run.code, 0);
    QVERIFY(QFile(pathOf("packed.wcap")).size() < m_bytes.size());
    json before = documentOf(runCli({"dump", "--json", pathOf("a.wcap")}));
    json after = documentOf(runCli({"dump", "--json", pathOf("packed.wcap")}));
    QVERIFY(!before.is_discarded() && before["slices"].size() == 23);
    QVERIFY(before["slices"] == after["slices"]);
    QCOMPARE(runCli({"convert", pathOf("a.wcap"), pathOf("a.wcap")}).code, 2);
}

void tst_Captures::nothingElseBecomesACapture() {
    QFile file(pathOf("c.json"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(R"([{"ph": "X", "name": "a", "ts": 1, "dur": 2, "pid": 1, "tid": 1}])");
    file.close();
    const CliRun run = runCli({"convert", pathOf("c.json"), pathOf("c.wcap")});
    QCOMPARE(run.code, 2);
    QVERIFY(run.err.contains("only a capture"));
    QVERIFY(!QFile::exists(pathOf("c.wcap")));
}

QTEST_GUILESS_MAIN(tst_Captures)
#include "tst_captures.moc"
