// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include <algorithm>
#include <numeric>
#include <vector>

#include "core/loaders/load_trace.h"
#include "tests/support/trace_text.h"
#include "widgets/panels/timeline/timeline_model.h"

using namespace warpline;
using namespace warpline::timeline;

class TestOverlapLanes : public QObject {
    Q_OBJECT

private slots:
    void tellsOverlapFromNesting_data();
    void tellsOverlapFromNesting();
    void whatCrossesLiesOnAMarkedLane();
};

void TestOverlapLanes::tellsOverlapFromNesting_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("marked");  ///< a sign a lane: o overlap, n nesting
    QTest::newRow("alone") << QByteArray("cpu main: a 0..10 b 20..30") << QByteArray("n");
    QTest::newRow("nested") << QByteArray("cpu main: a 0..10 { b 1..9 { c 2..3 } }") << QByteArray("nnn");
    QTest::newRow("overlapping") << QByteArray("cpu main: a 0..10 b 5..15") << QByteArray("no");
    QTest::newRow("both") << QByteArray("cpu main: a 0..10 { c 1..4 } b 5..15 d 40..50 { e 41..42 }")
                          << QByteArray("no");
    QTest::newRow("below the one that overlaps")
        << QByteArray("cpu main: a 0..10 b 5..15 { c 12..14 }") << QByteArray("non");
    QTest::newRow("back on the lane of its depth")
        << QByteArray("cpu main: p 0..100 { a 1..10 b 5..15 c 12..20 }") << QByteArray("nno");
    QTest::newRow("on one track of two") << QByteArray("cpu 1/1: a 0..10 { b 1..2 }\ncpu 1/2: a 0..10 b 5..15")
                                         << QByteArray("nnno");
}

void TestOverlapLanes::tellsOverlapFromNesting() {
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, marked);
    const auto trace = test::traceFromText(text.toStdString());
    const auto model = buildTimelineModel(*trace);
    QByteArray found;
    for (const char isOverlap : model->overlapLane) {
        found += isOverlap != 0 ? 'o' : 'n';
    }
    QCOMPARE(found, marked);
}

/// On a real trace: one of two neighbours by begin that cross lies on a marked lane.
void TestOverlapLanes::whatCrossesLiesOnAMarkedLane() {
    JobControl job;
    const auto loaded = loadTrace({WARPLINE_TEST_DATA_DIR "/memory_oom.trace.json.gz"}, {}, job);
    QVERIFY(loaded.ok());
    const Trace& trace = *loaded.value();
    const auto model = buildTimelineModel(trace);
    const SliceColumns& slices = trace.slices();
    int crossing = 0;
    for (const Track& track : trace.tracks()) {
        for (uint32_t k = 0; k < track.laneCount; ++k) {
            QVERIFY(model->overlapLane[track.firstLane + k] == 0 || (k > 0 && track.overlaps > 0));
        }
        const auto isMarked = [&](uint32_t row) { return model->overlapLane[trace.laneOf(EventRow(row))] != 0; };
        std::vector<uint32_t> rows(track.overlaps > 0 ? track.sliceCount : 0);
        std::iota(rows.begin(), rows.end(), track.firstRow);
        std::ranges::stable_sort(rows, {}, [&](uint32_t row) { return slices.begin[row]; });
        for (auto a = rows.begin(); a != rows.end(); ++a) {
            for (auto b = a + 1; b != rows.end() && slices.begin[*b] < slices.end(*a); ++b) {
                if (slices.begin[*a] < slices.begin[*b] && slices.end(*a) < slices.end(*b)) {
                    QVERIFY(isMarked(*a) || isMarked(*b));
                    ++crossing;
                }
            }
        }
    }
    QVERIFY(crossing > 0);
}

QTEST_APPLESS_MAIN(TestOverlapLanes)
#include "tst_overlap_lanes.moc"
