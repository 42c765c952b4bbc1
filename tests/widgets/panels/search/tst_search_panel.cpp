// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QFile>
#include <QHeaderView>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

#include "core/analyses/event_search.h"
#include "core/base/demangle.h"
#include "core/base/units.h"
#include "core/loaders/load_trace.h"
#include "tests/support/trace_text.h"
#include "widgets/panels/search/hits_model.h"
#include "widgets/panels/search/hits_view.h"
#include "widgets/panels/search/search_bar.h"
#include "widgets/panels/search/search_panel.h"
#include "widgets/support/cell_text.h"
#include "widgets/support/session.h"
#include "widgets/support/settings.h"
#include "widgets/support/theme.h"

using namespace warpline;
using namespace warpline::search;

class TestSearchPanel : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { applyTheme(ThemeChoice::Light); }
    void init();
    void cleanup();

    void findsWhatAScanFinds_data();
    void findsWhatAScanFinds();
    void listsFactsOfEachSort();
    void slicesComeBeforeMomentsOfTheSameTime();
    void unknownDurationsAreNotAvailable();
    void enterStepsAndWraps();
    void enterAtOnceWaitsForTheHits();
    void theFirstHitIsTheNextInView();
    void whatIsSeenComesFirst();
    void goingToARowReveals();
    void highlightsAllAndGivesWay();
    void followsTheScope();
    void honoursTheFilterOfAllPanels();
    void matchesCaseOnRequest();
    void saysWhatIsWrongWithAnExpression();
    void searchesArgs();
    void saysWhenArgsCannotBeRead();
    void canBeStopped();
    void aReloadSearchesAnew();
    void anotherTraceClears();
    void slashAndEscape();
    void givesItsTextToTheTable();
    void copiesRows();
    void manyHits();
    void headingsSort_data();
    void headingsSort();
    void stepsFollowTheOrder();
    void manyAreSortedAside();
    void itsStateIsKept();

private:
    QLineEdit* text() const { return m_panel->bar()->findChild<QLineEdit*>(); }
    QComboBox* chooser(const char* name) const { return m_panel->bar()->findChild<QComboBox*>(name); }
    void toggle(const char* name) { m_panel->bar()->findChild<QToolButton*>(name)->click(); }
    bool isDone() const { return !m_panel->run().busy() && !m_panel->bar()->isPending(); }
    void type(const QString& what) {
        text()->setFocus();
        text()->selectAll();
        QTest::keyClicks(text(), what);
        QTRY_VERIFY(isDone());
    }
    QString cell(int row, int column) const { return m_panel->model()->index(row, column).data().toString(); }
    QString names() const {
        QStringList all;
        for (int row = 0; row < m_panel->model()->rowCount(); ++row) {
            all << cell(row, NameColumn);
        }
        return all.join(' ');
    }
    static std::shared_ptr<const Trace> load(const QString& path) {
        JobControl job;
        auto trace = loadTrace({path.toStdString()}, {}, job);
        return trace.ok() ? trace.value() : nullptr;
    }
    void open(const char* text) { m_session->setTrace(test::traceFromText(text)); }

    QTemporaryDir m_folder;
    std::unique_ptr<Session> m_session;
    std::unique_ptr<SearchPanel> m_panel;
};

void TestSearchPanel::init() {
    settings::useTemporary();
    m_session = std::make_unique<Session>();
    m_panel = std::make_unique<SearchPanel>(*m_session);
    m_panel->resize(1000, 400);
    m_panel->show();
    QVERIFY(QTest::qWaitForWindowActive(m_panel.get()));
}

void TestSearchPanel::cleanup() {
    m_panel.reset();
    m_session.reset();
}

void TestSearchPanel::itsStateIsKept() {
    open("cpu main: alpha 0..10 Beta 20..30");
    QVERIFY(m_session->panelStates().isEmpty());
    type("^b");
    toggle("regex");
    chooser("in")->setCurrentIndex(1);
    chooser("scope")->setCurrentIndex(1);
    QTRY_VERIFY(isDone());
    QCOMPARE(names(), QString("Beta"));
    const PanelStates kept = m_session->panelStates();
    QCOMPARE(kept.value("search"),
             QByteArray(R"({"case":false,"in":"names_and_args","regex":true,"scope":"visible","text":"^b"})"));
    toggle("regex");
    open("cpu main: alpha 0..10 Beta 20..30");
    QVERIFY(text()->text().isEmpty());
    m_session->restorePanelStates(kept);
    QTRY_VERIFY(isDone());
    QCOMPARE(names(), QString("Beta"));
    QCOMPARE(chooser("in")->currentIndex(), 1);
    QCOMPARE(chooser("scope")->currentIndex(), 1);
    QVERIFY(m_session->highlight().empty());  // whoever highlights something goes on to
    QCOMPARE(m_session->panelStates(), kept);
    // What it does not understand leaves an empty search.
    m_session->restorePanelStates({{"search", "[1]"}});
    QVERIFY(text()->text().isEmpty());
    QCOMPARE(chooser("in")->currentIndex(), 0);
}

void TestSearchPanel::findsWhatAScanFinds_data() {
    QTest::addColumn<QString>("what");
    QTest::newRow("copies") << "Memcpy";
    QTest::newRow("other case") << "memcpy";
    QTest::newRow("calls") << "cudaLaunch";
    QTest::newRow("nothing") << "no such name";
    QTest::newRow("nearly all") << "e";
}

void TestSearchPanel::findsWhatAScanFinds() {
    QFETCH(QString, what);
    m_session->setTrace(load(WARPLINE_SAMPLES_DIR "/multi_stream.trace.json.gz"));
    const Trace& trace = *m_session->trace();
    type(what);
    std::vector<std::pair<TimeNs, uint32_t>> expected;
    const auto matches = [&](StringId name) {
        const std::string_view raw = trace.string(name);
        return fromUtf8(raw).contains(what, Qt::CaseInsensitive) ||
               fromUtf8(demangledName(raw)).contains(what, Qt::CaseInsensitive);
    };
    for (uint32_t row = 0; row < trace.sliceCount(); ++row) {
        if (matches(trace.slices().name[row])) {
            expected.emplace_back(trace.slices().begin[row], row);
        }
    }
    std::ranges::sort(expected);
    const auto points = [&](const auto& events) {
        return std::ranges::count_if(events, matches, [](const auto& e) { return e.name; });
    };
    const size_t others = static_cast<size_t>(points(trace.instants()) + points(trace.asyncSlices()) +
                                              points(trace.asyncInstants()) + points(trace.counters()));
    const Highlight& hits = m_panel->model()->hits();
    QCOMPARE(hits.events.size(), expected.size());
    for (size_t i = 0; i < expected.size(); ++i) {
        QCOMPARE(hits.events[i].value, expected[i].second);
    }
    QCOMPARE(hits.size(), expected.size() + others);
    QCOMPARE(m_panel->model()->rowCount(), static_cast<int>(hits.size()));
    const QString count = hits.empty() ? "No hits" : fromUtf8(formatCount(hits.size())) + " hits";
    QCOMPARE(m_panel->countText(), count);
    QVERIFY(m_session->highlight().hasSameEvents(hits));
    for (size_t i = 1; i < hits.size(); ++i) {
        QVERIFY(beginOf(trace, hits.at(i - 1)) <= beginOf(trace, hits.at(i)));
    }
    QCOMPARE(m_panel->view()->message().isEmpty(), !hits.empty());
}

void TestSearchPanel::listsFactsOfEachSort() {
    open(
        "cpu main: load_a 1000..3500\ngpu 0 stream 7: load_k 2000..2250\ninstant main: load_mark 1500\n"
        "counter load: 3000=1");
    type("load");
    QCOMPARE(names(), "load_a load_mark load_k load");
    const auto row = [this](int i) {
        QStringList cells;
        for (int column = 1; column < HitColumnCount; ++column) {
            cells << cell(i, column);
        }
        return cells.join('|');
    };
    QCOMPARE(row(0), QString("CPU op|0 ns|2.500 µs|thread 100"));
    QCOMPARE(row(1), QString("Instant|500 ns|–|thread 100"));
    QCOMPARE(row(2), QString("Kernel|1.000 µs|250 ns|stream 7"));
    QVERIFY2(row(3).startsWith("Counter|2.000 µs|–|"), qPrintable(row(3)));
    QCOMPARE(m_panel->model()->index(2, StartColumn).data(Qt::ToolTipRole).toString(),
             QString("1000 ns after the start of the trace"));
}

void TestSearchPanel::slicesComeBeforeMomentsOfTheSameTime() {
    open("cpu main: a 5..10 a 20..30\ninstant main: a 5 a 20");
    type("a");
    QStringList kinds;
    for (int row = 0; row < m_panel->model()->rowCount(); ++row) {
        kinds << cell(row, KindColumn);
    }
    QCOMPARE(kinds.join(' '), QString("CPU op Instant CPU op Instant"));
}

void TestSearchPanel::unknownDurationsAreNotAvailable() {
    open("cpu main: endless 5..? other 50..60");
    type("endless");
    QCOMPARE(cell(0, DurationColumn), notAvailable());
}

void TestSearchPanel::enterStepsAndWraps() {
    open("cpu main: a 0..10 b 20..30 a 40..50\ninstant main: a 25");
    type("a");
    QCOMPARE(names(), "a a a");
    QSignalSpy revealed(m_session.get(), &Session::revealRequested);
    const std::vector<TimeNs> begins = {0, 25, 40, 0};
    for (size_t i = 0; i < begins.size(); ++i) {
        QTest::keyClick(text(), Qt::Key_Return);
        QCOMPARE(beginOf(*m_session->trace(), m_session->selection()), begins[i]);
        QCOMPARE(revealed.count(), static_cast<int>(i) + 1);
        QCOMPARE(m_panel->view()->currentIndex().row(), static_cast<int>(i % 3));
    }
    QTest::keyClick(text(), Qt::Key_Return, Qt::ShiftModifier);
    QCOMPARE(beginOf(*m_session->trace(), m_session->selection()), TimeNs{40});
    QTest::keyClick(text(), Qt::Key_Enter, Qt::KeypadModifier);
    QCOMPARE(beginOf(*m_session->trace(), m_session->selection()), TimeNs{0});
    // F3 of the window steps the same.
    m_session->stepHighlight(+1);
    QCOMPARE(m_session->selection().kind, Selection::Kind::Instant);
    QCOMPARE(m_panel->view()->currentIndex().row(), 1);
    QTest::keyClick(m_panel->view(), Qt::Key_Return);
    QCOMPARE(beginOf(*m_session->trace(), m_session->selection()), TimeNs{40});
}

void TestSearchPanel::enterAtOnceWaitsForTheHits() {
    open("cpu main: a 0..10 b 20..30 a 40..50");
    type("a");
    text()->selectAll();
    QTest::keyClick(text(), 'b');
    QTest::keyClick(text(), Qt::Key_Return);
    QTRY_COMPARE(m_session->selectedEvent(), EventRow(1U));
    QVERIFY(isDone());
}

void TestSearchPanel::theFirstHitIsTheNextInView() {
    open("cpu main: a 0..10 a 20..30 a 40..50 a 60..70");
    m_session->setVisibleRange({35, 55});
    type("a");
    QTest::keyClick(text(), Qt::Key_Return);
    QCOMPARE(m_session->selectedEvent(), EventRow(2U));
}

void TestSearchPanel::whatIsSeenComesFirst() {
    open("cpu main: a 0..10 a 20..30 a 40..50 a 60..70 a 80..90 b 90..100");
    const auto stepsFor = [this](const QString& what) {
        QStringList said;
        const auto connection = connect(&m_panel->run(), &SearchRun::foundChanged, m_panel.get(), [&] {
            said << m_panel->countText() + ", " + fromUtf8(formatCount(m_session->highlight().size()));
        });
        type(what);
        disconnect(connection);
        return said.join(" | ");
    };
    m_session->setVisibleRange({35, 75});
    QCOMPARE(stepsFor("a"), QString("2 hits in view, 2 | 5 hits, 5"));
    QCOMPARE(stepsFor("b"), QString("No hits in view, 0 | 1 hit, 1"));
    // More than half is seen: once is enough.
    m_session->setVisibleRange({0, 75});
    QCOMPARE(stepsFor("a"), QString("5 hits, 5"));
}

void TestSearchPanel::goingToARowReveals() {
    open("cpu main: a 0..10 a 20..30 a 40..50");
    type("a");
    QSignalSpy revealed(m_session.get(), &Session::revealRequested);
    QTest::keyClick(text(), Qt::Key_Down);
    QVERIFY(m_panel->view()->hasFocus());
    QTest::keyClick(m_panel->view(), Qt::Key_Down);
    QTest::keyClick(m_panel->view(), Qt::Key_Down);
    QCOMPARE(m_session->selectedEvent(), EventRow(static_cast<uint32_t>(m_panel->view()->currentIndex().row())));
    QVERIFY(revealed.count() >= 1);
    const QRect last = m_panel->view()->visualRect(m_panel->model()->index(2, 0));
    QTest::mouseClick(m_panel->view()->viewport(), Qt::LeftButton, Qt::NoModifier, last.center());
    QCOMPARE(m_session->selectedEvent(), EventRow(2U));
    QCOMPARE(m_session->highlight().current, 2);
}

void TestSearchPanel::highlightsAllAndGivesWay() {
    open("cpu main: a 0..10 b 20..30 a 40..50");
    type("a");
    QCOMPARE(m_session->highlight().title, QString("a"));
    QCOMPARE(m_session->highlight().size(), size_t{2});
    // Who chooses a table's row takes the highlight; the list stays, and the next step takes it back.
    m_session->setHighlight({"b", {EventRow(1U)}, 0});
    QVERIFY(!m_panel->view()->currentIndex().isValid());
    QCOMPARE(m_panel->model()->rowCount(), 2);
    m_session->setVisibleRange({0, 45});
    QTRY_VERIFY(isDone());
    QCOMPARE(m_session->highlight().title, QString("b"));
    QTest::keyClick(text(), Qt::Key_Return);
    QCOMPARE(m_session->highlight().title, QString("a"));
    QCOMPARE(m_session->selectedEvent(), EventRow(0U));
    text()->clear();
    QTRY_VERIFY(m_session->highlight().empty());
    QCOMPARE(m_panel->countText(), QString());
    QVERIFY(!m_panel->view()->message().isEmpty());
}

void TestSearchPanel::followsTheScope() {
    open("cpu main: a 0..10 a 20..30 a 40..50\ngpu 0 stream 7: a 20..30");
    type("a");
    QCOMPARE(m_panel->model()->rowCount(), 4);
    m_session->setVisibleRange({5, 25});
    chooser("scope")->setCurrentIndex(1);
    QTRY_COMPARE(m_panel->model()->rowCount(), 3);
    m_session->setVisibleRange({35, 60});
    QTRY_COMPARE(m_panel->model()->rowCount(), 1);
    chooser("scope")->setCurrentIndex(2);
    QTRY_VERIFY(m_panel->view()->message().startsWith("No area is selected."));
    QCOMPARE(m_panel->model()->rowCount(), 0);
    const TrackId stream = m_session->trace()->slices().track[3];
    m_session->setArea(AreaSelection{{0, 60}, {stream}});
    QTRY_COMPARE(m_panel->model()->rowCount(), 1);
    QCOMPARE(cell(0, TrackColumn), QString("stream 7"));
}

void TestSearchPanel::honoursTheFilterOfAllPanels() {
    open("cpu main: a 0..10 a 20..30 a 40..50");
    type("a");
    m_session->applyFilter({AreaSelection{{15, 100}, {}}});
    QTRY_COMPARE(m_panel->model()->rowCount(), 2);
    m_session->setVisibleRange({0, 12});
    chooser("scope")->setCurrentIndex(1);
    QTRY_VERIFY(m_panel->view()->message().startsWith("The filter of all panels leaves nothing"));
    QCOMPARE(m_panel->model()->rowCount(), 0);
    m_session->undoStack().undo();
    QTRY_COMPARE(m_panel->model()->rowCount(), 1);
}

void TestSearchPanel::matchesCaseOnRequest() {
    open("cpu main: Gemm 0..10 gemm 20..30");
    type("gemm");
    QCOMPARE(names(), "Gemm gemm");
    toggle("case");
    QTRY_COMPARE(names(), "gemm");
}

void TestSearchPanel::saysWhatIsWrongWithAnExpression() {
    open("cpu main: \"gemm(\" 0..10 gemv 20..30");
    type("gemm(");
    QCOMPARE(m_panel->model()->rowCount(), 1);
    toggle("regex");
    QTRY_VERIFY(!m_panel->noticeText().isEmpty());
    QVERIFY(text()->property("invalid").toBool());
    QCOMPARE(m_panel->model()->rowCount(), 0);
    QVERIFY(m_session->highlight().empty());
    type("gem[mv]");
    QCOMPARE(m_panel->model()->rowCount(), 2);
    QVERIFY(m_panel->noticeText().isEmpty());
    QVERIFY(!text()->property("invalid").toBool());
}

void TestSearchPanel::searchesArgs() {
    m_session->setTrace(load(WARPLINE_SAMPLES_DIR "/multi_stream.trace.json.gz"));
    const Trace& trace = *m_session->trace();
    const QString what = "Memcpy";
    const std::string needle = "\"stream\": 25";
    type(QString::fromStdString(needle));
    QCOMPARE(m_panel->countText(), QString("No hits"));
    chooser("in")->setCurrentIndex(2);
    QTRY_VERIFY(isDone() && m_panel->model()->rowCount() > 0);
    std::vector<uint32_t> expected;
    for (uint32_t row = 0; row < trace.sliceCount(); ++row) {
        const auto args = trace.argsJson(EventRow(row));
        QVERIFY(args.ok());
        QString json = fromUtf8(args.value());
        if (json.remove(' ').contains("\"stream\":25")) {
            expected.push_back(row);
        }
    }
    std::vector<uint32_t> found;
    for (const EventRow row : m_panel->model()->hits().events.rows()) {
        found.push_back(row.value);
    }
    std::ranges::sort(found);
    // "250" is found too, as a part of the text, if there is one.
    QCOMPARE(found, expected);
    QVERIFY(m_panel->noticeText().isEmpty());
    // Both: a name, or args.
    chooser("in")->setCurrentIndex(1);
    type("HtoD");
    const size_t both = m_panel->model()->hits().size();
    chooser("in")->setCurrentIndex(0);
    QTRY_VERIFY(isDone());
    QVERIFY(m_panel->model()->hits().size() > 0 && both >= m_panel->model()->hits().size());
}

void TestSearchPanel::saysWhenArgsCannotBeRead() {
    const QString path = m_folder.filePath("changes.json");
    const auto write = [&](const QByteArray& bytes) {
        QFile file(path);
        return file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size();
    };
    QVERIFY(write(R"({"traceEvents":[{"ph":"X","name":"op","pid":1,"tid":1,"ts":1,"dur":2,"args":{"color":"red"}}]})"));
    m_session->setTrace(load(path));
    QVERIFY(m_session->trace() != nullptr);
    chooser("in")->setCurrentIndex(1);
    type("red");
    QCOMPARE(m_panel->model()->rowCount(), 1);
    QVERIFY(write("changed"));
    type("o");
    QCOMPARE(names(), "op");
    QVERIFY2(m_panel->noticeText().contains("changed"), qPrintable(m_panel->noticeText()));
}

void TestSearchPanel::canBeStopped() {
    m_session->setTrace(load(WARPLINE_SAMPLES_DIR "/multi_stream.trace.json.gz"));
    chooser("in")->setCurrentIndex(2);
    QTest::keyClicks(text(), "stream");
    m_panel->bar()->flush();
    QVERIFY(m_panel->run().busy());
    m_panel->findChild<QToolButton*>("stop")->click();
    QVERIFY(!m_panel->run().busy());
    QVERIFY(m_panel->noticeText().startsWith("Stopped"));
    QTRY_COMPARE(JobRunner::activeJobs(), 0);
    QCOMPARE(m_panel->model()->rowCount(), 0);
    type("stream");
    QVERIFY(m_panel->model()->rowCount() > 0);
    QVERIFY(m_panel->noticeText().isEmpty());
}

void TestSearchPanel::aReloadSearchesAnew() {
    open("cpu main: a 0..10 b 20..30 a 40..50");
    type("a");
    QTest::keyClick(text(), Qt::Key_Return, Qt::ShiftModifier);
    QCOMPARE(m_session->selectedEvent(), EventRow(2U));
    m_session->reloadTrace(test::traceFromText("cpu main: a 0..10 b 20..30 a 40..50 a 60..70"));
    QCOMPARE(text()->text(), QString("a"));
    QTRY_COMPARE(m_panel->model()->rowCount(), 3);
    QCOMPARE(m_session->highlight().size(), size_t{3});
    QCOMPARE(m_session->highlight().current, 1);
    QCOMPARE(m_panel->view()->currentIndex().row(), 1);
    // A highlight of somebody else is not taken.
    m_session->setHighlight({"b", {EventRow(1U)}, 0});
    m_session->reloadTrace(test::traceFromText("cpu main: a 0..10 b 20..30"));
    QTRY_COMPARE(m_panel->model()->rowCount(), 1);
    QVERIFY(m_session->highlight().empty());
}

void TestSearchPanel::anotherTraceClears() {
    open("cpu main: a 0..10");
    type("a");
    open("cpu main: a 0..10 a 20..30");
    QCOMPARE(text()->text(), QString());
    QCOMPARE(m_panel->model()->rowCount(), 0);
    QCOMPARE(m_panel->countText(), QString());
    type("a");
    QCOMPARE(m_panel->model()->rowCount(), 2);
    m_session->setTrace(nullptr);
    QCOMPARE(m_panel->model()->rowCount(), 0);
    QCOMPARE(text()->text(), QString());
}

void TestSearchPanel::slashAndEscape() {
    open("cpu main: a 0..10");
    QSignalSpy timeline(m_session.get(), &Session::timelineRequested);
    m_panel->view()->setFocus();
    QTest::keyClick(m_panel->view(), Qt::Key_Slash);
    QVERIFY(text()->hasFocus());
    // There it is a letter.
    QTest::keyClicks(text(), "a/b");
    QCOMPARE(text()->text(), QString("a/b"));
    QTest::keyClick(text(), Qt::Key_Escape);
    QCOMPARE(timeline.count(), 1);
    QTest::keyClick(m_panel->view(), Qt::Key_Escape);
    QCOMPARE(timeline.count(), 2);
}

void TestSearchPanel::givesItsTextToTheTable() {
    open("cpu main: gemm 0..10");
    QSignalSpy asked(m_session.get(), &Session::tableFilterRequested);
    auto* button = m_panel->findChild<QToolButton*>("use_as_filter");
    QVERIFY(!button->isEnabled());
    type("ge.m");
    toggle("regex");
    QTest::mouseClick(button, Qt::LeftButton);
    QCOMPARE(asked.count(), 1);
    QCOMPARE(asked.last().at(0).toString(), QString("ge.m"));
    QCOMPARE(asked.last().at(1).toBool(), true);
    // Tables know no args.
    chooser("in")->setCurrentIndex(2);
    QVERIFY(!button->isEnabled());
    m_panel->useAsTableFilter();
    QCOMPARE(asked.count(), 1);
}

void TestSearchPanel::copiesRows() {
    open("cpu main: a 0..10 a 20..30");
    type("a");
    QTest::keyClick(m_panel->view(), Qt::Key_A, Qt::ControlModifier);
    QTest::keyClick(m_panel->view(), Qt::Key_C, Qt::ControlModifier);
    QTRY_COMPARE(QApplication::clipboard()->text(),
                 QString("a\tCPU op\t0 ns\t10 ns\tthread 100\na\tCPU op\t20 ns\t10 ns\tthread 100"));
}

void TestSearchPanel::manyHits() {
    std::string text = "cpu main:";
    constexpr int kCount = 20'000;
    for (int i = 0; i < kCount; ++i) {
        text += " a " + std::to_string(i * 10) + ".." + std::to_string(i * 10 + 5);
    }
    open(text.c_str());
    type("a");
    QCOMPARE(m_panel->countText(), QString("20,000 hits"));
    m_session->stepHighlight(-1);
    QCOMPARE(m_panel->view()->currentIndex().row(), kCount - 1);
    QVERIFY(m_panel->view()->visualRect(m_panel->view()->currentIndex()).isValid());
    QCOMPARE(cell(kCount - 1, StartColumn), QString("199.990 µs"));
}

void TestSearchPanel::headingsSort_data() {
    QTest::addColumn<int>("column");
    QTest::addColumn<QString>("first");
    QTest::addColumn<QString>("again");
    QTest::newRow("name") << int(NameColumn) << "ea eb ec ed"
                          << "ed ec eb ea";
    QTest::newRow("start") << int(StartColumn) << "ed ec ea eb"
                           << "eb ea ec ed";
    // The longest first; what has no end, and what is a moment, last either way, by time.
    QTest::newRow("duration") << int(DurationColumn) << "ec eb ed ea"
                              << "eb ec ed ea";
    QTest::newRow("kind") << int(KindColumn) << "ed ec eb ea"
                          << "ea ed ec eb";
    QTest::newRow("track") << int(TrackColumn) << "ec ea eb ed"
                           << "ed ec ea eb";
}

void TestSearchPanel::headingsSort() {
    QFETCH(int, column);
    QFETCH(QString, first);
    QFETCH(QString, again);
    open("cpu 1/1: ec 20..50 eb 200..210\ninstant 1/1: ea 100\ncpu 1/2: ed 5..?");
    type("e");
    QCOMPARE(names(), QString("ed ec ea eb"));
    QHeaderView* header = m_panel->view()->horizontalHeader();
    const auto click = [header](int which) {
        QTest::mouseClick(header->viewport(), Qt::LeftButton, {},
                          {header->sectionViewportPosition(which) + 8, header->height() / 2});
    };
    QCOMPARE(header->sortIndicatorSection(), int(StartColumn));
    if (column == StartColumn) {
        click(NameColumn);
    }
    click(column);
    QCOMPARE(names(), first);
    QCOMPARE(header->sortIndicatorSection(), column);
    click(column);
    QCOMPARE(names(), again);
    // What is found next stands in that order too; a click on Start brings back the order of time.
    open("cpu 1/1: ec 20..50 eb 200..210\ninstant 1/1: ea 100\ncpu 1/2: ed 5..?");
    type("e");
    QCOMPARE(names(), again);
    click(StartColumn);
    if (column == StartColumn) {
        QCOMPARE(header->sortIndicatorOrder(), Qt::AscendingOrder);
    }
    QCOMPARE(names(), QString("ed ec ea eb"));
}

void TestSearchPanel::stepsFollowTheOrder() {
    open("cpu main: a 0..10 a 20..50 a 60..80");
    type("a");
    QHeaderView* header = m_panel->view()->horizontalHeader();
    m_session->stepHighlightTo(0);
    QTest::mouseClick(header->viewport(), Qt::LeftButton, {}, {header->sectionViewportPosition(DurationColumn) + 8, 8});
    // The current one is the shortest: the last row now. Sorting has revealed nothing.
    QCOMPARE(m_panel->view()->currentIndex().row(), 2);
    QCOMPARE(m_session->selectedEvent(), EventRow(0U));
    QTest::keyClick(text(), Qt::Key_Return);
    QCOMPARE(m_session->selectedEvent(), EventRow(1U));
    QCOMPARE(m_panel->view()->currentIndex().row(), 0);
    QTest::keyClick(m_panel->view(), Qt::Key_Return);
    QCOMPARE(m_session->selectedEvent(), EventRow(2U));
    QTest::keyClick(m_panel->view(), Qt::Key_Return, Qt::ShiftModifier);
    QTest::keyClick(m_panel->view(), Qt::Key_Return, Qt::ShiftModifier);
    QCOMPARE(m_session->selectedEvent(), EventRow(0U));
    // By mouse, and F3 by time.
    QTest::mouseClick(m_panel->view()->viewport(), Qt::LeftButton, {},
                      m_panel->view()->visualRect(m_panel->model()->index(1, 0)).center());
    QCOMPARE(m_session->selectedEvent(), EventRow(2U));
    m_session->stepHighlight(+1);
    QCOMPARE(m_session->selectedEvent(), EventRow(0U));
    QCOMPARE(m_panel->view()->currentIndex().row(), 2);
    QTest::keyClick(m_panel->view(), Qt::Key_A, Qt::ControlModifier);
    QTest::keyClick(m_panel->view(), Qt::Key_C, Qt::ControlModifier);
    QTRY_VERIFY(QApplication::clipboard()->text().startsWith("a\tCPU op\t20 ns\t30 ns"));
}

void TestSearchPanel::manyAreSortedAside() {
    std::string text = "cpu main:";
    constexpr int kCount = 20'000;
    for (int i = 0; i < kCount; ++i) {
        text += " a " + std::to_string(i * 100) + ".." + std::to_string(i * 100 + 1 + i * 7 % 97);
    }
    open(text.c_str());
    type("a");
    QHeaderView* header = m_panel->view()->horizontalHeader();
    QTest::mouseClick(header->viewport(), Qt::LeftButton, {}, {header->sectionViewportPosition(DurationColumn) + 8, 8});
    QVERIFY(JobRunner::activeJobs() > 0 && !m_panel->model()->order());
    QTRY_VERIFY(m_panel->model()->order());
    const SliceColumns& slices = m_session->trace()->slices();
    DurationNs before = 1000;
    uint32_t rowBefore = 0;
    for (int row = 0; row < kCount; ++row) {
        const auto slice = static_cast<uint32_t>(m_panel->model()->hitOf(row));
        QVERIFY(slices.duration[slice] < before || (slices.duration[slice] == before && slice > rowBefore));
        QCOMPARE(m_panel->model()->rowOf(static_cast<int>(slice)), row);
        before = slices.duration[slice];
        rowBefore = slice;
    }
}

QTEST_MAIN(TestSearchPanel)
#include "tst_search_panel.moc"
