// SPDX-License-Identifier: MIT
#include <QTemporaryFile>
#include <QTest>

#include <cmath>
#include <functional>
#include <map>
#include <random>

#include "core/analyses/device_activity.h"
#include "core/analyses/gpu_busy/gpu_busy.h"
#include "core/loaders/load_trace.h"
#include "core/trace/device_work.h"
#include "tests/support/trace_text.h"

using namespace warpline;
using warpline::test::traceFromText;

namespace {

std::vector<DeviceActivity> activitiesOf(const Trace& trace, ActivityParts parts = kActivityAll) {
    JobControl job;
    return computeDeviceActivity(trace, parts, job).value();
}
DeviceActivity activityOf(const Trace& trace) {
    return std::move(activitiesOf(trace).at(0));
}

/// "time=value …"
template <class T>
QString textOf(const StepSeries<T>& series) {
    QStringList out;
    for (size_t i = 0; i < series.size(); ++i) {
        out << QStringLiteral("%1=%2").arg(series.time[i]).arg(series.value[i]);
    }
    return out.join(QLatin1Char(' '));
}

QString busyText(const Trace& trace, const DeviceActivity& activity) {
    const BusyPieces pieces = busyPieces(trace, activity);
    QStringList out;
    for (size_t i = 0; i < pieces.begin.size(); ++i) {
        out << QStringLiteral("%1..%2").arg(pieces.begin[i]).arg(pieces.begin[i] + pieces.duration[i]);
    }
    return out.join(QLatin1Char(' '));
}

/// What drawing sees: the bars of a view of one pixel a nanosecond.
QString barText(const Trace& trace, const DeviceActivity& activity) {
    const BusyPieces pieces = busyPieces(trace, activity);
    std::vector<LodBar> bars;
    pieces.lod->collect(pieces.begin, pieces.duration, {0, 1000}, 1, bars);
    QStringList out;
    for (const LodBar& bar : bars) {
        out << QStringLiteral("%1..%2").arg(bar.begin).arg(bar.end);
    }
    return out.join(QLatin1Char(' '));
}

template <class T>
double areaUnder(const StepSeries<T>& series) {
    double area = 0;
    for (size_t i = 0; i + 1 < series.size(); ++i) {
        area += static_cast<double>(series.value[i]) * static_cast<double>(series.time[i + 1] - series.time[i]);
    }
    return area;
}

std::map<uint32_t, DurationNs> timeAtEach(const CountSeries& series) {
    std::map<uint32_t, DurationNs> out;
    for (size_t i = 0; i + 1 < series.size(); ++i) {
        out[series.value[i]] += series.time[i + 1] - series.time[i];
    }
    return out;
}

QByteArray kernelJson(int stream, const QByteArray& args) {
    return R"({"ph":"X","cat":"kernel","name":"k","pid":0,"tid":)" + QByteArray::number(stream) +
           R"(,"ts":1,"dur":2,"args":{)" + args + "}}";
}

constexpr TimeNs kEnd = 120;

/// Work on three streams that overlaps within each, launched by calls that begin before and after it.
std::string randomTrace(std::mt19937& random) {
    std::string calls;
    std::string text;
    int id = 0;
    TimeNs callBegin = 0;
    for (int stream = 1; stream <= 3; ++stream) {
        text += "gpu 0 stream " + std::to_string(stream) + ":";
        const auto count = 1 + random() % 6;
        for (unsigned i = 0; i < count; ++i) {
            const TimeNs begin = random() % 90;
            const TimeNs end = begin + random() % 30;
            const std::string corr = std::to_string(++id);
            const bool isCopy = random() % 2 == 0;
            text += std::string(isCopy ? " Memcpy " : " k ") + std::to_string(begin) + ".." + std::to_string(end) +
                    " (corr=" + corr + (isCopy ? " bytes=" + std::to_string(random() % 1000) : "") + ")";
            if (random() % 4 != 0) {
                const TimeNs callEnd = callBegin + random() % 5;
                calls += " cudaLaunchKernel " + std::to_string(callBegin) + ".." + std::to_string(callEnd) +
                         " (corr=" + corr + ")";
                callBegin = callEnd + random() % 5;
            }
        }
        text += "\n";
    }
    return (calls.empty() ? std::string() : "cpu main:" + calls + "\n") + text;
}

struct Level {
    uint32_t streams = 0;
    uint32_t waiting = 0;  ///< in the queues of all streams
    double bytesPerSecond = 0;
    bool busy = false;
};

/// By asking every piece of work.
Level scanOf(const Trace& trace, TimeNs now) {
    Level out;
    const SliceColumns& slices = trace.slices();
    std::map<uint32_t, bool> runs;
    for (uint32_t row = 0; row < trace.sliceCount(); ++row) {
        if (!isDeviceWork(slices.kind[row])) {
            continue;
        }
        const EventRow launch = trace.launchOf(EventRow(row));
        out.waiting += launch && slices.begin[launch.value] <= now && now < slices.begin[row] ? 1 : 0;
        if (slices.begin[row] <= now && now < slices.end(row)) {
            runs[slices.track[row].value] = true;
            const CopyFacts* copy = trace.findCopyFacts(EventRow(row));
            out.bytesPerSecond += copy != nullptr ? copyBytesPerSecond(trace, *copy).value() : 0;
        }
    }
    out.streams = static_cast<uint32_t>(runs.size());
    out.busy = !runs.empty();
    return out;
}

}  // namespace

class TestDeviceActivity : public QObject {
    Q_OBJECT
private slots:
    void busy_data() {
        QTest::addColumn<QByteArray>("trace");
        QTest::addColumn<QString>("pieces");
        QTest::addColumn<bool>("isLane");
        const auto row = [](const char* name, const char* trace, const char* pieces, bool isLane) {
            QTest::newRow(name) << QByteArray(trace) << QString(pieces) << isLane;
        };
        row("one lane is the union, and its pieces may touch", "gpu 0 stream 7: a 0..10 b 10..20 c 30..40",
            "0..10 10..20 30..40", true);
        row("a wait in the lane is no work", "gpu 0 stream 7: a 0..10 \"Stream Sync\" 10..20 c 30..40", "0..10 30..40",
            false);
        row("an annotation above is not, the lane below is all", R"(
            gpu 0 stream 7: step 0..50 (kind=gpu_annotation) { a 0..10 b 30..40 })",
            "0..10 30..40", true);
        row("overlap in a stream", "gpu 0 stream 7: a 0..10 b 5..20 c 20..25", "0..25", false);
        row("overlap beside a wait", "gpu 0 stream 7: a 0..10 b 5..20 \"Stream Sync\" 30..40", "0..20", false);
        row("two streams", "gpu 0 stream 7: a 0..10 c 30..40\ngpu 0 stream 8: b 5..20 d 32..33", "0..20 30..40", false);
        row("no end: no length", "gpu 0 stream 7: a 0..10 b 20..?", "0..10", false);
        row("no length", "gpu 0 stream 7: a 5..5 b 7..8\ngpu 0 stream 8: c 9..9", "7..8", false);
    }
    void busy() {
        QFETCH(QByteArray, trace);
        QFETCH(bool, isLane);
        const auto loaded = traceFromText(trace.toStdString());
        const DeviceActivity activity = activityOf(*loaded);
        QTEST(busyText(*loaded, activity), "pieces");
        QTEST(barText(*loaded, activity), "pieces");
        QCOMPARE(activity.busyLane.has_value(), isLane);
        QCOMPARE(activity.busy.empty(), isLane);
    }

    void streamsAtOnce() {
        const auto trace = traceFromText(R"(
            gpu 0 stream 7: a 0..10 b 10..20 z 25..25 c 30..40
            gpu 0 stream 8: d 5..12 (kind=kernel) e 8..20 f 40..50
            gpu 0 stream 9: "Stream Sync" 0..100
            gpu 1 stream 7: other 0..100)");
        const auto activities = activitiesOf(*trace);
        QCOMPARE(activities.size(), size_t{2});
        QCOMPARE(textOf(activities[0].concurrency), QStringLiteral("0=1 5=2 20=0 30=1 50=0"));
        QCOMPARE(textOf(activities[1].concurrency), QStringLiteral("0=1 100=0"));
        QCOMPARE(*activities[0].concurrency.at(19), 2U);
        QCOMPARE(*activities[0].concurrency.at(20), 0U);
        QVERIFY(!activities[0].concurrency.at(-1).has_value());
    }

    void launchesThatWait() {
        const auto trace = traceFromText(R"(
            cpu main: cudaLaunchKernel 0..3 (corr=1) cudaMemcpyAsync 5..6 (corr=2) cudaGraphLaunch 10..15 (corr=3) cudaLaunchKernel 90..95 (corr=5)
            cpu main: cudaLaunchKernel 110..115 (corr=6)
            gpu 0 stream 7: a 4..20 (corr=1) Memcpy 20..30 (corr=2) g1 40..45 (corr=3) g2 45..50 (corr=3) g3 60..70 (corr=3)
            gpu 0 stream 8: orphan 0..5 (corr=77) late 80..85 (corr=5) none 86..87 now 110..111 (corr=6))");
        const DeviceActivity activity = activityOf(*trace);
        QCOMPARE(activity.queues.size(), size_t{2});
        QCOMPARE(textOf(activity.queues[0].depth), QStringLiteral("0=1 4=0 5=1 10=4 20=3 40=2 45=1 60=0"));
        QCOMPARE(textOf(*launchQueue(activity)), textOf(activity.queues[0].depth));
        QCOMPARE(activity.queues[0].unknownLaunches, uint64_t{0});
        QCOMPARE(textOf(activity.queues[1].depth), QString());
        QCOMPARE(activity.queues[1].unknownLaunches, uint64_t{2});
        QCOMPARE(activity.queues[1].beforeLaunch, uint64_t{1});
    }

    void copyRate() {
        const auto trace = traceFromText(R"(
            gpu 0 stream 7: Memcpy 0..10 (bytes=100) Memcpy 20..30 (bytes=7) Memcpy 30..30 (bytes=5) Memcpy 90..100
            gpu 0 stream 8: Memset 0..50 (bytes=999) k 50..60 Memcpy 95..110 (bytes=30)
            gpu 0 stream 9: Memcpy 5..25 (bytes=20) Memcpy 200..? (bytes=1))");
        const DeviceActivity activity = activityOf(*trace);
        QCOMPARE(textOf(activity.copyBytesPerSecond),
                 QStringLiteral("0=1e+10 5=1.1e+10 10=1e+09 20=1.7e+09 25=7e+08 30=0 90=nan 100=2e+09 110=0"));
        QCOMPARE(activity.unknownCopies, uint64_t{3});
        QCOMPARE(activity.unknownEnds, uint64_t{1});
    }

    void aCopyThatCannotBeLeavesNothingBehind() {
        const auto trace = traceFromText(R"(
            gpu 0 stream 7: Memcpy 5..6 (bytes=9223372036854775807)
            gpu 0 stream 8: Memcpy 0..1000000000 (bytes=3))");
        const DeviceActivity activity = activityOf(*trace);
        QCOMPARE(textOf(activity.copyBytesPerSecond), QStringLiteral("0=3 5=nan 6=3 1000000000=0"));
        QCOMPARE(activity.unknownCopies, uint64_t{1});
    }

    void numberOfTheDevice_data() {
        QTest::addColumn<QByteArray>("events");
        QTest::addColumn<qint64>("number");  // -1: not known
        QTest::newRow("told by kernels") << kernelJson(7, R"("device":3)") << qint64{3};
        QTest::newRow("told by no one") << kernelJson(7, "") << qint64{-1};
        QTest::newRow("told by one stream") << kernelJson(7, "") + "," + kernelJson(8, R"("device":0)") << qint64{0};
        QTest::newRow("contradictory") << kernelJson(7, R"("device":1)") + "," + kernelJson(8, R"("device":2)") + "," +
                                              kernelJson(9, R"("device":2)")
                                       << qint64{-1};
    }
    void numberOfTheDevice() {
        QFETCH(QByteArray, events);
        QFETCH(qint64, number);
        QTemporaryFile file;
        QVERIFY(file.open() && file.write("{\"schemaVersion\":1,\"traceEvents\":[" + events + "]}") > 0 &&
                file.flush());
        JobControl job;
        const auto trace = loadTrace({file.fileName().toStdString()}, {}, job).value();
        QCOMPARE(activityOf(*trace).device.value_or(-1), number);
    }

    void onlyWhatIsAskedFor() {
        const auto trace = traceFromText(R"(
            cpu main: cudaMemcpyAsync 0..1 (corr=1)
            gpu 0 stream 7: Memcpy 5..9 (bytes=4 corr=1) a 8..12)");
        const auto has = [&](ActivityParts parts) {
            const DeviceActivity activity = std::move(activitiesOf(*trace, parts).at(0));
            return ActivityParts((!activity.busy.empty() || activity.busyLane ? kActivityBusy : 0) |
                                 (!activity.concurrency.empty() ? kActivityConcurrency : 0) |
                                 (!activity.queues.empty() ? kActivityQueues : 0) |
                                 (!activity.copyBytesPerSecond.empty() ? kActivityCopyRate : 0));
        };
        for (ActivityParts parts = 0; parts <= kActivityAll; ++parts) {
            QCOMPARE(has(parts), parts);
        }
    }

    void theWholeOfWhatATraceHolds() {
        const auto trace = traceFromText(R"(
            gpu 0 stream 7: a -100000000000000000..4000000000000000000
            gpu 0 stream 8: b 0..9000000000000000000)");
        const DeviceActivity activity = activityOf(*trace);
        QCOMPARE(lengthOf(activity.busy), DurationNs{9'100'000'000'000'000'000});
        QCOMPARE(textOf(activity.concurrency),
                 QStringLiteral("-100000000000000000=1 0=2 4000000000000000000=1 9000000000000000000=0"));
    }

    void allTellTheSameAsAScanOfEveryMoment() {
        std::mt19937 random(11);
        for (int round = 0; round < 300; ++round) {
            const std::string text = randomTrace(random);
            const auto trace = traceFromText(text);
            const DeviceActivity activity = activityOf(*trace);
            for (TimeNs now = 0; now <= kEnd; ++now) {
                const Level level = scanOf(*trace, now);
                uint32_t waiting = 0;
                for (const StreamQueue& queue : activity.queues) {
                    waiting += queue.depth.at(now).value_or(0);
                }
                QCOMPARE(launchQueue(activity)->at(now).value_or(0), waiting);
                const BusyPieces pieces = busyPieces(*trace, activity);
                bool isBusy = false;
                for (size_t i = 0; i < pieces.begin.size(); ++i) {
                    isBusy = isBusy || (pieces.begin[i] <= now && now < pieces.begin[i] + pieces.duration[i]);
                }
                const double rate = activity.copyBytesPerSecond.at(now).value_or(0);
                // Without a length there is no rate, and no time to show it.
                const bool isSame = activity.concurrency.at(now).value_or(0) == level.streams &&
                                    waiting == level.waiting && isBusy == level.busy &&
                                    std::abs(rate - level.bytesPerSecond) < 10;
                QVERIFY2(isSame, qPrintable(QStringLiteral("at %1 of\n%2").arg(now).arg(text.c_str())));
            }
        }
    }

    /// The figures of an independent reading of the file, in whole nanoseconds.
    void aRealTraceOfSeveralStreams() {
        JobControl job;
        const auto trace = loadTrace({WARPLINE_SAMPLES_DIR "/multi_stream.trace.json.gz"}, {}, job).value();
        const DeviceActivity activity = activityOf(*trace);
        QCOMPARE(activity.device, std::optional<int64_t>(0));
        QCOMPARE(activity.busy.size(), size_t{298});
        QCOMPARE(lengthOf(activity.busy), DurationNs{8'371'337});
        QCOMPARE(activity.busy[297].end - activity.busy[0].begin, DurationNs{15'239'652});
        QCOMPARE(computeGpuBusy(*trace, {}, job).value().at(0).busyNs, DurationNs{8'371'337});
        QCOMPARE(timeAtEach(activity.concurrency),
                 (std::map<uint32_t, DurationNs>{{0, 6'868'315}, {1, 6'838'169}, {2, 1'533'168}}));

        std::map<QString, std::pair<uint32_t, double>> queues;  // deepest, and the sum of all waits
        for (const StreamQueue& queue : activity.queues) {
            QCOMPARE(queue.unknownLaunches + queue.beforeLaunch, uint64_t{0});
            QCOMPARE(queue.depth.value.back(), 0U);
            queues[QString::fromStdString(std::string(trace->string(trace->track(queue.stream).tid.value())))] = {
                *std::max_element(queue.depth.value.begin(), queue.depth.value.end()), areaUnder(queue.depth)};
        }
        QCOMPARE(queues, (std::map<QString, std::pair<uint32_t, double>>{{"7", {1, 360'529}},
                                                                         {"13", {16, 24'513'381}},
                                                                         {"17", {1, 914'692}},
                                                                         {"21", {1, 942'716}},
                                                                         {"25", {1, 88'912}},
                                                                         {"29", {1, 95'313}}}));
        // Each of 19 copies rounds its rate by half a byte a second, over less than a millisecond.
        QVERIFY(std::abs(areaUnder(activity.copyBytesPerSecond) / 1e9 - 612'368'384) < 0.01);
        QCOMPARE(activity.copyBytesPerSecond.value.back(), 0.0);
        QCOMPARE(activity.unknownCopies, uint64_t{0});
    }

    void nothingToDo() {
        QVERIFY(activitiesOf(*traceFromText("")).empty());
        QVERIFY(activitiesOf(*traceFromText("cpu main: op 0..10\ngpu 0 stream 7: \"Stream Sync\" 0..5")).empty());
    }
    void stopped() {
        JobControl job;
        job.requestStop();
        const auto result = computeDeviceActivity(*traceFromText("gpu 0 stream 7: k 0..5"), kActivityAll, job);
        QVERIFY(!result.ok() && result.error().isCancelled());
    }
};

QTEST_APPLESS_MAIN(TestDeviceActivity)
#include "tst_device_activity.moc"
