// SPDX-License-Identifier: MIT
// `warpline clocks` against stand-ins for the driver's library and for nvidia-smi: no clock of a real GPU is touched.
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <nlohmann/json.hpp>

#include "tests/support/cli_process.h"

using namespace warpline::test;
using nlohmann::json;

class TestClocks : public QObject {
    Q_OBJECT

private slots:
    void init();
    void noDriver_data();
    void noDriver();
    void lockStatusReset();
    void chosenClocks();
    void whichDevice_data();
    void whichDevice();
    void refusedWithoutRoot();
    void outOfRange();
    void noNvidiaSmi();
    void persistenceIsMentioned();
    void statusText();
    void unknownIsNull();
    void wrongUsage_data();
    void wrongUsage();

private:
    CliRun clocks(const QStringList& arguments, const QString& nvml = {}, const QString& smi = {}) const;
    QByteArray toldToSmi() const;

    std::unique_ptr<QTemporaryDir> m_dir;
};

void TestClocks::init() {
    m_dir = std::make_unique<QTemporaryDir>();
}

CliRun TestClocks::clocks(const QStringList& arguments, const QString& nvml, const QString& smi) const {
    CliOptions options;
    options.environment = {
        {"WARPLINE_NVML", WARPLINE_STAND_IN_NVML},
        {"WARPLINE_STAND_IN_NVML", nvml},
        {"WARPLINE_NVIDIA_SMI", WARPLINE_SOURCE_DIR "/tests/support/stand_in/nvidia_smi.sh"},
        {"WARPLINE_STAND_IN_SMI", smi},
        {"WARPLINE_STAND_IN_SMI_LOG", m_dir->filePath("log")},
        {"WARPLINE_STATE", m_dir->filePath("state")},
    };
    if (nvml == "no library") {
        options.environment[0].second = "/nowhere/libnvidia-ml.so.1";
    }
    if (smi == "none") {
        options.environment[2].second = "/nowhere/nvidia-smi";
    }
    return runCli(QStringList("clocks") + arguments, options);
}

QByteArray TestClocks::toldToSmi() const {
    QFile log(m_dir->filePath("log"));
    return log.open(QIODevice::ReadOnly) ? log.readAll() : QByteArray();
}

void TestClocks::noDriver_data() {
    QTest::addColumn<QString>("command");
    QTest::newRow("status") << "status";
    QTest::newRow("lock") << "lock";
    QTest::newRow("reset") << "reset";
}

void TestClocks::noDriver() {
    QFETCH(QString, command);
    for (const QString nvml : {"no library", "init=9", "devices=0"}) {
        const CliRun run = clocks({command}, nvml);
        QCOMPARE(run.code, 1);
        QCOMPARE(run.out, QByteArray());
        QCOMPARE(run.errorLines().size(), 1);
        QVERIFY2(run.err.contains("`warpline doctor` says what to do"), run.err.constData());
    }
    QCOMPARE(toldToSmi(), QByteArray());
}

void TestClocks::lockStatusReset() {
    const CliRun lock = clocks({"lock", "--device", "1", "--sm-mhz", "1500", "--memory-mhz", "3201"}, "devices=2");
    QCOMPARE(lock.code, 0);
    QCOMPARE(lock.out,
             QByteArray("GPU 1 (NVIDIA H200): SM clock locked at 1500 MHz, memory clock at 3201 MHz: as asked "
                        "for\n  free again with: warpline clocks reset --device 1\n"));
    QCOMPARE(toldToSmi(), QByteArray("-i GPU-00000000-0000-0000-0000-000000000001 -lgc 1500,1500\n"
                                     "-i GPU-00000000-0000-0000-0000-000000000001 -lmc 3201,3201\n"));

    const json status = json::parse(clocks({"status", "--json"}, "devices=2;1.sm=1500").out.toStdString());
    QVERIFY(status["devices"][0]["locked"].is_null());
    QCOMPARE(status["devices"][1]["locked"]["sm_mhz"].get<int>(), 1500);
    QCOMPARE(status["devices"][1]["locked"]["memory_mhz"].get<int>(), 3201);
    QVERIFY(QString::fromStdString(status["devices"][1]["lock_text"].get<std::string>())
                .startsWith("locked by warpline at 1500 MHz, memory at 3201 MHz since 20"));

    const CliRun reset = clocks({"reset", "--device", "1"}, "devices=2");
    QCOMPARE(reset.code, 0);
    QCOMPARE(reset.out, QByteArray("GPU 1 (NVIDIA H200): clocks are free\n"));
    const json after = json::parse(clocks({"status", "--json"}, "devices=2").out.toStdString());
    QVERIFY(after["devices"][1]["locked"].is_null());
}

void TestClocks::chosenClocks() {
    const CliRun run = clocks({"lock"});
    QCOMPARE(run.code, 0);
    QVERIFY2(run.out.startsWith("GPU 0 (NVIDIA H200): SM clock locked at 1830 MHz: its default application clock"),
             run.out.constData());
}

void TestClocks::whichDevice_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<int>("code");
    QTest::addColumn<int>("told");
    QTest::newRow("not said") << QStringList{"lock"} << 2 << 0;
    QTest::newRow("one") << QStringList{"lock", "--device", "1"} << 0 << 1;
    QTest::newRow("all") << QStringList{"lock", "--device", "all"} << 0 << 2;
    QTest::newRow("none such") << QStringList{"lock", "--device", "2"} << 2 << 0;
    QTest::newRow("no number") << QStringList{"reset", "--device", "1x"} << 2 << 0;
    QTest::newRow("reset, not said") << QStringList{"reset"} << 2 << 0;
    QTest::newRow("reset all") << QStringList{"reset", "--device", "all"} << 0 << 4;
}

void TestClocks::whichDevice() {
    QFETCH(QStringList, arguments);
    QFETCH(int, code);
    QFETCH(int, told);
    const CliRun run = clocks(arguments, "devices=2");
    QCOMPARE(run.code, code);
    QCOMPARE(toldToSmi().count('\n'), told);
    if (code == 2) {
        QVERIFY2(run.err.contains("0 to 1, or all"), run.err.constData());
    }
}

void TestClocks::refusedWithoutRoot() {
    const CliRun lock = clocks({"lock"}, "", "no_permission");
    QCOMPARE(lock.code, 1);
    QCOMPARE(lock.err,
             QByteArray("warpline: GPU 0 (NVIDIA H200): the driver lets only root set clocks; this needs root: "
                        "sudo " WARPLINE_CLI_PATH " clocks lock --device 0 --sm-mhz 1830\n"));
    const CliRun reset = clocks({"reset"}, "", "no_permission");
    QCOMPARE(reset.code, 1);
    QVERIFY2(reset.err.endsWith("sudo " WARPLINE_CLI_PATH " clocks reset --device 0\n"), reset.err.constData());
    const json status = json::parse(clocks({"status", "--json"}).out.toStdString());
    QVERIFY(status["devices"][0]["locked"].is_null());
}

void TestClocks::outOfRange() {
    const CliRun run = clocks({"lock", "--sm-mhz", "2500"});
    QCOMPARE(run.code, 2);
    QVERIFY2(run.err.contains("345 MHz to 1980 MHz"), run.err.constData());
    QCOMPARE(toldToSmi(), QByteArray());
}

void TestClocks::noNvidiaSmi() {
    const CliRun run = clocks({"lock"}, "", "none");
    QCOMPARE(run.code, 1);
    QVERIFY2(run.err.contains("/nowhere/nvidia-smi cannot be started"), run.err.constData());
}

void TestClocks::persistenceIsMentioned() {
    const CliRun run = clocks({"lock"}, "persistence=0");
    QCOMPARE(run.code, 0);
    QVERIFY2(run.out.contains("sudo nvidia-smi -i 0 -pm 1"), run.out.constData());
}

void TestClocks::statusText() {
    const CliRun run = clocks({"status"}, "sm=1755;reasons=0x44");
    QCOMPARE(run.code, 0);
    QCOMPARE(run.out,
             QByteArray("GPU  Name         PCI               CC       Used      Memory  SM MHz  Max MHz  Mem MHz    W  "
                        "°C  Busy %  Clocks held by\n"
                        "  0  NVIDIA H200  00000000:1A:00.0  9.0  1.00 MiB  140.40 GiB    1755     1980     3201  123  "
                        "41       0  power cap, thermal slowdown by the hardware\n"
                        "GPU 0: not locked by warpline\n"
                        "The driver does not tell whether something else has locked clocks.\n"));
}

void TestClocks::unknownIsNull() {
    const json status = json::parse(
        clocks({"status", "--json"}, "fail=nvmlDeviceGetPowerUsage:3,nvmlDeviceGetClockInfo:999").out.toStdString());
    QVERIFY(status["devices"][0]["power_watts"].is_null());
    QVERIFY(status["devices"][0]["sm_clock_mhz"].is_null());
    QCOMPARE(status["devices"][0]["temperature_c"].get<int>(), 41);
}

void TestClocks::wrongUsage_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::newRow("no action") << QStringList{};
    QTest::newRow("unknown action") << QStringList{"freeze"};
    QTest::newRow("no number") << QStringList{"lock", "--sm-mhz", "fast"};
    QTest::newRow("zero") << QStringList{"lock", "--sm-mhz", "0"};
    QTest::newRow("option of another action") << QStringList{"reset", "--sm-mhz", "1500"};
}

void TestClocks::wrongUsage() {
    QFETCH(QStringList, arguments);
    const CliRun run = clocks(arguments);
    QCOMPARE(run.code, 2);
    QCOMPARE(run.errorLines().size(), 1);
    QCOMPARE(toldToSmi(), QByteArray());
}

QTEST_GUILESS_MAIN(TestClocks)
#include "tst_clocks.moc"
