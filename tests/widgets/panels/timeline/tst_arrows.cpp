// SPDX-License-Identifier: GPL-3.0-or-later
// Which arrows are found, and that a slice with very many inside costs no more than the limits say.
#include <QTest>

#include <string>
#include <vector>

#include "core/trace/trace_builder.h"
#include "tests/support/trace_text.h"
#include "widgets/panels/timeline/arrows.h"

using namespace warpline;
using namespace warpline::timeline;
using warpline::test::traceFromText;

namespace {

constexpr TimeRange kAll{0, 1'000'000'000};

EventRow find(const Trace& trace, std::string_view name) {
    for (uint32_t row = 0; row < trace.sliceCount(); ++row) {
        if (trace.sliceName(EventRow(row)) == name) {
            return EventRow(row);
        }
    }
    return EventRow::none();
}

/// "step" holds `calls` slices, one each 100 ns; each holds, `depth` levels further down, the launch of a kernel.
std::shared_ptr<const Trace> traceOfLaunches(int calls, int depth) {
    TraceBuilder builder;
    const FileId file = builder.addFile({});
    const TrackId host = builder.track(builder.process(file, "1"), "1");
    const TrackId device = builder.track(builder.process(file, "0"), "7");
    SliceRecord step;
    step.track = host;
    step.kind = EventKind::Annotation;
    step.name = builder.intern("step");
    step.duration = calls * 100;
    builder.addSlice(step);
    for (int i = 0; i < calls; ++i) {
        SliceRecord call;
        call.track = host;
        for (int level = 0; level <= depth; ++level) {
            const bool isLaunch = level == depth;
            call.kind = isLaunch ? EventKind::Runtime : EventKind::CpuOp;
            call.name = builder.intern(isLaunch ? "cudaLaunchKernel" : "op");
            call.begin = i * 100 + level;
            call.duration = 50 - 2 * level;
            if (isLaunch) {
                call.correlation = i + 1;
            }
            builder.addSlice(call);
        }
        SliceRecord kernel;
        kernel.track = device;
        kernel.kind = EventKind::Kernel;
        kernel.name = builder.intern("kernel");
        kernel.begin = i * 100 + 60;
        kernel.duration = 20;
        kernel.correlation = i + 1;
        builder.addSlice(kernel);
    }
    JobControl job;
    return builder.seal(job).value();
}

}  // namespace

class tst_Arrows : public QObject {
    Q_OBJECT

private slots:
    void launchesInOrderOfTime();
    void asManyAsTheLimitAreComplete();
    void manyChildrenAreNotWalked_data();
    void manyChildrenAreNotWalked();
    void aWideViewHasArrowsInAllItsParts();
    void aNarrowViewHasAllItsArrows();
    void childrenWithoutLaunchesEndTheSearch();
    void deviceWorkLeadsBackToItsLaunch();
};

void tst_Arrows::launchesInOrderOfTime() {
    const auto trace = traceFromText(
        "cpu main: outer 0..900 { inner 10..100 { cudaLaunchKernel 20..30 (corr=1) } cudaMemcpyAsync 200..210 (corr=2) "
        "}\ngpu 0 stream 7: first 300..400 (corr=1) second 500..600 (corr=2)\n");
    const ArrowLinks found = arrowLinks(*trace, find(*trace, "outer"), kAll);
    QVERIFY(found.complete);
    QCOMPARE(found.visited, size_t{4});
    QCOMPARE(found.links.size(), size_t{2});
    QCOMPARE(trace->sliceName(found.links[0].to), std::string_view("first"));
    QCOMPARE(trace->sliceName(found.links[1].to), std::string_view("second"));
}

void tst_Arrows::asManyAsTheLimitAreComplete() {
    for (const int over : {0, 1}) {
        const auto trace = traceOfLaunches(static_cast<int>(kMaxArrows) + over, 0);
        const ArrowLinks found = arrowLinks(*trace, find(*trace, "step"), kAll);
        QCOMPARE(found.links.size(), kMaxArrows);
        QCOMPARE(found.complete, over == 0);
    }
}

void tst_Arrows::manyChildrenAreNotWalked_data() {
    QTest::addColumn<int>("depth");
    QTest::newRow("children launch") << 0;
    QTest::newRow("children of children launch") << 2;
}

void tst_Arrows::manyChildrenAreNotWalked() {
    QFETCH(int, depth);
    constexpr int kCalls = 100'000;
    const auto trace = traceOfLaunches(kCalls, depth);
    const EventRow step = find(*trace, "step");
    QCOMPARE(trace->childrenOf(step).size(), size_t{kCalls});
    // In the middle: the view begins inside a call, which counts.
    const TimeRange view{5'000'010, 5'002'000};
    const ArrowLinks found = arrowLinks(*trace, step, view);
    QVERIFY(!found.complete);
    QCOMPARE(found.links.size(), kMaxArrows);
    QVERIFY2(found.visited <= (kMaxArrows + 2) * static_cast<size_t>(depth + 1) + 1,
             qPrintable(QString::number(found.visited)));
    QCOMPARE(trace->slices().begin[found.links[0].from.value], 5'000'000 + depth);
    QCOMPARE(trace->slices().begin[found.links[1].from.value], 5'000'100 + depth);
    QCOMPARE(trace->slices().begin[found.links[0].to.value], 5'000'060);
    // At the end there are no later ones: those before it are the nearest.
    const ArrowLinks last = arrowLinks(*trace, step, {kCalls * 100 - 1000, kCalls * 100});
    QCOMPARE(last.links.size(), kMaxArrows);
    QCOMPARE(trace->slices().begin[last.links.back().from.value], (kCalls - 1) * 100 + depth);
    QCOMPARE(trace->slices().begin[last.links.front().from.value],
             (kCalls - static_cast<int>(kMaxArrows)) * 100 + depth);
}

void tst_Arrows::aWideViewHasArrowsInAllItsParts() {
    constexpr int kCalls = 10'000;
    const auto trace = traceOfLaunches(kCalls, 2);
    const TimeRange view{100'000, 900'000};
    const ArrowLinks found = arrowLinksOver(*trace, find(*trace, "step"), view);
    QVERIFY(!found.complete);
    QVERIFY(found.links.size() >= kMaxArrows / 2 && found.links.size() <= kMaxArrows);
    QVERIFY2(found.visited <= 2 * kMaxArrowSlices, qPrintable(QString::number(found.visited)));
    constexpr int kEighths = 8;
    std::vector<int> inEighth(kEighths, 0);
    for (const ArrowLink& link : found.links) {
        const TimeNs begin = trace->slices().begin[link.from.value];
        QVERIFY(view.contains(begin));
        ++inEighth[static_cast<size_t>((begin - view.begin) * kEighths / view.length())];
    }
    for (const int count : inEighth) {
        QVERIFY(count >= 4);
    }
}

void tst_Arrows::aNarrowViewHasAllItsArrows() {
    const auto trace = traceOfLaunches(10'000, 0);
    // 40 calls are in view, fewer than the limit.
    const TimeRange view{500'000, 504'000};
    const ArrowLinks found = arrowLinksOver(*trace, find(*trace, "step"), view);
    int inView = 0;
    for (const ArrowLink& link : found.links) {
        inView += view.contains(trace->slices().begin[link.from.value]) ? 1 : 0;
    }
    QCOMPARE(inView, 40);
    QVERIFY(!found.complete);
    QCOMPARE(found.links, arrowLinks(*trace, find(*trace, "step"), view).links);
}

void tst_Arrows::childrenWithoutLaunchesEndTheSearch() {
    TraceBuilder builder;
    const FileId file = builder.addFile({});
    SliceRecord slice;
    slice.track = builder.track(builder.process(file, "1"), "1");
    slice.kind = EventKind::CpuOp;
    slice.name = builder.intern("step");
    slice.duration = 1'000'000;
    builder.addSlice(slice);
    slice.name = builder.intern("op");
    slice.duration = 5;
    for (int i = 0; i < 50'000; ++i) {
        slice.begin = i * 10;
        builder.addSlice(slice);
    }
    JobControl job;
    const std::shared_ptr<const Trace> trace = builder.seal(job).value();
    const ArrowLinks found = arrowLinks(*trace, find(*trace, "step"), kAll);
    QVERIFY(found.links.empty());
    QVERIFY(!found.complete);
    QCOMPARE(found.visited, kMaxArrowSlices);
    QVERIFY(arrowLinksOver(*trace, find(*trace, "step"), kAll).visited <= 2 * kMaxArrowSlices);
}

void tst_Arrows::deviceWorkLeadsBackToItsLaunch() {
    const auto trace = traceOfLaunches(3, 1);
    const EventRow kernel = find(*trace, "kernel");
    const ArrowLinks found = arrowLinks(*trace, kernel, kAll);
    QVERIFY(found.complete);
    QCOMPARE(found.links, (std::vector<ArrowLink>{{ArrowKind::Launch, trace->launchOf(kernel), kernel}}));
    QVERIFY(arrowLinks(*trace, EventRow::none(), kAll).links.empty());
}

QTEST_APPLESS_MAIN(tst_Arrows)
#include "tst_arrows.moc"
