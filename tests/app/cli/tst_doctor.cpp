// SPDX-License-Identifier: MIT
// `warpline doctor`: both forms, without a driver and with a stand-in for its library.
#include <QTemporaryDir>
#include <QTest>
#include <nlohmann/json.hpp>

#include "core/record/gpu_lock/gpu_lock.h"
#include "tests/support/cli_process.h"

using namespace warpline::test;
using nlohmann::json;

namespace {

CliRun doctor(const QStringList& arguments, const QString& nvml, const QString& settings = {},
              const QString& runtimeFolder = "/nowhere") {
    CliOptions options;
    options.environment = {{"WARPLINE_NVML", nvml},
                           {"WARPLINE_STAND_IN_NVML", settings},
                           {"XDG_RUNTIME_DIR", runtimeFolder},
                           {"WARPLINE_STATE", "/nowhere"}};
    return runCli(QStringList("doctor") + arguments, options);
}

json check(const json& document, const std::string& id) {
    for (const json& check : document["checks"]) {
        if (check["id"] == id) {
            return check;
        }
    }
    return {};
}

QString field(const json& object, const char* key) {
    return object[key].is_string() ? QString::fromStdString(object[key].get<std::string>()) : "no text";
}

const QStringList kIds = {"driver",      "nvml",          "devices",    "cupti",          "injection",
                          "counters",    "other_clients", "recordings", "clocks",         "throttling",
                          "persistence", "mig",           "mps",        "virtualization", "container"};

}  // namespace

class TestDoctor : public QObject {
    Q_OBJECT

private slots:
    void noDriver();
    void document();
    void throttledAndDivided();
    void libraryThatLacksFunctions();
    void recordingIsNamed();
    void text();
    void wrongUsage();
};

void TestDoctor::noDriver() {
    const CliRun run = doctor({"--json"}, "/nowhere/libnvidia-ml.so.1");
    QCOMPARE(run.code, 0);
    QCOMPARE(run.err, QByteArray());
    const json doc = json::parse(run.out.toStdString());
    QVERIFY(doc["devices"].empty());
    QCOMPARE(field(check(doc, "nvml"), "state"), "not_available");
    QVERIFY(check(doc, "nvml")["found"].get<std::string>().find("/nowhere/libnvidia-ml.so.1") != std::string::npos);
    QVERIFY(check(doc, "nvml")["fix"].is_string());
    QCOMPARE(field(check(doc, "mig"), "found"), "cannot be told without NVML");
}

void TestDoctor::document() {
    const json doc = json::parse(doctor({"--json"}, WARPLINE_STAND_IN_NVML, "devices=2").out.toStdString());
    QStringList ids;
    for (const json& check : doc["checks"]) {
        ids += QString::fromStdString(check["id"].get<std::string>());
        QCOMPARE(check.size(), size_t{5});
        QVERIFY(check["state"] == "ok" || check["state"] == "limited" || check["state"] == "not_available");
        QVERIFY(!check["title"].get<std::string>().empty() && !check["found"].get<std::string>().empty());
        if (check["state"] != "ok") {
            QVERIFY(!check["fix"].get<std::string>().empty());
        }
    }
    QCOMPARE(ids, kIds);
    QCOMPARE(field(check(doc, "nvml"), "state"), "ok");
    QCOMPARE(check(doc, "devices")["found"].get<std::string>().substr(0, 14), std::string("2: NVIDIA H200"));
    QVERIFY(check(doc, "nvml")["fix"].is_null());
    QCOMPARE(doc["devices"].size(), size_t{2});
    QCOMPARE(field(doc["devices"][1], "uuid"), "GPU-00000000-0000-0000-0000-000000000001");
    QCOMPARE(doc["devices"][1]["memory_bytes"].get<int64_t>(), int64_t{150754820096});
}

void TestDoctor::throttledAndDivided() {
    const json doc =
        json::parse(doctor({"--json"}, WARPLINE_STAND_IN_NVML, "reasons=0x40;mig=1;persistence=0").out.toStdString());
    QCOMPARE(field(check(doc, "throttling"), "found"), "thermal slowdown by the hardware at 41 °C, 123 W");
    QCOMPARE(field(check(doc, "mig"), "state"), "limited");
    QCOMPARE(field(check(doc, "persistence"), "fix"), "sudo nvidia-smi -i 0 -pm 1");
}

void TestDoctor::libraryThatLacksFunctions() {
    const CliRun run = doctor({"--json"}, WARPLINE_STAND_IN_NVML_OLD);
    QCOMPARE(run.code, 0);
    const json doc = json::parse(run.out.toStdString());
    QCOMPARE(field(check(doc, "nvml"), "state"), "ok");
    QCOMPARE(field(check(doc, "mig"), "found"), "not on this GPU");
    QVERIFY(doc["devices"][0]["power_watts"].is_null());
    QVERIFY(doc["devices"][0]["mig"].is_null());
    QCOMPARE(doc["devices"][0]["sm_clock_mhz"].get<int>(), 1980);
}

void TestDoctor::recordingIsNamed() {
    const QTemporaryDir dir;
    const auto lock = warpline::record::GpuLock::take("GPU-00000000-0000-0000-0000-000000000000", "train.py",
                                                      dir.path().toStdString());
    QVERIFY(lock.ok());
    const json doc = json::parse(doctor({"--json"}, WARPLINE_STAND_IN_NVML, "", dir.path()).out.toStdString());
    QCOMPARE(field(check(doc, "recordings"), "state"), "limited");
    QVERIFY(check(doc, "recordings")["found"].get<std::string>().find(
                "GPU 0 is being recorded: `train.py` (process ") == 0);
}

void TestDoctor::text() {
    const CliRun run = doctor({}, WARPLINE_STAND_IN_NVML, "persistence=0");
    QCOMPARE(run.code, 0);
    QCOMPARE(run.err, QByteArray());
    const QList<QByteArray> lines = run.out.split('\n');
    const auto at = [&](const QByteArray& begin) {
        for (qsizetype i = 0; i < lines.size(); ++i) {
            if (lines[i].startsWith(begin)) {
                return i;
            }
        }
        return qsizetype{-1};
    };
    QVERIFY2(at("ok             NVML             13.580.95.05, ") >= 0, run.out.constData());
    const qsizetype persistence = at("limited        Persistence      off: ");
    QVERIFY(persistence >= 0);
    QCOMPARE(lines[persistence + 1], QByteArray("                                -> sudo nvidia-smi -i 0 -pm 1"));
    const qsizetype table = at("GPU  Name ");
    QVERIFY(table > persistence);
    QVERIFY(lines[table + 1].startsWith("  0  NVIDIA H200  00000000:1A:00.0  9.0  1.00 MiB  140.40 GiB "));
}

void TestDoctor::wrongUsage() {
    const CliRun run = doctor({"--fix"}, WARPLINE_STAND_IN_NVML);
    QCOMPARE(run.code, 2);
    QCOMPARE(run.errorLines().size(), 1);
}

QTEST_GUILESS_MAIN(TestDoctor)
#include "tst_doctor.moc"
