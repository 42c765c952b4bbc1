// SPDX-License-Identifier: MIT
// Each thing that image_check.h promises, broken once in a trace that is sound.
#include <QTest>
#include <functional>

#include "core/cache/image_check.h"
#include "tests/support/trace_text.h"

using namespace warpline;
using Break = std::function<void(TraceData&)>;
Q_DECLARE_METATYPE(Break)

class tst_ImageCheck : public QObject {
    Q_OBJECT
private slots:
    void sound();
    void unsound_data();
    void unsound();
};

namespace {

constexpr const char* kTrace = R"(
cpu main: forward 0..100 (ext=1) { matmul 10..40 (ext=2) { cudaLaunchKernel 12..15 (corr=7) } relu 50..60 }
cpu worker: step 0..50 (kind=annotation) { wait 10..20 }
gpu 0 stream 7: sgemm 20..80 (corr=7 ext=2 grid=4,1,1 block=256,1,1 regs=64 shared=0) Memcpy 90..95 (corr=8 bytes=4)
instant main: mark 30
counter level: 0=1 10=2
memory gpu0 15 1024 1024
device 0 sm_90
)";

/// The trace is the test's own; its data was made without const.
TraceData& dataIn(const Trace& trace) {
    return const_cast<TraceData&>(dataOf(trace));
}

}  // namespace

void tst_ImageCheck::sound() {
    const auto trace = test::traceFromText(kTrace);
    QCOMPARE(cache::firstFault(dataOf(*trace), 2), std::string());
}

void tst_ImageCheck::unsound_data() {
    QTest::addColumn<QString>("fault");
    QTest::addColumn<Break>("change");
    const auto row = [](const char* name, const char* fault, Break change) {
        QTest::newRow(name) << QString(fault) << change;
    };
    constexpr uint32_t kFar = 1000;
    row("column too short", "columns differ", [](TraceData& d) { d.slices.depth.resize(d.slices.size() - 1); });
    row("ids too short", "columns differ", [](TraceData& d) { d.slices.correlation.makeRoom(1, false); });
    row("launches too short", "columns differ", [](TraceData& d) { d.launched.clear(); });
    row("no file", "columns differ", [](TraceData& d) { d.files.clear(); });
    row("name", "names of slices", [](TraceData& d) { d.slices.name[1] = StringId(kFar); });
    row("category", "names of slices", [](TraceData& d) { d.slices.category[1] = StringId(kFar); });
    row("shapes", "names of slices", [](TraceData& d) { d.slices.shapes[0] = StringId(kFar); });
    row("kind", "names of slices", [](TraceData& d) { d.slices.kind[0] = static_cast<EventKind>(kEventKindCount); });
    row("negative duration", "times of slices", [](TraceData& d) { d.slices.duration[0] = -1; });
    row("time too late", "times of slices", [](TraceData& d) { d.slices.begin[0] = kLatestTime; });
    row("rows out of order", "times of slices", [](TraceData& d) {
        for (const Lane& lane : d.lanes) {
            if (lane.count > 1) {
                d.slices.begin[lane.firstRow] = 70;
            }
        }
    });
    row("parent far away", "parents", [](TraceData& d) {
        d.slices.parent[1] = EventRow(kFar);
        d.slices.depth[1] = 1;
    });
    row("parents in a circle", "parents", [](TraceData& d) {
        d.slices.parent[0] = EventRow(1U);
        d.slices.parent[1] = EventRow(0U);
        d.slices.depth[0] = d.slices.depth[1] = 1;
    });
    row("depth", "parents", [](TraceData& d) { d.slices.depth[0] = 3; });
    row("child", "children", [](TraceData& d) { d.children[0] = EventRow(kFar); });
    row("child of none", "children", [](TraceData& d) {
        for (uint32_t r = 0; r < d.slices.size(); ++r) {
            if (!d.slices.parent[r].valid()) {
                d.children[0] = EventRow(r);
            }
        }
    });
    row("child left out", "children", [](TraceData& d) { d.children.resize(d.children.size() - 1); });
    row("self duration", "children", [](TraceData& d) { d.selfDurations.push_back({EventRow(kFar), 1}); });
    row("lane", "tracks", [](TraceData& d) { d.lanes[0].count = kFar; });
    row("track's rows", "tracks", [](TraceData& d) { d.tracks[0].firstRow = kFar; });
    row("track's row count", "tracks", [](TraceData& d) { d.tracks[0].sliceCount = UINT32_MAX; });
    row("track's lanes", "tracks", [](TraceData& d) { d.tracks[0].laneCount = kFar; });
    row("track's instants", "tracks", [](TraceData& d) { d.tracks[0].firstInstant = kFar; });
    row("track's process", "tracks", [](TraceData& d) { d.tracks[0].process = ProcessId(kFar); });
    row("track without a process", "tracks", [](TraceData& d) { d.tracks[0].process = ProcessId(); });
    row("track's label", "tracks", [](TraceData& d) { d.tracks[0].label = StringId(kFar); });
    row("slice's track", "tracks", [](TraceData& d) { d.slices.track[0] = TrackId(kFar); });
    row("process's file", "processes", [](TraceData& d) { d.processes[0].file = FileId(kFar); });
    row("process's name", "processes", [](TraceData& d) { d.processes[0].name = StringId(kFar); });
    row("process's tracks", "processes", [](TraceData& d) { d.processes[0].tracks.push_back(TrackId(kFar)); });
    row("order of processes", "processes", [](TraceData& d) { d.processOrder[0] = ProcessId(kFar); });
    row("kernel's row", "facts", [](TraceData& d) { d.kernelFacts[0].row = EventRow(kFar); });
    row("copy's row", "facts", [](TraceData& d) { d.copyFacts[0].row = EventRow(); });
    row("link's launch", "facts", [](TraceData& d) { d.deviceLinks[0].launch = EventRow(kFar); });
    row("facts twice", "facts", [](TraceData& d) { d.kernelFacts.push_back(d.kernelFacts[0]); });
    row("launch", "links", [](TraceData& d) { d.launchedBy[0] = EventRow(kFar); });
    row("launched", "links", [](TraceData& d) { d.launched[0] = EventRow(); });
    row("arrow", "links", [](TraceData& d) {
        d.flows.push_back({EventRow(0U), EventRow(kFar), StringId(), EventId::ofNumber(1), ProcessId()});
        d.flowsByFrom.push_back(0);
        d.flowsByTo.push_back(0);
    });
    row("arrow's id", "links", [](TraceData& d) {
        d.flows.push_back({EventRow(0U), EventRow(0U), StringId(), EventId(StringId(kFar)), ProcessId()});
        d.flowsByFrom.push_back(0);
        d.flowsByTo.push_back(0);
    });
    row("arrow that is not there", "links", [](TraceData& d) {
        d.flows.push_back({EventRow(0U), EventRow(0U), StringId(), EventId::ofNumber(1), ProcessId()});
        d.flowsByFrom.push_back(1);
        d.flowsByTo.push_back(0);
    });
    row("loose arrow end", "links", [](TraceData& d) { d.danglingFlows.push_back({}); });
    row("instant's name", "points", [](TraceData& d) { d.instants[0].name = StringId(kFar); });
    row("async slice", "points", [](TraceData& d) { d.asyncSlices.emplace_back(); });
    row("memory event's file", "points", [](TraceData& d) { d.memoryEvents[0].file = FileId(); });
    row("counter's process", "counters", [](TraceData& d) { d.counters[0].process = ProcessId(); });
    row("counter's values", "counters", [](TraceData& d) { d.counters[0].series[0].value.pop_back(); });
    row("counter's times", "counters", [](TraceData& d) { d.counters[0].series[0].time[0] = 20; });
    row("device's file", "files", [](TraceData& d) { d.devices[0].file = FileId(kFar); });
    row("device that is not there", "files", [](TraceData& d) { d.devicesById[0] = kFar; });
    row("issue's file", "files", [](TraceData& d) {
        d.report.add(FileId(kFar), "truncated", Severity::DataLoss, std::nullopt, OffsetSpace::File);
    });
    row("range", "files", [](TraceData& d) { d.range = TimeRange{5, 4}; });
}

void tst_ImageCheck::unsound() {
    QFETCH(QString, fault);
    QFETCH(Break, change);
    const auto trace = test::traceFromText(kTrace);
    TraceData& data = dataIn(*trace);
    change(data);
    const QString found = QString::fromStdString(cache::firstFault(data, 2));
    QVERIFY2(found.contains(fault), qPrintable(found));
}

QTEST_GUILESS_MAIN(tst_ImageCheck)
#include "tst_image_check.moc"
