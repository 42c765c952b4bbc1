// SPDX-License-Identifier: MIT
// NVML's readings against stand-ins for its library.
#include <QTest>

#include "core/record/nvml/nvml.h"

using namespace warpline::record;

namespace {

std::shared_ptr<const Nvml> openStandIn(const QByteArray& settings, const char* path = WARPLINE_STAND_IN_NVML) {
    qputenv("WARPLINE_STAND_IN_NVML", settings);
    auto nvml = Nvml::openLibrary(path);
    return nvml.ok() ? nvml.value() : nullptr;
}

QString text(const Reading<std::string>& reading) {
    return QString::fromStdString(reading ? *reading : "none: " + reading.why);
}

}  // namespace

class TestNvml : public QObject {
    Q_OBJECT

private slots:
    void environmentNamesTheLibrary();
    void noLibrary();
    void libraryThatIsNoNvml();
    void errorsOfTheStart_data();
    void errorsOfTheStart();
    void identity();
    void state();
    void devicesDiffer();
    void whatADriverLacksHasAReason();
    void errorsOfOneReading();
    void noSuchDevice();
    void processes();
    void listsLongerThanExpected();
};

void TestNvml::environmentNamesTheLibrary() {
    qputenv("WARPLINE_STAND_IN_NVML", "driver=535.1");
    qputenv("WARPLINE_NVML", WARPLINE_STAND_IN_NVML);
    const auto nvml = Nvml::open();
    qunsetenv("WARPLINE_NVML");
    QVERIFY(nvml.ok());
    QCOMPARE(text(nvml.value()->driverVersion()), "535.1");
    QCOMPARE(nvml.value()->libraryPath(), std::string(WARPLINE_STAND_IN_NVML));
}

void TestNvml::noLibrary() {
    const auto nvml = Nvml::openLibrary("/nowhere/libnvidia-ml.so.1");
    QVERIFY(!nvml.ok());
    QCOMPARE(nvml.error().code, std::string(nvml_error::kNoLibrary));
    QVERIFY2(nvml.error().message.find("/nowhere/libnvidia-ml.so.1") != std::string::npos,
             nvml.error().message.c_str());
}

void TestNvml::libraryThatIsNoNvml() {
    const auto nvml = Nvml::openLibrary("libm.so.6");
    QVERIFY(!nvml.ok());
    QCOMPARE(nvml.error().code, std::string(nvml_error::kUnusable));
}

void TestNvml::errorsOfTheStart_data() {
    QTest::addColumn<QByteArray>("settings");
    QTest::addColumn<QByteArray>("code");
    QTest::newRow("no driver") << QByteArray("init=9") << QByteArray(nvml_error::kNoDriver);
    QTest::newRow("other module") << QByteArray("init=18") << QByteArray(nvml_error::kMismatch);
    QTest::newRow("no permission") << QByteArray("init=4") << QByteArray(nvml_error::kNoPermission);
    QTest::newRow("other") << QByteArray("init=999") << QByteArray(nvml_error::kFailed);
}

void TestNvml::errorsOfTheStart() {
    QFETCH(QByteArray, settings);
    QFETCH(QByteArray, code);
    qputenv("WARPLINE_STAND_IN_NVML", settings);
    const auto nvml = Nvml::openLibrary(WARPLINE_STAND_IN_NVML);
    QVERIFY(!nvml.ok());
    QCOMPARE(nvml.error().code, code.toStdString());
    if (code == nvml_error::kFailed) {
        QCOMPARE(nvml.error().message, std::string("NVML does not start: Unknown Error"));
    }
}

void TestNvml::identity() {
    const auto nvml = openStandIn("virtualization=2");
    QVERIFY(nvml);
    QCOMPARE(*nvml->cudaVersion(), 13000U);
    QCOMPARE(*nvml->deviceCount(), 1U);
    const DeviceIdentity identity = nvml->identity(0);
    QCOMPARE(text(identity.uuid), "GPU-00000000-0000-0000-0000-000000000000");
    QCOMPARE(text(identity.name), "NVIDIA H200");
    QCOMPARE(text(identity.pciBusId), "00000000:1A:00.0");
    QCOMPARE(text(identity.computeCapability), "9.0");
    QCOMPARE(*identity.memoryBytes, uint64_t{150754820096});
    QCOMPARE(*identity.maxSmClockMhz, 1980U);
    QCOMPARE(*identity.maxMemoryClockMhz, 3201U);
    QCOMPARE(*identity.defaultSmClockMhz, 1830U);
    QCOMPARE(*identity.virtualization, VirtualizationMode::Vgpu);
}

void TestNvml::state() {
    const auto nvml = openStandIn(
        "sm=1755;memory_clock=1593;reasons=0x44;used=5000;busy=87;temperature=66;mig=1;"
        "persistence=0");
    const DeviceState state = nvml->state(0);
    QCOMPARE(*state.smClockMhz, 1755U);
    QCOMPARE(*state.memoryClockMhz, 1593U);
    QCOMPARE(*state.applicationSmClockMhz, 1830U);
    QCOMPARE(*state.powerWatts, 123.456);
    QCOMPARE(*state.powerLimitWatts, 700.0);
    QCOMPARE(*state.temperatureC, 66U);
    QCOMPARE(*state.throttleReasons, uint64_t{0x44});
    QCOMPARE(*state.usedBytes, uint64_t{5000});
    QCOMPARE(*state.gpuBusyPercent, 87U);
    QCOMPARE(*state.persistence, false);
    QCOMPARE(*state.mig, true);
    QVERIFY(state.processes && state.processes->empty());
}

void TestNvml::devicesDiffer() {
    const auto nvml = openStandIn("devices=2;sm=1000;1.sm=1200");
    QCOMPARE(*nvml->smClockMhz(0), 1000U);
    QCOMPARE(*nvml->smClockMhz(1), 1200U);
    QCOMPARE(text(nvml->identity(1).pciBusId), "00000000:1B:00.0");
}

void TestNvml::whatADriverLacksHasAReason() {
    const auto nvml = openStandIn("used=5000", WARPLINE_STAND_IN_NVML_OLD);
    QVERIFY(nvml);
    const DeviceState state = nvml->state(0);
    for (const auto* reading : {&state.powerWatts, &state.powerLimitWatts}) {
        QVERIFY(!*reading);
        QVERIFY(reading->isFinal);
        QCOMPARE(reading->why, std::string("this driver's NVML does not have it"));
    }
    QVERIFY(!state.mig);
    QVERIFY(!state.processes);
    QVERIFY(!nvml->identity(0).defaultSmClockMhz);
    QVERIFY(!nvml->supportedSmClocksMhz(0));
    // What it has under an older name.
    QCOMPARE(*state.throttleReasons, uint64_t{0});
    QCOMPARE(*state.usedBytes, uint64_t{5600});
    QCOMPARE(*state.smClockMhz, 1980U);
}

void TestNvml::errorsOfOneReading() {
    const auto nvml = openStandIn("fail=nvmlDeviceGetPowerUsage:3,nvmlDeviceGetTemperature:999,nvmlDeviceGetMigMode:3");
    const DeviceState state = nvml->state(0);
    QVERIFY(!state.powerWatts && state.powerWatts.isFinal);
    QCOMPARE(state.powerWatts.why, std::string("this device does not have it"));
    QVERIFY(!state.temperatureC && !state.temperatureC.isFinal);
    QCOMPARE(state.temperatureC.why, std::string("Unknown Error"));
    QVERIFY(!state.mig);
    QCOMPARE(*state.smClockMhz, 1980U);
}

void TestNvml::noSuchDevice() {
    const auto nvml = openStandIn("devices=1");
    const DeviceIdentity identity = nvml->identity(7);
    QVERIFY(!identity.uuid);
    QCOMPARE(identity.uuid.why, std::string("Some Error"));
    QVERIFY(!nvml->state(7).persistence);
}

void TestNvml::processes() {
    const auto nvml = openStandIn("processes=4711:1024,4712:?");
    const auto processes = nvml->processes(0);
    QVERIFY(processes);
    QCOMPARE(processes->size(), size_t{2});
    QCOMPARE((*processes)[0].pid, 4711U);
    QCOMPARE(*(*processes)[0].usedBytes, uint64_t{1024});
    QCOMPARE((*processes)[1].pid, 4712U);
    QVERIFY(!(*processes)[1].usedBytes);
}

void TestNvml::listsLongerThanExpected() {
    const auto nvml = openStandIn("");
    const auto clocks = nvml->supportedSmClocksMhz(0);
    QVERIFY(clocks);
    QCOMPARE(clocks->size(), size_t{328});
    QCOMPARE(clocks->front(), 1980U);
    QCOMPARE(clocks->back(), 345U);
    QCOMPARE(*nvml->supportedMemoryClocksMhz(0), (std::vector<uint32_t>{3201, 1593}));
}

QTEST_GUILESS_MAIN(TestNvml)
#include "tst_nvml.moc"
