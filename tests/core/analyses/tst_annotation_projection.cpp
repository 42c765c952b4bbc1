// SPDX-License-Identifier: MIT
#include <QTest>

#include <algorithm>
#include <map>
#include <random>

#include "core/analyses/annotation_projection.h"
#include "core/loaders/load_trace.h"
#include "tests/support/trace_text.h"

using namespace warpline;
using warpline::test::traceFromText;

namespace {

AnnotationProjection projectionOf(const Trace& trace) {
    JobControl job;
    return projectAnnotations(trace, job).value();
}

/// "0: outer 20..90/0 x2, inner …; 1: …": ranges with lane and work; "+" is in the file, "?" has an open end.
QString textOf(const Trace& trace, const AnnotationProjection& projection) {
    QStringList devices;
    for (const DeviceProjection& device : projection.devices) {
        QStringList ranges;
        for (const ProjectedRange& range : device.ranges) {
            ranges << QStringLiteral("%1 %2..%3%4/%5 x%6%7")
                          .arg(QString::fromStdString(std::string(trace.sliceName(range.annotation))))
                          .arg(range.begin)
                          .arg(range.begin + range.duration)
                          .arg(range.openEnd ? "?" : "")
                          .arg(range.lane)
                          .arg(range.work)
                          .arg(range.inFile ? "+" : "");
        }
        devices << QString::fromStdString(std::string(trace.string(trace.process(device.device).label))) +
                       (device.fileHasOwn ? "+: " : ": ") + ranges.join(", ");
    }
    return devices.join("; ");
}

std::shared_ptr<const Trace> loadFile(const char* path) {
    JobControl job;
    return loadTrace({path}, {}, job).value();
}

}  // namespace

class TestAnnotationProjection : public QObject {
    Q_OBJECT
private slots:
    void ranges_data() {
        QTest::addColumn<QString>("trace");
        QTest::addColumn<QString>("ranges");
        QTest::addColumn<int>("withoutWork");
        const auto row = [](const char* name, const char* trace, const char* ranges, int withoutWork) {
            QTest::newRow(name) << trace << ranges << withoutWork;
        };
        row("first to last, with what runs later than the annotation",
            R"(cpu main: step 0..50 (kind=annotation) { cudaLaunchKernel 10..15 (corr=1) op 20..40 { cudaLaunchKernel 22..25 (corr=2) } }
               gpu 0 stream 7: a 30..40 (corr=1) b 70..90 (corr=2))",
            "0: step 30..90/0 x2", 0);
        row("nothing launched, launched outside, launched at its end",
            R"(cpu main: empty 0..9 (kind=annotation) cudaLaunchKernel 10..15 (corr=1) late 16..20 (kind=annotation) cudaLaunchKernel 20..22 (corr=2)
               gpu 0 stream 7: a 30..40 (corr=1) b 70..90 (corr=2))",
            "", 2);
        row("a launch of another thread is not inside",
            R"(cpu main: step 0..50 (kind=annotation)
               cpu other: cudaLaunchKernel 10..15 (corr=1)
               gpu 0 stream 7: a 30..40 (corr=1))",
            "", 1);
        row("nested ranges stand deeper, also if they are the same",
            R"(cpu main: outer 0..50 (kind=annotation) { inner 5..30 (kind=annotation) { same 6..20 (kind=annotation) { cudaLaunchKernel 10..15 (corr=1) } } cudaLaunchKernel 40..45 (corr=2) }
               gpu 0 stream 7: a 30..40 (corr=1) b 70..90 (corr=2))",
            "0: outer 30..90/0 x2, inner 30..40/1 x1, same 30..40/2 x1", 0);
        row("overlap without nesting takes the next free lane",
            R"(cpu main: one 0..10 (kind=annotation) { cudaLaunchKernel 1..2 (corr=1) cudaLaunchKernel 3..4 (corr=2) } two 20..30 (kind=annotation) { cudaLaunchKernel 21..22 (corr=3) } three 40..50 (kind=annotation) { cudaLaunchKernel 41..42 (corr=4) }
               gpu 0 stream 7: a 30..40 (corr=1) b 70..90 (corr=2)
               gpu 0 stream 8: c 60..120 (corr=3) d 130..140 (corr=4))",
            "0: one 30..90/0 x2, two 60..120/1 x1, three 130..140/0 x1", 0);
        row("each device for itself",
            R"(cpu main: step 0..50 (kind=annotation) { cudaLaunchKernel 10..15 (corr=1) cudaLaunchKernel 22..25 (corr=2) }
               gpu 0 stream 7: a 30..40 (corr=1)
               gpu 1 stream 7: b 70..90 (corr=2))",
            "0: step 30..40/0 x1; 1: step 70..90/0 x1", 0);
        row("all work of a graph",
            R"(cpu main: step 0..50 (kind=annotation) { cudaGraphLaunch 10..15 (corr=1) }
               gpu 0 stream 7: a 30..40 (corr=1) b 50..60 (corr=1)
               gpu 0 stream 8: c 20..35 (corr=1))",
            "0: step 20..60/0 x3", 0);
        row("the file's own rows",
            R"(cpu main: step 0..50 (kind=annotation ext=1) { inner 5..30 (kind=annotation ext=2) { cudaLaunchKernel 10..15 (corr=1) } }
               gpu 0 stream 7: inner 29..41 (kind=gpu_annotation ext=2) { a 30..40 (corr=1) })",
            "0+: step 30..40/0 x1, inner 30..40/1 x1+", 0);
        row("work without an end",
            R"(cpu main: step 0..50 (kind=annotation) { cudaLaunchKernel 10..15 (corr=1) cudaLaunchKernel 16..18 (corr=2) }
               gpu 0 stream 7: a 30..40 (corr=1) b 60..? (corr=2))",
            "0: step 30..60?/0 x2", 0);
        row("annotations that overlap on their thread",
            R"(cpu main: one 0..20 (kind=annotation) cudaLaunchKernel 12..13 (corr=1) two 10..30 (kind=annotation) cudaLaunchKernel 25..26 (corr=2)
               gpu 0 stream 7: a 30..40 (corr=1) b 50..60 (corr=2))",
            "0: two 30..60/0 x2, one 30..40/1 x1", 0);
        row("no annotations", "cpu main: cudaLaunchKernel 1..2 (corr=1)\ngpu 0 stream 7: a 30..40 (corr=1)", "", 0);
    }
    void ranges() {
        QFETCH(QString, trace);
        const auto loaded = traceFromText(trace.toStdString());
        const AnnotationProjection projection = projectionOf(*loaded);
        QTEST(textOf(*loaded, projection), "ranges");
        QTEST(static_cast<int>(projection.withoutWork), "withoutWork");
    }

    /// Figures that a script of its own reads from the files' JSON.
    void realTraces_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<int>("annotations");
        QTest::addColumn<int>("withoutWork");
        QTest::addColumn<qint64>("sumNs");
        QTest::addColumn<int>("work");
        QTest::addColumn<int>("inFile");
        QTest::newRow("sync_heavy") << WARPLINE_TEST_DATA_DIR "/sync_heavy.trace.json.gz" << 290 << 0
                                    << qint64{8'563'980} << 990 << 290;
        QTest::newRow("multi_stream") << WARPLINE_SAMPLES_DIR "/multi_stream.trace.json.gz" << 43 << 0
                                      << qint64{30'023'757} << 626 << 37;
    }
    void realTraces() {
        QFETCH(QString, file);
        const auto trace = loadFile(qPrintable(file));
        const AnnotationProjection projection = projectionOf(*trace);
        QTEST(static_cast<int>(projection.annotations), "annotations");
        QTEST(static_cast<int>(projection.withoutWork), "withoutWork");
        QCOMPARE(projection.devices.size(), size_t{1});
        const DeviceProjection& device = projection.devices.front();
        QVERIFY(device.fileHasOwn);
        qint64 sumNs = 0;
        int work = 0;
        int inFile = 0;
        for (const ProjectedRange& range : device.ranges) {
            sumNs += range.duration;
            work += static_cast<int>(range.work);
            inFile += range.inFile ? 1 : 0;
        }
        QTEST(sumNs, "sumNs");
        QTEST(work, "work");
        QTEST(inFile, "inFile");
    }

    /// Hundreds of annotations and launches at random: of each slice on its own, which looks at the slices inside
    /// instead of a tree of extents, and lanes that no two ranges share at a time.
    void manyAtRandom() {
        std::mt19937 random(7);
        const auto upTo = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
        std::string host, streams[3];
        int time = 0;
        int correlation = 0;
        std::array<int, 3> streamTime = {0, 0, 0};
        for (int i = 0; i < 300; ++i) {
            const int begin = time + 1 + upTo(5);
            time = begin;
            std::string inside;
            for (int k = upTo(4); k > 0; --k) {
                const auto s = static_cast<size_t>(upTo(3));
                const int start = std::max(streamTime[s] + 1, time + upTo(60));
                streamTime[s] = start + 1 + upTo(40);
                const std::string id = std::to_string(++correlation);
                const std::string call = "cudaLaunchKernel " + std::to_string(time + 1) + ".." +
                                         std::to_string(time + 3) + " (corr=" + id + ")";
                inside += k % 2 == 0 ? " sub " + std::to_string(time) + ".." + std::to_string(time + 4) +
                                           " (kind=annotation) { " + call + " }"
                                     : " " + call;
                time += 5;
                streams[s] +=
                    " k " + std::to_string(start) + ".." + std::to_string(streamTime[s]) + " (corr=" + id + ")";
            }
            host += " range " + std::to_string(begin) + ".." + std::to_string(time + 1) + " (kind=annotation) {" +
                    inside + " }";
            time += 1;
        }
        const auto trace = traceFromText("cpu main:" + host + "\ngpu 0 stream 7:" + streams[0] +
                                         "\ngpu 0 stream 8:" + streams[1] + "\ngpu 1 stream 7:" + streams[2]);
        const AnnotationProjection all = projectionOf(*trace);
        QCOMPARE(all.devices.size(), size_t{2});
        std::map<std::pair<uint32_t, uint32_t>, ProjectedRange> byDevice;
        for (const DeviceProjection& device : all.devices) {
            std::map<uint32_t, TimeNs> reached;
            for (const ProjectedRange& range : device.ranges) {
                byDevice[{device.device.value, range.annotation.value}] = range;
                const auto [end, isFirst] = reached.try_emplace(range.lane, range.begin);
                QVERIFY(end->second <= range.begin);
                end->second = range.begin + range.duration;
                QVERIFY(range.lane < device.laneCount);
            }
        }
        JobControl job;
        size_t found = 0;
        for (uint32_t row = 0; row < trace->sliceCount(); ++row) {
            if (trace->slices().kind[row] != EventKind::Annotation) {
                continue;
            }
            const std::vector<SliceProjection> devices = projectSlice(*trace, EventRow(row), job).value();
            for (const SliceProjection& one : devices) {
                const auto known = byDevice.find({one.device.value, row});
                QVERIFY(known != byDevice.end());
                QCOMPARE(one.range.begin, known->second.begin);
                QCOMPARE(one.range.duration, known->second.duration);
                QCOMPARE(one.range.work, known->second.work);
                ++found;
            }
        }
        QCOMPARE(found, byDevice.size());
        QVERIFY(found > 300);
    }

    void ofOneSlice() {
        const auto trace = loadFile(WARPLINE_SAMPLES_DIR "/multi_stream.trace.json.gz");
        const AnnotationProjection all = projectionOf(*trace);
        JobControl job;
        for (const ProjectedRange& range : all.devices.front().ranges) {
            const auto one = projectSlice(*trace, range.annotation, job).value();
            QCOMPARE(one.size(), size_t{1});
            QCOMPARE(one.front().range.inFile, range.inFile);
            QCOMPARE(one.front().range.begin, range.begin);
            QCOMPARE(one.front().range.duration, range.duration);
        }
    }

    void itStops() {
        const auto trace = traceFromText("cpu main: step 0..50 (kind=annotation)");
        JobControl job;
        job.requestStop();
        QVERIFY(projectAnnotations(*trace, job).error().isCancelled());
        QVERIFY(projectSlice(*trace, EventRow(0U), job).error().isCancelled());
    }
};

QTEST_GUILESS_MAIN(TestAnnotationProjection)
#include "tst_annotation_projection.moc"
