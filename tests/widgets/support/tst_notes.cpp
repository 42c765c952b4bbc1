// SPDX-License-Identifier: GPL-3.0-or-later
#include <QSignalSpy>
#include <QTest>

#include "tests/support/trace_text.h"
#include "widgets/support/notes.h"
#include "widgets/support/session.h"

using namespace warpline;

class TestNotes : public QObject {
    Q_OBJECT

private slots:
    void oneMarkIsNotKept();
    void bookmarksGetFreeNames();
    void areUndone();
    void anotherTraceForgetsThem();
    void aReloadFindsTheirTracksAgain();
    void aMarkWithoutTracksIsNoMarkOnAll();
};

namespace {

const AreaSelection kFirst{{10, 20}, {}};
const AreaSelection kSecond{{30, 40}, {}};
const AreaSelection kThird{{50, 60}, {TrackId(1U)}};

}  // namespace

void TestNotes::oneMarkIsNotKept() {
    Notes notes = withMark({}, kFirst, "a", false);
    notes = withMark(notes, kSecond, "b", false);
    QCOMPARE(notes.marks, (std::vector<Mark>{{kSecond, "b", false}}));
    notes = withMark(notes, kThird, "c", true);
    QCOMPARE(notes.marks, (std::vector<Mark>{{kSecond, "b", false}, {kThird, "c", true}}));
    notes = withMark(notes, kFirst, "a", false);
    QCOMPARE(notes.marks, (std::vector<Mark>{{kThird, "c", true}, {kFirst, "a", false}}));
    // The same stretch once more: kept now, with the note that it has.
    notes = withMark(notes, kFirst, "z", true);
    QCOMPARE(notes.marks, (std::vector<Mark>{{kThird, "c", true}, {kFirst, "a", true}}));
    QCOMPARE(withMark(notes, kThird, "", false), notes);
}

void TestNotes::bookmarksGetFreeNames() {
    Notes notes;
    QCOMPARE(freeBookmarkName(notes), QString("Bookmark 1"));
    notes.bookmarks = {{"Bookmark 1", {}, {}}, {"mine", {}, {}}, {"Bookmark 3", {}, {}}};
    QCOMPARE(freeBookmarkName(notes), QString("Bookmark 2"));
}

void TestNotes::areUndone() {
    Session session;
    session.applyNotes(withMark({}, kFirst, "a", true), "mark");
    QCOMPARE(session.notes(), Notes());
    session.setTrace(test::traceFromText("cpu main: a 0..100"));
    QSignalSpy changed(&session, &Session::notesChanged);
    const Notes one = withMark({}, kFirst, "a", true);
    session.applyNotes(one, "mark");
    session.applyNotes(one, "mark");
    QCOMPARE(changed.count(), 1);
    session.applyFilter({kSecond});
    session.undoStack().undo();
    QCOMPARE(session.notes(), one);
    QCOMPARE(session.undoStack().undoText(), QString("mark"));
    session.undoStack().undo();
    QCOMPARE(session.notes(), Notes());
    session.undoStack().redo();
    QCOMPARE(session.notes(), one);
    QCOMPARE(changed.count(), 3);
}

void TestNotes::anotherTraceForgetsThem() {
    Session session;
    session.setTrace(test::traceFromText("cpu main: a 0..100"));
    session.applyNotes(withMark({}, kFirst, "a", true), "mark");
    QSignalSpy changed(&session, &Session::notesChanged);
    session.setTrace(test::traceFromText("cpu main: a 0..100"));
    QCOMPARE(session.notes(), Notes());
    QCOMPARE(changed.count(), 1);
}

void TestNotes::aReloadFindsTheirTracksAgain() {
    Session session;
    session.setTrace(test::traceFromText("cpu main: a 0..100\ncpu worker: b 5..9\ncpu short: c 1..2"));
    const auto trackOf = [&session](const char* label) {
        for (uint32_t id = 0; id < session.trace()->tracks().size(); ++id) {
            if (session.trace()->string(session.trace()->track(TrackId(id)).label) == label) {
                return TrackId(id);
            }
        }
        return TrackId::none();
    };
    const TrackId worker = trackOf("worker");
    const TrackId gone = trackOf("short");
    QVERIFY(worker && gone);
    Notes notes;
    notes.bookmarks = {{"w", {3, 9}, worker}, {"g", {3, 9}, gone}};
    notes.marks = {{{{1, 2}, {worker}}, "m", true}, {{{3, 4}, {gone}}, "n", false}};
    session.applyNotes(notes, "all");
    const QString shortTid =
        QString::fromStdString(std::string(session.trace()->string(*session.trace()->track(gone).tid)));
    const QStringList said =
        session.reloadTrace(test::traceFromText("cpu early: z 0..1\ncpu main: a 0..100\ncpu worker: b 5..9"));
    const TrackId now = trackOf("worker");
    Notes expected;
    expected.bookmarks = {{"w", {3, 9}, now}, {"g", {3, 9}, {}}};
    const Mark lost{{{3, 4}, {}}, "n", false, {{0, QString("100"), shortTid}}};
    expected.marks = {{{{1, 2}, {now}}, "m", true}, lost};
    QCOMPARE(session.notes(), expected);
    QVERIFY(session.notes().marks[1].isWithoutTracks() && !session.notes().marks[0].isWithoutTracks());
    QCOMPARE(said,
             QStringList{"The track of a mark is not in the trace any more: the mark stands on the ruler alone."});
    // It is said once; and a load that has the track has the mark as it was.
    QCOMPARE(session.reloadTrace(test::traceFromText("cpu main: a 0..100\ncpu worker: b 5..9")), QStringList());
    QCOMPARE(session.notes().marks[1], lost);
    session.reloadTrace(
        test::traceFromText("cpu earlier: y 0..1\ncpu main: a 0..100\ncpu worker: b 5..9\ncpu short: c 1..2"));
    QCOMPARE(session.notes().marks[1], (Mark{{{3, 4}, {trackOf("short")}}, "n", false}));
}

/// An area on all tracks is another one.
void TestNotes::aMarkWithoutTracksIsNoMarkOnAll() {
    const Mark lost{{{3, 4}, {}}, "n", true, {{0, QString("1"), QString("2")}}};
    const Notes notes = withMark({{}, {lost}}, {{3, 4}, {}}, "all", true);
    QCOMPARE(notes.marks, (std::vector<Mark>{lost, {{{3, 4}, {}}, "all", true}}));
    QCOMPARE(withMark(notes, {{3, 4}, {}}, "", true), notes);
}

QTEST_APPLESS_MAIN(TestNotes)
#include "tst_notes.moc"
