// SPDX-License-Identifier: MIT
// Along flows, in made scenes and in real traces: op -> backward op, a graph's launch -> its kernels.
#include <QTest>

#include <algorithm>

#include "core/analyses/flow_walk.h"
#include "core/loaders/load_trace.h"
#include "tests/support/flow_scene.h"

using namespace warpline;
using test::FlowScene;
using test::rowNamed;

namespace {

std::shared_ptr<const Trace> load(const char* path) {
    JobControl job;
    auto trace = loadTrace({path}, {}, job);
    return trace.ok() ? trace.value() : nullptr;
}

EventRow endOf(const Trace& trace, EventRow from, int direction) {
    return flowEnd(trace, from, direction, JobControl()).value();
}

}  // namespace

class TestFlowWalk : public QObject {
    Q_OBJECT

private slots:
    void aChainEndsAtItsKernel();
    void theFirstByTimeOfSeveral();
    void aRingEndsBeforeItsStart();
    void aRingIsLeftWhereItCanBe();
    void manyNeighboursAreBounded();
    void aLongChainIsStopped();
    void forwardLeadsToBackward();
    void graphLaunchesLeadToTheirKernels();
};

void TestFlowWalk::aChainEndsAtItsKernel() {
    FlowScene scene;
    const TrackId one = scene.thread(1), two = scene.thread(2), three = scene.thread(3);
    scene.slice(one, EventKind::CpuOp, 0, 10, "start");
    scene.slice(two, EventKind::CpuOp, 20, 10, "step");
    scene.slice(three, EventKind::Runtime, 40, 10, "launch", 7);
    scene.slice(scene.stream(7), EventKind::Kernel, 60, 10, "kernel", 7);
    scene.flow(1, "task", {{one, 5}, {two, 25}, {three, 45}});
    const auto trace = scene.seal();
    for (const char* name : {"start", "step", "launch", "kernel"}) {
        QCOMPARE(endOf(*trace, rowNamed(*trace, name), 1), rowNamed(*trace, "kernel"));
        QCOMPARE(endOf(*trace, rowNamed(*trace, name), -1), rowNamed(*trace, "start"));
    }
    QCOMPARE(flowNeighbours(*trace, rowNamed(*trace, "step"), 1), std::vector{rowNamed(*trace, "launch")});
    QCOMPARE(flowNeighbours(*trace, rowNamed(*trace, "step"), -1), std::vector{rowNamed(*trace, "start")});
    QVERIFY(flowNeighbours(*trace, rowNamed(*trace, "kernel"), 1).empty());
    QVERIFY(flowNeighbours(*trace, EventRow::none(), 1).empty());
}

void TestFlowWalk::theFirstByTimeOfSeveral() {
    FlowScene scene;
    const TrackId one = scene.thread(1), two = scene.thread(2);
    scene.slice(one, EventKind::Runtime, 0, 10, "call", 3);
    scene.slice(two, EventKind::CpuOp, 300, 10, "late");
    scene.slice(two, EventKind::CpuOp, 100, 10, "early");
    scene.slice(scene.stream(7), EventKind::Kernel, 200, 10, "kernel", 3);
    scene.flow(1, "a", {{one, 5}, {two, 305}});
    scene.flow(2, "a", {{one, 5}, {two, 105}});
    // The launch once more, as profilers write it.
    scene.flow(3, "ac2g", {{one, 0}, {scene.stream(7), 200}});
    const auto trace = scene.seal();
    QCOMPARE(flowNeighbours(*trace, rowNamed(*trace, "call"), 1),
             (std::vector{rowNamed(*trace, "early"), rowNamed(*trace, "kernel"), rowNamed(*trace, "late")}));
    QCOMPARE(endOf(*trace, rowNamed(*trace, "call"), 1), rowNamed(*trace, "early"));
}

void TestFlowWalk::aRingEndsBeforeItsStart() {
    FlowScene scene;
    const TrackId one = scene.thread(1), two = scene.thread(2);
    scene.slice(one, EventKind::CpuOp, 0, 10, "a");
    scene.slice(two, EventKind::CpuOp, 100, 10, "b");
    scene.flow(1, "x", {{one, 5}, {two, 105}});
    scene.flow(2, "x", {{two, 105}, {one, 5}});
    const auto trace = scene.seal();
    QCOMPARE(trace->flows().size(), size_t{2});
    QCOMPARE(endOf(*trace, rowNamed(*trace, "a"), 1), rowNamed(*trace, "b"));
    QCOMPARE(endOf(*trace, rowNamed(*trace, "a"), -1), rowNamed(*trace, "b"));
}

void TestFlowWalk::aRingIsLeftWhereItCanBe() {
    FlowScene scene;
    const TrackId one = scene.thread(1), two = scene.thread(2), three = scene.thread(3);
    scene.slice(one, EventKind::CpuOp, 0, 10, "a");
    scene.slice(two, EventKind::CpuOp, 100, 10, "b");
    scene.slice(three, EventKind::CpuOp, 200, 10, "c");
    scene.flow(1, "x", {{one, 5}, {two, 105}});
    scene.flow(2, "x", {{two, 105}, {one, 5}});
    scene.flow(3, "x", {{two, 105}, {three, 205}});
    const auto trace = scene.seal();
    QCOMPARE(endOf(*trace, rowNamed(*trace, "a"), 1), rowNamed(*trace, "c"));
}

void TestFlowWalk::manyNeighboursAreBounded() {
    FlowScene scene;
    scene.slice(scene.thread(1), EventKind::Runtime, 0, 10, "cudaGraphLaunch", 1);
    const int kernels = static_cast<int>(kMaxFlowNeighbours) + 100;
    for (int i = 0; i < kernels; ++i) {
        scene.slice(scene.stream(i % 2), EventKind::Kernel, 20 + 10 * i, 15, "kernel", 1);
    }
    const auto trace = scene.seal();
    const auto found = flowNeighbours(*trace, rowNamed(*trace, "cudaGraphLaunch"), 1);
    QCOMPARE(found.size(), kMaxFlowNeighbours);
    for (size_t i = 0; i < found.size(); ++i) {
        QCOMPARE(trace->slices().begin[found[i].value], static_cast<TimeNs>(20 + 10 * i));
    }
}

void TestFlowWalk::aLongChainIsStopped() {
    FlowScene scene;
    const TrackId one = scene.thread(1);
    constexpr int kLength = 20'000;
    std::vector<FlowScene::At> places;
    for (int i = 0; i < kLength; ++i) {
        scene.slice(one, EventKind::CpuOp, 10 * i, 8, "s" + std::to_string(i));
        places.push_back({one, 10 * i + 4});
    }
    scene.flow(1, "x", places);
    const auto trace = scene.seal();
    QCOMPARE(endOf(*trace, EventRow(0U), 1), EventRow(static_cast<uint32_t>(kLength - 1)));
    QCOMPARE(endOf(*trace, EventRow(static_cast<uint32_t>(kLength - 1)), -1), EventRow(0U));
    JobControl stopped;
    stopped.requestStop();
    QVERIFY(!flowEnd(*trace, EventRow(0U), 1, stopped).ok());
}

void TestFlowWalk::forwardLeadsToBackward() {
    const auto trace = load(WARPLINE_TEST_DATA_DIR "/training_step.trace.json.gz");
    QVERIFY(trace);
    const SliceColumns& slices = trace->slices();
    int arrows = 0;
    for (const FlowArrow& flow : trace->flows()) {
        if (trace->string(flow.category) != "fwdbwd") {
            continue;
        }
        ++arrows;
        QVERIFY(slices.track[flow.from.value] != slices.track[flow.to.value]);
        const auto next = flowNeighbours(*trace, flow.from, 1);
        const auto before = flowNeighbours(*trace, flow.to, -1);
        QVERIFY(std::ranges::find(next, flow.to) != next.end());
        QVERIFY(std::ranges::find(before, flow.from) != before.end());
        // Autograd's chains have two links: the end of the first arrow of an op is the end.
        QCOMPARE(endOf(*trace, flow.from, 1), next.front());
        QVERIFY(slices.begin[next.front().value] > slices.end(flow.from.value));
        QCOMPARE(endOf(*trace, flow.to, -1), before.front());
    }
    QCOMPARE(arrows, 260);
}

void TestFlowWalk::graphLaunchesLeadToTheirKernels() {
    const auto trace = load(WARPLINE_TEST_DATA_DIR "/cuda_graph_replays.trace.json.gz");
    QVERIFY(trace);
    int launches = 0;
    for (uint32_t row = 0; row < trace->sliceCount(); ++row) {
        if (trace->sliceName(EventRow(row)) != "cudaGraphLaunch") {
            continue;
        }
        ++launches;
        const auto kernels = flowNeighbours(*trace, EventRow(row), 1);
        QCOMPARE(kernels.size(), size_t{24});
        QVERIFY(std::ranges::is_sorted(kernels, {}, [&](EventRow k) { return trace->slices().begin[k.value]; }));
        QCOMPARE(endOf(*trace, EventRow(row), 1), kernels.front());
        for (const EventRow kernel : kernels) {
            QCOMPARE(endOf(*trace, kernel, -1), EventRow(row));
            QCOMPARE(endOf(*trace, kernel, 1), kernel);
        }
    }
    QCOMPARE(launches, 50);
}

QTEST_GUILESS_MAIN(TestFlowWalk)
#include "tst_flow_walk.moc"
