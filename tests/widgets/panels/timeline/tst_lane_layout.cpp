// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include <algorithm>
#include <string>

#include "core/trace/process_title.h"
#include "core/trace/trace_builder.h"
#include "tests/support/trace_text.h"
#include "widgets/panels/timeline/lane_layout.h"

using namespace warpline;
using namespace warpline::timeline;
using warpline::test::traceFromText;

namespace {

/// A thread of `depth` nested interpreter frames with an op at the bottom, and a stream below.
std::string deepTrace(int depth) {
    std::string text = "cpu main: ";
    for (int i = 0; i < depth; ++i) {
        text +=
            "f" + std::to_string(i) + " " + std::to_string(i) + ".." + std::to_string(1000 - i) + " (kind=python) { ";
    }
    text += "aten::mm 400..500 { cudaLaunchKernel 420..440 (corr=1) } ";
    for (int i = 0; i < depth; ++i) {
        text += "} ";
    }
    return text + "\ngpu 0 stream 7: sgemm 450..600 (corr=1)\n";
}

struct Laid {
    std::shared_ptr<const Trace> trace;
    std::shared_ptr<const TimelineModel> model;
    LayoutState state;
    LaneLayout layout;
};

Laid layOut(const std::string& text, int viewportHeight = 100'000) {
    Laid laid;
    laid.trace = traceFromText(text.empty() ? text : text + "name thread 100/100 \"main\"\n");
    laid.model = buildTimelineModel(*laid.trace);
    laid.state = initialLayoutState(*laid.trace, *laid.model, viewportHeight);
    laid.layout = LaneLayout::build(*laid.trace, *laid.model, laid.state);
    return laid;
}

const Section* findSection(const LaneLayout& layout, const std::string& part) {
    for (const Section& section : layout.sections()) {
        if (section.title.find(part) != std::string::npos) {
            return &section;
        }
    }
    return nullptr;
}

void checkInvariants(const LaneLayout& layout) {
    int y = 0;
    for (size_t i = 0; i < layout.rows().size(); ++i) {
        const LayoutRow& row = layout.rows()[i];
        QVERIFY(row.height > 0);
        QVERIFY(row.y >= y);
        y = row.y + row.height;
        QCOMPARE(layout.rowAt(row.y), static_cast<int>(i));
        QCOMPARE(layout.rowAt(row.y + row.height - 1), static_cast<int>(i));
        const Section& section = layout.sections()[row.section];
        QVERIFY(row.y >= section.y && row.y + row.height <= section.y + section.height);
    }
    QVERIFY(layout.height() >= y);
    for (size_t i = 0; i < layout.sections().size(); ++i) {
        QCOMPARE(layout.sectionAt(layout.sections()[i].y), static_cast<int>(i));
    }
    QCOMPARE(layout.rowAt(-1), -1);
    QCOMPARE(layout.rowAt(layout.height()), -1);
    QCOMPARE(layout.sectionAt(layout.height()), -1);
}

}  // namespace

class tst_LaneLayout : public QObject {
    Q_OBJECT
private slots:
    void aPinnedTrackStandsFirstAndOnce();
    void whatIsHiddenHasNoSection();
    void theOrderIsKept();
    void heightsAreTaken();
    void aCompactTrackGrowsInItsOps();
    void aFilterLeavesWhatItFinds();

private slots:
    void emptyTrace();
    void rowsOfNestedTracks();
    void titles();
    void devicesAreNamedOnce_data();
    void devicesAreNamedOnce();
    void collapsedTrackKeepsItsOutermostLane();
    void collapsedProcessShowsASummary();
    void deepTrackLeavesRoomForStreams_data();
    void deepTrackLeavesRoomForStreams();
    void allOpenWhereItFits();
    void marksStandLast();
    void countersAndInstants();
    void stickyHeader();
};

void tst_LaneLayout::emptyTrace() {
    const Laid laid = layOut("");
    QVERIFY(laid.layout.rows().empty());
    QCOMPARE(laid.layout.height(), 0);
    QCOMPARE(laid.layout.rowAt(0), -1);
    QCOMPARE(laid.layout.processHeaderAbove(0), -1);
}

void tst_LaneLayout::rowsOfNestedTracks() {
    const Laid laid = layOut(deepTrace(3));
    checkInvariants(laid.layout);
    const Section* thread = findSection(laid.layout, "main");
    QVERIFY(thread != nullptr);
    QCOMPARE(laid.trace->track(thread->track).laneCount, 5U);
    QCOMPARE(thread->height, 5 * kLaneHeight + kSectionGap);
    for (uint32_t lane = 0; lane < laid.trace->lanes().size(); ++lane) {
        const int row = laid.layout.rowOfLane(lane);
        QVERIFY(row >= 0);
        QCOMPARE(laid.layout.rows()[static_cast<size_t>(row)].index, lane);
    }
}

void tst_LaneLayout::titles() {
    const Laid laid = layOut(
        "cpu main: a 0..10 { b 1..2 }\n"
        "gpu 0 stream 7: k 0..5\n"
        "gpu 0 stream 13: k 0..5\n"
        "overhead: \"Buffer Flush\" 2..3\n"
        "cpu 200/2622: a 0..10 { b 1..2 }\n"
        "name thread 200/2622 \"thread 2622 (pt_autograd_0)\"\n"
        "name process 200 \"python3\"\n");
    QVERIFY(findSection(laid.layout, "stream 7") != nullptr);
    QVERIFY(findSection(laid.layout, "stream 13") != nullptr);
    QVERIFY(findSection(laid.layout, "python3 (200)") != nullptr);
    QVERIFY(findSection(laid.layout, "profiler overhead") != nullptr);
    // It stands below all work, wherever the file has it.
    QCOMPARE(&laid.layout.sections().back(), findSection(laid.layout, "profiler overhead"));
    const Section* autograd = findSection(laid.layout, "pt_autograd_0");
    QVERIFY(autograd != nullptr);
    QCOMPARE(QString::fromStdString(autograd->title), QStringLiteral("pt_autograd_0 (2622)"));
}

void tst_LaneLayout::devicesAreNamedOnce_data() {
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<QByteArray>("title");
    QTest::newRow("another name") << QByteArray("python3") << QByteArray("GPU 0 · python3");
    QTest::newRow("begins with the label") << QByteArray("GPU 0 NVIDIA H200") << QByteArray("GPU 0 NVIDIA H200");
}

void tst_LaneLayout::devicesAreNamedOnce() {
    QFETCH(QByteArray, name);
    QFETCH(QByteArray, title);
    TraceBuilder builder;
    const ProcessId process = builder.process(builder.addFile({}), "GPU 0");
    builder.nameProcess(process, builder.intern(name.toStdString()));
    builder.labelProcess(process, builder.intern("GPU 0"));
    SliceRecord kernel;
    kernel.duration = 10;
    kernel.name = builder.intern("k");
    kernel.kind = EventKind::Kernel;
    kernel.track = builder.track(process, "7");
    builder.addSlice(kernel);
    JobControl job;
    const auto trace = builder.seal(job);
    QCOMPARE(QByteArray::fromStdString(processHeading(*trace.value(), process)), title);
}

void tst_LaneLayout::collapsedTrackKeepsItsOutermostLane() {
    Laid laid = layOut(deepTrace(3));
    const TrackId track = findSection(laid.layout, "main")->track;
    laid.state.tracks[track.value].collapsed = true;
    const LaneLayout folded = LaneLayout::build(*laid.trace, *laid.model, laid.state);
    checkInvariants(folded);
    const uint32_t lane = laid.trace->track(track).firstLane;
    QVERIFY(folded.rowOfLane(lane) >= 0);
    QCOMPARE(folded.rowOfLane(lane + 1), -1);
    QCOMPARE(laid.layout.height() - folded.height(), 4 * kLaneHeight);
}

void tst_LaneLayout::collapsedProcessShowsASummary() {
    Laid laid = layOut("cpu main: a 0..10 { b 1..2 }\ncpu worker: a 0..10 { b 1..2 }\ngpu 0 stream 7: k 0..5\n");
    const Section* main = findSection(laid.layout, "main");
    const ProcessId process = main->process;
    const TrackId track = main->track;
    laid.state.processCollapsed[process.value] = 1;
    const LaneLayout folded = LaneLayout::build(*laid.trace, *laid.model, laid.state);
    checkInvariants(folded);
    int stripes = 0;
    for (const LayoutRow& row : folded.rows()) {
        stripes += folded.sections()[row.section].kind == SectionKind::Process ? 1 : 0;
    }
    QCOMPARE(stripes, 2);
    const int section = folded.sectionOfTrack(track);
    QVERIFY(section >= 0);
    QVERIFY(folded.sections()[static_cast<size_t>(section)].kind == SectionKind::Process);
    QVERIFY(folded.sections()[static_cast<size_t>(section)].collapsed);
}

void tst_LaneLayout::deepTrackLeavesRoomForStreams_data() {
    QTest::addColumn<int>("depth");
    for (const int depth : {20, 40, 60}) {
        QTest::addRow("%d frames", depth) << depth;
    }
}

void tst_LaneLayout::deepTrackLeavesRoomForStreams() {
    QFETCH(int, depth);
    // What a window of 1280x720 leaves to the timeline.
    constexpr int kViewport = 340;
    const Laid laid = layOut(deepTrace(depth), kViewport);
    checkInvariants(laid.layout);
    const Section* thread = findSection(laid.layout, "main");
    QVERIFY(thread->compact);
    const Section* stream = findSection(laid.layout, "stream 7");
    QVERIFY2(stream->y + stream->height <= kViewport, qPrintable(QString::number(stream->y)));
    // Interpreter frames are thin, the op below them is not.
    const uint32_t first = laid.trace->track(thread->track).firstLane;
    const auto heightOf = [&](uint32_t lane) {
        return laid.layout.rows()[static_cast<size_t>(laid.layout.rowOfLane(lane))].height;
    };
    QVERIFY(heightOf(first) <= kThinLaneHeight);
    QVERIFY(heightOf(first + static_cast<uint32_t>(depth)) > kThinLaneHeight);
}

void tst_LaneLayout::allOpenWhereItFits() {
    const Laid laid = layOut(deepTrace(20), 2000);
    QVERIFY(!findSection(laid.layout, "main")->compact);
    QVERIFY(findSection(laid.layout, "main")->canCompact);
}

void tst_LaneLayout::marksStandLast() {
    const Laid laid = layOut("instant 1/1: \"Window End\" 5\ncpu main: a 0..10 { b 1..2 }\n");
    checkInvariants(laid.layout);
    QCOMPARE(laid.layout.rows().back().kind, RowKind::Instants);
    QCOMPARE(laid.layout.rows().front().kind, RowKind::Lane);
}

void tst_LaneLayout::countersAndInstants() {
    const Laid laid = layOut("cpu main: a 0..10\ninstant main: mark 5\ncounter memory: 0=1 5=8 9=2\n");
    checkInvariants(laid.layout);
    int counters = 0;
    int instants = 0;
    for (const LayoutRow& row : laid.layout.rows()) {
        counters += row.kind == RowKind::Counter ? 1 : 0;
        instants += row.kind == RowKind::Instants ? 1 : 0;
    }
    QCOMPARE(counters, 1);
    QCOMPARE(instants, 1);
    QCOMPARE(laid.model->counters[0].range, (ValueRange{1, 8}));
}

void tst_LaneLayout::stickyHeader() {
    const Laid laid =
        layOut("cpu main: a 0..10 { b 1..2 }\ncpu worker: a 0..10 { b 1..2 }\ngpu 0 stream 7: k 0..5 { l 1..2 }\n");
    const std::vector<Section>& sections = laid.layout.sections();
    QCOMPARE(sections[0].kind, SectionKind::Process);
    QCOMPARE(laid.layout.processHeaderAbove(0), 0);
    QCOMPARE(laid.layout.processHeaderAbove(sections[0].endY - 1), 0);
    const int next = laid.layout.processHeaderAbove(sections[0].endY);
    QVERIFY(next > 0);
    QCOMPARE(sections[static_cast<size_t>(next)].y, sections[0].endY);
}

void tst_LaneLayout::aPinnedTrackStandsFirstAndOnce() {
    Laid laid = layOut(deepTrace(3));
    const Section* before = findSection(laid.layout, "stream 7");
    QVERIFY(before != nullptr);
    const SectionRef stream = refOf(*before, *laid.model);
    QCOMPARE(stream.kind, SectionRef::Kind::Track);
    laid.state.arrangement.pinned = {stream};
    laid.state.processCollapsed.assign(laid.trace->processes().size(), 1);
    for (const char collapsed : {char{0}, char{1}}) {
        std::fill(laid.state.processCollapsed.begin(), laid.state.processCollapsed.end(), collapsed);
        const LaneLayout layout = LaneLayout::build(*laid.trace, *laid.model, laid.state);
        checkInvariants(layout);
        const Section& first = layout.sections()[0];
        QVERIFY(first.pinned);
        QVERIFY(first.title.find("stream 7") != std::string::npos);
        QVERIFY(first.title.find(processHeading(*laid.trace, stream.process)) !=
                std::string::npos);  // it stands alone, so it says whose it is
        QCOMPARE(refOf(first, *laid.model), stream);
        QCOMPARE(layout.sectionOfTrack(stream.track), 0);
        const auto isIt = [&](const Section& section) {
            return section.kind == SectionKind::Track && section.track == stream.track;
        };
        QCOMPARE(std::count_if(layout.sections().begin(), layout.sections().end(), isIt), 1);
        QVERIFY(!layout.sections()[1].pinned);
    }
}

namespace {

std::string allTitles(const LaneLayout& layout) {
    std::string text;
    for (const Section& section : layout.sections()) {
        text += (text.empty() ? "" : " | ") + section.title;
    }
    return text;
}

constexpr auto kThree =
    "cpu main: a 0..10 { b 1..2 }\ncpu worker: a 0..10 { b 1..2 }\ngpu 0 stream 7: k 0..5\ncounter memory: 0=1 5=8\n";

}  // namespace

void tst_LaneLayout::whatIsHiddenHasNoSection() {
    Laid laid = layOut(kThree);
    const SectionRef worker = refOf(*findSection(laid.layout, "worker"), *laid.model);
    const size_t all = laid.layout.sections().size();
    laid.state.arrangement.hidden = {worker};
    const LaneLayout without = LaneLayout::build(*laid.trace, *laid.model, laid.state);
    checkInvariants(without);
    QCOMPARE(without.sections().size(), all - 1);
    QCOMPARE(without.sectionOfTrack(worker.track), -1);
    QCOMPARE(without.trackCount(), laid.layout.trackCount() - 1);
    // Its process is hidden with all that it holds, pinned or not.
    laid.state.arrangement.hidden = {SectionRef::ofProcess(worker.process)};
    laid.state.arrangement.pinned = {worker};
    const LaneLayout rest = LaneLayout::build(*laid.trace, *laid.model, laid.state);
    checkInvariants(rest);
    QCOMPARE(findSection(rest, "worker"), nullptr);
    QCOMPARE(findSection(rest, "main"), nullptr);
    QVERIFY(allTitles(rest).find("stream 7") != std::string::npos);
}

void tst_LaneLayout::theOrderIsKept() {
    Laid laid = layOut(kThree);
    const SectionRef worker = refOf(*findSection(laid.layout, "worker"), *laid.model);
    const int before = laid.layout.sectionOfTrack(worker.track);
    laid.state.arrangement.order = {worker};
    const LaneLayout ordered = LaneLayout::build(*laid.trace, *laid.model, laid.state);
    checkInvariants(ordered);
    QCOMPARE(ordered.sectionOfTrack(worker.track), before - 1);
    QCOMPARE(ordered.height(), laid.layout.height());
}

void tst_LaneLayout::heightsAreTaken() {
    Laid laid = layOut(kThree);
    const Section main = *findSection(laid.layout, "main");
    const Section memory = *findSection(laid.layout, "memory");
    QCOMPARE(main.laneHeight, kLaneHeight);
    QCOMPARE(memory.laneHeight, kCounterHeight);
    laid.state.arrangement.heights = {{refOf(main, *laid.model), 30}, {refOf(memory, *laid.model), 5000}};
    const LaneLayout high = LaneLayout::build(*laid.trace, *laid.model, laid.state);
    checkInvariants(high);
    QCOMPARE(high.height() - laid.layout.height(), 2 * (30 - kLaneHeight) + kMaxCounterHeight - kCounterHeight);
    laid.state.counterCollapsed.assign(laid.model->counters.size(), 1);
    const LaneLayout folded = LaneLayout::build(*laid.trace, *laid.model, laid.state);
    checkInvariants(folded);
    QVERIFY(findSection(folded, "memory")->collapsed);
    QCOMPARE(findSection(folded, "memory")->laneHeight, kFoldedCounterHeight);
}

void tst_LaneLayout::aCompactTrackGrowsInItsOps() {
    Laid laid = layOut(deepTrace(20), 340);
    const Section thread = *findSection(laid.layout, "main");
    QVERIFY(thread.compact);
    laid.state.arrangement.heights = {{refOf(thread, *laid.model), 26}};
    const LaneLayout high = LaneLayout::build(*laid.trace, *laid.model, laid.state);
    checkInvariants(high);
    const uint32_t first = laid.trace->track(thread.track).firstLane;
    QCOMPARE(high.rows()[static_cast<size_t>(high.rowOfLane(first + 20))].height, 26);
    QVERIFY(high.rows()[static_cast<size_t>(high.rowOfLane(first))].height <= kThinLaneHeight);
}

void tst_LaneLayout::aFilterLeavesWhatItFinds() {
    Laid laid = layOut(kThree);
    laid.state.processCollapsed.assign(laid.trace->processes().size(), 1);
    laid.state.filter = "WORK";
    const LaneLayout found = LaneLayout::build(*laid.trace, *laid.model, laid.state);
    checkInvariants(found);
    // Open, though its process is folded.
    QCOMPARE(found.sections().size(), size_t{2});
    QVERIFY(findSection(found, "worker") != nullptr);
    QVERIFY(!found.sections()[0].collapsed && !found.sections()[0].collapsible);
    QCOMPARE(found.passingCount(), size_t{1});
    QCOMPARE(found.trackCount(), size_t{4});
    laid.state.filter = "no such track";
    const LaneLayout none = LaneLayout::build(*laid.trace, *laid.model, laid.state);
    QVERIFY(none.sections().empty());
    QCOMPARE(none.height(), 0);
}

QTEST_APPLESS_MAIN(tst_LaneLayout)
#include "tst_lane_layout.moc"
