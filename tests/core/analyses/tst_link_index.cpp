// SPDX-License-Identifier: MIT
// The index of arrows, held against a look at each.
#include <QTest>

#include <algorithm>
#include <random>
#include <set>
#include <tuple>

#include "core/analyses/link_index.h"
#include "core/loaders/load_trace.h"
#include "tests/support/flow_scene.h"

using namespace warpline;
using test::FlowScene;
using test::rowNamed;

namespace {

LinkIndex indexOf(const std::shared_ptr<const Trace>& trace) {
    return LinkIndex::build(trace, JobControl()).value();
}

/// Launches and flows between three threads and two streams, at random; some flows repeat launches.
std::shared_ptr<const Trace> randomTrace(int count) {
    FlowScene scene;
    std::mt19937 random(7);
    for (int i = 0; i < count; ++i) {
        const TrackId thread = scene.thread(1 + i % 3);
        const TimeNs begin = 100 * (i / 3) + static_cast<TimeNs>(random() % 40);
        scene.slice(thread, i % 2 == 0 ? EventKind::Runtime : EventKind::CpuOp, begin, 10 + random() % 40, "host",
                    i % 2 == 0 ? i + 1 : 0);
        if (i % 2 == 0) {
            const TrackId stream = scene.stream(static_cast<int>(random() % 2));
            const TimeNs at = begin + static_cast<TimeNs>(random() % 5000);
            scene.slice(stream, EventKind::Kernel, at, 1, "kernel", i + 1);
            if (i % 4 == 0) {
                scene.flow(i + 1, "ac2g", {{thread, begin}, {stream, at}});
            }
        } else if (i > 20) {
            scene.flow(i + 1, i % 5 == 0 ? "fwdbwd" : "task",
                       {{thread, begin + 1}, {scene.thread(1 + (i + 1) % 3), 100 * (i / 3) - 300}});
        }
    }
    return scene.seal();
}

}  // namespace

class TestLinkIndex : public QObject {
    Q_OBJECT

private slots:
    void departsBeforeItArrives();
    void holdsEachArrowOnce();
    void searchesAgreeWithAScan();
    void knowsForwardToBackward();
    void isStopped();
};

void TestLinkIndex::departsBeforeItArrives() {
    FlowScene scene;
    const TrackId host = scene.thread(1), stream = scene.stream(7);
    scene.slice(host, EventKind::Runtime, 100, 50, "early", 1);
    scene.slice(host, EventKind::Runtime, 200, 50, "during", 2);
    scene.slice(host, EventKind::Runtime, 300, 50, "before", 3);
    scene.slice(stream, EventKind::Kernel, 180, 10, "k1", 1);
    scene.slice(stream, EventKind::Kernel, 220, 10, "k2", 2);
    scene.slice(stream, EventKind::Kernel, 290, 5, "k3", 3);
    const auto trace = scene.seal();
    const auto times = [&](const char* from, const char* to) {
        const Link link{rowNamed(*trace, from), rowNamed(*trace, to)};
        return std::pair(departure(trace->slices(), link), arrival(trace->slices(), link));
    };
    QCOMPARE(times("early", "k1"), (std::pair<TimeNs, TimeNs>(150, 180)));
    QCOMPARE(times("during", "k2"), (std::pair<TimeNs, TimeNs>(220, 220)));
    // Clocks that disagree: it leaves where its slice begins.
    QCOMPARE(times("before", "k3"), (std::pair<TimeNs, TimeNs>(300, 290)));
}

void TestLinkIndex::holdsEachArrowOnce() {
    const auto trace = randomTrace(900);
    using Entry = std::tuple<LinkKind, uint32_t, uint32_t>;
    std::multiset<Entry> expected;
    std::set<std::pair<uint32_t, uint32_t>> launches;
    for (uint32_t row = 0; row < trace->sliceCount(); ++row) {
        if (const EventRow call = trace->launchOf(EventRow(row)); call.valid()) {
            expected.insert({LinkKind::Launch, call.value, row});
            launches.insert({call.value, row});
        }
    }
    QCOMPARE(launches.size(), size_t{450});
    size_t repeated = 0;
    for (const FlowArrow& flow : trace->flows()) {
        if (launches.contains({flow.from.value, flow.to.value})) {
            ++repeated;
        } else if (flow.from != flow.to) {
            const bool isBackward = trace->string(flow.category) == "fwdbwd";
            expected.insert({isBackward ? LinkKind::Backward : LinkKind::Flow, flow.from.value, flow.to.value});
        }
    }
    QVERIFY(repeated > 50);
    const LinkIndex index = indexOf(trace);
    std::multiset<Entry> found;
    uint32_t next = 0;
    uint32_t most = index.size();
    for (const LinkBundle& bundle : index.bundles()) {
        QCOMPARE(bundle.first, next);
        QVERIFY(bundle.count <= most);
        next = bundle.end();
        most = bundle.count;
        for (uint32_t i = bundle.first; i < bundle.end(); ++i) {
            const Link link = index.link(i);
            QCOMPARE(trace->slices().track[link.from.value], bundle.from);
            QCOMPARE(trace->slices().track[link.to.value], bundle.to);
            found.insert({bundle.kind, link.from.value, link.to.value});
        }
    }
    QCOMPARE(next, index.size());
    QCOMPARE(found, expected);
    QVERIFY(index.memoryBytes() < index.size() * uint64_t{14} + index.bundles().size() * sizeof(LinkBundle));
}

void TestLinkIndex::searchesAgreeWithAScan() {
    const auto trace = randomTrace(900);
    const LinkIndex index = indexOf(trace);
    int searches = 0;
    for (const LinkBundle& bundle : index.bundles()) {
        std::set<uint32_t> arrivals;
        for (uint32_t i = bundle.first; i < bundle.end(); ++i) {
            arrivals.insert(index.byArrival(i));
            QVERIFY(i == bundle.first ||
                    (index.departureAt(i - 1) <= index.departureAt(i) && index.arrivalAt(i - 1) <= index.arrivalAt(i)));
        }
        QCOMPARE(arrivals.size(), size_t{bundle.count});
        QCOMPARE(*arrivals.begin(), bundle.first);
        QCOMPARE(*arrivals.rbegin(), bundle.end() - 1);
        for (TimeNs time = -200; time < 36'000; time += 97) {
            for (const uint32_t from : {bundle.first, bundle.first + bundle.count / 3, bundle.end()}) {
                uint32_t departs = from;
                while (departs < bundle.end() && index.departureAt(departs) < time) {
                    ++departs;
                }
                uint32_t arrives = from;
                while (arrives < bundle.end() && index.arrivalAt(arrives) < time) {
                    ++arrives;
                }
                QCOMPARE(index.firstDeparture(bundle, time, from), departs);
                QCOMPARE(index.firstArrival(bundle, time, from), arrives);
                ++searches;
            }
        }
    }
    QVERIFY(searches > 5000);
}

void TestLinkIndex::knowsForwardToBackward() {
    JobControl job;
    const auto trace = loadTrace({WARPLINE_TEST_DATA_DIR "/training_step.trace.json.gz"}, {}, job).value();
    const LinkIndex index = indexOf(trace);
    uint32_t backward = 0;
    for (const LinkBundle& bundle : index.bundles()) {
        backward += bundle.kind == LinkKind::Backward ? bundle.count : 0;
    }
    QCOMPARE(backward, 260U);
}

void TestLinkIndex::isStopped() {
    FlowScene scene;
    for (int i = 0; i < 10'000; ++i) {
        scene.slice(scene.thread(1), EventKind::Runtime, 10 * i, 5, "call", i + 1);
        scene.slice(scene.stream(7), EventKind::Kernel, 10 * i + 7, 2, "kernel", i + 1);
    }
    const auto trace = scene.seal();
    JobControl stopped;
    stopped.requestStop();
    QVERIFY(!LinkIndex::build(trace, stopped).ok());
    QCOMPARE(indexOf(trace).size(), 10'000U);
}

QTEST_GUILESS_MAIN(TestLinkIndex)
#include "tst_link_index.moc"
