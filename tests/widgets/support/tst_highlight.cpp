// SPDX-License-Identifier: GPL-3.0-or-later
#include <QSignalSpy>
#include <QTest>

#include <algorithm>
#include <random>
#include <string>

#include "tests/support/trace_text.h"
#include "widgets/support/highlight.h"
#include "widgets/support/session.h"

using namespace warpline;

class TestHighlight : public QObject {
    Q_OBJECT

private slots:
    void slicesAlone();
    void pointsStandAmongSlices();
    void findsByTimeAndByEvent();
    void stepsThroughAllSorts();
    void theFirstStepMayStartInView_data();
    void theFirstStepMayStartInView();

private:
    /// a 0..10  mark 5  a 20..30  load from 20 on  mark 40
    static std::shared_ptr<const Trace> mixedTrace() {
        return test::traceFromText("cpu main: a 0..10 a 20..30\ninstant main: mark 5 mark 40\ncounter load: 20=1 25=2");
    }
    static Highlight mixed() {
        using Kind = Selection::Kind;
        Highlight highlight{"a", {EventRow(0U), EventRow(1U)}, -1};
        highlight.points = std::make_shared<const std::vector<HighlightPoint>>(
            std::vector<HighlightPoint>{{1, Kind::Instant, 0}, {2, Kind::CounterSample, 0}, {2, Kind::Instant, 1}});
        return highlight;
    }
};

void TestHighlight::slicesAlone() {
    const Highlight highlight{"a", {EventRow(3U), EventRow(1U)}, -1};
    QCOMPARE(highlight.size(), size_t{2});
    QVERIFY(!highlight.empty());
    QCOMPARE(highlight.at(1), Selection::slice(EventRow(1U)));
    QVERIFY(Highlight().empty());
}

void TestHighlight::pointsStandAmongSlices() {
    using Kind = Selection::Kind;
    const Highlight highlight = mixed();
    const std::vector<Selection> expected = {Selection::slice(EventRow(0U)),
                                             {Kind::Instant, 0},
                                             Selection::slice(EventRow(1U)),
                                             {Kind::CounterSample, 0, 0, 0},
                                             {Kind::Instant, 1}};
    QCOMPARE(highlight.size(), expected.size());
    for (size_t i = 0; i < expected.size(); ++i) {
        QCOMPARE(highlight.at(i), expected[i]);
    }
}

void TestHighlight::findsByTimeAndByEvent() {
    const auto trace = mixedTrace();
    const Highlight highlight = mixed();
    for (const auto& [time, index] : std::vector<std::pair<TimeNs, size_t>>{
             {-5, 0}, {0, 0}, {1, 1}, {5, 1}, {6, 2}, {20, 2}, {21, 4}, {40, 4}, {41, 5}}) {
        QCOMPARE(firstFrom(*trace, highlight, time), index);
    }
    for (size_t i = 0; i < highlight.size(); ++i) {
        QCOMPARE(indexOf(*trace, highlight, highlight.at(i)), std::optional(i));
    }
    QVERIFY(!indexOf(*trace, highlight, {}).has_value());
    QVERIFY(!indexOf(*trace, highlight, {Selection::Kind::CounterSample, 0, 0, 1}).has_value());
    QVERIFY(!indexOf(*trace, highlight, Selection::slice(EventRow(9U))).has_value());
    QVERIFY(!indexOf(*trace, Highlight(), Selection::slice(EventRow(0U))).has_value());
}

void TestHighlight::stepsThroughAllSorts() {
    Session session;
    session.setTrace(mixedTrace());
    session.setHighlight(mixed());
    QSignalSpy revealed(&session, &Session::revealRequested);
    for (int i = 0; i < 6; ++i) {
        session.stepHighlight(+1);
        QCOMPARE(session.highlight().current, i % 5);
        QCOMPARE(session.selection(), mixed().at(static_cast<size_t>(i % 5)));
        QCOMPARE(revealed.last().first().value<Selection>(), session.selection());
    }
    session.stepHighlight(-1);
    QCOMPARE(session.highlight().current, 4);
    session.stepHighlightTo(2);
    QCOMPARE(session.selectedEvent(), EventRow(1U));
    session.stepHighlightTo(5);
    QCOMPARE(session.highlight().current, 2);
    QCOMPARE(revealed.count(), 8);
}

void TestHighlight::theFirstStepMayStartInView_data() {
    QTest::addColumn<bool>("startsInView");
    QTest::addColumn<TimeRange>("view");
    QTest::addColumn<int>("direction");
    QTest::addColumn<int>("current");
    QTest::newRow("all, forward") << false << TimeRange{20, 30} << 1 << 0;
    QTest::newRow("all, back") << false << TimeRange{20, 30} << -1 << 4;
    QTest::newRow("view, forward") << true << TimeRange{20, 30} << 1 << 2;
    QTest::newRow("view, back") << true << TimeRange{1, 20} << -1 << 1;
    QTest::newRow("nothing after") << true << TimeRange{50, 60} << 1 << 0;
    QTest::newRow("nothing before") << true << TimeRange{-10, 0} << -1 << 4;
}

void TestHighlight::theFirstStepMayStartInView() {
    QFETCH(bool, startsInView);
    QFETCH(TimeRange, view);
    QFETCH(int, direction);
    Session session;
    session.setTrace(mixedTrace());
    session.setVisibleRange(view);
    Highlight highlight = mixed();
    highlight.startsInView = startsInView;
    session.setHighlight(highlight);
    session.stepHighlight(direction);
    QTEST(session.highlight().current, "current");
}

QTEST_GUILESS_MAIN(TestHighlight)
#include "tst_highlight.moc"
