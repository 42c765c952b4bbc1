// SPDX-License-Identifier: GPL-3.0-or-later
// Which rows a trace gets, and their values, against hand calculation and the analyses of a real trace.
#include <QTemporaryFile>
#include <QTest>

#include <memory>

#include "core/analyses/gpu_busy/gpu_busy.h"
#include "core/loaders/load_trace.h"
#include "tests/support/trace_text.h"
#include "widgets/panels/timeline/counter_look.h"
#include "widgets/panels/timeline/derived_tracks.h"
#include "widgets/panels/timeline/value_readout.h"

using namespace warpline;
using namespace warpline::timeline;
using warpline::test::traceFromText;

namespace {

QString textOf(const Trace& trace, const std::vector<DerivedRow>& rows) {
    QStringList out;
    for (const DerivedRow& row : rows) {
        out << QString::fromStdString(std::string(trace.string(trace.process(row.process).label)) + ":" + row.title);
    }
    return out.join(QStringLiteral(", "));
}

DerivedTracks tracksOf(const std::shared_ptr<const Trace>& trace, DerivedKind kind) {
    JobControl job;
    return computeDerived(trace, kind, job).value();
}

/// "0=1 10=0"
QString textOf(const StepView& steps) {
    QStringList out;
    for (size_t i = 0; i < steps.size(); ++i) {
        out << QStringLiteral("%1=%2").arg(steps.time[i]).arg(steps.at(i));
    }
    return out.join(QLatin1Char(' '));
}

const char kTrace[] =
    "cpu main: cudaLaunchKernel 0..3 (corr=1) cudaLaunchKernel 5..6 (corr=2) cudaMemcpyAsync 7..9 (corr=3) "
    "cudaLaunchKernel 60..61 (corr=4)\n"
    "gpu 0 stream 7: a 10..30 (corr=1) b 30..50 (corr=2) c 90..100 (corr=4)\n"
    "gpu 0 stream 8: Memcpy 20..40 (corr=3 bytes=200)\n"
    "memory gpu0 5 100 100\nmemory gpu0 45 50 150\nmemory gpu0 70 -100 50\noom gpu0 80 1000\n";

}  // namespace

class TestDerivedTracks : public QObject {
    Q_OBJECT

private slots:
    void rowsThatThereAre_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("rows");
        QTest::newRow("all") << QByteArray(kTrace)
                             << "0:GPU busy, 0:Streams active, 0:Launch queue, 0:Copy bandwidth, 0:Memory, "
                                "0:Annotations";
        QTest::newRow("one stream, no launch") << QByteArray("gpu 0 stream 7: a 0..5") << "0:GPU busy, 0:Annotations";
        QTest::newRow("host alone") << QByteArray("cpu main: a 0..5\nmemory cpu 1 8 8") << "";
        QTest::newRow("memory of a device without work")
            << QByteArray("cpu main: a 0..5\nmemory gpu1 1 8 8") << "100:Memory · device 1";
        QTest::newRow("memory without levels")
            << QByteArray("gpu 0 stream 7: a 0..5\nmemory gpu0 1 8") << "0:GPU busy, 0:Annotations";
        QTest::newRow("a late copy") << QByteArray("gpu 0 stream 7: Memset 0..5 Memcpy 6..7")
                                     << "0:GPU busy, 0:Copy bandwidth, 0:Annotations";
    }
    void rowsThatThereAre() {
        QFETCH(QByteArray, text);
        QFETCH(QString, rows);
        const auto trace = traceFromText(text.toStdString());
        QCOMPARE(textOf(*trace, derivedRows(*trace)), rows);
    }

    void fewAreShownOfManyDevices() {
        std::string text;
        for (int device = 0; device < 3; ++device) {
            text += "gpu " + std::to_string(device) + " stream 7: a 0..5\n";
            const auto trace = traceFromText(text);
            const DerivedKinds kinds = kindsAtFirst(derivedRows(*trace));
            QVERIFY((kinds & bitOf(DerivedKind::Busy)) != 0);
            QCOMPARE((kinds & bitOf(DerivedKind::Memory)) != 0, device < 2);
            QVERIFY((kinds & bitOf(DerivedKind::Copies)) == 0);
        }
    }

    void valuesByHand() {
        const auto trace = traceFromText(kTrace);
        const std::vector<DerivedRow> rows = derivedRows(*trace);
        const auto line = [&](DerivedKind kind, size_t index) {
            const DerivedTracks tracks = tracksOf(trace, kind);
            const auto row =
                std::find_if(rows.begin(), rows.end(), [kind](const DerivedRow& r) { return r.kind == kind; });
            return textOf(tracks.find(*row)->lines.at(index).steps);
        };
        QCOMPARE(line(DerivedKind::Streams, 0), QStringLiteral("10=1 20=2 40=1 50=0 90=1 100=0"));
        QCOMPARE(line(DerivedKind::Queue, 0), QStringLiteral("0=1 5=2 7=3 10=2 20=1 30=0 60=1 90=0"));
        QCOMPARE(line(DerivedKind::Copies, 0), QStringLiteral("20=1e+10 40=0"));
        QCOMPARE(line(DerivedKind::Memory, 0), QStringLiteral("5=100 45=150 70=50"));
        const DerivedTracks busy = tracksOf(trace, DerivedKind::Busy);
        QCOMPARE(busy.tracks.size(), size_t{1});
        const BusyPieces& pieces = busy.tracks[0].pieces;
        QCOMPARE(pieces.lod->busyWithin(pieces.begin, pieces.duration, {0, 200}), 50);
        QCOMPARE(pieces.lod->busyWithin(pieces.begin, pieces.duration, {20, 95}), 35);
        const DerivedTracks memory = tracksOf(trace, DerivedKind::Memory);
        QCOMPARE(memory.tracks[0].failures.size(), size_t{1});
        QCOMPARE(memory.tracks[0].failures[0], 80);
        QCOMPARE(memory.tracks[0].range, (ValueRange{0, 150}));
        QVERIFY(memory.find(rows[0]) == nullptr);  // that is no memory
    }

    void readoutsByHand() {
        const auto trace = traceFromText(kTrace);
        const auto model = buildTimelineModel(*trace);
        std::vector<DerivedTracks> tracks;
        for (const DerivedKind kind : kDerivedKinds) {
            tracks.push_back(tracksOf(trace, kind));
        }
        DerivedView view;
        for (size_t i = 0; i < tracks.size(); ++i) {
            view.kinds[i] = &tracks[i];
        }
        const ValueInput in{*trace, *model, &view};
        const auto lines = [&](uint32_t row, TimeNs at, const Bar* failure = nullptr) {
            return seriesReadout(in, row, at, {0, 100}, failure, QStringLiteral("here")).lines;
        };
        QCOMPARE(lines(0, 35),
                 (QStringList{"busy", "10 ns – 50 ns  (40 ns)", "50.0 % of the view: 50 ns of 100 ns", "here"}));
        QCOMPARE(lines(0, 60),
                 (QStringList{"idle", "50 ns – 90 ns  (40 ns)", "50.0 % of the view: 50 ns of 100 ns", "here"}));
        QCOMPARE(lines(1, 25), (QStringList{"2 streams", "20 ns – 40 ns  (20 ns)", "here"}));
        QCOMPARE(lines(2, 8),
                 (QStringList{"3 launches", "7 ns – 10 ns  (3 ns)", "stream 7: 2", "stream 8: 1", "here"}));
        QCOMPARE(lines(2, 70)[0], QStringLiteral("1 launch"));
        QCOMPARE(lines(3, 25)[0], QStringLiteral("10.0 GB/s"));
        QCOMPARE(lines(4, 50)[0], QStringLiteral("allocated 150 B"));
        QCOMPARE(lines(4, 2)[0], QStringLiteral("allocated n/a: before the first memory event"));
        const Bar failure{10, 11, 0, 1, 0};
        QCOMPARE(lines(4, 80, &failure)[0], QStringLiteral("out of memory: a request failed at 80 ns"));
        QCOMPARE(seriesValueAt(in, 0, 35), QStringLiteral("busy"));
        QCOMPARE(seriesValueAt(in, 1, 25), QStringLiteral("2"));
        view.kinds = {};
        QCOMPARE(lines(0, 35), (QStringList{"being computed", "here"}));
        QCOMPARE(seriesValueAt(in, 0, 35), QString());
    }

    void copiesWithoutBytesAreAGap() {
        const auto trace = traceFromText("gpu 0 stream 7: Memcpy 0..10 (bytes=100) Memcpy 20..30 x 40..50");
        const auto model = buildTimelineModel(*trace);
        const DerivedTracks tracks = tracksOf(trace, DerivedKind::Copies);
        DerivedView view;
        view.kinds[static_cast<size_t>(DerivedKind::Copies)] = &tracks;
        const ValueInput in{*trace, *model, &view};
        QCOMPARE(seriesReadout(in, 1, 25, {0, 50}, nullptr, {}).lines[0],
                 QStringLiteral("n/a: a copy runs whose bytes the file does not give"));
        QCOMPARE(seriesValueAt(in, 1, 25), QStringLiteral("n/a"));
        QCOMPARE(seriesValueAt(in, 1, 5), QStringLiteral("10.0 GB/s"));
        QCOMPARE(seriesValueAt(in, 1, 45), QStringLiteral("0 B/s"));
    }

    void aRealTraceAgreesWithTheAnalyses() {
        JobControl job;
        const auto trace = loadTrace({WARPLINE_SAMPLES_DIR "/multi_stream.trace.json.gz"}, {}, job).value();
        const std::vector<GpuBusy> expected = computeGpuBusy(*trace, {}, job).value();
        const DerivedTracks busy = tracksOf(trace, DerivedKind::Busy);
        QCOMPARE(busy.tracks.size(), expected.size());
        for (size_t i = 0; i < expected.size(); ++i) {
            const BusyPieces& pieces = busy.tracks[i].pieces;
            QCOMPARE(busy.tracks[i].process, expected[i].process);
            QCOMPARE(pieces.lod->busyWithin(pieces.begin, pieces.duration, *trace->range()), expected[i].busyNs);
        }
        const DerivedTracks streams = tracksOf(trace, DerivedKind::Streams);
        QCOMPARE(streams.tracks[0].range, (ValueRange{0, 2}));
        // The same from the kernels alone: 2 run while a slice begins in another stream's.
        const SliceColumns& slices = trace->slices();
        uint32_t most = 0;
        for (uint32_t a = 0; a < trace->sliceCount(); ++a) {
            if (!isDeviceWork(slices.kind[a])) {
                continue;
            }
            std::vector<TrackId> running;
            for (uint32_t b = 0; b < trace->sliceCount(); ++b) {
                if (isDeviceWork(slices.kind[b]) && slices.begin[b] <= slices.begin[a] &&
                    slices.begin[a] < slices.end(b)) {
                    running.push_back(slices.track[b]);
                }
            }
            std::sort(running.begin(), running.end());
            running.erase(std::unique(running.begin(), running.end()), running.end());
            most = std::max(most, static_cast<uint32_t>(running.size()));
        }
        QCOMPARE(most, 2U);
    }

    /// Both call their GPU process 0; one has the rows itself, one has not.
    void annotationsOfEachMergedFileForItself() {
        const auto fileOf = [](QTemporaryFile& file, bool hasOwn) {
            QVERIFY2(file.open(), "no file");
            QByteArray events = R"({"schemaVersion": 1, "baseTimeNanoseconds": 1000000, "traceEvents": [
{"ph": "X", "cat": "user_annotation", "name": "step", "pid": 9, "tid": 9, "ts": 0, "dur": 50, "args": {"External id": 1}},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 9, "tid": 9, "ts": 10, "dur": 5, "args": {"correlation": 1, "External id": 1}},
{"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": 20, "dur": 30, "args": {"stream": 7, "device": 0, "correlation": 1, "External id": 1}})";
            if (hasOwn) {
                events += R"(,
{"ph": "X", "cat": "gpu_user_annotation", "name": "step", "pid": 0, "tid": 7, "ts": 19, "dur": 32, "args": {"External id": 1}})";
            }
            file.write(events + "]}");
            file.close();
        };
        QTemporaryFile with, without;
        fileOf(with, true);
        fileOf(without, false);
        for (const bool isWithFirst : {true, false}) {
            JobControl job;
            const std::string first = (isWithFirst ? with : without).fileName().toStdString();
            const std::string second = (isWithFirst ? without : with).fileName().toStdString();
            const auto trace = loadTrace({first, second}, {}, job).value();
            const DerivedTracks projected = tracksOf(trace, DerivedKind::Annotations);
            QCOMPARE(projected.tracks.size(), size_t{2});
            for (const DerivedTrack& track : projected.tracks) {
                const bool isOfWith = (trace->process(track.process).file == FileId(0U)) == isWithFirst;
                QCOMPARE(track.lanes.size(), isOfWith ? size_t{0} : size_t{1});
                if (!isOfWith) {
                    QCOMPARE(track.lanes[0].begin, std::vector<TimeNs>{20'000});
                    QCOMPARE(track.lanes[0].duration, std::vector<DurationNs>{30'000});
                }
            }
        }
    }

    void kindsHaveNamesAndDefinitions() {
        QStringList names;
        for (const DerivedKind kind : kDerivedKinds) {
            QVERIFY(!titleOf(kind).isEmpty() && !definitionOf(kind).isEmpty() && !absenceOf(kind).isEmpty());
            names << QLatin1String(nameOf(kind));
        }
        names.removeDuplicates();
        QCOMPARE(names.size(), static_cast<qsizetype>(kDerivedKinds.size()));
    }
};

QTEST_GUILESS_MAIN(TestDerivedTracks)
#include "tst_derived_tracks.moc"
