// SPDX-License-Identifier: GPL-3.0-or-later
#include <QSignalSpy>
#include <QTest>

#include "tests/support/trace_text.h"
#include "widgets/support/session.h"

using namespace warpline;

class TestSession : public QObject {
    Q_OBJECT

private slots:
    void aTraceReplacesEverything();
    void settersAreSilentWhenNothingChanges();
    void rowsOutsideOfTheTraceSelectNothing();
    void stepping_data();
    void stepping();
    void steppingRevealsTheInstance();
    void anyEventCanBeSelected();
    void rowsAreSharedAndNotCopied();
    void whatAPanelSetsOnANewTraceStays();
    void aReloadKeepsWhatIsLookedAt();
    void aReloadForgetsWhatIsGone();
    void aReloadSaysWhatIsGone();
    void aReloadKeepsTheStepsThatAreUndone();
    void foldingAndPanelStatesAreOfTheTrace();
};

namespace {

std::shared_ptr<const Trace> threeOps() {
    return test::traceFromText("cpu main: a 0..10 a 20..30 a 40..50");
}

}  // namespace

void TestSession::aTraceReplacesEverything() {
    Session session;
    session.setTrace(threeOps());
    QCOMPARE(session.visibleRange(), (TimeRange{0, 50}));
    session.selectEvent(EventRow(1U));
    session.setArea(AreaSelection{{5, 25}, {}});
    session.setHighlight({"a", {EventRow(0U), EventRow(1U)}, -1});
    session.setVisibleRange({5, 6});
    QSignalSpy trace(&session, &Session::traceChanged);
    QSignalSpy selected(&session, &Session::selectedEventChanged);
    QSignalSpy area(&session, &Session::areaChanged);
    QSignalSpy highlight(&session, &Session::highlightChanged);

    session.setTrace(test::traceFromText("cpu main: b 100..300"));

    QVERIFY(!session.selectedEvent().valid());
    QVERIFY(!session.area().has_value());
    QCOMPARE(session.highlight(), Highlight());
    QCOMPARE(session.visibleRange(), (TimeRange{100, 300}));
    QCOMPARE(trace.count(), 1);
    QCOMPARE(selected.count(), 1);
    QCOMPARE(area.count(), 1);
    QCOMPARE(highlight.count(), 1);
    session.setTrace(nullptr);
    QCOMPARE(session.visibleRange(), TimeRange());
    QCOMPARE(selected.count(), 1);
}

void TestSession::settersAreSilentWhenNothingChanges() {
    Session session;
    session.setTrace(threeOps());
    session.selectEvent(EventRow(1U));
    session.setArea(AreaSelection{{1, 2}, {}});
    const SharedRows rows{EventRow(0U)};
    session.setHighlight({"a", rows, 0});
    session.setVisibleRange({1, 2});
    QSignalSpy trace(&session, &Session::traceChanged);
    QSignalSpy selected(&session, &Session::selectedEventChanged);
    QSignalSpy area(&session, &Session::areaChanged);
    QSignalSpy highlight(&session, &Session::highlightChanged);
    QSignalSpy visible(&session, &Session::visibleRangeChanged);
    session.setTrace(session.trace());
    session.selectEvent(EventRow(1U));
    session.setArea(AreaSelection{{1, 2}, {}});
    session.setHighlight({"a", rows, 0});
    session.setVisibleRange({1, 2});
    QCOMPARE(trace.count() + selected.count() + area.count() + highlight.count() + visible.count(), 0);
}

void TestSession::rowsOutsideOfTheTraceSelectNothing() {
    Session session;
    session.selectEvent(EventRow(0U));
    QVERIFY(!session.selectedEvent().valid());
    session.setTrace(threeOps());
    session.selectEvent(EventRow(2U));
    QCOMPARE(session.selectedEvent(), EventRow(2U));
    session.selectEvent(EventRow(3U));
    QVERIFY(!session.selectedEvent().valid());
}

void TestSession::stepping_data() {
    QTest::addColumn<int>("from");
    QTest::addColumn<int>("direction");
    QTest::addColumn<int>("to");
    QTest::newRow("first step") << -1 << +1 << 0;
    QTest::newRow("first step back") << -1 << -1 << 2;
    QTest::newRow("on") << 0 << +1 << 1;
    QTest::newRow("back") << 1 << -1 << 0;
    QTest::newRow("wraps at the end") << 2 << +1 << 0;
    QTest::newRow("wraps at the begin") << 0 << -1 << 2;
}

void TestSession::stepping() {
    QFETCH(int, from);
    QFETCH(int, direction);
    QFETCH(int, to);
    Session session;
    session.setTrace(threeOps());
    session.setHighlight({"a", {EventRow(0U), EventRow(1U), EventRow(2U)}, from});
    session.stepHighlight(direction);
    QCOMPARE(session.highlight().current, to);
    QCOMPARE(session.selectedEvent(), EventRow(static_cast<uint32_t>(to)));
}

void TestSession::steppingRevealsTheInstance() {
    Session session;
    session.setTrace(threeOps());
    QSignalSpy revealed(&session, &Session::revealRequested);
    session.stepHighlight(+1);
    QCOMPARE(revealed.count(), 0);
    session.setHighlight({"a", {EventRow(1U)}, -1});
    session.stepHighlight(+1);
    session.stepHighlight(+1);
    QCOMPARE(revealed.count(), 2);
    QCOMPARE(revealed.last().first().value<Selection>(), Selection::slice(EventRow(1U)));
}

void TestSession::anyEventCanBeSelected() {
    Session session;
    session.setTrace(test::traceFromText("cpu main: a 0..10\ninstant main: mark 3\ncounter load: 0=1 5=2"));
    QSignalSpy any(&session, &Session::selectionChanged);
    QSignalSpy slice(&session, &Session::selectedEventChanged);
    session.select({Selection::Kind::Instant, 0});
    QCOMPARE(session.selection().kind, Selection::Kind::Instant);
    QVERIFY(!session.selectedEvent().valid());
    QCOMPARE(any.count(), 1);
    QCOMPARE(slice.count(), 0);
    session.select({Selection::Kind::CounterSample, 0, 0, 1});
    QCOMPARE(session.selection().sample, uint64_t{1});
    session.select({Selection::Kind::CounterSample, 0, 0, 2});
    QCOMPARE(session.selection(), Selection());
    session.selectEvent(EventRow(0U));
    QCOMPARE(slice.count(), 1);
    session.select({Selection::Kind::AsyncSlice, 0});
    QCOMPARE(session.selection(), Selection());
    QCOMPARE(slice.count(), 2);
}

void TestSession::rowsAreSharedAndNotCopied() {
    const SharedRows rows{EventRow(0U), EventRow(1U)};
    const SharedRows same = rows;
    QCOMPARE(same.rows().data(), rows.rows().data());
    QCOMPARE(same, rows);
    // Equal contents elsewhere are another list: nobody compares them one by one.
    QVERIFY(SharedRows({EventRow(0U), EventRow(1U)}) != rows);
    QCOMPARE(SharedRows(), SharedRows());
}

void TestSession::whatAPanelSetsOnANewTraceStays() {
    Session session;
    session.setTrace(threeOps());
    session.selectEvent(EventRow(2U));
    connect(&session, &Session::traceChanged, &session, [&] { session.selectEvent(EventRow(0U)); });
    QSignalSpy selected(&session, &Session::selectedEventChanged);
    session.setTrace(threeOps());
    QCOMPARE(session.selectedEvent(), EventRow(0U));
    QCOMPARE(selected.count(), 1);
}

void TestSession::aReloadKeepsWhatIsLookedAt() {
    Session session;
    session.setTrace(threeOps());
    session.selectEvent(EventRow(1U));
    session.setArea(AreaSelection{{5, 25}, {TrackId(0U)}});
    session.setHighlight({"a", {EventRow(0U), EventRow(1U)}, -1});
    session.setVisibleRange({5, 6});
    QSignalSpy selected(&session, &Session::selectedEventChanged);
    bool keeps = false;
    connect(&session, &Session::traceChanged, this, [&] { keeps = session.keepsView(); });

    session.reloadTrace(test::traceFromText("cpu main: a 0..10 b 12..15 a 20..30 a 40..50 a 60..90"));

    QVERIFY(keeps);
    QVERIFY(!session.keepsView());
    QCOMPARE(session.selectedEvent(), EventRow(2U));
    QCOMPARE(selected.count(), 1);
    QCOMPARE(session.area(), (AreaSelection{{5, 25}, {TrackId(0U)}}));
    QCOMPARE(session.visibleRange(), (TimeRange{5, 6}));
    QCOMPARE(session.highlight(), Highlight());
}

void TestSession::aReloadForgetsWhatIsGone() {
    Session session;
    session.setTrace(threeOps());
    session.selectEvent(EventRow(1U));
    session.setArea(AreaSelection{{5, 25}, {TrackId(0U)}});
    QSignalSpy selected(&session, &Session::selectedEventChanged);
    QSignalSpy area(&session, &Session::areaChanged);
    session.reloadTrace(test::traceFromText("cpu other: a 0..10"));
    QVERIFY(!session.selectedEvent().valid());
    QVERIFY(!session.area().has_value());
    QCOMPARE(selected.count(), 1);
    QCOMPARE(area.count(), 1);
}

void TestSession::aReloadSaysWhatIsGone() {
    Session session;
    session.setTrace(test::traceFromText("cpu main: a 0..10\ncpu worker: b 0..10"));
    const ProcessId process = session.trace()->track(TrackId(0U)).process;
    const SectionRef main = SectionRef::ofTrack(process, TrackId(0U));
    const SectionRef worker = SectionRef::ofTrack(process, TrackId(1U));
    session.applyFilter({AreaSelection{{0, 5}, {worker.track}}});
    session.applyArrangement({{worker, main}, {worker}, {}, {}}, "all");
    session.setFolding(TrackFolding{{main, worker}, {worker, main}});
    QSignalSpy filter(&session, &Session::filterChanged);
    const QStringList lost = session.reloadTrace(test::traceFromText("cpu main: a 0..10"));
    QCOMPARE(lost, (QStringList{"None of the filter's tracks is in the trace any more, so nothing is filtered.",
                                "2 of the pinned and hidden tracks are not in the trace any more."}));
    QVERIFY(session.filter().empty());
    QCOMPARE(filter.count(), 1);
    QCOMPARE(session.arrangement().pinned, std::vector<SectionRef>{main});
    QCOMPARE(session.folding(), std::optional(TrackFolding{{main}, {main}}));
    // A filter that is still there is no news.
    session.applyFilter({AreaSelection{{0, 5}, {main.track}}});
    QCOMPARE(session.reloadTrace(test::traceFromText("cpu main: a 0..10")), QStringList());
    QVERIFY(!session.filter().empty());
}

void TestSession::aReloadKeepsTheStepsThatAreUndone() {
    Session session;
    session.setTrace(test::traceFromText("cpu main: a 0..10\ncpu worker: b 0..10"));
    const ProcessId process = session.trace()->track(TrackId(0U)).process;
    const SectionRef main = SectionRef::ofTrack(process, TrackId(0U));
    const SectionRef worker = SectionRef::ofTrack(process, TrackId(1U));
    session.applyArrangement({{main}, {}, {}, {}}, "pin");
    session.applyFilter({AreaSelection{{0, 5}, {worker.track}}});
    session.applyArrangement({{main}, {worker}, {}, {}}, "hide");
    session.applyNotes(withMark({}, {{1, 2}, {main.track}}, "m", true), "mark");
    session.applyFolding({{main}, {}}, "fold");
    session.undoStack().undo();
    QSignalSpy arrangement(&session, &Session::arrangementChanged);
    QSignalSpy notes(&session, &Session::notesChanged);
    session.reloadTrace(test::traceFromText("cpu early: z 0..1\ncpu main: a 0..10"));
    // Each is told once, as ever.
    QCOMPARE(arrangement.count(), 1);
    QCOMPARE(notes.count(), 1);
    const bool isFirst = session.trace()->sliceName(EventRow(0U)) == "a";
    const TrackId now = session.trace()->slices().track[isFirst ? 0 : 1];
    const SectionRef mainNow = SectionRef::ofTrack(session.trace()->track(now).process, now);
    // The filter and what was hidden were of the track that is gone.
    QStringList steps;
    for (int i = 0; i < session.undoStack().count(); ++i) {
        steps << session.undoStack().text(i);
    }
    QCOMPARE(steps, (QStringList{"pin", "mark", "fold"}));
    QCOMPARE(session.undoStack().index(), 2);
    QCOMPARE(session.arrangement(), (TrackArrangement{{mainNow}, {}, {}, {}}));
    QCOMPARE(session.notes(), withMark({}, {{1, 2}, {now}}, "m", true));
    QVERIFY(!session.folding());
    session.undoStack().redo();
    QCOMPARE(session.folding(), std::optional(TrackFolding{{mainNow}, {}}));
    session.undoStack().undo();
    session.undoStack().undo();
    QCOMPARE(session.notes(), Notes());
    session.undoStack().undo();
    QVERIFY(session.arrangement().empty() && !session.undoStack().canUndo());
}

void TestSession::foldingAndPanelStatesAreOfTheTrace() {
    Session session;
    session.setFolding(TrackFolding{});
    QVERIFY(!session.folding());  // there is nothing to fold
    session.setTrace(threeOps());
    QSignalSpy folding(&session, &Session::foldingChanged);
    QSignalSpy panel(&session, &Session::panelStateChanged);
    session.setFolding(TrackFolding{});
    session.setFolding(TrackFolding{});
    QCOMPARE(folding.count(), 1);
    session.setPanelState("search", "{}");
    session.setPanelState("search", "{}");
    session.setPanelState("op_table", "1");
    session.setPanelState("op_table", "");
    QCOMPARE(panel.count(), 3);
    QCOMPARE(session.panelStates(), (PanelStates{{"search", "{}"}}));
    session.setTrace(threeOps());
    QVERIFY(!session.folding());
    QVERIFY(session.panelStates().isEmpty());
}

QTEST_MAIN(TestSession)
#include "tst_session.moc"
