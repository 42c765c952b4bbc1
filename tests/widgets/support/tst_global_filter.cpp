// SPDX-License-Identifier: GPL-3.0-or-later
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

#include "tests/support/trace_text.h"
#include "widgets/support/filter_chip.h"
#include "widgets/support/global_filter.h"
#include "widgets/support/session.h"

using namespace warpline;

class TestGlobalFilter : public QObject {
    Q_OBJECT

private slots:
    void rowsAloneHoldNothingForTables();
    void narrows_data();
    void narrows();
    void narrowingKeepsTheRest();
    void isUndoneAndDoneAgain();
    void anotherTraceForgetsIt();
    void aReloadFindsItsTracksAgain();
    void theChipTellsAndRemoves();
};

namespace {

std::shared_ptr<const Trace> twoThreads() {
    return test::traceFromText(R"(
cpu main: a 1000..2000 a 3000..4000
cpu worker: b 1500..2500
)");
}

QString shown(const std::optional<TraceFilter>& filter) {
    if (!filter) {
        return "nothing";
    }
    QString text = filter->range ? QStringLiteral("%1..%2").arg(filter->range->begin).arg(filter->range->end) : "all";
    for (const TrackId track : filter->tracks) {
        text += QStringLiteral(" %1").arg(track.value);
    }
    return text;
}

}  // namespace

void TestGlobalFilter::narrows_data() {
    using Tracks = std::vector<TrackId>;
    QTest::addColumn<std::optional<TimeRange>>("range");
    QTest::addColumn<Tracks>("tracks");
    QTest::addColumn<std::optional<TimeRange>>("globalRange");
    QTest::addColumn<Tracks>("globalTracks");
    QTest::addColumn<QString>("expected");
    using Range = std::optional<TimeRange>;
    const TrackId a(0U), b(1U), c(2U);
    const auto row = [](const char* name, Range range, Tracks tracks, Range globalRange, Tracks globalTracks,
                        const char* expected) {
        QTest::newRow(name) << range << tracks << globalRange << globalTracks << QString(expected);
    };
    row("neither", {}, {}, {}, {}, "all");
    row("own alone", TimeRange{3, 9}, {a}, {}, {}, "3..9 0");
    row("global alone", {}, {}, TimeRange{3, 9}, {b}, "3..9 1");
    row("both", TimeRange{3, 9}, {a, b}, TimeRange{5, 20}, {b, c}, "5..9 1");
    row("own tracks, all of the global", {}, {a}, TimeRange{5, 20}, {}, "5..20 0");
    row("no time in common", TimeRange{3, 5}, {}, TimeRange{5, 20}, {}, "nothing");
    row("no track in common", {}, {a}, TimeRange{5, 20}, {b, c}, "nothing");
}

void TestGlobalFilter::narrows() {
    QFETCH(std::optional<TimeRange>, range);
    QFETCH(std::vector<TrackId>, tracks);
    QFETCH(std::optional<TimeRange>, globalRange);
    QFETCH(std::vector<TrackId>, globalTracks);
    QFETCH(QString, expected);
    TraceFilter own;
    own.range = range;
    own.tracks = tracks;
    GlobalFilter global;
    if (globalRange) {
        global.area = AreaSelection{*globalRange, globalTracks};
    }
    QCOMPARE(shown(narrowed(own, global)), expected);
}

void TestGlobalFilter::narrowingKeepsTheRest() {
    TraceFilter own;
    own.text = "gemm";
    own.textIsRegex = true;
    own.categories = {"kernel"};
    const auto both = narrowed(own, {AreaSelection{{1, 2}, {}}});
    QVERIFY(both.has_value());
    QCOMPARE(both->text, std::string("gemm"));
    QVERIFY(both->textIsRegex);
    QCOMPARE(both->categories, std::vector<std::string>{"kernel"});
    QCOMPARE(both->leastDuration, 0);
    QCOMPARE(narrowed(own, {std::nullopt, 7})->leastDuration, 7);
    own.leastDuration = 9;
    QCOMPARE(narrowed(own, {std::nullopt, 7})->leastDuration, 9);
    GlobalFilter least{std::nullopt, 2'500};
    QVERIFY(!least.empty());
    const auto trace = test::traceFromText("cpu main: a 1000..2000");
    QCOMPARE(filterText(*trace, least), QString::fromUtf8("events of 2.500 µs and more"));
}

void TestGlobalFilter::isUndoneAndDoneAgain() {
    Session session;
    session.applyFilter({AreaSelection{{1, 2}, {}}});
    QVERIFY2(session.filter().empty(), "there is no trace");
    session.setTrace(twoThreads());
    QSignalSpy changed(&session, &Session::filterChanged);
    const GlobalFilter first{AreaSelection{{1000, 2000}, {}}};
    const GlobalFilter second{AreaSelection{{1000, 3000}, {TrackId(1U)}}};
    session.applyFilter(first);
    session.applyFilter(second);
    session.applyFilter(second);
    QCOMPARE(changed.count(), 2);
    session.undoStack().undo();
    QCOMPARE(session.filter(), first);
    session.undoStack().undo();
    QVERIFY(session.filter().empty());
    QVERIFY(!session.undoStack().canUndo());
    session.undoStack().redo();
    session.undoStack().redo();
    QCOMPARE(session.filter(), second);
    session.applyFilter({});
    QVERIFY(session.filter().empty());
    session.undoStack().undo();
    QCOMPARE(session.filter(), second);
    QCOMPARE(changed.count(), 8);
}

void TestGlobalFilter::anotherTraceForgetsIt() {
    Session session;
    session.setTrace(twoThreads());
    session.applyFilter({AreaSelection{{1000, 2000}, {}}});
    QSignalSpy changed(&session, &Session::filterChanged);
    session.setTrace(twoThreads());
    QVERIFY(session.filter().empty());
    QVERIFY(!session.undoStack().canUndo());
    QCOMPARE(changed.count(), 1);
}

void TestGlobalFilter::aReloadFindsItsTracksAgain() {
    Session session;
    session.setTrace(twoThreads());
    const TrackId worker = session.trace()->slices().track[2];
    session.applyFilter({AreaSelection{{1200, 1800}, {worker}}});
    QSignalSpy changed(&session, &Session::filterChanged);
    session.reloadTrace(test::traceFromText(R"(
cpu early: z 0..10
cpu main: a 1000..2000 a 3000..4000
cpu worker: b 1500..2500
)"));
    QCOMPARE(changed.count(), 1);
    QVERIFY(session.filter().area.has_value());
    QCOMPARE(session.filter().area->range, (TimeRange{1200, 1800}));
    const TrackId found = session.filter().area->tracks.at(0);
    QCOMPARE(session.trace()->string(session.trace()->track(found).label), std::string_view("worker"));
    session.undoStack().undo();
    QVERIFY(session.filter().empty());
    session.undoStack().redo();
    QCOMPARE(session.filter(), (GlobalFilter{AreaSelection{{1200, 1800}, {found}}}));
}

void TestGlobalFilter::theChipTellsAndRemoves() {
    Session session;
    FilterChip chip(session);
    QVERIFY(chip.isHidden());
    session.setTrace(twoThreads());
    QVERIFY(chip.isHidden());
    const TrackId main = session.trace()->slices().track[0];
    const TrackId worker = session.trace()->slices().track[2];
    session.applyFilter({AreaSelection{{1500, 2500}, {main, worker}}});
    QVERIFY(!chip.isHidden());
    QCOMPARE(chip.text(),
             QString::fromUtf8("Only this part counts: 1.000 µs from 500 ns on, on thread 100 and 1 more"));
    chip.showButton()->click();
    QCOMPARE(session.visibleRange(), (TimeRange{1500, 2500}));
    chip.removeButton()->click();
    QVERIFY(session.filter().empty());
    QVERIFY(chip.isHidden());
    session.undoStack().undo();
    QVERIFY(!chip.isHidden());
    session.setTrace(nullptr);
    QVERIFY(chip.isHidden());
}

void TestGlobalFilter::rowsAloneHoldNothingForTables() {
    const SectionRef row{SectionRef::Kind::Counter, ProcessId(0U), TrackId::none(), "memory"};
    const AreaSelection rows{{1000, 2000}, {}, {row}};
    QVERIFY(rows.isOfRowsAlone() && !rows.isOfAll());
    QVERIFY(!narrowed({}, {rows}).has_value());
    const AreaSelection both{{1000, 2000}, {TrackId(1U)}, {row}};
    QCOMPARE(narrowed({}, {both})->tracks, std::vector{TrackId(1U)});
    QVERIFY(!both.isOfRowsAlone() && !both.isOfAll());
    // As a filter it is its time.
    QCOMPARE(filterOf(rows), (AreaSelection{{1000, 2000}, {}}));
    QCOMPARE(filterOf(both), (AreaSelection{{1000, 2000}, {TrackId(1U)}}));
    const auto trace = twoThreads();
    QVERIFY2(filterText(*trace, {rows}).endsWith(", on memory"), qPrintable(filterText(*trace, {rows})));
}

QTEST_MAIN(TestGlobalFilter)
#include "tst_global_filter.moc"
