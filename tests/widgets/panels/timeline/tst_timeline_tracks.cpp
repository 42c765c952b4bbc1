// SPDX-License-Identifier: GPL-3.0-or-later
// Tracks that are pinned, hidden, moved, made higher and found again, with mouse and keys, on real traces.
#include <QAction>
#include <QApplication>
#include <QHelpEvent>
#include <QLineEdit>
#include <QListView>
#include <QPushButton>
#include <QTest>
#include <QToolButton>
#include <QToolTip>

#include <memory>

#include "core/loaders/load_trace.h"
#include "tests/support/trace_text.h"
#include "widgets/panels/timeline/timeline_painter.h"
#include "widgets/panels/timeline/timeline_widget.h"
#include "widgets/panels/timeline/track_filter_bar.h"
#include "widgets/support/choice_popup.h"
#include "widgets/support/settings.h"
#include "widgets/support/theme.h"

using namespace warpline;
using namespace warpline::timeline;

class TestTimelineTracks : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void init();
    void cleanup();

    void theGlyphPinsAndUnpins();
    void pinningLeavesTheRestInItsPlace();
    void derivedRowsAreArrangedToo();
    void pinnedTracksChangePlaces();
    void aProcessPinsItsTracks();
    void hidingGoesOnWithTheNext();
    void hideOthersKeepsWhatIsPinned();
    void theNoteListsWhatIsHidden();
    void revealingShowsAHiddenTrack();
    void dragMovesATrack();
    void dragPinsAndUnpins();
    void dragMovesAProcess();
    void aDragIsNoFold();
    void escStopsADrag();
    void theEdgeOfACounterIsDragged();
    void heightsOfAProcess();
    void everyStepIsUndone();
    void aReloadKeepsTheArrangement();
    void foldingIsToldAndTaken();
    void foldingIsUndone();
    void findsATrackWhereverItIs_data();
    void findsATrackWhereverItIs();
    void findsTheThreadOfAProcessToo();
    void filtersByWords();
    void anEmptyResultSaysSo();
    void allHiddenSaysSo();
    void aRevealedEventEndsTheFilter();
    void theFilterOutlivesAReload();
    void filterAndScrollAreToldAndTaken();
    void aReloadKeepsWhatIsAtTheTop();
    void overlapsAreMarkedInTheHead();

private:
    void open(const std::string& path);
    const std::vector<Section>& sections() const { return m_widget->layout().sections(); }
    /// -1 for none.
    int find(const char* part) const;
    const Section& section(const char* part) const { return sections()[static_cast<size_t>(find(part))]; }
    QRect head(const Section& section) const {
        const int y = section.pinned ? section.y : section.y - m_widget->scrollY();
        return {0, m_widget->lanesRect().top() + y, m_widget->headsRect().width(), section.height};
    }
    void focus(const char* part) {
        QTest::mouseClick(m_widget.get(), Qt::LeftButton, {}, head(section(part)).topLeft() + QPoint(60, 9));
        QVERIFY(find(part) >= 0);
    }
    void key(Qt::Key key, Qt::KeyboardModifiers modifiers = {}) { QTest::keyClick(m_widget.get(), key, modifiers); }
    void hover(QPoint at) { QTest::mouseMove(m_widget.get(), at); }
    void drag(QPoint from, QPoint to, bool letGo = true);
    QStringList titles() const;
    TrackFilterBar* filter() const { return m_widget->findChild<TrackFilterBar*>(); }
    EmptyState* emptyState() const { return m_widget->findChild<EmptyState*>(); }
    void typeFilter(const char* text) {
        key(Qt::Key_F, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(filter()->line()->hasFocus());
        QTest::keyClicks(filter()->line(), text);
    }

    std::unique_ptr<Session> m_session;
    std::unique_ptr<TimelineWidget> m_widget;
};

namespace {

std::shared_ptr<const Trace> loadFile(const std::string& path) {
    JobControl job;
    auto trace = loadTrace({path}, {}, job);
    return trace.ok() ? trace.value() : nullptr;
}

constexpr auto kMultiStream = WARPLINE_SAMPLES_DIR "/multi_stream.trace.json.gz";
constexpr auto kMemory = WARPLINE_TEST_DATA_DIR "/memory_oom.trace.json.gz";

}  // namespace

void TestTimelineTracks::initTestCase() {
    applyTheme(ThemeChoice::Light);
}

void TestTimelineTracks::init() {
    settings::useTemporary();
    // Places are counted without the rows that the timeline derives.
    for (const DerivedKind kind : kDerivedKinds) {
        settings::store().setValue(
            QStringLiteral("%1/%2").arg(QLatin1String(settings::kTimelineDerived), QLatin1String(nameOf(kind))), false);
    }
    m_session = std::make_unique<Session>();
    m_widget = std::make_unique<TimelineWidget>(*m_session);
    m_widget->resize(1000, 500);
    m_widget->show();
    m_widget->setFocus();
    QVERIFY(QTest::qWaitForWindowActive(m_widget.get()));
    open(kMultiStream);
}

void TestTimelineTracks::cleanup() {
    m_widget.reset();
    m_session.reset();
}

void TestTimelineTracks::open(const std::string& path) {
    m_session->setTrace(loadFile(path));
    QVERIFY(m_session->trace());
    QTRY_COMPARE(JobRunner::activeJobs(), 0);
    QVERIFY(sections().size() > 2);
}

int TestTimelineTracks::find(const char* part) const {
    for (size_t i = 0; i < sections().size(); ++i) {
        if (sections()[i].title.find(part) != std::string::npos) {
            return static_cast<int>(i);
        }
    }
    return -1;
}

QStringList TestTimelineTracks::titles() const {
    QStringList titles;
    for (const Section& section : sections()) {
        titles << QString::fromStdString(section.title);
    }
    return titles;
}

void TestTimelineTracks::drag(QPoint from, QPoint to, bool letGo) {
    const auto send = [&](QEvent::Type type, QPoint at, Qt::MouseButton changed, Qt::MouseButtons held) {
        QMouseEvent event(type, at, m_widget->mapToGlobal(at), changed, held, {});
        QApplication::sendEvent(m_widget.get(), &event);
    };
    send(QEvent::MouseButtonPress, from, Qt::LeftButton, Qt::LeftButton);
    send(QEvent::MouseMove, (from + to) / 2, Qt::NoButton, Qt::LeftButton);
    send(QEvent::MouseMove, to, Qt::NoButton, Qt::LeftButton);
    if (letGo) {
        send(QEvent::MouseButtonRelease, to, Qt::LeftButton, Qt::NoButton);
    }
}

void TestTimelineTracks::theGlyphPinsAndUnpins() {
    const Section stream = section("stream 13");
    QTest::mouseClick(m_widget.get(), Qt::LeftButton, {}, pinRect(stream, head(stream)).center());
    QVERIFY(sections()[0].pinned);
    QCOMPARE(sections()[0].track, stream.track);
    QCOMPARE(m_session->arrangement().pinned.size(), size_t{1});
    QVERIFY(!sections()[1].pinned);
    QTest::mouseClick(m_widget.get(), Qt::LeftButton, {}, pinRect(sections()[0], head(sections()[0])).center());
    QVERIFY(m_session->arrangement().empty());
    QCOMPARE(section("stream 13").y, stream.y);
    // Beside the glyph nothing is pinned.
    QTest::mouseClick(m_widget.get(), Qt::LeftButton, {}, pinRect(stream, head(stream)).center() - QPoint(40, 0));
    QVERIFY(m_session->arrangement().empty());
}

void TestTimelineTracks::pinningLeavesTheRestInItsPlace() {
    m_widget->resize(1000, 240);
    m_widget->setScrollY(60);
    const auto viewY = [this](const char* part) { return head(section(part)).top(); };
    const Section pinned = section("stream 13");
    const int below = viewY("stream 17");
    focus("stream 13");
    key(Qt::Key_P);
    QVERIFY(sections()[0].pinned);
    QCOMPARE(viewY("stream 17"), below);
    key(Qt::Key_P);
    QVERIFY(!sections()[0].pinned);
    QCOMPARE(viewY("stream 17"), below);
    QCOMPARE(section("stream 13").y, pinned.y);
    // Undo keeps it too.
    m_session->undoStack().undo();
    QCOMPARE(viewY("stream 17"), below);
    m_session->undoStack().undo();
    // One from below the window makes all else go down in the layout, but not on the screen.
    const Section last = section("stream 29");
    const int scroll = m_widget->scrollY();
    m_session->applyArrangement(withPinned({}, {SectionRef::ofTrack(last.process, last.track)}), "pin");
    QCOMPARE(viewY("stream 17"), below);
    QCOMPARE(m_widget->scrollY(), scroll + last.height);
}

void TestTimelineTracks::derivedRowsAreArrangedToo() {
    settings::store().remove(settings::kTimelineDerived);
    open(kMultiStream);
    const auto count = [this](const char* part) {
        return std::count_if(sections().begin(), sections().end(),
                             [&](const Section& section) { return section.title.find(part) != std::string::npos; });
    };
    QCOMPARE(count("Streams active"), 1);
    QCOMPARE(count("Copy bandwidth"), 0);  // switched off at first
    focus("Streams active");
    key(Qt::Key_P);
    QVERIFY(sections()[0].pinned);
    QCOMPARE(sections()[0].kind, SectionKind::Derived);
    QCOMPARE(count("Streams active"), 1);
    key(Qt::Key_H);
    QCOMPARE(count("Streams active"), 0);
    m_session->undoStack().undo();
    QCOMPARE(count("Streams active"), 1);
    m_session->undoStack().undo();
    QVERIFY(!sections()[0].pinned);
}

void TestTimelineTracks::pinnedTracksChangePlaces() {
    for (const char* title : {"stream 13", "stream 17"}) {
        focus(title);
        key(Qt::Key_P);
    }
    QVERIFY(sections()[0].title.find("stream 13") != std::string::npos);
    key(Qt::Key_Up, Qt::AltModifier);
    QVERIFY(sections()[0].title.find("stream 17") != std::string::npos);
    QVERIFY(sections()[1].title.find("stream 13") != std::string::npos);
    key(Qt::Key_Up, Qt::AltModifier);
    QVERIFY(sections()[0].title.find("stream 17") != std::string::npos);
    key(Qt::Key_Down, Qt::AltModifier);
    QVERIFY(sections()[0].title.find("stream 13") != std::string::npos);
    key(Qt::Key_P, Qt::ShiftModifier);
    QVERIFY(m_session->arrangement().pinned.empty());
}

void TestTimelineTracks::aProcessPinsItsTracks() {
    const int stream = find("stream 13");
    const int header = sections()[static_cast<size_t>(stream)].header;
    QVERIFY(header >= 0);
    const Section process = sections()[static_cast<size_t>(header)];
    size_t held = 0;
    for (const Section& other : sections()) {
        held += other.header == header ? 1 : 0;
    }
    QTest::mouseClick(m_widget.get(), Qt::LeftButton, {}, pinRect(process, head(process)).center());
    QCOMPARE(m_session->arrangement().pinned.size(), held);  // not those that are switched off
    for (size_t i = 0; i < held; ++i) {
        QVERIFY(sections()[i].pinned);
        QCOMPARE(sections()[i].process, process.process);
    }
    QCOMPARE(m_session->undoStack().count(), 1);
}

void TestTimelineTracks::hidingGoesOnWithTheNext() {
    const QStringList before = titles();
    focus("stream 13");
    key(Qt::Key_H);
    QCOMPARE(find("stream 13"), -1);
    key(Qt::Key_H);
    QCOMPARE(titles().size(), before.size() - 2);
    QCOMPARE(m_session->arrangement().hidden.size(), size_t{2});
    key(Qt::Key_H, Qt::ControlModifier | Qt::ShiftModifier);
    QCOMPARE(titles(), before);
}

void TestTimelineTracks::hideOthersKeepsWhatIsPinned() {
    focus("stream 17");
    key(Qt::Key_P);
    focus("stream 13");
    key(Qt::Key_H, Qt::ShiftModifier);
    QStringList shown;
    for (const Section& section : sections()) {
        if (section.kind != SectionKind::Process) {
            shown << QString::fromStdString(section.title);
        }
    }
    QCOMPARE(shown.size(), 2);
    QVERIFY(shown[0].contains("stream 17") && shown[1].contains("stream 13"));
    m_session->undoStack().undo();
    QVERIFY(sections().size() > 4);
}

void TestTimelineTracks::theNoteListsWhatIsHidden() {
    auto* note = m_widget->findChild<QToolButton*>("hiddenNote");
    QVERIFY(note->isHidden());
    for (const char* title : {"stream 13", "stream 17"}) {
        focus(title);
        key(Qt::Key_H);
    }
    QVERIFY(note->isVisible());
    QCOMPARE(note->text(), QString("2 hidden"));
    QTest::mouseClick(note, Qt::LeftButton);
    auto* popup = m_widget->findChild<ChoicePopup*>();
    QVERIFY(popup != nullptr && popup->isVisible());
    QCOMPARE(popup->list()->model()->rowCount(), 3);
    QTest::keyClick(popup->line(), Qt::Key_Down);
    QTest::keyClick(popup->line(), Qt::Key_Return);
    QVERIFY(find("stream 13") >= 0);
    QCOMPARE(find("stream 17"), -1);
    QCOMPARE(note->text(), QString("1 hidden"));
    QTest::mouseClick(note, Qt::LeftButton);
    QTest::keyClick(m_widget->findChild<ChoicePopup*>()->line(), Qt::Key_Return);
    QVERIFY(note->isHidden());
    QVERIFY(m_session->arrangement().empty());
    // Nothing is left over when the trace goes.
    focus("stream 13");
    key(Qt::Key_H);
    m_session->setTrace(nullptr);
    QVERIFY(note->isHidden());
}

void TestTimelineTracks::revealingShowsAHiddenTrack() {
    const Section stream = section("stream 13");
    const EventRow row(m_session->trace()->track(stream.track).firstRow);
    for (const bool wholeProcess : {false, true}) {
        m_session->applyArrangement(withHidden({}, {wholeProcess ? SectionRef::ofProcess(stream.process)
                                                                 : SectionRef::ofTrack(stream.process, stream.track)}),
                                    "hide");
        QCOMPARE(find("stream 13"), -1);
        m_session->revealEvent(row);
        QVERIFY(find("stream 13") >= 0);
        QVERIFY(m_session->arrangement().hidden.empty());
        QCOMPARE(m_session->undoStack().undoText(), QString("show a hidden track"));
        m_session->undoStack().undo();
        QCOMPARE(find("stream 13"), -1);
        m_session->undoStack().undo();
    }
}

void TestTimelineTracks::dragMovesATrack() {
    const int first = find("stream 13");
    const int second = find("stream 17");
    QVERIFY(first < second);
    const QPoint from = head(section("stream 17")).topLeft() + QPoint(70, 9);
    const QPoint to = head(section("stream 13")).topLeft() + QPoint(70, 2);
    drag(from, to);
    QVERIFY(find("stream 17") < find("stream 13"));
    QCOMPARE(find("stream 17"), first);
    QCOMPARE(m_session->undoStack().undoText(), QString("move a track"));
    m_session->undoStack().undo();
    QCOMPARE(find("stream 13"), first);
    // Not far enough to change anything: no step.
    drag(from, from + QPoint(0, 14));
    QVERIFY(m_session->arrangement().empty());
    // What it holds stays in its process.
    drag(from, m_widget->lanesRect().topLeft() + QPoint(-60, 3));
    QCOMPARE(section("stream 17").header, section("stream 13").header);
}

void TestTimelineTracks::dragPinsAndUnpins() {
    const QRect heads = m_widget->headsRect();
    // Above all rows, where nothing is pinned yet.
    drag(head(section("stream 13")).topLeft() + QPoint(70, 9), QPoint(70, heads.top() - 8));
    QVERIFY(sections()[0].pinned);
    QVERIFY(sections()[0].title.find("stream 13") != std::string::npos);
    QCOMPARE(m_session->undoStack().undoText(), QString("pin a track"));
    // In front of it.
    drag(head(section("stream 17")).topLeft() + QPoint(70, 9), head(sections()[0]).topLeft() + QPoint(70, 3));
    QVERIFY(sections()[0].title.find("stream 17") != std::string::npos);
    QVERIFY(sections()[1].pinned);
    // And out again, to the end of its process.
    drag(head(sections()[0]).topLeft() + QPoint(70, 9), QPoint(70, heads.bottom() - 40));
    QVERIFY(!section("stream 17").pinned);
    QVERIFY(sections()[0].title.find("stream 13") != std::string::npos);
    QCOMPARE(m_session->undoStack().undoText(), QString("unpin a track"));
    const Section& last = section("stream 17");
    QVERIFY(last.header >= 0);
    QCOMPARE(last.endY, sections()[static_cast<size_t>(last.header)].endY);
}

void TestTimelineTracks::dragMovesAProcess() {
    std::vector<ProcessId> before;
    const auto processes = [this] {
        std::vector<ProcessId> ids;
        for (const Section& section : sections()) {
            if (section.header < 0) {
                ids.push_back(section.process);
            }
        }
        return ids;
    };
    before = processes();
    QVERIFY(before.size() >= 2);
    int second = 1;
    while (sections()[static_cast<size_t>(second)].header >= 0) {
        ++second;
    }
    const Section process = sections()[static_cast<size_t>(second)];
    drag(head(process).topLeft() + QPoint(70, 9), m_widget->headsRect().topLeft() + QPoint(70, 2));
    std::vector<ProcessId> wanted = before;
    std::swap(wanted[0], wanted[1]);
    QCOMPARE(processes(), wanted);
    QVERIFY(!sections()[0].collapsed);
    m_session->undoStack().undo();
    QCOMPARE(processes(), before);
}

void TestTimelineTracks::aDragIsNoFold() {
    const Section process = sections()[0];
    QCOMPARE(process.kind, SectionKind::Process);
    drag(head(process).topLeft() + QPoint(70, 9), head(process).topLeft() + QPoint(70, 30));
    QVERIFY(!sections()[0].collapsed);
    QTest::mouseClick(m_widget.get(), Qt::LeftButton, {}, head(process).topLeft() + QPoint(70, 9));
    QVERIFY(sections()[0].collapsed);
}

void TestTimelineTracks::escStopsADrag() {
    const QPoint from = head(section("stream 17")).topLeft() + QPoint(70, 9);
    drag(from, head(section("stream 13")).topLeft() + QPoint(70, 2), false);
    key(Qt::Key_Escape);
    QTest::mouseRelease(m_widget.get(), Qt::LeftButton, {}, head(section("stream 13")).topLeft() + QPoint(70, 2));
    QVERIFY(m_session->arrangement().empty());
}

void TestTimelineTracks::theEdgeOfACounterIsDragged() {
    m_widget->resize(1000, 900);
    m_session->setTrace(test::traceFromText("cpu main: a 0..100\ncounter memory: 0=1 50=9\ncounter other: 0=1 50=9"));
    const Section counter = section("memory");
    QCOMPARE(counter.laneHeight, kCounterHeight);
    const QPoint edge(70, head(counter).bottom() - 1);
    hover(edge);
    QCOMPARE(m_widget->cursor().shape(), Qt::SizeVerCursor);
    drag(edge, edge + QPoint(0, 50));
    QCOMPARE(section("memory").laneHeight, kCounterHeight + 50);
    QCOMPARE(section("other").laneHeight, kCounterHeight);
    QCOMPARE(m_session->undoStack().count(), 1);
    m_session->undoStack().undo();
    QCOMPARE(section("memory").laneHeight, kCounterHeight);
    drag(edge, edge + QPoint(0, 600));
    QCOMPARE(section("memory").laneHeight, kMaxCounterHeight);
}

void TestTimelineTracks::heightsOfAProcess() {
    focus("stream 13");
    key(Qt::Key_Equal, Qt::AltModifier);
    const int once = section("stream 13").laneHeight;
    QVERIFY(once > kLaneHeight);
    QCOMPARE(section("stream 17").laneHeight, kLaneHeight);
    for (int i = 0; i < 12; ++i) {
        key(Qt::Key_Minus, Qt::AltModifier);
    }
    QCOMPARE(section("stream 13").laneHeight, kMinLaneHeight);
    key(Qt::Key_0, Qt::AltModifier);
    QCOMPARE(section("stream 13").laneHeight, kLaneHeight);
    QVERIFY(m_session->arrangement().empty());
    // Of the process: all that it holds. Labels come with the room for them.
    key(Qt::Key_Up, Qt::ControlModifier);
    while (section("stream 13").header >= 0 && find("stream 13") > 0 && m_session->arrangement().heights.size() < 2) {
        key(Qt::Key_Minus, Qt::AltModifier);
        key(Qt::Key_Up, Qt::ControlModifier);
    }
    QCOMPARE(section("stream 13").laneHeight, section("stream 17").laneHeight);
    QVERIFY(section("stream 13").laneHeight < kLaneHeight);
}

void TestTimelineTracks::everyStepIsUndone() {
    const QStringList before = titles();
    const int height = m_widget->layout().height();
    focus("stream 13");
    key(Qt::Key_P);
    focus("stream 17");
    key(Qt::Key_Up, Qt::AltModifier);
    key(Qt::Key_Equal, Qt::AltModifier);
    key(Qt::Key_H);
    QUndoStack& undo = m_session->undoStack();
    QCOMPARE(undo.count(), 4);
    while (undo.canUndo()) {
        undo.undo();
    }
    QCOMPARE(titles(), before);
    QCOMPARE(m_widget->layout().height(), height);
    while (undo.canRedo()) {
        undo.redo();
    }
    QVERIFY(sections()[0].pinned);
    QCOMPARE(find("stream 17"), -1);
}

void TestTimelineTracks::aReloadKeepsTheArrangement() {
    focus("stream 13");
    key(Qt::Key_P);
    focus("stream 17");
    key(Qt::Key_H);
    m_session->reloadTrace(loadFile(kMultiStream));
    QTRY_COMPARE(JobRunner::activeJobs(), 0);
    QVERIFY(sections()[0].pinned);
    QVERIFY(sections()[0].title.find("stream 13") != std::string::npos);
    QCOMPARE(find("stream 17"), -1);
    // Another trace has an arrangement of its own.
    open(kMemory);
    QVERIFY(m_session->arrangement().empty());
}

void TestTimelineTracks::foldingIsToldAndTaken() {
    QVERIFY(!m_session->folding());
    focus("GPU 0");  // a press on its head folds it
    const Section gpu = section("GPU 0");
    QVERIFY(gpu.collapsed);
    QVERIFY(m_session->folding());
    QCOMPARE(m_session->folding()->collapsed, std::vector<SectionRef>{SectionRef::ofProcess(gpu.process)});
    const TrackFolding folded = *m_session->folding();
    const QStringList before = titles();
    open(kMultiStream);
    QVERIFY(!section("GPU 0").collapsed);
    m_session->setFolding(folded);
    QVERIFY(section("GPU 0").collapsed);
    QCOMPARE(titles(), before);
    // A window of another height leaves it.
    m_widget->resize(1000, 700);
    QVERIFY(section("GPU 0").collapsed);
    // Said before the timeline has its model, it counts too.
    m_session->setTrace(nullptr);
    m_widget->hide();
    m_session->setTrace(loadFile(kMultiStream));
    m_session->setFolding(folded);
    m_widget->show();
    QTRY_COMPARE(JobRunner::activeJobs(), 0);
    QVERIFY(section("GPU 0").collapsed);
}

void TestTimelineTracks::foldingIsUndone() {
    m_widget->resize(1000, 300);
    QUndoStack& undo = m_session->undoStack();
    const QStringList before = titles();
    const auto heights = [this] {
        std::vector<int> all;
        for (const Section& one : sections()) {
            all.push_back(one.height);
        }
        return all;
    };
    const std::vector<int> open = heights();
    focus("GPU 0");  // a press on its head folds it
    const QStringList folded = titles();
    QVERIFY(folded.size() < before.size());
    QCOMPARE(undo.undoText(), QString("fold a process"));
    m_widget->setAllCollapsed(true);
    const std::vector<int> low = heights();
    QVERIFY(low != open);
    QCOMPARE(undo.undoText(), QString("fold all tracks"));
    undo.undo();
    QCOMPARE(titles(), folded);
    undo.undo();
    // As the timeline folds by itself, and again when the window changes its height.
    QCOMPARE(titles(), before);
    QCOMPARE(heights(), open);
    QVERIFY(!m_session->folding());
    m_widget->resize(1000, 120);
    m_widget->resize(1000, 300);
    QCOMPARE(heights(), open);
    undo.redo();
    undo.redo();
    QCOMPARE(heights(), low);
    undo.undo();
    // What unfolds on the way to an event is no step; the step before goes on to be undone.
    m_session->reveal(
        Selection::slice(EventRow(m_session->trace()
                                      ->track(section("GPU 0").process.valid()
                                                  ? m_session->trace()->process(section("GPU 0").process).tracks.front()
                                                  : TrackId(0U))
                                      .firstRow)));
    QVERIFY(!section("GPU 0").collapsed);
    QCOMPARE(undo.undoText(), QString("fold a process"));
    undo.undo();
    QCOMPARE(titles(), before);
}

void TestTimelineTracks::findsATrackWhereverItIs_data() {
    QTest::addColumn<QString>("how");
    for (const char* how : {"scrolled", "hidden", "hidden process", "folded", "filtered"}) {
        QTest::newRow(how) << how;
    }
}

void TestTimelineTracks::findsATrackWhereverItIs() {
    QFETCH(QString, how);
    const Section stream = section("stream 29");
    const SectionRef process = SectionRef::ofProcess(stream.process);
    if (how == "scrolled") {
        m_widget->resize(1000, 200);
        m_widget->setScrollY(0);
    } else if (how == "hidden") {
        m_session->applyArrangement(withHidden({}, {SectionRef::ofTrack(stream.process, stream.track)}), "hide");
    } else if (how == "hidden process") {
        m_session->applyArrangement(withHidden({}, {process}), "hide");
    } else if (how == "folded") {
        m_widget->setProcessCollapsed(stream.process, true);
    } else {
        m_widget->setTrackFilter("stream 13");
    }
    key(Qt::Key_P, Qt::ControlModifier);
    auto* popup = m_widget->findChild<ChoicePopup*>();
    QVERIFY(popup != nullptr && popup->isVisible());
    QTest::keyClicks(popup->line(), "s29");
    QTest::keyClick(popup->line(), Qt::Key_Return);
    QVERIFY(m_widget->hasFocus());
    QVERIFY(find("stream 29") >= 0);
    const QRect found = head(section("stream 29"));
    QVERIFY(m_widget->headsRect().contains(found));
    // It has the focus: keys are about it.
    key(Qt::Key_P);
    QVERIFY(sections()[0].pinned && sections()[0].title.find("stream 29") != std::string::npos);
}

void TestTimelineTracks::findsTheThreadOfAProcessToo() {
    m_session->setTrace(test::traceFromText(R"(
        cpu 1/11: a 0..10 { b 1..2 }
        cpu 2/22: a 0..10
        name process 1 "loader"
        name process 2 "shallow")"));
    QTRY_COMPARE(JobRunner::activeJobs(), 0);
    key(Qt::Key_P, Qt::ControlModifier);
    const auto* popup = m_widget->findChild<ChoicePopup*>();
    QStringList lines;
    for (int row = 0; row < popup->list()->model()->rowCount(); ++row) {
        lines << popup->list()->model()->index(row, 0).data().toString();
    }
    // As the timeline shows them: a header and a thread, and one that needs no header.
    QCOMPARE(lines, QStringList({"loader (1)", "loader (1): thread 11", "shallow (2) · thread 22"}));
}

void TestTimelineTracks::filtersByWords() {
    const QStringList before = titles();
    const size_t all = m_widget->layout().trackCount();
    typeFilter("STREAM gpu");
    for (const Section& section : sections()) {
        QVERIFY(section.kind == SectionKind::Process || section.title.find("stream") != std::string::npos);
    }
    QCOMPARE(m_widget->layout().passingCount(), size_t{6});
    QCOMPARE(filter()->countText(), QString("6 of %1").arg(all));
    QVERIFY(!m_session->undoStack().canUndo());
    // Enter goes on among them, and the line stays to say so.
    QTest::keyClick(filter()->line(), Qt::Key_Return);
    QVERIFY(m_widget->hasFocus());
    QVERIFY(filter()->isVisible());
    key(Qt::Key_F, Qt::ControlModifier | Qt::ShiftModifier);
    QTest::keyClick(filter()->line(), Qt::Key_Escape);
    QCOMPARE(titles(), before);
    QVERIFY(!filter()->isVisible());
    QVERIFY(m_widget->hasFocus());
    // Left empty, it goes.
    QTest::mouseClick(m_widget->findChild<QToolButton*>("filterTracks"), Qt::LeftButton);
    QVERIFY(filter()->isVisible());
    m_widget->setFocus();
    QVERIFY(!filter()->isVisible());
}

void TestTimelineTracks::anEmptyResultSaysSo() {
    const QStringList before = titles();
    typeFilter("no such");
    QVERIFY(sections().empty());
    QVERIFY(emptyState()->isVisible());
    QCOMPARE(emptyState()->title(), QString("No track passes the filter"));
    QVERIFY(emptyState()->sentence().contains("no such"));
    // The line that it came from is still there.
    QVERIFY(filter()->isVisible() && !emptyState()->geometry().intersects(filter()->geometry()));
    m_widget->grab();
    QTest::mouseClick(emptyState()->findChild<QPushButton*>(), Qt::LeftButton);
    QCOMPARE(titles(), before);
    QVERIFY(!emptyState()->isVisible() && !filter()->isVisible());
}

void TestTimelineTracks::allHiddenSaysSo() {
    const QStringList before = titles();
    while (!sections().empty()) {
        key(Qt::Key_H);
    }
    QVERIFY(emptyState()->isVisible());
    QCOMPARE(emptyState()->title(), QString("All tracks are hidden"));
    m_widget->grab();
    QTest::mouseClick(emptyState()->findChild<QPushButton*>(), Qt::LeftButton);
    QCOMPARE(titles(), before);
}

void TestTimelineTracks::aRevealedEventEndsTheFilter() {
    const EventRow row(m_session->trace()->track(section("stream 29").track).firstRow);
    m_widget->setTrackFilter("stream");
    m_session->revealEvent(row);
    QCOMPARE(filter()->text(), QString("stream"));  // it can be seen
    m_widget->setTrackFilter("stream 13");
    m_session->revealEvent(row);
    QVERIFY(filter()->text().isEmpty());
    QVERIFY(find("stream 29") >= 0);
}

void TestTimelineTracks::theFilterOutlivesAReload() {
    m_widget->setTrackFilter("stream 13");
    const QStringList found = titles();
    QCOMPARE(found.size(), 2);
    m_session->reloadTrace(loadFile(kMultiStream));
    QTRY_COMPARE(JobRunner::activeJobs(), 0);
    QCOMPARE(titles(), found);
    m_widget->resize(1000, 640);
    QCOMPARE(titles(), found);
    open(kMultiStream);
    QVERIFY(titles().size() > 2);
    QVERIFY(filter()->text().isEmpty());
}

void TestTimelineTracks::filterAndScrollAreToldAndTaken() {
    m_widget->resize(1000, 200);
    QVERIFY(!m_session->scrollPlace());
    m_widget->setTrackFilter("stream");
    const int y = section("stream 13").y + 7;
    m_widget->setScrollY(y);
    QCOMPARE(m_widget->scrollY(), y);
    const ScrollPlace place = *m_session->scrollPlace();
    QCOMPARE(place.section.track, section("stream 13").track);
    QCOMPARE(place.pixels, 7);
    const PanelStates states = m_session->panelStates();
    QCOMPARE(states, (PanelStates{{"timeline", R"({"track_filter":"stream"})"}}));
    const QStringList shown = titles();
    // As a session does that is restored, with the view there already …
    open(kMultiStream);
    QCOMPARE(m_widget->scrollY(), 0);
    QVERIFY(titles() != shown);
    m_session->restorePanelStates(states);
    m_session->setScrollPlace(place);
    QCOMPARE(titles(), shown);
    QVERIFY(filter()->isVisible());
    QCOMPARE(m_widget->scrollY(), y);
    QCOMPARE(m_session->scrollPlace(), std::optional(place));
    m_session->setScrollPlace(std::nullopt);
    QCOMPARE(m_widget->scrollY(), 0);
    // … and with a window that is not yet shown.
    m_widget->hide();
    m_session->setTrace(loadFile(kMultiStream));
    m_session->restorePanelStates(states);
    m_session->setScrollPlace(place);
    QTRY_COMPARE(JobRunner::activeJobs(), 0);
    QCOMPARE(m_session->scrollPlace(), std::optional(place));
    m_widget->show();
    QTRY_COMPARE(m_widget->scrollY(), y);
    QCOMPARE(titles(), shown);
    QCOMPARE(m_session->scrollPlace(), std::optional(place));
    // What is not seen any more scrolls nowhere.
    m_session->setScrollPlace(ScrollPlace{{SectionRef::Kind::Counter, ProcessId(0U), TrackId::none(), "moon"}, 3});
    QCOMPARE(m_widget->scrollY(), y);
}

void TestTimelineTracks::aReloadKeepsWhatIsAtTheTop() {
    const std::string text = "cpu 1/2: a 0..9\ncpu 1/3: a 0..9\ncpu 1/4: a 0..9\ncpu 1/5: a 0..9\ncpu 1/6: a 0..9\n";
    m_widget->resize(1000, 130);
    m_session->setTrace(test::traceFromText(text));
    m_widget->setScrollY(section("thread 3").y + 2);
    const int top = section("thread 3").y - m_widget->scrollY();
    QCOMPARE(top, -2);
    m_session->reloadTrace(test::traceFromText("cpu 1/1: z 0..1\n" + text));
    QTRY_COMPARE(JobRunner::activeJobs(), 0);
    QVERIFY(find("thread 1") >= 0);
    QCOMPARE(section("thread 3").y - m_widget->scrollY(), top);
}

void TestTimelineTracks::overlapsAreMarkedInTheHead() {
    m_session->setTrace(test::traceFromText("cpu 1/1: a 0..100 { b 10..20 }\ncpu 1/2: a 0..60 b 50..100 c 90..120"));
    const Section& plain = section("thread 1");
    const Section& crossing = section("thread 2");
    QVERIFY(overlapRect(plain, head(plain)).isEmpty());
    const QRect sign = overlapRect(crossing, head(crossing));
    QVERIFY(!sign.isEmpty() && !sign.intersects(pinRect(crossing, head(crossing))));
    QHelpEvent help(QEvent::ToolTip, sign.center(), m_widget->mapToGlobal(sign.center()));
    QApplication::sendEvent(m_widget.get(), &help);
    QVERIFY2(QToolTip::text().startsWith("2 slices overlap earlier ones"), qPrintable(QToolTip::text()));
    QToolTip::hideText();
    // The edge is beside the second lane, not beside the first, and not beside lanes of what nests.
    const QImage picture = m_widget->grab().toImage();
    const auto warned = [&](const Section& of, int lane) {
        int found = 0;
        for (int y = 0; y < kLaneHeight - 1; ++y) {
            const QPoint at(m_widget->headsRect().right() - 3, head(of).top() + lane * kLaneHeight + y);
            found += picture.pixelColor(at).blue() + 40 < picture.pixelColor(at).red() ? 1 : 0;
        }
        return found;
    };
    QVERIFY(warned(crossing, 1) > 4);
    QCOMPARE(warned(crossing, 0), 0);
    QCOMPARE(warned(plain, 1), 0);
}

QTEST_MAIN(TestTimelineTracks)
#include "tst_timeline_tracks.moc"
