// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "tests/support/trace_text.h"
#include "widgets/panels/timeline/layout_carry.h"

using namespace warpline;
using namespace warpline::timeline;
using test::traceFromText;

class TestLayoutCarry : public QObject {
    Q_OBJECT

private slots:
    void foldingFollowsTheTracks();
};

void TestLayoutCarry::foldingFollowsTheTracks() {
    const auto before = traceFromText("cpu 1/10: a 0..10\ncpu 1/11: b 0..10\ncpu 2/20: c 0..10");
    const auto after = traceFromText("cpu 3/30: z 0..10\ncpu 2/20: c 0..10\ncpu 1/11: b 0..10\ncpu 1/12: n 0..5");
    const auto trackOf = [](const Trace& trace, std::string_view slice) {
        for (uint32_t row = 0; row < trace.sliceCount(); ++row) {
            if (trace.sliceName(EventRow(row)) == slice) {
                return trace.slices().track[row];
            }
        }
        return TrackId::none();
    };
    const auto beforeModel = buildTimelineModel(*before);
    const auto afterModel = buildTimelineModel(*after);
    LayoutState state = initialLayoutState(*before, *beforeModel, 400);
    state.tracks[trackOf(*before, "b").value] = {true, false};
    state.processCollapsed[before->track(trackOf(*before, "c")).process.value] = 1;

    const LayoutState carried = carriedLayout({*before, *beforeModel, state}, *after, *afterModel,
                                              initialLayoutState(*after, *afterModel, 400));

    QVERIFY(carried.tracks[trackOf(*after, "b").value].collapsed);
    QVERIFY(!carried.tracks[trackOf(*after, "n").value].collapsed);
    QVERIFY(!carried.tracks[trackOf(*after, "z").value].collapsed);
    QCOMPARE(int(carried.processCollapsed[after->track(trackOf(*after, "c")).process.value]), 1);
    QCOMPARE(int(carried.processCollapsed[after->track(trackOf(*after, "b")).process.value]), 0);
    QCOMPARE(int(carried.processCollapsed[after->track(trackOf(*after, "z")).process.value]), 0);
}

QTEST_GUILESS_MAIN(TestLayoutCarry)
#include "tst_layout_carry.moc"
