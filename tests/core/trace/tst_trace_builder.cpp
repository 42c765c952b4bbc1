// SPDX-License-Identifier: MIT
#include <QTest>

#include <algorithm>
#include <chrono>
#include <numeric>
#include <random>
#include <thread>
#include <tuple>

#include "core/trace/lod_pyramid.h"
#include "core/trace/trace_builder.h"

using namespace warpline;

namespace {

/// A builder with one file, one process and short ways to add events.
struct Fixture {
    TraceBuilder builder;
    FileId file = builder.addFile({});
    ProcessId process = builder.process(file, "1");
    uint64_t offset = 100;

    TrackId thread(std::string_view tid) { return builder.track(process, tid); }
    SliceRecord slice(TrackId track, std::string_view name, TimeNs begin, DurationNs duration,
                      EventKind kind = EventKind::Other) {
        SliceRecord r;
        r.begin = begin;
        r.duration = duration;
        r.name = builder.intern(name);
        r.kind = kind;
        r.track = track;
        r.source = {offset += 100, 50};
        return r;
    }
    uint32_t add(TrackId track, std::string_view name, TimeNs begin, DurationNs duration,
                 EventKind kind = EventKind::Other, uint64_t correlation = kNoCorrelation,
                 uint64_t externalId = kNoExternalId) {
        SliceRecord r = slice(track, name, begin, duration, kind);
        r.correlation = correlation;
        r.externalId = externalId;
        return builder.addSlice(r);
    }
    std::shared_ptr<const Trace> seal() {
        JobControl job;
        auto trace = builder.seal(job);
        return trace.ok() ? trace.value() : nullptr;
    }
};

EventRow rowOf(const Trace& trace, std::string_view name) {
    for (uint32_t row = 0; row < trace.sliceCount(); ++row) {
        if (trace.sliceName(EventRow(row)) == name) {
            return EventRow(row);
        }
    }
    return EventRow::none();
}

std::string nameOf(const Trace& trace, EventRow row) {
    return row.valid() ? std::string(trace.sliceName(row)) : std::string("none");
}

}  // namespace

class tst_TraceBuilder : public QObject {
    Q_OBJECT

private slots:
    void emptyTrace();
    void lanesAreContiguousAndSorted();
    void parentsSelfTimeAndChildren();
    void childrenThatOverlap();
    void selfTimesAreThoseOfEveryPair();
    void factsFollowTheirSlice();
    void beginAndEndMakeSlices();
    void unknownDurations();
    void launchAndOpLinks();
    void reusedCorrelation();
    void orphansAreCounted();
    void flowEndsFindTheirSlice();
    void flowEndsAmongOverlaps();
    void timesThatAreNotHeld();
    void filesFarApartStayOnTheAxis();
    void numbersThatReadAlikeHaveAnOrder();
    void devicesByNumber();
    void stoppedAtAnyMoment();
    void idsOfOneProcessAndNoIds();
    void kernelsGivenAsBeginAndEndMakeADeviceTrack();
    void namesAndOrderOfTracks();
    void tracksWithoutEventsAreNotShown();
    void idlessTracksAreApart();
    void rolesOfTracks();
    void countersKeepExactValues();
    void offsetsAlignFiles();
    void overlapsAreReportedWithTheirPlace();
    void workOverLaterWork();
    void cancelled();
};

void tst_TraceBuilder::emptyTrace() {
    Fixture f;
    const auto trace = f.seal();
    QVERIFY(trace);
    QCOMPARE(trace->sliceCount(), 0U);
    QVERIFY(!trace->range());
    QVERIFY(!trace->initialView());
    QVERIFY(trace->processOrder().empty());
    QCOMPARE(trace->report().countOf("no_events"), uint64_t{1});
}

void tst_TraceBuilder::lanesAreContiguousAndSorted() {
    Fixture f;
    const TrackId a = f.thread("1");
    const TrackId b = f.thread("2");
    f.add(b, "late", 500, 10);
    f.add(a, "child", 10, 20);
    f.add(b, "early", 5, 10);
    f.add(a, "parent", 0, 100);
    f.add(a, "child2", 40, 20);
    const auto trace = f.seal();
    const SliceColumns& s = trace->slices();
    QCOMPARE(trace->lanes().size(), size_t{3});
    for (size_t lane = 0; lane < trace->lanes().size(); ++lane) {
        const Lane& l = trace->lanes()[lane];
        for (uint32_t row = l.firstRow; row < l.firstRow + l.count; ++row) {
            QCOMPARE(trace->laneOf(EventRow(row)), static_cast<uint32_t>(lane));
            if (row > l.firstRow) {
                QVERIFY(s.begin[row] >= s.end(row - 1));
            }
        }
    }
    QCOMPARE(trace->track(a).sliceCount, 3U);
    QCOMPARE(trace->track(a).laneCount, 2U);
    QCOMPARE(trace->range()->begin, TimeNs{0});
    QCOMPARE(trace->range()->end, TimeNs{510});
    QCOMPARE(trace->counts().slices, uint64_t{5});
}

void tst_TraceBuilder::parentsSelfTimeAndChildren() {
    Fixture f;
    const TrackId t = f.thread("1");
    f.add(t, "root", 0, 100);
    f.add(t, "a", 10, 20);
    f.add(t, "b", 30, 30);
    f.add(t, "inner", 35, 5);
    const auto trace = f.seal();
    const EventRow root = rowOf(*trace, "root");
    const auto children = trace->childrenOf(root);
    QCOMPARE(children.size(), size_t{2});
    QCOMPARE(nameOf(*trace, children[0]), std::string("a"));
    QCOMPARE(nameOf(*trace, children[1]), std::string("b"));
    QCOMPARE(trace->selfDuration(root), DurationNs{50});
    QCOMPARE(trace->selfDuration(rowOf(*trace, "b")), DurationNs{25});
    QCOMPARE(trace->slices().depth[rowOf(*trace, "inner").value], 2U);
    QCOMPARE(nameOf(*trace, trace->slices().parent[rowOf(*trace, "inner").value]), std::string("b"));
}

void tst_TraceBuilder::childrenThatOverlap() {
    Fixture f;
    const TrackId t = f.thread("1");
    f.add(t, "root", 0, 100);
    f.add(t, "c", 50, 20);
    f.add(t, "a", 10, 20);
    f.add(t, "b", 25, 15);  // 5 of them in a already
    f.add(t, "other", 200, 10);
    f.add(t, "in other", 200, 10);
    const auto trace = f.seal();
    std::string names;
    for (const EventRow child : trace->childrenOf(rowOf(*trace, "root"))) {
        names += nameOf(*trace, child) + " ";
    }
    QCOMPARE(names, std::string("a b c "));
    QCOMPARE(trace->selfDuration(rowOf(*trace, "root")), DurationNs{100 - 30 - 20});
    QCOMPARE(trace->childrenOf(rowOf(*trace, "other")).size(), size_t{1});
    QVERIFY(trace->childrenOf(rowOf(*trace, "in other")).empty());
    QCOMPARE(trace->selfDuration(rowOf(*trace, "other")), DurationNs{0});
}

void tst_TraceBuilder::selfTimesAreThoseOfEveryPair() {
    // Against the definition, moment by moment, with overlaps and open ends.
    std::mt19937 random(7);
    for (int round = 0; round < 50; ++round) {
        Fixture f;
        const TrackId t = f.thread("1");
        for (int i = 0; i < 30; ++i) {
            const auto begin = static_cast<TimeNs>(random() % 60);
            f.add(t, "s", begin, i % 9 == 0 ? kUnknownDuration : static_cast<DurationNs>(random() % 40));
        }
        const auto trace = f.seal();
        const SliceColumns& s = trace->slices();
        for (uint32_t row = 0; row < s.size(); ++row) {
            std::vector<EventRow> children;
            DurationNs self = 0;
            for (uint32_t other = 0; other < s.size(); ++other) {
                if (s.parent[other] == EventRow(row)) {
                    children.emplace_back(other);
                }
            }
            for (TimeNs time = s.begin[row]; time < s.end(row); ++time) {
                self += std::ranges::none_of(children,
                                             [&](EventRow child) {
                                                 const TimeNs begin = s.begin[child.value];
                                                 return begin <= time && time < begin + s.summedDuration(child.value);
                                             })
                            ? 1
                            : 0;
            }
            QCOMPARE(trace->selfDuration(EventRow(row)), s.knownDuration(row) == kUnknownDuration ? -1 : self);
            const auto found = trace->childrenOf(EventRow(row));
            QVERIFY(std::ranges::is_sorted(found, {}, [&](EventRow child) { return s.begin[child.value]; }));
            std::vector<EventRow> sorted(found.begin(), found.end());
            std::ranges::sort(sorted);
            QVERIFY(sorted == children);
        }
    }
}

void tst_TraceBuilder::factsFollowTheirSlice() {
    Fixture f;
    const TrackId t = f.thread("7");
    const uint32_t late = f.add(t, "late", 50, 5, EventKind::Kernel);
    const uint32_t early = f.add(t, "early", 10, 5, EventKind::Kernel);
    const uint32_t copy = f.builder.beginSlice(f.slice(t, "copy", 30, 0, EventKind::Memcpy));
    f.builder.endSlice({35, {}, t, {}});
    KernelFacts facts;
    facts.registersPerThread = 32;
    f.builder.addKernelFacts(late, facts);
    facts.registersPerThread = 64;
    f.builder.addKernelFacts(early, facts);
    CopyFacts copied;
    copied.bytes = 4096;
    f.builder.addCopyFacts(copy, copied);
    const auto trace = f.seal();
    QCOMPARE(trace->findKernelFacts(rowOf(*trace, "late"))->registersPerThread, 32);
    QCOMPARE(trace->findKernelFacts(rowOf(*trace, "early"))->registersPerThread, 64);
    QCOMPARE(trace->findCopyFacts(rowOf(*trace, "copy"))->bytes, int64_t{4096});
    QVERIFY(trace->findKernelFacts(rowOf(*trace, "copy")) == nullptr);
}

void tst_TraceBuilder::beginAndEndMakeSlices() {
    Fixture f;
    const TrackId t = f.thread("1");
    f.builder.endSlice({5, f.builder.intern("ghost"), t, {7, 3}});
    f.builder.beginSlice(f.slice(t, "frame", 10, 0));
    f.builder.beginSlice(f.slice(t, "stuck", 17, 0));
    f.builder.endSlice({40, f.builder.intern("frame"), t, {900, 3}});
    f.builder.beginSlice(f.slice(t, "open", 50, 0));
    f.add(t, "other", 60, 5);
    const auto trace = f.seal();
    const SliceColumns& s = trace->slices();
    const auto frame = rowOf(*trace, "frame").value;
    QCOMPARE(s.knownDuration(frame), DurationNs{30});
    QCOMPARE(s.flags[frame], uint8_t{0});
    const auto stuck = rowOf(*trace, "stuck").value;
    QCOMPARE(s.knownDuration(stuck), DurationNs{23});
    QVERIFY((s.flags[stuck] & kSliceUnfinished) != 0);
    const auto open = rowOf(*trace, "open").value;
    QCOMPARE(s.knownDuration(open), kUnknownDuration);
    QCOMPARE(s.duration[open], DurationNs{15});  // drawn to the end of the trace
    QCOMPARE(trace->counts().slices, uint64_t{4});
    QCOMPARE(trace->report().countOf("unmatched_end"), uint64_t{1});
    QCOMPARE(trace->report().lostCount(), uint64_t{1});
    QVERIFY(trace->report().issues()[0].firstOffset == 7U);
    // What was dropped has no part in the span.
    QCOMPARE(trace->range()->begin, TimeNs{10});
}

void tst_TraceBuilder::unknownDurations() {
    Fixture f;
    const TrackId t = f.thread("1");
    f.add(t, "mark", 110, kUnknownDuration);
    f.add(t, "work", 120, 10);
    const auto trace = f.seal();
    const auto mark = rowOf(*trace, "mark");
    QCOMPARE(trace->slices().knownDuration(mark.value), kUnknownDuration);
    QCOMPARE(trace->slices().summedDuration(mark.value), DurationNs{0});
    QCOMPARE(trace->selfDuration(mark), kUnknownDuration);
    QCOMPARE(nameOf(*trace, trace->slices().parent[rowOf(*trace, "work").value]), std::string("none"));
}

void tst_TraceBuilder::launchAndOpLinks() {
    Fixture f;
    const TrackId host = f.thread("1");
    const TrackId stream = f.thread("7");
    f.add(host, "aten::mm", 0, 50, EventKind::CpuOp, kNoCorrelation, 11);
    f.add(host, "cudaLaunchKernel", 10, 5, EventKind::Runtime, 41, 11);
    f.add(stream, "gemm", 30, 20, EventKind::Kernel, 41, 11);
    f.add(stream, "gemm2", 60, 20, EventKind::Kernel, 41, 11);
    f.add(stream, "Stream Sync", 90, 5, EventKind::Sync, 11, 11);
    const auto trace = f.seal();
    const EventRow call = rowOf(*trace, "cudaLaunchKernel");
    QCOMPARE(trace->launchOf(rowOf(*trace, "gemm")), call);
    QCOMPARE(trace->deviceWorkOf(call).size(), size_t{2});
    QCOMPARE(nameOf(*trace, trace->deviceWorkOf(call)[1]), std::string("gemm2"));
    QCOMPARE(nameOf(*trace, trace->opOf(rowOf(*trace, "gemm"))), std::string("aten::mm"));
    QVERIFY(!trace->opOf(rowOf(*trace, "Stream Sync")).valid());  // its own number is no op's
    QVERIFY(!trace->launchOf(rowOf(*trace, "Stream Sync")).valid());
    QVERIFY(trace->track(stream).isDevice);
    QVERIFY(!trace->track(host).isDevice);
    QCOMPARE(trace->report().countOf("orphan_kernel"), uint64_t{0});
}

void tst_TraceBuilder::reusedCorrelation() {
    Fixture f;
    const TrackId host = f.thread("1");
    const TrackId stream = f.thread("7");
    f.add(host, "first", 10, 5, EventKind::Runtime, 3);
    f.add(host, "second", 100, 5, EventKind::Runtime, 3);
    f.add(stream, "k0", 5, 1, EventKind::Kernel, 3);
    f.add(stream, "k1", 20, 1, EventKind::Kernel, 3);
    f.add(stream, "k2", 100, 1, EventKind::Kernel, 3);
    const auto trace = f.seal();
    QCOMPARE(nameOf(*trace, trace->launchOf(rowOf(*trace, "k0"))), std::string("first"));
    QCOMPARE(nameOf(*trace, trace->launchOf(rowOf(*trace, "k1"))), std::string("first"));
    QCOMPARE(nameOf(*trace, trace->launchOf(rowOf(*trace, "k2"))), std::string("second"));
}

void tst_TraceBuilder::orphansAreCounted() {
    Fixture f;
    const TrackId host = f.thread("1");
    const TrackId stream = f.thread("7");
    f.add(host, "cudaLaunchKernel", 10, 5, EventKind::Runtime, 1);
    f.add(host, "cudaMemcpyAsync", 20, 5, EventKind::Runtime, 2);
    f.add(host, "cudaStreamSynchronize", 30, 5, EventKind::Runtime, 3);
    f.add(stream, "found", 40, 5, EventKind::Kernel, 1);
    f.add(stream, "lost", 50, 5, EventKind::Kernel, 9);
    f.add(stream, "zero", 60, 5, EventKind::Kernel);
    const auto trace = f.seal();
    QCOMPARE(trace->report().countOf("orphan_kernel"), uint64_t{2});
    QCOMPARE(trace->report().countOf("orphan_launch"), uint64_t{1});
    QCOMPARE(trace->report().lostCount(), uint64_t{0});
}

void tst_TraceBuilder::flowEndsFindTheirSlice() {
    Fixture f;
    const TrackId one = f.thread("1");
    const TrackId two = f.thread("2");
    f.add(one, "A", 3, 12);
    f.add(one, "B", 15, 9);
    f.add(one, "C", 24, 8);
    f.add(two, "D", 44, 6);
    f.add(two, "Dinner", 44, 3);
    const auto flow = [&](FlowPhase phase, TrackId track, TimeNs time, std::string_view id, bool enclosing) {
        f.builder.addFlow({.phase = phase,
                           .bindsToEnclosing = enclosing,
                           .time = time,
                           .id = EventId(f.builder.intern(id)),
                           .track = track,
                           .source = {f.offset += 100, 10}});
    };
    flow(FlowPhase::Start, one, 15, "1", true);
    flow(FlowPhase::Finish, two, 38, "1", false);
    flow(FlowPhase::Start, one, 7, "2", true);
    flow(FlowPhase::Finish, one, 24, "2", true);
    flow(FlowPhase::Start, one, 40, "3", true);  // after all slices: lies in none
    flow(FlowPhase::Finish, one, 24, "4", false);
    const auto trace = f.seal();
    QCOMPARE(trace->flows().size(), size_t{2});
    QCOMPARE(nameOf(*trace, trace->flows()[0].from), std::string("A"));
    QCOMPARE(nameOf(*trace, trace->flows()[0].to), std::string("C"));
    QCOMPARE(nameOf(*trace, trace->flows()[1].from), std::string("B"));
    QCOMPARE(nameOf(*trace, trace->flows()[1].to), std::string("D"));
    QCOMPARE(trace->report().countOf("dangling_flow"), uint64_t{2});
    QCOMPARE(trace->counts().flows, uint64_t{6});
    QCOMPARE(trace->flowsFrom(rowOf(*trace, "B")).size(), size_t{1});
    QCOMPARE(trace->flowsTo(rowOf(*trace, "D"))[0], trace->flowsFrom(rowOf(*trace, "B"))[0]);
    QVERIFY(trace->flowsTo(rowOf(*trace, "A")).empty());
}

void tst_TraceBuilder::idsOfOneProcessAndNoIds() {
    Fixture f;
    const TrackId one = f.thread("1");
    const ProcessId otherProcess = f.builder.process(f.file, "2");
    const TrackId two = f.builder.track(otherProcess, "1");
    f.add(one, "A", 0, 10);
    f.add(two, "B", 20, 10);
    const EventId id(f.builder.intern("0x1"));
    const StringId name = f.builder.intern("work");
    // The same local id in two processes is two things; a joint one is one; without an id arrows join nothing.
    f.builder.addFlow({FlowPhase::Start, true, 1, {}, id, f.process, one, {}});
    f.builder.addFlow({FlowPhase::Finish, true, 21, {}, id, otherProcess, two, {}});
    f.builder.addFlow({FlowPhase::Start, true, 2, {}, std::nullopt, {}, one, {}});
    f.builder.addFlow({FlowPhase::Finish, true, 22, {}, std::nullopt, {}, two, {}});
    f.builder.addFlow({FlowPhase::Start, true, 3, {}, id, {}, one, {}});
    f.builder.addFlow({FlowPhase::Finish, true, 23, {}, id, {}, two, {}});
    f.builder.addAsync({AsyncPhase::Begin, 1, name, {}, id, f.process, one, {}});
    f.builder.addAsync({AsyncPhase::Begin, 2, name, {}, id, otherProcess, two, {}});
    f.builder.addAsync({AsyncPhase::End, 5, name, {}, id, f.process, one, {}});
    f.builder.addAsync({AsyncPhase::Begin, 3, name, {}, std::nullopt, {}, one, {}});
    f.builder.addAsync({AsyncPhase::End, 4, name, {}, std::nullopt, {}, two, {}});
    const auto trace = f.seal();
    QCOMPARE(trace->flows().size(), size_t{1});
    QCOMPARE(trace->idText(trace->flows()[0].id), std::string("0x1"));
    QVERIFY(!trace->flows()[0].idScope.valid());
    QCOMPARE(trace->report().countOf("dangling_flow"), uint64_t{4});
    QCOMPARE(trace->asyncSlices().size(), size_t{3});
    QCOMPARE(trace->asyncSlices()[0].duration, DurationNs{4});
    QVERIFY(trace->asyncSlices()[1].unfinished);
    QVERIFY(trace->asyncSlices()[2].unfinished);
    QVERIFY(!trace->asyncSlices()[2].id);
    QCOMPARE(trace->report().countOf("unmatched_end"), uint64_t{1});
}

void tst_TraceBuilder::kernelsGivenAsBeginAndEndMakeADeviceTrack() {
    Fixture f;
    const TrackId stream = f.thread("7");
    f.builder.beginSlice(f.slice(stream, "gemm", 10, 0, EventKind::Kernel));
    f.builder.endSlice({20, {}, stream, {}});
    const auto trace = f.seal();
    QVERIFY(trace->track(stream).isDevice);
}

void tst_TraceBuilder::namesAndOrderOfTracks() {
    Fixture f;
    const auto thread = [&](std::string_view tid, std::string_view name, int64_t index) {
        const TrackId t = f.thread(tid);
        f.add(t, "x", 0, 1);
        if (!name.empty()) {
            f.builder.nameTrack(t, f.builder.intern(name));
        }
        f.builder.sortTrack(t, index);
    };
    thread("10", "", 0);
    thread("9", "", 0);
    thread("1", "Cherry", 3);
    thread("2", "stream 7 ", 3);
    thread("3", "Apple", 3);
    thread("4", "First", -1);
    const auto trace = f.seal();
    QStringList order;
    for (const TrackId t : trace->process(f.process).tracks) {
        const std::string_view label = trace->string(trace->track(t).label);
        order << QString::fromUtf8(label.data(), static_cast<qsizetype>(label.size()));
    }
    QCOMPARE(order, (QStringList{"First", "9", "10", "Apple", "Cherry", "stream 7"}));
    QCOMPARE(trace->string(trace->process(f.process).label), std::string_view("1"));
}

void tst_TraceBuilder::tracksWithoutEventsAreNotShown() {
    Fixture f;
    f.builder.nameTrack(f.thread("5"), f.builder.intern("idle"));
    f.builder.nameProcess(f.builder.process(f.file, "2"), f.builder.intern("nobody"));
    const TrackId marks = f.thread("6");
    f.builder.addInstant({3, f.builder.intern("mark"), {}, marks, 't', {}});
    const auto trace = f.seal();
    QCOMPARE(trace->processOrder().size(), size_t{1});
    QCOMPARE(trace->process(trace->processOrder()[0]).tracks, std::vector<TrackId>{marks});
    QCOMPARE(trace->track(marks).instantCount, 1U);
}

void tst_TraceBuilder::idlessTracksAreApart() {
    Fixture f;
    const TrackId none = f.builder.track(f.process, std::nullopt);
    const TrackId empty = f.builder.track(f.process, "");
    QVERIFY(none != empty);
    QCOMPARE(f.builder.track(f.process, std::nullopt), none);
    f.add(none, "a", 0, 5);
    f.add(empty, "b", 2, 9);
    const auto trace = f.seal();
    QCOMPARE(trace->report().countOf("overlap"), uint64_t{0});
    QVERIFY(!trace->track(none).tid);
    QVERIFY(!trace->string(trace->track(none).label).empty());
    QVERIFY(!trace->string(trace->track(empty).label).empty());
}

void tst_TraceBuilder::rolesOfTracks() {
    Fixture f;
    const TrackId stream = f.thread("18");
    f.add(stream, "fusion", 0, 5);
    f.builder.nameTrack(stream, f.builder.intern("Stream #18"));
    const TrackId host = f.thread("1");
    f.add(host, "python", 0, 5);
    f.builder.setTrackRoles(f.file, [](std::string_view, std::string_view track) {
        const bool isStream = track.starts_with("Stream #");
        return TraceBuilder::TrackRole{isStream ? std::optional(EventKind::Kernel) : std::nullopt, isStream};
    });
    const auto trace = f.seal();
    QCOMPARE(trace->slices().kind[rowOf(*trace, "fusion").value], EventKind::Kernel);
    QCOMPARE(trace->slices().kind[rowOf(*trace, "python").value], EventKind::Other);
    QVERIFY(trace->track(stream).isDevice);
    QVERIFY(!trace->track(host).isDevice);
}

void tst_TraceBuilder::countersKeepExactValues() {
    Fixture f;
    constexpr int64_t kLarge = 9'007'199'254'740'993;  // 2^53 + 1
    const auto sample = [&](TimeNs time, std::string_view series, double value, std::optional<int64_t> whole) {
        f.builder.addCounter(
            {time, f.process, f.builder.intern("mem"), std::nullopt, f.builder.intern(series), value, whole});
    };
    sample(20, "a", static_cast<double>(kLarge), kLarge);
    sample(10, "a", 1, 1);
    sample(10, "b", 0.5, std::nullopt);
    const auto trace = f.seal();
    QCOMPARE(trace->counters().size(), size_t{1});
    const auto& series = trace->counters()[0].series;
    QCOMPARE(series.size(), size_t{2});
    QCOMPARE(series[0].time, (std::vector<TimeNs>{10, 20}));
    QCOMPARE(series[0].whole, (std::vector<int64_t>{1, kLarge}));
    QVERIFY(series[1].whole.empty());
    QCOMPARE(series[1].value, std::vector<double>{0.5});
}

void tst_TraceBuilder::offsetsAlignFiles() {
    Fixture f;
    f.add(f.thread("1"), "first", 1000, 10);
    FileInfo second;
    second.axisOffsetNs = 500;
    const FileId file = f.builder.addFile(second);
    const TrackId track = f.builder.track(f.builder.process(file, "1"), "1");
    f.add(track, "second", 1000, 10);
    const auto trace = f.seal();
    QCOMPARE(trace->slices().begin[rowOf(*trace, "first").value], TimeNs{1000});
    QCOMPARE(trace->slices().begin[rowOf(*trace, "second").value], TimeNs{1500});
    QCOMPARE(trace->processOrder().size(), size_t{2});
    QCOMPARE(trace->report().countOf("overlap"), uint64_t{0});
}

void tst_TraceBuilder::overlapsAreReportedWithTheirPlace() {
    Fixture f;
    const TrackId t = f.thread("7");
    f.add(t, "A", 0, 10);
    f.add(t, "B", 5, 10);
    const auto trace = f.seal();
    QCOMPARE(trace->track(t).laneCount, 2U);
    QCOMPARE(trace->track(t).overlaps, 1U);
    QVERIFY((trace->slices().flags[rowOf(*trace, "B").value] & kSliceOverlaps) != 0);
    const Issue& issue = trace->report().issues()[0];
    QCOMPARE(issue.code, std::string("overlap"));
    QVERIFY(issue.firstOffset == 300U);
    QCOMPARE(issue.message, std::string("1 slice overlaps an earlier one without nesting and is drawn on a lane of its "
                                        "own (B, pid 1, tid 7)"));
}

void tst_TraceBuilder::workOverLaterWork() {
    Fixture f;
    const TrackId t = f.thread("7");
    f.add(t, "long", 0, 100, EventKind::Kernel);
    f.add(t, "same start", 0, 0, EventKind::Kernel);
    f.add(t, "later", 50, 10, EventKind::Kernel);
    f.add(t, "touching", 100, 10, EventKind::Kernel);
    f.add(t, "wait", 105, 100, EventKind::Sync);
    const auto trace = f.seal();
    QCOMPARE(trace->report().countOf("impossible_duration"), uint64_t{1});
}

void tst_TraceBuilder::cancelled() {
    Fixture f;
    f.add(f.thread("1"), "x", 0, 1);
    JobControl job;
    job.requestStop();
    const auto trace = f.builder.seal(job);
    QVERIFY(!trace.ok());
    QVERIFY(trace.error().isCancelled());
}

void tst_TraceBuilder::flowEndsAmongOverlaps() {
    // Against a walk up from the slice that was begun last, and against the first that begins at the time or later.
    std::mt19937 random(11);
    for (int round = 0; round < 50; ++round) {
        Fixture f;
        const TrackId t = f.thread("1");
        const TrackId far = f.thread("2");
        f.add(far, "far", 0, 1000);
        for (int i = 0; i < 25; ++i) {
            f.add(t, "s", static_cast<TimeNs>(random() % 50), static_cast<DurationNs>(random() % 30));
        }
        std::vector<TimeNs> times;
        for (int i = 0; i < 60; ++i) {
            times.push_back(static_cast<TimeNs>(random() % 80));
            const EventId id = EventId::ofNumber(static_cast<uint64_t>(i));
            const bool next = i % 3 == 0;  // ends at the next slice, else starts in the innermost
            f.builder.addFlow({.phase = FlowPhase::Start,
                               .bindsToEnclosing = false,
                               .time = next ? 5 : times.back(),
                               .id = id,
                               .track = next ? far : t});
            f.builder.addFlow({.phase = FlowPhase::Finish,
                               .bindsToEnclosing = !next,
                               .time = next ? times.back() : 5,
                               .id = id,
                               .track = next ? t : far});
        }
        const auto trace = f.seal();
        const SliceColumns& s = trace->slices();
        std::vector<uint32_t> byBegin;
        for (uint32_t row = 0; row < s.size(); ++row) {
            if (s.track[row] == t) {
                byBegin.push_back(row);
            }
        }
        std::ranges::sort(byBegin, {},
                          [&s](uint32_t r) { return std::tuple(s.begin[r], -s.duration[r], s.sourceOffset[r]); });
        std::vector<EventRow> found(times.size());
        for (const FlowArrow& arrow : trace->flows()) {
            const auto i = static_cast<size_t>(std::stoi(trace->idText(arrow.id)));
            found[i] = i % 3 == 0 ? arrow.to : arrow.from;
        }
        for (size_t i = 0; i < times.size(); ++i) {
            EventRow expected;
            for (const uint32_t row : byBegin) {
                if (i % 3 == 0 ? s.begin[row] >= times[i] && !expected : s.begin[row] <= times[i]) {
                    expected = EventRow(row);
                }
            }
            const auto covers = [&](uint32_t r) {
                return times[i] < s.end(r) || (s.begin[r] == times[i] && s.duration[r] == 0);
            };
            while (i % 3 != 0 && expected && !covers(expected.value)) {
                expected = s.parent[expected.value];
            }
            QCOMPARE(found[i].value, expected.value);
        }
    }
}

void tst_TraceBuilder::timesThatAreNotHeld() {
    Fixture f;
    const TrackId t = f.thread("1");
    f.add(t, "kept", kLatestTime - 10, 10);
    QCOMPARE(f.add(t, "ends late", kLatestTime - 10, 11), TraceBuilder::kNoSlice);
    QCOMPARE(f.add(t, "early", kEarliestTime - 1, 0), TraceBuilder::kNoSlice);
    QCOMPARE(f.builder.beginSlice(f.slice(t, "begin", kLatestTime + 1, 0)), TraceBuilder::kNoSlice);
    f.builder.addKernelFacts(TraceBuilder::kNoSlice, {});
    f.builder.addCopyFacts(TraceBuilder::kNoSlice, {});
    f.builder.endSlice({std::numeric_limits<TimeNs>::min(), {}, t, {}});
    Instant instant;
    instant.time = std::numeric_limits<TimeNs>::max();
    instant.track = t;
    f.builder.addInstant(instant);
    f.builder.addAsync({.phase = AsyncPhase::Begin, .time = kLatestTime + 1, .track = t});
    f.builder.addFlow({.phase = FlowPhase::Start, .time = kLatestTime + 1, .track = t});
    CounterRecord sample;
    sample.time = kEarliestTime - 1;
    sample.process = f.process;
    f.builder.addCounter(sample);
    MemoryEvent memory;
    memory.time = kLatestTime + 1;
    memory.file = f.file;
    memory.track = t;
    f.builder.addMemory(memory);
    const auto trace = f.seal();
    QCOMPARE(trace->sliceCount(), 1U);
    QVERIFY(trace->instants().empty() && trace->asyncSlices().empty() && trace->counters().empty());
    QVERIFY(trace->memoryEvents().empty() && trace->kernelFacts().empty());
    QCOMPARE(trace->report().countOf("outlier"), uint64_t{9});
    QCOMPARE(trace->report().lostCount(), uint64_t{9});
    QCOMPARE(trace->report().issues()[0].firstOffset, std::optional(uint64_t{300}));
}

void tst_TraceBuilder::filesFarApartStayOnTheAxis() {
    Fixture f;
    f.add(f.thread("1"), "first", kEarliestTime, 10);
    FileInfo second;
    second.axisOffsetNs = kLatestTime;
    const FileId file = f.builder.addFile(second);
    const TrackId track = f.builder.track(f.builder.process(file, "1"), "1");
    f.add(track, "second", kLatestTime - 100, 50);
    const auto trace = f.seal();
    QCOMPARE(trace->range()->begin, kEarliestTime);
    QCOMPARE(trace->range()->end, kLatestTime);
    QCOMPARE(trace->slices().end(rowOf(*trace, "second").value), kLatestTime);
}

void tst_TraceBuilder::numbersThatReadAlikeHaveAnOrder() {
    // Labels of equal value but different text: whatever order they come in, they are shown in one.
    std::vector<std::string> ids = {"1", "01", "001", "2", "02", "x"};
    std::string expected;
    do {
        Fixture f;
        for (const std::string& id : ids) {
            f.add(f.thread(id), "s", 0, 1);
        }
        const auto trace = f.seal();
        std::string order;
        for (const TrackId track : trace->process(f.process).tracks) {
            order += std::string(trace->string(trace->track(track).label)) + " ";
        }
        expected = expected.empty() ? order : expected;
        QCOMPARE(order, expected);
    } while (std::ranges::next_permutation(ids).found);
    QCOMPARE(expected, std::string("001 01 1 02 2 x "));
}

void tst_TraceBuilder::devicesByNumber() {
    Fixture f;
    const FileId other = f.builder.addFile({});
    const auto add = [&](FileId file, int64_t id, const char* name) {
        DeviceInfo device;
        device.file = file;
        device.id = id;
        device.name = name;
        f.builder.addDevice(device);
    };
    add(f.file, 5, "five");
    add(other, 1, "other");
    add(f.file, 1, "one");
    add(f.file, 1, "one again");
    const auto trace = f.seal();
    QCOMPARE(trace->findDevice(f.file, 1)->name, std::string("one"));
    QCOMPARE(trace->findDevice(f.file, 5)->name, std::string("five"));
    QCOMPARE(trace->findDevice(other, 1)->name, std::string("other"));
    QVERIFY(trace->findDevice(other, 5) == nullptr);
    QCOMPARE(trace->devices()[0].name, std::string("five"));
}

void tst_TraceBuilder::stoppedAtAnyMoment() {
    bool sawStop = false;
    for (int delayUs = 0; delayUs < 20'000; delayUs = delayUs * 2 + 50) {
        Fixture f;
        const TrackId t = f.thread("1");
        for (int i = 0; i < 20'000; ++i) {
            f.add(t, "s", (i * 7919) % 100'000, 10 + i % 30, i % 2 == 0 ? EventKind::Kernel : EventKind::CpuOp, 1 + i);
            const EventId id = EventId::ofNumber(static_cast<uint64_t>(i % 1000));
            f.builder.addFlow({.phase = FlowPhase::Start, .bindsToEnclosing = false, .time = i, .id = id, .track = t});
            f.builder.addAsync(
                {.phase = i % 2 == 0 ? AsyncPhase::Begin : AsyncPhase::End, .time = i, .id = id, .track = t});
        }
        JobControl job;
        std::jthread stopper([&job, delayUs] {
            std::this_thread::sleep_for(std::chrono::microseconds(delayUs));
            job.requestStop();
        });
        const auto trace = f.builder.seal(job);
        QVERIFY(trace.ok() ? trace.value()->sliceCount() == 20'000U : trace.error().isCancelled());
        sawStop = sawStop || !trace.ok();
        JobControl next;
        QCOMPARE(f.builder.seal(next).value()->sliceCount(), 0U);  // either way it is empty
    }
    QVERIFY(sawStop);
}

QTEST_GUILESS_MAIN(tst_TraceBuilder)
#include "tst_trace_builder.moc"
