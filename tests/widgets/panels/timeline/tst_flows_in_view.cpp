// SPDX-License-Identifier: GPL-3.0-or-later
// Which arrows are drawn where all in view are wanted: all of few, an even choice of many, none that tells nothing.
#include <QTest>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "tests/support/flow_scene.h"
#include "widgets/panels/timeline/flows_in_view.h"

using namespace warpline;
using namespace warpline::timeline;
using test::FlowScene;
using test::rowNamed;

namespace {

struct Scene {
    std::shared_ptr<const Trace> trace;
    std::shared_ptr<const TimelineModel> model;
    LinkIndex index;
    LayoutState state;
    LaneLayout layout;

    explicit Scene(std::shared_ptr<const Trace> sealed)
        : trace(std::move(sealed)),
          model(buildTimelineModel(*trace)),
          index(LinkIndex::build(trace, JobControl()).value()),
          state(initialLayoutState(*trace, *model, 10'000)) {
        rebuild();
    }
    void rebuild() { layout = LaneLayout::build(*trace, *model, state); }
    View view(TimeNs begin, double nsPerPixel, int scrollY = 0) const {
        return {{begin, nsPerPixel}, scrollY, 0, 1000, 800, 1.0};
    }
    FlowsInView find(const View& at, const FlowsInView& last = {}) const {
        return flowsInView(index, *trace, layout, at, last);
    }
};

/// `launches` calls, one each 1000 ns by turns on `threads` threads, each of a kernel 300 ns later on a stream of its
/// thread's.
std::shared_ptr<const Trace> launchesOn(int launches, int threads) {
    FlowScene scene;
    // Between them, so that arrows have a length.
    for (int i = 0; i < 3; ++i) {
        scene.slice(scene.thread(1000 + i), EventKind::CpuOp, 0, 10, "idle");
    }
    for (int i = 0; i < launches; ++i) {
        const TimeNs begin = 1000 * i;
        scene.slice(scene.thread(1 + i % threads), EventKind::Runtime, begin, 100, "call", i + 1);
        scene.slice(scene.stream(1 + i % threads), EventKind::Kernel, begin + 400, 500, "kernel", i + 1);
    }
    return scene.seal();
}

}  // namespace

class TestFlowsInView : public QObject {
    Q_OBJECT

private slots:
    void fewAreAllThere();
    void anEndMustBeInView();
    void manyAreSpreadEvenly_data();
    void manyAreSpreadEvenly();
    void panningKeepsThem();
    void moreTracksThanArrows();
    void foldedEnds();
    void rowsScrolledOut();
    void pinnedRowsHideOthers();
    void shortOnesAreLeftOut();
    void kindsInOrder();
    void noView();
};

void TestFlowsInView::fewAreAllThere() {
    const Scene scene(launchesOn(300, 3));
    // Each thread has a call each 3000 ns, which is 30 pixels.
    const FlowsInView part = scene.find(scene.view(100'000, 100));
    QVERIFY(part.complete);
    QCOMPARE(part.links.size(), size_t{100});
    // At three pixels one of two to four is left.
    const FlowsInView whole = scene.find(scene.view(-1000, 1000));
    QVERIFY(!whole.complete);
    QVERIFY2(whole.links.size() >= 75 && whole.links.size() <= 150, qPrintable(QString::number(whole.links.size())));
}

void TestFlowsInView::anEndMustBeInView() {
    FlowScene made;
    made.slice(made.thread(1), EventKind::Runtime, 0, 100, "call", 1);
    made.slice(made.stream(1), EventKind::Kernel, 1'000'000, 100, "kernel", 1);
    const Scene scene(made.seal());
    QCOMPARE(scene.find(scene.view(-500, 1)).links.size(), size_t{1});
    QCOMPARE(scene.find(scene.view(999'500, 1)).links.size(), size_t{1});
    // It passes through.
    QCOMPARE(scene.find(scene.view(500'000, 1)).links.size(), size_t{0});
    QVERIFY(scene.find(scene.view(500'000, 1)).complete);
}

void TestFlowsInView::manyAreSpreadEvenly_data() {
    QTest::addColumn<int>("threads");
    QTest::newRow("one pair of tracks") << 1;
    QTest::newRow("ten pairs of tracks") << 10;
}

void TestFlowsInView::manyAreSpreadEvenly() {
    QFETCH(int, threads);
    constexpr int kLaunches = 100'000;
    const Scene scene(launchesOn(kLaunches, threads));
    const FlowsInView found = scene.find(scene.view(0, 100'000));
    QVERIFY(!found.complete);
    QVERIFY2(found.links.size() <= kMaxFlowsInView && found.links.size() >= kMaxFlowsInView / 4,
             qPrintable(QString::number(found.links.size())));
    QVERIFY2(found.looked <= kMaxFlowLooks, qPrintable(QString::number(found.looked)));
    std::map<std::pair<uint32_t, int>, int> inPart;
    for (const ArrowLink& link : found.links) {
        QCOMPARE(scene.trace->launchOf(link.to), link.from);
        const auto tenth = static_cast<int>(scene.trace->slices().begin[link.from.value] / 10'000'000);
        ++inPart[{scene.trace->slices().track[link.from.value].value, tenth}];
    }
    QCOMPARE(inPart.size(), static_cast<size_t>(10 * threads));
    const auto [least, most] = std::ranges::minmax_element(inPart, {}, [](const auto& entry) { return entry.second; });
    QVERIFY2(most->second <= 3 * least->second, qPrintable(QString::number(most->second)));
    // Closer, where there are fewer, all.
    const FlowsInView close = scene.find(scene.view(50'000'000, 60));
    QVERIFY(close.complete);
    QCOMPARE(close.links.size(), size_t{60});
}

void TestFlowsInView::panningKeepsThem() {
    const Scene scene(launchesOn(100'000, 4));
    FlowsInView last = scene.find(scene.view(20'000'000, 10'000));
    for (int step = 1; step < 40; ++step) {
        const TimeNs begin = 20'000'000 + step * 70'000;
        const FlowsInView next = scene.find(scene.view(begin, 10'000), last);
        QCOMPARE(next.cell, last.cell);
        std::set<uint32_t> calls;
        for (const ArrowLink& link : next.links) {
            calls.insert(link.from.value);
        }
        for (const ArrowLink& link : last.links) {
            // But at the left edge, where the first of a stretch may have gone.
            const bool stays = scene.trace->slices().begin[link.from.value] > begin + next.cell;
            QVERIFY(!stays || calls.contains(link.from.value));
        }
        last = next;
    }
    // A view that comes from elsewhere is not bound to that.
    QVERIFY(scene.find(scene.view(20'000'000, 5'000), last).nsPerPixel == 5'000);
}

void TestFlowsInView::moreTracksThanArrows() {
    const Scene scene(launchesOn(20'000, 600));
    View view = scene.view(0, 20'000);
    view.height = 100'000;
    const FlowsInView found = scene.find(view);
    QVERIFY(!found.complete);
    QVERIFY(found.links.size() <= kMaxFlowsInView && found.links.size() > kMaxFlowsInView / 4);
    QVERIFY2(found.looked <= 3 * kMaxFlowLooks, qPrintable(QString::number(found.looked)));
}

void TestFlowsInView::foldedEnds() {
    FlowScene made;
    const TrackId one = made.thread(1), two = made.thread(2);
    made.slice(one, EventKind::CpuOp, 0, 400, "outer");
    made.slice(one, EventKind::Runtime, 100, 100, "call", 1);
    made.slice(two, EventKind::CpuOp, 5000, 400, "other");
    made.slice(made.stream(1), EventKind::Kernel, 6000, 400, "kernel", 1);
    made.flow(1, "task", {{one, 50}, {two, 5100}});
    Scene scene(made.seal());
    const View view = scene.view(-500, 10);
    QCOMPARE(scene.find(view).links.size(), size_t{2});
    // The row of the call is folded: the arrow leaves from its track.
    scene.state.tracks[one.value].collapsed = true;
    scene.rebuild();
    const ArrowLink launch{ArrowKind::Launch, rowNamed(*scene.trace, "call"), rowNamed(*scene.trace, "kernel")};
    const auto& folded = scene.layout.sections()[static_cast<size_t>(scene.layout.sectionOfTrack(one))];
    QCOMPARE(scene.find(view).links.size(), size_t{2});
    const auto arrow = placeArrow(*scene.trace, scene.layout, view, launch);
    QVERIFY(arrow && arrow->y0 >= folded.y && arrow->y0 <= folded.y + folded.height);
    // Both threads are in one folded process: their arrow would lead from its head to its head.
    scene.state.processCollapsed[scene.trace->track(one).process.value] = 1;
    scene.rebuild();
    QCOMPARE(scene.find(view).links, std::vector{launch});
}

void TestFlowsInView::rowsScrolledOut() {
    const Scene scene(launchesOn(100, 30));
    const TrackId stream = scene.trace->slices().track[rowNamed(*scene.trace, "kernel").value];
    const Section& streams = scene.layout.sections()[static_cast<size_t>(scene.layout.sectionOfTrack(stream))];
    View view = scene.view(-1000, 110);
    QCOMPARE(scene.find(view).links.size(), size_t{100});
    // One row alone, then none.
    view.height = streams.height;
    view.scrollY = streams.y;
    const FlowsInView one = scene.find(view);
    QVERIFY(!one.links.empty() && one.links.size() <= 4);
    view.scrollY = scene.layout.height() + 1000;
    QVERIFY(scene.find(view).links.empty());
}

void TestFlowsInView::pinnedRowsHideOthers() {
    FlowScene made;
    for (int i = 1; i <= 8; ++i) {
        made.slice(made.thread(i), EventKind::CpuOp, 100, 100, "t" + std::to_string(i));
    }
    made.flow(1, "over", {{made.thread(1), 150}, {made.thread(8), 150}});
    made.flow(2, "behind", {{made.thread(3), 150}, {made.thread(8), 150}});
    made.flow(3, "both", {{made.thread(3), 150}, {made.thread(5), 150}});
    const Scene scene(made.seal());
    View view = scene.view(0, 1);
    QCOMPARE(scene.find(view).links.size(), size_t{3});
    // The first two threads stay; of the others all up to the fifth have gone behind them.
    const auto yOf = [&](const char* name) {
        const EventRow row = rowNamed(*scene.trace, name);
        return scene.layout.rows()[static_cast<size_t>(scene.layout.rowOfLane(scene.trace->laneOf(row)))].y;
    };
    view.frozen = yOf("t3") - 2;
    view.scrollY = yOf("t6") - yOf("t3");
    const ArrowLink over{ArrowKind::Flow, rowNamed(*scene.trace, "t1"), rowNamed(*scene.trace, "t8")};
    const ArrowLink behind{ArrowKind::Flow, rowNamed(*scene.trace, "t3"), rowNamed(*scene.trace, "t8")};
    const ArrowLink both{ArrowKind::Flow, rowNamed(*scene.trace, "t3"), rowNamed(*scene.trace, "t5")};
    QCOMPARE(scene.find(view).links.size(), size_t{2});
    const Arrow whole = *placeArrow(*scene.trace, scene.layout, view, over);
    QVERIFY(!whole.hidden0 && !whole.hidden1);
    QCOMPARE(whole.y1, static_cast<double>(yOf("t8") - view.scrollY));
    const Arrow cut = *placeArrow(*scene.trace, scene.layout, view, behind);
    QVERIFY(cut.hidden0 && !cut.hidden1);
    QCOMPARE(cut.y0, static_cast<double>(view.frozen));
    QVERIFY(placeArrows(*scene.trace, scene.layout, view, {both}).empty());
    QCOMPARE(placeArrows(*scene.trace, scene.layout, view, {over, behind, both}).size(), size_t{2});
}

void TestFlowsInView::shortOnesAreLeftOut() {
    FlowScene made;
    const TrackId one = made.thread(1);
    made.slice(one, EventKind::CpuOp, 0, 100, "a");
    made.slice(one, EventKind::CpuOp, 200, 100, "b");
    made.flow(1, "task", {{one, 50}, {one, 250}});
    const Scene scene(made.seal());
    QCOMPARE(scene.find(scene.view(-100, 1)).links.size(), size_t{1});
    QCOMPARE(scene.find(scene.view(-100, 50)).links.size(), size_t{0});
}

void TestFlowsInView::kindsInOrder() {
    FlowScene made;
    const TrackId one = made.thread(1), two = made.thread(2);
    made.slice(one, EventKind::CpuOp, 0, 100, "forward");
    made.slice(two, EventKind::CpuOp, 500, 100, "backward");
    made.slice(one, EventKind::Runtime, 200, 50, "call", 1);
    made.slice(made.stream(1), EventKind::Kernel, 300, 50, "kernel", 1);
    made.flow(1, "fwdbwd", {{one, 50}, {two, 550}});
    made.flow(2, "mine", {{one, 220}, {two, 560}});
    const Scene scene(made.seal());
    const FlowsInView found = scene.find(scene.view(-100, 1));
    QCOMPARE(found.links.size(), size_t{3});
    QCOMPARE(found.links[0].kind, ArrowKind::Launch);
    QCOMPARE(found.links[1].kind, ArrowKind::Backward);
    QCOMPARE(found.links[2].kind, ArrowKind::Flow);
}

void TestFlowsInView::noView() {
    const Scene scene(launchesOn(10, 1));
    View view = scene.view(0, 10);
    view.width = 0;
    QVERIFY(scene.find(view).links.empty());
    view = scene.view(kEarliestTime, 1e12);
    scene.find(view);
    view = scene.view(0, kMinNsPerPixel);
    scene.find(view);
}

QTEST_APPLESS_MAIN(TestFlowsInView)
#include "tst_flows_in_view.moc"
