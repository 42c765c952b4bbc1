// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "tests/support/trace_text.h"
#include "widgets/panels/timeline/event_place.h"

using namespace warpline;
using namespace warpline::timeline;

class tst_EventPlace : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void ranges_data();
    void ranges();
    void rowsAndFolding();
    void theSampleOfACounterIsTheOneBefore();

private:
    std::shared_ptr<const Trace> m_trace;
    std::shared_ptr<const TimelineModel> m_model;
};

void tst_EventPlace::initTestCase() {
    m_trace = test::traceFromText(
        "cpu main: outer 0..900 { inner 100..300 }\n"
        "instant main: mark 450\n"
        "counter load: 100=1 400=3 800=2\n");
    m_model = buildTimelineModel(*m_trace);
}

void tst_EventPlace::ranges_data() {
    using Kind = Selection::Kind;
    QTest::addColumn<Selection>("selection");
    QTest::addColumn<bool>("known");
    QTest::addColumn<TimeRange>("range");
    QTest::newRow("nothing") << Selection() << false << TimeRange{};
    QTest::newRow("slice") << Selection::slice(EventRow(1U)) << true << TimeRange{100, 300};
    QTest::newRow("not in the trace") << Selection::slice(EventRow(2U)) << false << TimeRange{};
    QTest::newRow("moment") << Selection{Kind::Instant, 0} << true << TimeRange{450, 450};
    QTest::newRow("sample holds to the next") << Selection{Kind::CounterSample, 0, 0, 1} << true << TimeRange{400, 800};
    QTest::newRow("last sample holds to the end")
        << Selection{Kind::CounterSample, 0, 0, 2} << true << TimeRange{800, 900};
}

void tst_EventPlace::ranges() {
    QFETCH(Selection, selection);
    const std::optional<TimeRange> range = rangeOf(*m_trace, selection);
    QTEST(range.has_value(), "known");
    QTEST(range.value_or(TimeRange{}), "range");
}

void tst_EventPlace::rowsAndFolding() {
    LayoutState state = initialLayoutState(*m_trace, *m_model, 1000);
    const LaneLayout open = LaneLayout::build(*m_trace, *m_model, state);
    const auto place = placeOf(*m_trace, *m_model, open, Selection::slice(EventRow(1U)));
    QVERIFY(place.has_value());
    QCOMPARE(place->layoutRow, open.rowOfLane(m_trace->laneOf(EventRow(1U))));
    QCOMPARE(place->range, (TimeRange{100, 300}));
    state.processCollapsed.assign(state.processCollapsed.size(), 1);
    const LaneLayout folded = LaneLayout::build(*m_trace, *m_model, state);
    QCOMPARE(folded.rowOfLane(m_trace->laneOf(EventRow(1U))), -1);
    QVERIFY(!placeOf(*m_trace, *m_model, folded, Selection::slice(EventRow(1U))).has_value());
    for (const Selection& event : {Selection::slice(EventRow(1U)), Selection{Selection::Kind::Instant, 0},
                                   Selection{Selection::Kind::CounterSample, 0, 0, 0}}) {
        LayoutState opened = state;
        unfold(*m_trace, *m_model, event, opened);
        const LaneLayout layout = LaneLayout::build(*m_trace, *m_model, opened);
        QVERIFY(placeOf(*m_trace, *m_model, layout, event).has_value());
    }
}

void tst_EventPlace::theSampleOfACounterIsTheOneBefore() {
    const LaneLayout layout = LaneLayout::build(*m_trace, *m_model, initialLayoutState(*m_trace, *m_model, 1000));
    Geometry geometry;
    geometry.rows.emplace_back();
    geometry.rows[0].kind = RowKind::Counter;
    geometry.rows[0].layoutRow = static_cast<uint32_t>(layout.rowOfCounter(0));
    const Hit hit{0, RowKind::Counter, nullptr};
    const auto at = [&](TimeNs time) { return selectionOf(*m_trace, *m_model, layout, geometry, hit, time); };
    QCOMPARE(at(99).kind, Selection::Kind::None);
    QCOMPARE(at(100).sample, uint64_t{0});
    QCOMPARE(at(799).sample, uint64_t{1});
    QCOMPARE(at(5000).sample, uint64_t{2});
}

QTEST_APPLESS_MAIN(tst_EventPlace)
#include "tst_event_place.moc"
