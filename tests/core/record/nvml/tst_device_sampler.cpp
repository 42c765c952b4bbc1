// SPDX-License-Identifier: MIT
#include <QTest>
#include <map>

#include "core/record/nvml/device_sampler.h"

using namespace warpline::record;
using warpline::capture::SampleKind;
using warpline::capture::SampleRecord;

namespace {

struct Collected {
    std::mutex mutex;
    std::condition_variable more;
    std::vector<SampleRecord> samples;
    size_t calls = 0;

    DeviceSampler::Sink sink() {
        return [this](std::span<const SampleRecord> round) {
            const std::lock_guard lock(mutex);
            samples.insert(samples.end(), round.begin(), round.end());
            ++calls;
            more.notify_all();
        };
    }
    void waitForCalls(size_t count) {
        std::unique_lock lock(mutex);
        more.wait(lock, [&] { return calls >= count; });
    }
};

std::shared_ptr<const Nvml> openStandIn(const QByteArray& settings, const char* path = WARPLINE_STAND_IN_NVML) {
    qputenv("WARPLINE_STAND_IN_NVML", settings);
    auto nvml = Nvml::openLibrary(path);
    return nvml.ok() ? nvml.value() : nullptr;
}

int64_t nowNs() {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::system_clock::now().time_since_epoch())
        .count();
}

}  // namespace

class TestDeviceSampler : public QObject {
    Q_OBJECT

private slots:
    void oneRound();
    void roundsGoOnUntilStopped();
    void stopDoesNotWaitForTheNextRound();
    void whatIsMissingIsAskedForOnce();
    void whatFailsIsAskedForAgain();
    void memoryOfTheRecordedProcesses_data();
    void memoryOfTheRecordedProcesses();
};

void TestDeviceSampler::oneRound() {
    const auto nvml = openStandIn("devices=2;1.sm=1200;reasons=0x4;used=5000;busy=87");
    Collected collected;
    const int64_t before = nowNs();
    {
        DeviceSampler sampler(nvml, {{{0, 5}, {1, 3}}, std::chrono::hours(1), {}}, collected.sink());
        collected.waitForCalls(1);
        sampler.stop();
        QCOMPARE(sampler.rounds(), uint64_t{1});
        QVERIFY(sampler.failures().empty());
    }
    const int64_t after = nowNs();
    QCOMPARE(collected.calls, size_t{1});
    QCOMPARE(collected.samples.size(), size_t{14});
    std::map<std::pair<uint32_t, SampleKind>, double> values;
    for (const SampleRecord& sample : collected.samples) {
        QVERIFY(before <= sample.time && sample.time <= after);
        values[{sample.device, sample.kind}] = sample.value;
    }
    QCOMPARE((values[{5, SampleKind::SmClockMhz}]), 1980.0);
    QCOMPARE((values[{3, SampleKind::SmClockMhz}]), 1200.0);
    QCOMPARE((values[{5, SampleKind::MemoryClockMhz}]), 3201.0);
    QCOMPARE((values[{5, SampleKind::PowerWatts}]), 123.456);
    QCOMPARE((values[{5, SampleKind::TemperatureC}]), 41.0);
    QCOMPARE((values[{3, SampleKind::ThrottleReasons}]), 4.0);
    QCOMPARE((values[{3, SampleKind::UsedBytes}]), 5000.0);
    QCOMPARE((values[{3, SampleKind::GpuBusyPercent}]), 87.0);
}

void TestDeviceSampler::roundsGoOnUntilStopped() {
    Collected collected;
    DeviceSampler sampler(openStandIn(""), {{{0, 0}}, std::chrono::milliseconds(1), {}}, collected.sink());
    collected.waitForCalls(5);
    sampler.stop();
    const size_t calls = collected.calls;
    QVERIFY(calls >= 5);
    QCOMPARE(collected.samples.size(), calls * 7);
    QCOMPARE(sampler.rounds(), uint64_t{calls});
    sampler.stop();
    QCOMPARE(collected.calls, calls);
}

void TestDeviceSampler::stopDoesNotWaitForTheNextRound() {
    Collected collected;
    {
        DeviceSampler sampler(openStandIn(""), {{{0, 0}}, std::chrono::hours(1), {}}, collected.sink());
        collected.waitForCalls(1);
    }
    QCOMPARE(collected.calls, size_t{1});
}

void TestDeviceSampler::whatIsMissingIsAskedForOnce() {
    Collected collected;
    DeviceSampler sampler(openStandIn("", WARPLINE_STAND_IN_NVML_OLD), {{{0, 0}}, std::chrono::milliseconds(1), {}},
                          collected.sink());
    collected.waitForCalls(4);
    sampler.stop();
    const auto failures = sampler.failures();
    QCOMPARE(failures.size(), size_t{1});
    QCOMPARE(failures[0].kind, SampleKind::PowerWatts);
    QCOMPARE(failures[0].count, uint64_t{1});
    QVERIFY(failures[0].isGivenUp);
    QCOMPARE(failures[0].why, std::string("this driver's NVML does not have it"));
    QCOMPARE(collected.samples.size(), collected.calls * 6);
}

void TestDeviceSampler::whatFailsIsAskedForAgain() {
    Collected collected;
    DeviceSampler sampler(openStandIn("fail=nvmlDeviceGetTemperature:999"),
                          {{{0, 0}}, std::chrono::milliseconds(1), {}}, collected.sink());
    collected.waitForCalls(4);
    sampler.stop();
    const auto failures = sampler.failures();
    QCOMPARE(failures.size(), size_t{1});
    QCOMPARE(failures[0].kind, SampleKind::TemperatureC);
    QCOMPARE(failures[0].count, sampler.rounds());
    QVERIFY(!failures[0].isGivenUp);
}

void TestDeviceSampler::memoryOfTheRecordedProcesses_data() {
    QTest::addColumn<QByteArray>("processes");
    QTest::addColumn<double>("bytes");
    QTest::newRow("sum of ours") << QByteArray("processes=10:100,11:1000,99:70000") << 1100.0;
    QTest::newRow("none of ours") << QByteArray("processes=99:70000") << -1.0;
    QTest::newRow("not told") << QByteArray("processes=10:100,11:?") << -1.0;
}

void TestDeviceSampler::memoryOfTheRecordedProcesses() {
    QFETCH(QByteArray, processes);
    QFETCH(double, bytes);
    Collected collected;
    DeviceSampler sampler(openStandIn(processes),
                          {{{0, 0}}, std::chrono::hours(1), [](uint32_t pid) { return pid == 10 || pid == 11; }},
                          collected.sink());
    collected.waitForCalls(1);
    sampler.stop();
    double found = -1;
    for (const SampleRecord& sample : collected.samples) {
        found = sample.kind == SampleKind::ProcessUsedBytes ? sample.value : found;
    }
    QCOMPARE(found, bytes);
    QCOMPARE(sampler.failures().size(), processes.endsWith('?') ? size_t{1} : size_t{0});
}

QTEST_GUILESS_MAIN(TestDeviceSampler)
#include "tst_device_sampler.moc"
