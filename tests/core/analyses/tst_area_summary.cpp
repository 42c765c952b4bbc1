// SPDX-License-Identifier: MIT
#include <QTest>

#include <array>
#include <map>
#include <random>
#include <tuple>

#include "core/analyses/area_summary.h"
#include "core/loaders/load_trace.h"
#include "tests/support/trace_text.h"

using namespace warpline;
using warpline::test::traceFromText;

namespace {

constexpr TimeRange kOpen = {std::numeric_limits<TimeNs>::min(), std::numeric_limits<TimeNs>::max()};

std::vector<DeviceArea> areasOf(const Trace& trace, TimeRange range, const std::vector<TrackId>& tracks = {}) {
    JobControl job;
    return computeAreaSummary(trace, range, tracks, job).value();
}

std::string tidOf(const Trace& trace, TrackId track) {
    return std::string(trace.string(trace.track(track).tid.value()));
}
TrackId trackOf(const Trace& trace, std::string_view tid) {
    for (uint32_t id = 0; id < trace.tracks().size(); ++id) {
        if (tidOf(trace, TrackId(id)) == tid) {
            return TrackId(id);
        }
    }
    throw std::runtime_error("no such track");
}

/// "ns/pairs: first+second=overlap …"
QString textOf(const Trace& trace, const WorkOverlap& overlap) {
    QStringList pairs;
    for (const WorkPair& pair : overlap.longest) {
        pairs << QStringLiteral("%1+%2=%3")
                     .arg(QString::fromStdString(std::string(trace.sliceName(pair.first))),
                          QString::fromStdString(std::string(trace.sliceName(pair.second))))
                     .arg(pair.overlapNs);
    }
    return QStringLiteral("%1/%2: %3").arg(overlap.ns).arg(overlap.pairCount).arg(pairs.join(QLatin1Char(' ')));
}

QString gapText(const DeviceArea& area) {
    QStringList out;
    for (const TimeRange& gap : area.longestGaps) {
        out << QStringLiteral("%1..%2").arg(gap.begin).arg(gap.end);
    }
    return out.join(QLatin1Char(' '));
}

/// The same figures, moment by moment and pair by pair.
struct Scan {
    DurationNs busyNs = 0, computeNs = 0, copyNs = 0;
    DurationNs copyCompute = 0, copyCopy = 0, computeCompute = 0;
    std::array<std::map<std::pair<uint32_t, uint32_t>, DurationNs>, 3> pairs;  ///< by how many are copies
    std::map<std::pair<std::string, std::string>, DurationNs> streams;
    std::map<std::string, DurationNs> busyOf;
    uint64_t gapCount = 0;
    DurationNs longestGap = 0;
};
Scan scanOf(const Trace& trace, TimeRange range) {
    Scan out;
    const SliceColumns& slices = trace.slices();
    DurationNs gap = 0;
    for (TimeNs now = range.begin; now < range.end; ++now) {
        std::vector<uint32_t> running;
        std::map<std::string, bool> streams;
        std::array<int, 2> count{};
        for (uint32_t row = 0; row < trace.sliceCount(); ++row) {
            if (isDeviceWork(slices.kind[row]) && slices.begin[row] <= now && now < slices.end(row)) {
                running.push_back(row);
                streams[tidOf(trace, slices.track[row])] = true;
                ++count[slices.kind[row] == EventKind::Memcpy ? 1 : 0];
            }
        }
        for (size_t a = 0; a < running.size(); ++a) {
            for (size_t b = a + 1; b < running.size(); ++b) {
                const auto isCopy = [&](size_t i) { return slices.kind[running[i]] == EventKind::Memcpy ? 1 : 0; };
                ++out.pairs[static_cast<size_t>(isCopy(a) + isCopy(b))][{running[a], running[b]}];
            }
        }
        for (const auto& [a, runsA] : streams) {
            ++out.busyOf[a];
            for (const auto& [b, runsB] : streams) {
                if (a < b) {
                    ++out.streams[{a, b}];
                }
            }
        }
        out.busyNs += running.empty() ? 0 : 1;
        out.computeNs += count[0] > 0 ? 1 : 0;
        out.copyNs += count[1] > 0 ? 1 : 0;
        out.computeCompute += count[0] > 1 ? 1 : 0;
        out.copyCopy += count[1] > 1 ? 1 : 0;
        out.copyCompute += count[0] > 0 && count[1] > 0 ? 1 : 0;
        out.gapCount += running.empty() && gap == 0 ? 1 : 0;
        gap = running.empty() ? gap + 1 : 0;
        out.longestGap = std::max(out.longestGap, gap);
    }
    return out;
}

std::map<std::pair<uint32_t, uint32_t>, DurationNs> pairsOf(const WorkOverlap& overlap) {
    std::map<std::pair<uint32_t, uint32_t>, DurationNs> out;
    for (const WorkPair& pair : overlap.longest) {
        out[std::minmax(pair.first.value, pair.second.value)] = pair.overlapNs;
    }
    return out;
}

std::string randomTrace(std::mt19937& random) {
    std::string text;
    for (int stream = 1; stream <= 4; ++stream) {
        text += "gpu 0 stream " + std::to_string(stream) + ":";
        for (auto left = 1 + random() % 6; left > 0; --left) {
            const char* const names[] = {" k ", " Memcpy ", " Memset ", " \"Stream Sync\" "};
            const TimeNs begin = random() % 90;
            text += names[random() % 4] + std::to_string(begin) + ".." + std::to_string(begin + random() % 20);
        }
        text += "\n";
    }
    return text + "gpu 0 stream 1: k 0..1";
}

}  // namespace

class TestAreaSummary : public QObject {
    Q_OBJECT
private slots:
    void busyAndGaps_data() {
        QTest::addColumn<QByteArray>("trace");
        QTest::addColumn<QString>("gaps");
        QTest::addColumn<qint64>("busyNs");
        const auto row = [](const char* name, const char* trace, const char* gaps, qint64 busyNs) {
            QTest::newRow(name) << QByteArray(trace) << QString(gaps) << busyNs;
        };
        // Of the range 10..110.
        row("cut at both ends", "gpu 0 stream 7: a 0..20 b 50..60 c 100..200", "60..100 20..50", 30);
        row("idle at both ends", "gpu 0 stream 7: a 40..60", "60..110 10..40", 20);
        row("touching the range from outside", "gpu 0 stream 7: a 0..10 b 110..120", "10..110", 0);
        row("one through all of it", "gpu 0 stream 7: a 0..200", "", 100);
        row("nothing near it", "gpu 0 stream 7: a 500..600", "10..110", 0);
        row("touching work leaves no gap", "gpu 0 stream 7: a 10..30 b 30..110", "", 100);
        row("overlap in and between streams", "gpu 0 stream 7: a 20..40 b 30..50\ngpu 0 stream 8: c 45..110", "10..20",
            90);
        row("work without length ends no gap", "gpu 0 stream 7: a 50..50", "10..110", 0);
        row("nor do waits and work without an end", "gpu 0 stream 7: \"Stream Sync\" 20..50 a 60..?", "10..110", 0);
        row("many in a lane before it, one of no length at its begin",
            "gpu 0 stream 7: a 0..1 b 1..2 c 2..3 d 9..10 e 10..10 f 10..12", "12..110", 2);
    }
    void busyAndGaps() {
        QFETCH(QByteArray, trace);
        QFETCH(QString, gaps);
        const auto areas = areasOf(*traceFromText(trace.toStdString()), {10, 110});
        QCOMPARE(areas.size(), size_t{1});
        QCOMPARE(gapText(areas[0]), gaps);
        QCOMPARE(areas[0].gapCount, static_cast<uint64_t>(gaps.isEmpty() ? 0 : gaps.count(QLatin1Char(' ')) + 1));
        QTEST(qint64{areas[0].busyNs}, "busyNs");
        QCOMPARE(areas[0].busyNs + areas[0].idleNs, DurationNs{100});
        QCOMPARE(*areas[0].busyRatio(), static_cast<double>(areas[0].busyNs) / 100);
    }

    void whatRanBesideWhat() {
        const auto trace = traceFromText(R"(
            gpu 0 stream 7: gemm 0..100 add 100..110
            gpu 0 stream 8: MemcpyA 20..50 MemcpyB 90..130
            gpu 0 stream 9: MemcpyC 40..60 Memset 105..120)");
        const DeviceArea area = areasOf(*trace, {0, 200}).at(0);
        QCOMPARE(
            textOf(*trace, area.copyCompute),
            QStringLiteral("70/5: gemm+MemcpyA=30 gemm+MemcpyC=20 MemcpyB+Memset=15 gemm+MemcpyB=10 MemcpyB+add=10"));
        QCOMPARE(textOf(*trace, area.copyCopy), QStringLiteral("10/1: MemcpyA+MemcpyC=10"));
        QCOMPARE(textOf(*trace, area.computeCompute), QStringLiteral("5/1: add+Memset=5"));
        QCOMPARE(area.computeNs, DurationNs{120});
        QCOMPARE(area.copyNs, DurationNs{80});
        QCOMPARE(area.workCount, uint64_t{6});
        // Cut to a part of it.
        const DeviceArea part = areasOf(*trace, {45, 95}).at(0);
        QCOMPARE(textOf(*trace, part.copyCompute),
                 QStringLiteral("20/3: gemm+MemcpyC=15 gemm+MemcpyA=5 gemm+MemcpyB=5"));
        QCOMPARE(part.workCount, uint64_t{4});
    }

    void streamsBesideOneAnother() {
        const auto trace = traceFromText(R"(
            gpu 0 stream 7: a 0..50 b 40..60
            gpu 0 stream 8: c 45..70
            gpu 0 stream 9: d 65..80 e 90..91
            gpu 1 stream 7: other 0..100)");
        const auto areas = areasOf(*trace, {0, 100});
        QCOMPARE(areas.size(), size_t{2});
        const auto of = [&](std::string_view tid) { return trackOf(*trace, tid); };
        QCOMPARE(areas[0].streams.size(), size_t{3});
        QCOMPARE(tidOf(*trace, areas[0].streams[0].stream), std::string("7"));
        QCOMPARE(areas[0].streams[0].busyNs, DurationNs{60});
        QCOMPARE(areas[0].streams[2].busyNs, DurationNs{16});
        QCOMPARE(areas[0].streamOverlaps,
                 (std::vector<StreamOverlap>{{areas[0].streams[0].stream, of("8"), 15}, {of("8"), of("9"), 5}}));
        QVERIFY(areas[1].streamOverlaps.empty());
    }

    void chosenTracksOnly() {
        const auto trace = traceFromText(R"(
            cpu main: op 0..100
            gpu 0 stream 7: a 0..50
            gpu 0 stream 8: b 25..75
            gpu 1 stream 9: c 0..10)");
        const auto areas = areasOf(*trace, {0, 100}, {trackOf(*trace, "8"), trackOf(*trace, "100")});
        QCOMPARE(areas.size(), size_t{1});
        QCOMPARE(areas[0].busyNs, DurationNs{50});
        QCOMPARE(areas[0].computeCompute.pairCount, uint64_t{0});
        QVERIFY(areasOf(*trace, {0, 100}, {trackOf(*trace, "100")}).empty());
        QVERIFY(areasOf(*trace, {0, 100}, {TrackId(1000U)}).empty());
    }

    void unknownEndsAreCounted() {
        const auto trace = traceFromText("gpu 0 stream 7: a 0..10 b 20..?\ngpu 0 stream 8: c 30..40 d 50..?");
        QCOMPARE(areasOf(*trace, {0, 100}).at(0).unknownEnds, uint64_t{2});
        QCOMPARE(areasOf(*trace, {25, 40}).at(0).unknownEnds, uint64_t{0});
        QCOMPARE(areasOf(*trace, {20, 21}).at(0).unknownEnds, uint64_t{1});
    }

    void anEmptyRange() {
        const auto trace = traceFromText("gpu 0 stream 7: a 0..10");
        for (const TimeRange range : {TimeRange{5, 5}, TimeRange{9, 1}}) {
            const DeviceArea area = areasOf(*trace, range).at(0);
            QCOMPARE(area.busyNs + area.idleNs, DurationNs{0});
            QCOMPARE(area.gapCount, uint64_t{0});
            QVERIFY(!area.busyRatio().has_value());
        }
    }

    void theWholeOfWhatATraceHolds() {
        const auto trace = traceFromText(R"(
            gpu 0 stream 7: a -100000000000000000..4000000000000000000
            gpu 0 stream 8: Memcpy 0..9000000000000000000)");
        const DeviceArea area = areasOf(*trace, kOpen).at(0);
        QCOMPARE(area.range, (TimeRange{kEarliestTime, kLatestTime}));
        QCOMPARE(area.busyNs, DurationNs{9'100'000'000'000'000'000});
        QCOMPARE(area.busyNs + area.idleNs, std::numeric_limits<DurationNs>::max());
        QCOMPARE(textOf(*trace, area.copyCompute),
                 QStringLiteral("4000000000000000000/1: a+Memcpy=4000000000000000000"));
    }

    void theLongestOfMany() {
        // 300 pairs of i ns each, between 301 gaps of which the last is the longest.
        std::string kernels = "gpu 0 stream 7:";
        std::string copies = "gpu 0 stream 8:";
        for (int i = 1; i <= 300; ++i) {
            const int length = i * 11 % 301;  // each of 1..300 once
            const std::string times = std::to_string(i * 1000) + ".." + std::to_string(i * 1000 + length);
            kernels += " k " + times;
            copies += " Memcpy " + times;
        }
        const DeviceArea area = areasOf(*traceFromText(kernels + "\n" + copies), {0, 400'000}).at(0);
        QCOMPARE(area.copyCompute.pairCount, uint64_t{300});
        QCOMPARE(area.copyCompute.longest.size(), WorkOverlap::kMostListed);
        for (size_t i = 0; i < area.copyCompute.longest.size(); ++i) {
            QCOMPARE(area.copyCompute.longest[i].overlapNs, static_cast<DurationNs>(300 - i));
        }
        QCOMPARE(area.gapCount, uint64_t{301});
        QCOMPARE(area.longestGaps.size(), DeviceArea::kMostGaps);
        QCOMPARE(area.longestGaps[0].end, TimeNs{400'000});
        QCOMPARE(area.longestGaps[1].length(), DurationNs{1000});  // before the first
        QCOMPARE(area.longestGaps[99].length(), DurationNs{902});
    }

    void moreStreamsThanAreCompared() {
        std::string text;
        for (int stream = 0; stream < 20; ++stream) {
            text += "gpu 0 stream " + std::to_string(stream) + ": k 0.." + std::to_string(100 + stream) + "\n";
        }
        const DeviceArea area = areasOf(*traceFromText(text), {0, 1000}).at(0);
        QCOMPARE(area.streams.size(), size_t{20});
        QCOMPARE(area.streams[0].busyNs, DurationNs{119});
        QCOMPARE(area.streamOverlaps.size(), size_t{16 * 15 / 2});
        QCOMPARE(area.streamOverlaps.front().ns, DurationNs{118});
        QCOMPARE(area.streamOverlaps.back().ns, DurationNs{104});
        QCOMPARE(area.computeCompute.pairCount, uint64_t{190});
        QCOMPARE(area.computeCompute.ns, DurationNs{118});
    }

    void allTellTheSameAsAScanOfEveryMoment() {
        std::mt19937 random(3);
        for (int round = 0; round < 300; ++round) {
            const std::string text = randomTrace(random);
            const auto trace = traceFromText(text);
            const TimeNs begin = random() % 60;
            const TimeRange range = {begin, begin + 1 + static_cast<TimeNs>(random() % 60)};
            const DeviceArea area = areasOf(*trace, range).at(0);
            const Scan scan = scanOf(*trace, range);
            std::map<std::string, DurationNs> busyOf;
            for (const StreamShare& share : area.streams) {
                busyOf[tidOf(*trace, share.stream)] = share.busyNs;
            }
            std::map<std::pair<std::string, std::string>, DurationNs> streams;
            for (const StreamOverlap& overlap : area.streamOverlaps) {
                streams[std::minmax(tidOf(*trace, overlap.a), tidOf(*trace, overlap.b))] = overlap.ns;
            }
            const bool isSame =
                std::tuple(area.busyNs, area.computeNs, area.copyNs, area.copyCompute.ns, area.copyCopy.ns,
                           area.computeCompute.ns, area.gapCount,
                           area.longestGaps.empty() ? 0 : area.longestGaps[0].length()) ==
                    std::tuple(scan.busyNs, scan.computeNs, scan.copyNs, scan.copyCompute, scan.copyCopy,
                               scan.computeCompute, scan.gapCount, scan.longestGap) &&
                area.idleNs == range.length() - scan.busyNs && busyOf == scan.busyOf && streams == scan.streams &&
                pairsOf(area.computeCompute) == scan.pairs[0] && pairsOf(area.copyCompute) == scan.pairs[1] &&
                pairsOf(area.copyCopy) == scan.pairs[2] && area.computeCompute.pairCount == scan.pairs[0].size() &&
                area.copyCompute.pairCount == scan.pairs[1].size() && area.copyCopy.pairCount == scan.pairs[2].size();
            QVERIFY2(isSame,
                     qPrintable(QStringLiteral("%1..%2 of\n%3").arg(range.begin).arg(range.end).arg(text.c_str())));
        }
    }

    /// The figures of an independent reading of the file, in whole nanoseconds: no kernel runs beside any copy.
    void aRealTraceOfSeveralStreams() {
        JobControl job;
        const auto trace = loadTrace({WARPLINE_SAMPLES_DIR "/multi_stream.trace.json.gz"}, {}, job).value();
        const TimeRange whole = trace->range().value();
        const DeviceArea area = areasOf(*trace, whole).at(0);
        QCOMPARE(area.busyNs, DurationNs{8'371'337});
        QCOMPARE(area.idleNs, whole.length() - 8'371'337);
        QCOMPARE(area.computeNs, DurationNs{1'069'843});
        QCOMPARE(area.copyNs, DurationNs{7'301'494});
        QCOMPARE(textOf(*trace, area.copyCompute), QStringLiteral("0/0: "));
        QCOMPARE(area.copyCopy.ns, DurationNs{1'523'248});
        QCOMPARE(area.copyCopy.pairCount, uint64_t{11});
        QCOMPARE(area.copyCopy.longest.size(), size_t{11});
        QCOMPARE(area.copyCopy.longest[0].overlapNs, DurationNs{330'748});
        QCOMPARE(trace->sliceName(area.copyCopy.longest[0].first), "Memcpy DtoH (Device -> Pinned)");
        QCOMPARE(trace->sliceName(area.copyCopy.longest[0].second), "Memcpy HtoD (Pinned -> Device)");
        QCOMPARE(area.copyCopy.longest[10].overlapNs, DurationNs{16'672});
        QCOMPARE(area.computeCompute.ns, DurationNs{9'920});
        QCOMPARE(area.computeCompute.pairCount, uint64_t{4});
        std::map<std::pair<std::string, std::string>, DurationNs> streams;
        for (const StreamOverlap& overlap : area.streamOverlaps) {
            streams[std::minmax(tidOf(*trace, overlap.a), tidOf(*trace, overlap.b))] = overlap.ns;
        }
        QCOMPARE(streams, (std::map<std::pair<std::string, std::string>, DurationNs>{
                              {{"25", "29"}, 1'227'027}, {{"29", "7"}, 296'221}, {{"13", "17"}, 9'920}}));

        // From the first work to the last: the gaps between.
        TimeRange work = {kLatestTime, kEarliestTime};
        for (uint32_t row = 0; row < trace->sliceCount(); ++row) {
            if (isDeviceWork(trace->slices().kind[row])) {
                work.begin = std::min(work.begin, trace->slices().begin[row]);
                work.end = std::max(work.end, trace->slices().end(row));
            }
        }
        const DeviceArea between = areasOf(*trace, work).at(0);
        QCOMPARE(between.idleNs, DurationNs{6'868'315});
        QCOMPARE(between.gapCount, uint64_t{297});
        QCOMPARE(between.longestGaps[0].length(), DurationNs{406'491});
        QCOMPARE(between.longestGaps[4].length(), DurationNs{185'470});
        QCOMPARE(between.workCount, uint64_t{313});
    }

    void nothingToDo() {
        QVERIFY(areasOf(*traceFromText(""), kOpen).empty());
        QVERIFY(areasOf(*traceFromText("cpu main: op 0..10"), kOpen).empty());
    }
    void stopped() {
        JobControl job;
        job.requestStop();
        const auto result = computeAreaSummary(*traceFromText("gpu 0 stream 7: k 0..5"), kOpen, {}, job);
        QVERIFY(!result.ok() && result.error().isCancelled());
    }
};

QTEST_APPLESS_MAIN(TestAreaSummary)
#include "tst_area_summary.moc"
