// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "core/trace/process_title.h"
#include "tests/core/loaders/loader_testing.h"
#include "tests/support/trace_text.h"
#include "widgets/support/session_file.h"

using namespace warpline;

class TestSessionFile : public QObject {
    Q_OBJECT

private slots:
    void comesBackAsItWas();
    void pathsAreRelative();
    void isReadable();
    void refuses_data();
    void refuses();
    void cutsAndFlipsAreSurvived();
    void restoresOnAnotherLoad();
    void anyEventIsSelectedAgain_data();
    void anyEventIsSelectedAgain();
    void theScrollPlaceIsRestored();
    void rowsOfAreasAreFoundAgain();
    void saysWhatIsLost();
    void sectionsOfNoProcessAreLost();
    void tracksAreArrangedAgain();
    void aSessionOfBeforeArrangesNothing();
    void saysWhichTracksAreLost();

private:
    static SessionDocument full();
};

namespace {

constexpr auto kTrace = "cpu main: a 0..100 { b 10..20 }\ncpu worker: c 5..50\ngpu 0 stream 7: k 30..60";

TrackId trackOf(const Trace& trace, const char* label) {
    for (uint32_t id = 0; id < trace.tracks().size(); ++id) {
        if (trackTitle(trace, TrackId(id)) == label) {
            return TrackId(id);
        }
    }
    return TrackId::none();
}

EventRow rowOf(const Trace& trace, const char* name) {
    for (uint32_t row = 0; row < trace.sliceCount(); ++row) {
        if (trace.sliceName(EventRow(row)) == name) {
            return EventRow(row);
        }
    }
    return EventRow::none();
}

}  // namespace

SessionDocument TestSessionFile::full() {
    const TrackKey track{0, QString("4370"), QString("GPU 0 \"x\"")};
    const TrackKey nameless{1, std::nullopt, std::nullopt};
    SessionDocument document;
    document.files = {{"/data/run/a.json", 1234, std::nullopt}, {"/data/run/b/b.json", -1, -1'500'000}};
    document.view = {-5, 9'007'199'254'740'993};
    document.filter = SavedArea{{10, 20}, {track, nameless}};
    document.leastDuration = 2'500;
    document.area = SavedArea{
        {1, 2}, {}, {{SectionRef::Kind::Async, {0, QString("4370"), std::nullopt}, QString::fromUtf8("requête")}}};
    document.scrollPlace = {{SectionRef::Kind::Counter, {0, QString("4370"), std::nullopt}, "memory"}, 17};
    document.selected = SessionDocument::Selected{Selection::Kind::CounterSample,
                                                  {0, QString("4370"), std::nullopt},
                                                  77,
                                                  QString::fromUtf8("gemm<µ>\n"),
                                                  "0x1",
                                                  "bytes"};
    document.bookmarks = {{"one", {1, 5}, track}, {QString::fromUtf8("zwei ✓"), {2, 6}, std::nullopt}};
    document.marks = {{{{3, 4}, {nameless}}, "slow here", true}, {{{5, 6}, {}}, "", false}};
    const TrackKey process{0, QString("4370"), std::nullopt};
    document.pinned = {{SectionRef::Kind::Track, track, {}}, {SectionRef::Kind::Track, nameless, {}}};
    document.hidden = {{SectionRef::Kind::Process, process, {}},
                       {SectionRef::Kind::Derived, {-1, std::nullopt, std::nullopt}, "GPU busy"}};
    document.order = {{SectionRef::Kind::Async, process, QString::fromUtf8("requêtes \"x\"")}};
    document.heights = {{{SectionRef::Kind::Counter, process, "memory"}, 80}};
    document.folding = SessionDocument::Folding{{{SectionRef::Kind::Process, process, {}}}, {}};
    document.panels = {{"op_table", R"({"regex":true,"text":"a\\d"})"}, {"search", R"({"text":"ü"})"}};
    return document;
}

void TestSessionFile::comesBackAsItWas() {
    const QDir folder("/data/run");
    const QByteArray text = writeSession(full(), folder);
    const auto read = readSession(text, folder);
    QVERIFY2(read.ok(), read.ok() ? "" : read.error().message.c_str());
    QVERIFY(read.value() == full());
    QCOMPARE(read.value().placement(), (settings::Placement{{"/data/run/b/b.json", -1'500'000}}));
}

void TestSessionFile::pathsAreRelative() {
    const QByteArray text = writeSession(full(), QDir("/data/run"));
    QVERIFY(text.contains("\"a.json\"") && text.contains("\"b/b.json\""));
    // The folder was moved as a whole.
    const auto moved = readSession(text, QDir("/home/else"));
    QCOMPARE(moved.value().paths(), (QStringList{"/home/else/a.json", "/home/else/b/b.json"}));
    // From far away the whole path is the shorter one.
    const QByteArray far = writeSession(full(), QDir("/somewhere/else/and/very/deep/down"));
    QVERIFY(far.contains("\"/data/run/a.json\""));
}

void TestSessionFile::isReadable() {
    SessionDocument document;
    document.files = {{"/t/a.json", 10, std::nullopt}};
    document.view = {1, 2};
    QCOMPARE(writeSession(document, QDir("/t")), QByteArray(R"({
  "warpline_session": 1,
  "files": [
    {
      "path": "a.json",
      "bytes": 10
    }
  ],
  "view": {
    "begin_ns": 1,
    "end_ns": 2
  },
  "bookmarks": [],
  "marks": []
}
)"));
}

void TestSessionFile::refuses_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("reason");
    const QByteArray head = R"({"warpline_session":1,"files":[{"path":"a.json"}],"view":{"begin_ns":1,"end_ns":2})";
    QTest::newRow("nothing") << QByteArray() << "no session file";
    QTest::newRow("no JSON") << QByteArray("{") << "no session file";
    QTest::newRow("a trace") << QByteArray("{\"traceEvents\": []}") << "no session file";
    QTest::newRow("a list") << QByteArray("[1]") << "no session file";
    QTest::newRow("deep") << QByteArray(100'000, '[') << "no session file";
    QTest::newRow("deep and whole") << "{\"warpline_session\":1,\"x\":" + QByteArray(100, '[') + QByteArray(100, ']') +
                                           "}"
                                    << "no session file";
    QTest::newRow("a later version") << QByteArray("{\"warpline_session\":2}") << "version 2";
    QTest::newRow("a word for a version") << QByteArray("{\"warpline_session\":\"1\"}") << "no whole number";
    QTest::newRow("no files") << QByteArray("{\"warpline_session\":1}") << "lists no file";
    QTest::newRow("files of another kind")
        << QByteArray("{\"warpline_session\":1,\"files\":7}") << "\"files\" is no list";
    QTest::newRow("a file without a path")
        << QByteArray("{\"warpline_session\":1,\"files\":[{}]}") << "\"path\" is missing";
    QTest::newRow("a number for a file") << QByteArray("{\"warpline_session\":1,\"files\":[5]}") << "is expected";
    QTest::newRow("no view") << QByteArray("{\"warpline_session\":1,\"files\":[{\"path\":\"a\"}]}")
                             << "\"view\" is missing";
    QTest::newRow("half a view") << QByteArray(head).replace(",\"end_ns\":2", "") + "}"
                                 << "\"end_ns\" is missing";
    QTest::newRow("a view backwards") << QByteArray(head).replace("\"end_ns\":2", "\"end_ns\":0") + "}"
                                      << "ends before";
    QTest::newRow("a fraction") << QByteArray(head).replace("\"end_ns\":2", "\"end_ns\":2.5") + "}"
                                << "no whole number";
    QTest::newRow("too large") << QByteArray(head).replace("\"end_ns\":2", "\"end_ns\":18446744073709551615") + "}"
                               << "no whole number";
    QTest::newRow("beyond a trace") << QByteArray(head).replace("\"end_ns\":2", "\"end_ns\":9223372036854775807") + "}"
                                    << "beyond what a trace holds";
    QTest::newRow("a track of no file") << head + R"(,"area":{"begin_ns":1,"end_ns":2,"tracks":[{"file":1}]}})"
                                        << "not listed";
    QTest::newRow("a number for a name") << head + R"(,"bookmarks":[{"name":1,"begin_ns":1,"end_ns":2}]})"
                                         << "\"name\" is no text";
    QTest::newRow("tracks that are a list") << head + R"(,"tracks":[]})"
                                            << "\"tracks\" is no object";
    QTest::newRow("a track of no kind") << head + R"(,"tracks":{"pinned":[{"file":0}]}})"
                                        << "\"kind\" is missing";
    QTest::newRow("a track of another kind") << head + R"(,"tracks":{"pinned":[{"kind":"row","file":0}]}})"
                                             << "none that a track has";
    QTest::newRow("a counter without a title") << head + R"(,"tracks":{"hidden":[{"kind":"counter","file":0}]}})"
                                               << "\"title\" is missing";
    QTest::newRow("a height without pixels")
        << head + R"(,"tracks":{"heights":[{"kind":"track","file":0,"pid":"1","tid":"1"}]}})"
        << "\"pixels\" is missing";
    QTest::newRow("an area of a process")
        << head + R"(,"area":{"begin_ns":1,"end_ns":2,"rows":[{"kind":"process","file":0}]}})"
        << "neither of async work nor of a counter";
    QTest::newRow("an event of no kind")
        << head + R"(,"selected":{"kind":"bar","track":{"file":0},"begin_ns":1,"name":"a"}})"
        << "none that an event has";
    QTest::newRow("a top without pixels")
        << QByteArray(head).replace("\"end_ns\":2}", R"("end_ns":2,"top":{"kind":"process","file":0}}})")
        << "\"pixels\" is missing";
    QTest::newRow("panels that are a list") << head + R"(,"panels":[]})"
                                            << "\"panels\" is no object";
    QTest::newRow("a word for kept") << head + R"(,"marks":[{"note":"","kept":"no","begin_ns":1,"end_ns":2}]})"
                                     << "neither true nor false";
}

void TestSessionFile::refuses() {
    QFETCH(QByteArray, text);
    QFETCH(QString, reason);
    const auto read = readSession(text, QDir("/"));
    QVERIFY(!read.ok());
    QVERIFY2(QString::fromStdString(read.error().message).contains(reason), read.error().message.c_str());
}

void TestSessionFile::cutsAndFlipsAreSurvived() {
    const QByteArray text = writeSession(full(), QDir("/"));
    for (qsizetype length = 0; length < text.size() - 2; ++length) {
        QVERIFY(!readSession(text.left(length), QDir("/")).ok());
    }
    int readable = 0;
    for (qsizetype at = 0; at < text.size(); ++at) {
        for (const char byte : {'0', '"', '{', '}', '[', '-', '\0', '\xff'}) {
            QByteArray changed = text;
            changed[at] = byte;
            readable += readSession(changed, QDir("/")).ok() ? 1 : 0;
        }
    }
    QVERIFY(readable > 0);
}

void TestSessionFile::restoresOnAnotherLoad() {
    Session session;
    session.setTrace(test::traceFromText(kTrace));
    const Trace& trace = *session.trace();
    const TrackId worker = trackOf(trace, "worker");
    session.selectEvent(rowOf(trace, "b"));
    session.setArea(AreaSelection{{5, 25}, {worker}});
    session.applyFilter({AreaSelection{{0, 70}, {}}, 12});
    Notes notes;
    notes.bookmarks = {{"w", {3, 9}, worker}};
    notes.marks = {{{{30, 60}, {trackOf(trace, "stream 7")}}, "the kernel", true}};
    session.applyNotes(notes, "all");
    session.setVisibleRange({7, 33});
    const SessionDocument document = documentOf(session, {"/t/x.json"}, {});

    Session other;
    other.setTrace(test::traceFromText(std::string("cpu early: z 0..1\n") + kTrace));
    QCOMPARE(restoreSession(readSession(writeSession(document, QDir("/t")), QDir("/t")).value(), other), QStringList());
    const Trace& now = *other.trace();
    QVERIFY(trackOf(now, "worker") != worker);
    QCOMPARE(now.sliceName(other.selectedEvent()), std::string_view("b"));
    QCOMPARE(other.area(), std::optional(AreaSelection{{5, 25}, {trackOf(now, "worker")}}));
    QCOMPARE(other.filter(), (GlobalFilter{AreaSelection{{0, 70}, {}}, 12}));
    QCOMPARE(other.notes().bookmarks, (std::vector<Bookmark>{{"w", {3, 9}, trackOf(now, "worker")}}));
    QCOMPARE(other.notes().marks, (std::vector<Mark>{{{{30, 60}, {trackOf(now, "stream 7")}}, "the kernel", true}}));
    QCOMPARE(other.visibleRange(), (TimeRange{7, 33}));
    QVERIFY(!other.undoStack().canUndo());
}

namespace {

/// Two of each that begin together, told apart by track, id or name.
constexpr auto kEvents = R"({"ph":"X","pid":1,"tid":1,"ts":1,"dur":9,"name":"a"},
{"ph":"i","pid":1,"tid":1,"ts":3,"name":"m","s":"t"},{"ph":"i","pid":1,"tid":2,"ts":3,"name":"m","s":"t"},
{"ph":"b","cat":"c","name":"x","id":1,"pid":1,"tid":1,"ts":5},{"ph":"e","cat":"c","name":"x","id":1,"pid":1,"tid":1,"ts":9},
{"ph":"b","cat":"c","name":"x","id":2,"pid":1,"tid":1,"ts":5},{"ph":"e","cat":"c","name":"x","id":2,"pid":1,"tid":1,"ts":7},
{"ph":"n","cat":"c","name":"n","id":1,"pid":1,"tid":1,"ts":6},{"ph":"n","cat":"c","name":"n","id":2,"pid":1,"tid":1,"ts":6},
{"ph":"C","pid":1,"name":"mem","ts":2,"args":{"used":1,"free":4}},{"ph":"C","pid":1,"name":"mem","ts":4,"args":{"used":2,"free":3}})";

}  // namespace

void TestSessionFile::anyEventIsSelectedAgain_data() {
    QTest::addColumn<int>("kind");
    QTest::addColumn<int>("count");
    using Kind = Selection::Kind;
    QTest::newRow("slice") << static_cast<int>(Kind::Slice) << 1;
    QTest::newRow("instant") << static_cast<int>(Kind::Instant) << 2;
    QTest::newRow("async slice") << static_cast<int>(Kind::AsyncSlice) << 2;
    QTest::newRow("async instant") << static_cast<int>(Kind::AsyncInstant) << 2;
    QTest::newRow("counter") << static_cast<int>(Kind::CounterSample) << 4;
}

void TestSessionFile::anyEventIsSelectedAgain() {
    QFETCH(int, kind);
    QFETCH(int, count);
    const auto selectionOf = [kind](int i) {
        const bool isSample = kind == static_cast<int>(Selection::Kind::CounterSample);
        return isSample ? Selection{Selection::Kind::CounterSample, 0, static_cast<uint32_t>(i / 2),
                                    static_cast<uint64_t>(i % 2)}
                        : Selection{static_cast<Selection::Kind>(kind), static_cast<uint32_t>(i)};
    };
    const QByteArray early = R"([{"ph":"X","pid":0,"tid":1,"ts":0,"dur":1,"name":"z"},
{"ph":"b","cat":"c","name":"x","id":3,"pid":0,"tid":1,"ts":1},{"ph":"e","cat":"c","name":"x","id":3,"pid":0,"tid":1,"ts":9},
{"ph":"n","cat":"c","name":"n","id":3,"pid":0,"tid":1,"ts":5},{"ph":"i","pid":0,"tid":1,"ts":1,"name":"m","s":"t"},
{"ph":"C","pid":0,"name":"mem","ts":1,"args":{"used":9}},)";
    const auto more = test::loadText(early + kEvents + "]").value();
    for (int i = 0; i < count; ++i) {
        Session session;
        session.setTrace(test::loadText("[" + QByteArray(kEvents) + "]").value());
        session.select(selectionOf(i));
        QVERIFY(session.selection() != Selection());
        const QByteArray text = writeSession(documentOf(session, {"/t/x.json"}, {}), QDir("/t"));
        const SessionDocument document = readSession(text, QDir("/t")).value();
        Session same;
        same.setTrace(session.trace());
        QCOMPARE(restoreSession(document, same), QStringList());
        QCOMPARE(same.selection(), selectionOf(i));

        // It has another number in a trace that holds more.
        Session other;
        other.setTrace(more);
        QCOMPARE(restoreSession(document, other), QStringList());
        QVERIFY(other.selection() != Selection());
        QVERIFY(other.selection() != selectionOf(i));
        QCOMPARE(documentOf(other, {"/t/x.json"}, {}).selected, document.selected);

        Session none;
        none.setTrace(test::loadText(R"([{"ph":"X","name":"x","pid":1,"tid":1,"ts":50,"dur":4}])").value());
        QVERIFY(restoreSession(document, none).at(0).startsWith("The selected"));
        QCOMPARE(none.selection(), Selection());
    }
}

void TestSessionFile::theScrollPlaceIsRestored() {
    Session session;
    session.setTrace(test::traceFromText(kTrace));
    const auto placeIn = [](const Trace& trace) {
        const TrackId id = trackOf(trace, "worker");
        return ScrollPlace{SectionRef::ofTrack(trace.track(id).process, id), 12};
    };
    session.setScrollPlace(placeIn(*session.trace()));
    const QByteArray text = writeSession(documentOf(session, {"/t/x.json"}, {}), QDir("/t"));
    Session other;
    other.setTrace(test::traceFromText(std::string("cpu early: z 0..1\n") + kTrace));
    QCOMPARE(restoreSession(readSession(text, QDir("/t")).value(), other), QStringList());
    QVERIFY(placeIn(*other.trace()) != placeIn(*session.trace()));
    QCOMPARE(other.scrollPlace(), std::optional(placeIn(*other.trace())));
    // It is carried over a reload too; and one that is gone is no loss to speak of.
    other.reloadTrace(test::traceFromText(kTrace));
    QCOMPARE(other.scrollPlace(), std::optional(placeIn(*session.trace())));
    Session none;
    none.setTrace(test::traceFromText("cpu main: a 0..100"));
    QCOMPARE(restoreSession(readSession(text, QDir("/t")).value(), none), QStringList());
    QVERIFY(!none.scrollPlace());
}

void TestSessionFile::saysWhatIsLost() {
    Session session;
    session.setTrace(test::traceFromText(kTrace));
    session.selectEvent(rowOf(*session.trace(), "c"));
    const TrackId worker = trackOf(*session.trace(), "worker");
    session.applyFilter({AreaSelection{{0, 70}, {worker}}});
    session.applyNotes({{}, {{{{1, 2}, {worker}}, "m", true}}}, "all");
    const SessionDocument document = documentOf(session, {"/t/x.json"}, {});
    Session other;
    other.setTrace(test::traceFromText("cpu main: a 0..100"));
    QCOMPARE(restoreSession(document, other),
             (QStringList{"The track of a mark is not in the trace any more: the mark stands on the ruler alone.",
                          "The selected slice is not in the trace any more.",
                          "None of the filter's tracks is in the trace any more, so nothing is filtered.",
                          "3 tracks that the session names are not in the trace any more."}));
    QVERIFY(other.filter().empty());
    QCOMPARE(other.notes().marks.size(), 1U);
    QVERIFY(other.notes().marks[0].isWithoutTracks());
    // Saved from here it has its track still, beside one that is there.
    Notes notes = other.notes();
    const TrackId main = other.trace()->slices().track[0];
    notes.marks.push_back({{{5, 6}, {main}}, "both", true, notes.marks[0].lostTracks});
    other.applyNotes(notes, "all");
    const QByteArray text = writeSession(documentOf(other, {"/t/x.json"}, {}), QDir("/t"));
    Session again;
    again.setTrace(session.trace());
    QCOMPARE(restoreSession(readSession(text, QDir("/t")).value(), again), QStringList());
    const TrackId trackOfA = again.trace()->slices().track[rowOf(*again.trace(), "a").value];
    QCOMPARE(again.notes().marks,
             (std::vector<Mark>{{{{1, 2}, {worker}}, "m", true}, {{{5, 6}, {trackOfA, worker}}, "both", true}}));
}

/// As a file that was edited by hand may have them: they are in no trace, and a reload does not look for them.
void TestSessionFile::sectionsOfNoProcessAreLost() {
    const auto read = readSession(
        R"({"warpline_session":1,"files":[{"path":"a.json"}],"view":{"begin_ns":1,"end_ns":2},)"
        R"("tracks":{"hidden":[{"kind":"derived","title":"GPU busy"}],"pinned":[{"kind":"derived","title":"x"}]}})",
        QDir("/t"));
    Session session;
    session.setTrace(test::traceFromText(kTrace));
    if (read.ok()) {
        QVERIFY(!restoreSession(read.value(), session).isEmpty());
    }
    QVERIFY(session.arrangement().empty());
    const SectionRef nowhere{SectionRef::Kind::Derived, ProcessId::none(), TrackId::none(), "GPU busy"};
    session.applyArrangement({{nowhere}, {nowhere}, {}, {}}, "all");
    session.reloadTrace(test::traceFromText(kTrace));
    QVERIFY(session.arrangement().empty());
}

namespace {

constexpr auto kMore =
    "cpu 1/1: a 0..100 { b 10..20 }\ncpu 1/2: c 5..50\ncounter memory: 0=1 50=3\ngpu 0 stream 7: k 30..60";

SectionRef sectionOf(const Trace& trace, const char* label) {
    const TrackId id = trackOf(trace, label);
    return SectionRef::ofTrack(trace.track(id).process, id);
}

SectionRef counterOf(const Trace& trace) {
    return {SectionRef::Kind::Counter, trace.counters()[0].process, TrackId::none(), "memory"};
}

TrackArrangement arrangementOf(const Trace& trace) {
    const SectionRef stream = sectionOf(trace, "stream 7");
    return {{stream},
            {SectionRef::ofProcess(stream.process), sectionOf(trace, "thread 2")},
            {sectionOf(trace, "thread 2"), sectionOf(trace, "thread 1")},
            {{counterOf(trace), 90}}};
}

}  // namespace

void TestSessionFile::tracksAreArrangedAgain() {
    Session session;
    session.setTrace(test::traceFromText(kMore));
    session.applyArrangement(arrangementOf(*session.trace()), "all");
    session.setFolding(TrackFolding{{counterOf(*session.trace())}, {sectionOf(*session.trace(), "thread 1")}});
    session.setPanelState("op_table", R"({"text":"gemm"})");
    const QByteArray text = writeSession(documentOf(session, {"/t/x.json"}, {}), QDir("/t"));

    Session other;
    other.setTrace(test::traceFromText(std::string("cpu 0/9: z 0..1\n") + kMore));
    QCOMPARE(restoreSession(readSession(text, QDir("/t")).value(), other), QStringList());
    const Trace& now = *other.trace();
    QVERIFY(trackOf(now, "thread 2") != trackOf(*session.trace(), "thread 2"));
    QCOMPARE(other.arrangement(), arrangementOf(now));
    QCOMPARE(other.folding(), std::optional(TrackFolding{{counterOf(now)}, {sectionOf(now, "thread 1")}}));
    QCOMPARE(other.panelStates(), (PanelStates{{"op_table", R"({"text":"gemm"})"}}));
    QVERIFY(!other.undoStack().canUndo());
}

void TestSessionFile::aSessionOfBeforeArrangesNothing() {
    const auto old = readSession(R"({"warpline_session":1,"files":[{"path":"a.json"}],"view":{"begin_ns":1,"end_ns":2},
                                     "bookmarks":[],"marks":[]})",
                                 QDir("/"));
    QVERIFY(old.ok());
    Session session;
    session.setTrace(test::traceFromText(kMore));
    QCOMPARE(restoreSession(old.value(), session), QStringList());
    QVERIFY(session.arrangement().empty());
    QVERIFY(!session.folding());
}

void TestSessionFile::saysWhichTracksAreLost() {
    Session session;
    session.setTrace(test::traceFromText(kMore));
    session.applyArrangement(arrangementOf(*session.trace()), "all");
    const SessionDocument document = documentOf(session, {"/t/x.json"}, {});
    Session other;
    other.setTrace(test::traceFromText("cpu 1/1: a 0..100\ncpu 1/3: b 0..100"));
    // Stream 7 and its process, thread 2 twice, the counter.
    QCOMPARE(restoreSession(document, other),
             QStringList{"5 tracks that the session names are not in the trace any more."});
    QCOMPARE(other.arrangement(), (TrackArrangement{{}, {}, {sectionOf(*other.trace(), "thread 1")}, {}}));
}

void TestSessionFile::rowsOfAreasAreFoundAgain() {
    Session session;
    session.setTrace(test::traceFromText(kMore));
    const auto areaIn = [](const Trace& trace) { return AreaSelection{{1, 9}, {}, {counterOf(trace)}}; };
    const AreaSelection both{{2, 8}, {trackOf(*session.trace(), "thread 2")}, {counterOf(*session.trace())}};
    session.setArea(areaIn(*session.trace()));
    session.applyNotes({{}, {{areaIn(*session.trace()), "rows", true}, {both, "both", true}}}, "all");
    const QByteArray text = writeSession(documentOf(session, {"/t/x.json"}, {}), QDir("/t"));
    const SessionDocument document = readSession(text, QDir("/t")).value();
    Session other;
    other.setTrace(test::traceFromText(std::string("cpu 0/9: z 0..1\n") + kMore));
    QCOMPARE(restoreSession(document, other), QStringList());
    QVERIFY(counterOf(*other.trace()) != counterOf(*session.trace()));
    QCOMPARE(other.area(), std::optional(areaIn(*other.trace())));
    QCOMPARE(other.notes().marks[0].area, areaIn(*other.trace()));
    QCOMPARE(other.notes().marks[1].area.rows, std::vector<SectionRef>{counterOf(*other.trace())});
    // Without its row an area is none, and not one of all; a mark is kept, and found again.
    Session none;
    none.setTrace(test::traceFromText("cpu 1/2: c 5..50"));
    restoreSession(document, none);
    QVERIFY(!none.area());
    QVERIFY(none.notes().marks[0].isWithoutTracks());
    QVERIFY(!none.notes().marks[1].isWithoutTracks());
    QCOMPARE(none.notes().marks[1].lostRows.size(), 1U);
    const QByteArray again = writeSession(documentOf(none, {"/t/x.json"}, {}), QDir("/t"));
    Session third;
    third.setTrace(session.trace());
    QCOMPARE(restoreSession(readSession(again, QDir("/t")).value(), third), QStringList());
    QCOMPARE(third.notes(), session.notes());
    // The same over a reload, by processes.
    third.reloadTrace(test::traceFromText("cpu 7/7: z 0..1"));
    QVERIFY(third.notes().marks[0].isWithoutTracks());
    third.reloadTrace(session.trace());
    QCOMPARE(third.notes(), session.notes());
}

QTEST_APPLESS_MAIN(TestSessionFile)
#include "tst_session_file.moc"
