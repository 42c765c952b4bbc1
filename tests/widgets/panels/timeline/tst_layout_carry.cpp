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
    void foldingFollowsDerivedRows();
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

void TestLayoutCarry::foldingFollowsDerivedRows() {
    const auto before = traceFromText("gpu 0 stream 7: a 0..5\ngpu 1 stream 7: b 0..5");
    const auto after = traceFromText("gpu 1 stream 7: b 0..5\ngpu 1 stream 8: c 0..5\ngpu 0 stream 7: a 0..5");
    const auto beforeModel = buildTimelineModel(*before);
    const auto afterModel = buildTimelineModel(*after);
    LayoutState state = initialLayoutState(*before, *beforeModel, 400);
    state.derivedCollapsed.assign(beforeModel->derived.size(), 0);
    const auto isIt = [](const Trace& trace, const DerivedRow& row) {
        return row.kind == DerivedKind::Annotations && trace.string(*trace.process(row.process).pid) == "1";
    };
    for (size_t i = 0; i < beforeModel->derived.size(); ++i) {
        state.derivedCollapsed[i] = isIt(*before, beforeModel->derived[i]) ? 1 : 0;
    }
    const LayoutState carried = carriedLayout({*before, *beforeModel, state}, *after, *afterModel,
                                              initialLayoutState(*after, *afterModel, 400));
    QCOMPARE(carried.derivedCollapsed.size(), afterModel->derived.size());
    QCOMPARE(afterModel->derived.size(), size_t{5});
    for (size_t i = 0; i < afterModel->derived.size(); ++i) {
        QCOMPARE(carried.derivedCollapsed[i] != 0, isIt(*after, afterModel->derived[i]));
    }
}

QTEST_GUILESS_MAIN(TestLayoutCarry)
#include "tst_layout_carry.moc"
