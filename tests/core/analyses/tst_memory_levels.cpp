// SPDX-License-Identifier: MIT
#include <QTest>

#include <algorithm>

#include "core/analyses/memory_levels.h"
#include "core/loaders/load_trace.h"
#include "tests/support/trace_text.h"

using namespace warpline;
using warpline::test::traceFromText;

namespace {

std::vector<MemoryLevels> levelsOf(const Trace& trace) {
    JobControl job;
    return computeMemoryLevels(trace, job).value();
}

QString textOf(const ValueSeries& series) {
    QStringList out;
    for (size_t i = 0; i < series.size(); ++i) {
        out << QStringLiteral("%1=%2").arg(series.time[i]).arg(series.value[i]);
    }
    return out.join(QLatin1Char(' '));
}

double highest(const ValueSeries& series) {
    return *std::max_element(series.value.begin(), series.value.end());
}

}  // namespace

class TestMemoryLevels : public QObject {
    Q_OBJECT
private slots:
    void levels() {
        const auto trace = traceFromText(R"(
            memory gpu0 30 -50 50
            memory gpu0 10 100 100
            memory cpu 5 8 8
            memory gpu0 20 1
            memory gpu1 10 7 7
            memory gpu0 30 20 70
            oom gpu0 15 1000
            memory gpu0 40 0 70
            memory cpu 9 -8 0)");
        const auto levels = levelsOf(*trace);
        QCOMPARE(levels.size(), size_t{3});
        QCOMPARE(levels[0].deviceType, MemoryDeviceType::Cpu);
        QCOMPARE(levels[0].device, int64_t{-1});
        QCOMPARE(textOf(levels[0].allocated), QStringLiteral("5=8 9=0"));
        QCOMPARE(levels[1].deviceType, MemoryDeviceType::Cuda);
        QCOMPARE(levels[1].device, int64_t{0});
        QCOMPARE(textOf(levels[1].allocated), QStringLiteral("10=100 20=nan 30=70"));
        QCOMPARE(levels[1].outOfMemory, std::vector<TimeNs>{15});
        QCOMPARE(levels[2].device, int64_t{1});
        QCOMPARE(textOf(levels[2].allocated), QStringLiteral("10=7"));
        QVERIFY(!levels[2].allocated.at(9).has_value());
        QCOMPARE(*levels[2].allocated.at(11), 7.0);
    }

    /// torch.cuda's own figures of that run, to the byte.
    void aRealTraceThatRanOutOfMemory() {
        JobControl job;
        const auto trace = loadTrace({WARPLINE_TEST_DATA_DIR "/memory_oom.trace.json.gz"}, {}, job).value();
        const auto levels = levelsOf(*trace);
        QCOMPARE(levels.size(), size_t{2});
        const auto device = std::find_if(levels.begin(), levels.end(),
                                         [](const auto& l) { return l.deviceType == MemoryDeviceType::Cuda; });
        QVERIFY(device != levels.end());
        QVERIFY(device->host.valid());
        QCOMPARE(highest(device->allocated), 7'251'951'616.0);
        QCOMPARE(device->allocated.value.back(), 0.0);
        QCOMPARE(highest(device->reserved), 7'270'825'984.0);
        const MemoryLevels& host = device == levels.begin() ? levels[1] : levels[0];
        QCOMPARE(highest(host.allocated), 8.0);
        QCOMPARE(highest(host.reserved), 0.0);
        QCOMPARE(device->outOfMemory.size(), size_t{1});
    }

    void none() { QVERIFY(levelsOf(*traceFromText("cpu main: op 0..10")).empty()); }
    void stopped() {
        JobControl job;
        job.requestStop();
        QVERIFY(!computeMemoryLevels(*traceFromText("memory cpu 5 8 8"), job).ok());
    }
};

QTEST_APPLESS_MAIN(TestMemoryLevels)
#include "tst_memory_levels.moc"
