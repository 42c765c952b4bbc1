// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAction>
#include <QApplication>
#include <QHelpEvent>
#include <QInputDialog>
#include <QLineEdit>
#include <QListView>
#include <QMenu>
#include <QSignalSpy>
#include <QTest>
#include <QTimer>
#include <QToolTip>
#include <QWheelEvent>

#include <memory>

#include "core/trace/trace_builder.h"
#include "tests/support/trace_text.h"
#include "widgets/panels/timeline/time_prompt.h"
#include "widgets/panels/timeline/timeline_widget.h"
#include "widgets/support/choice_popup.h"
#include "widgets/support/settings.h"
#include "widgets/support/theme.h"

using namespace warpline;
using namespace warpline::timeline;

class TestTimelineNavigation : public QObject {
    Q_OBJECT

private slots:
    void init();
    void cleanup();

    void jumpsAreSteps();
    void motionIsAStepOnceItRests();
    void mouseButtonsGoBackAndForward();
    void resizingIsNoStep();
    void anotherTraceHasAHistoryOfItsOwn();
    void aReloadKeepsTheHistory();
    void viewsFindTheirTopAgain();
    void goesToATypedTime();
    void escClosesThePrompt();
    void theRulerCanShowTheTimeOfDay();
    void marksTheSelection();
    void aMarkWithoutItsTrackStandsOnTheRulerAlone();
    void keysAreAboutTheMarkThatIsMeant();
    void marksAreListed();
    void aStepToANeighbourKeepsTheZoom();
    void theRulersMenuIsAboutTime();
    void bookmarksAreViewsToComeBackTo();

private:
    void answer(const QString& text) {
        QTimer::singleShot(0, this, [text] {
            if (auto* dialog = qobject_cast<QInputDialog*>(QApplication::activeModalWidget())) {
                dialog->setTextValue(text);
                dialog->accept();
            }
        });
    }
    ChoicePopup* popup() const { return m_widget->findChild<ChoicePopup*>(); }

    bool shows(const TimeAxis& axis) const {
        return m_widget->axis().begin == axis.begin && m_widget->axis().nsPerPixel == axis.nsPerPixel;
    }
    TimePrompt* prompt() const { return m_widget->findChild<TimePrompt*>(); }

    std::unique_ptr<Session> m_session;
    std::unique_ptr<TimelineWidget> m_widget;
};

void TestTimelineNavigation::init() {
    settings::useTemporary();
    applyTheme(ThemeChoice::Light);
    m_session = std::make_unique<Session>();
    m_widget = std::make_unique<TimelineWidget>(*m_session);
    m_widget->resize(1000, 400);
    m_widget->show();
    QVERIFY(QTest::qWaitForWindowActive(m_widget.get()));
    m_widget->setFocus();
    m_session->setTrace(test::traceFromText("cpu main: a 0..1000000 b 2000000..2100000 c 9000000..10000000"));
}

void TestTimelineNavigation::cleanup() {
    m_widget.reset();
    m_session.reset();
}

void TestTimelineNavigation::jumpsAreSteps() {
    const TimeAxis all = m_widget->axis();
    m_session->selectEvent(EventRow(1U));
    QTest::keyClick(m_widget.get(), Qt::Key_F);
    const TimeAxis slice = m_widget->axis();
    QVERIFY(!shows(all));
    QTest::keyClick(m_widget.get(), Qt::Key_End);
    const TimeAxis end = m_widget->axis();
    QTest::keyClick(m_widget.get(), Qt::Key_Left, Qt::AltModifier);
    QVERIFY(shows(slice));
    QTest::keyClick(m_widget.get(), Qt::Key_Left, Qt::AltModifier);
    QVERIFY(shows(all));
    QTest::keyClick(m_widget.get(), Qt::Key_Left, Qt::AltModifier);
    QVERIFY(shows(all));
    QTest::keyClick(m_widget.get(), Qt::Key_Right, Qt::AltModifier);
    QTest::keyClick(m_widget.get(), Qt::Key_Right, Qt::AltModifier);
    QVERIFY(shows(end));
    // What a table brings into view is one too.
    m_session->revealEvent(EventRow(0U));
    QVERIFY(!shows(end));
    QTest::keyClick(m_widget.get(), Qt::Key_Left, Qt::AltModifier);
    QVERIFY(shows(end));
}

void TestTimelineNavigation::motionIsAStepOnceItRests() {
    const TimeAxis all = m_widget->axis();
    const auto wheel = [this] {
        const QPoint at = m_widget->lanesRect().center();
        QWheelEvent event(at, m_widget->mapToGlobal(at), {}, {0, 120}, Qt::NoButton, Qt::ControlModifier,
                          Qt::NoScrollPhase, false);
        QApplication::sendEvent(m_widget.get(), &event);
        QTRY_VERIFY(!m_widget->isMoving());
    };
    wheel();
    wheel();
    wheel();
    const TimeAxis rest = m_widget->axis();
    QTest::qWait(600);
    wheel();
    // Four notches, two steps: the last one is where it is now.
    QTest::keyClick(m_widget.get(), Qt::Key_Left, Qt::AltModifier);
    QVERIFY(shows(rest));
    QTest::keyClick(m_widget.get(), Qt::Key_Left, Qt::AltModifier);
    QVERIFY(shows(all));
}

void TestTimelineNavigation::mouseButtonsGoBackAndForward() {
    const TimeAxis all = m_widget->axis();
    m_session->selectEvent(EventRow(1U));
    m_widget->fit();
    const TimeAxis slice = m_widget->axis();
    QTest::mouseClick(m_widget.get(), Qt::BackButton, {}, m_widget->lanesRect().center());
    QVERIFY(shows(all));
    QTest::mouseClick(m_widget.get(), Qt::ForwardButton, {}, m_widget->lanesRect().center());
    QVERIFY(shows(slice));
}

void TestTimelineNavigation::resizingIsNoStep() {
    const TimeRange all = visibleRange(m_widget->axis(), m_widget->lanesRect().width());
    m_session->selectEvent(EventRow(1U));
    m_widget->fit();
    m_widget->resize(700, 400);
    QTest::qWait(600);
    m_widget->goBack();
    QCOMPARE(m_widget->axis().begin, all.begin);
    m_widget->goBack();
    m_widget->goForward();
    QVERIFY(m_widget->axis().begin > 1'900'000);
}

void TestTimelineNavigation::anotherTraceHasAHistoryOfItsOwn() {
    m_session->selectEvent(EventRow(1U));
    m_widget->fit();
    m_session->setTrace(test::traceFromText("cpu main: a 500..900"));
    const TimeAxis first = m_widget->axis();
    m_widget->goBack();
    QVERIFY(shows(first));
}

void TestTimelineNavigation::aReloadKeepsTheHistory() {
    const auto back = [this] { QTest::keyClick(m_widget.get(), Qt::Key_Left, Qt::AltModifier); };
    const auto forward = [this] { QTest::keyClick(m_widget.get(), Qt::Key_Right, Qt::AltModifier); };
    m_session->selectEvent(EventRow(1U));
    m_widget->fit();
    const TimeAxis slice = m_widget->axis();
    m_session->selectEvent(EventRow(2U));
    m_widget->fit();
    const TimeAxis last = m_widget->axis();
    back();
    QVERIFY(shows(slice));
    // The file has grown: the views are what they were, and where one is is no new step.
    m_session->reloadTrace(
        test::traceFromText("cpu main: a 0..1000000 b 2000000..2100000 c 9000000..10000000 d 20000000..21000000"));
    QVERIFY(shows(slice));
    forward();
    QVERIFY(shows(last));
    back();
    QVERIFY(shows(slice));
    // It has become shorter: a view beyond its end is moved to it.
    m_session->reloadTrace(test::traceFromText("cpu main: a 0..1000000 b 2000000..2100000"));
    forward();
    QVERIFY(!shows(last) && !shows(slice));
    QVERIFY(m_widget->axis().begin < 2'100'000);
    back();
    QVERIFY(shows(slice));
}

void TestTimelineNavigation::viewsFindTheirTopAgain() {
    const auto traceOf = [](const std::vector<int>& tids) {
        std::string text;
        for (const int tid : tids) {
            text += "cpu 1/" + std::to_string(tid) + ": a 0..9 { b 1..2 }\n";
        }
        return test::traceFromText(text);
    };
    m_widget->resize(1000, 130);
    m_session->setTrace(traceOf({2, 3, 4, 5, 6, 7, 8}));
    const auto section = [this](const char* title) {
        for (const Section& one : m_widget->layout().sections()) {
            if (one.title.find(title) != std::string::npos) {
                return one;
            }
        }
        return Section();
    };
    const auto top = [&](const char* title) { return section(title).y - m_widget->scrollY(); };
    m_widget->setScrollY(section("thread 3").y + 3);
    QTest::qWait(500);
    m_widget->setScrollY(section("thread 5").y + 1);
    QTest::qWait(500);
    m_widget->setScrollY(0);
    QTest::qWait(500);
    // Rows that come above, and one that goes.
    m_session->reloadTrace(traceOf({1, 2, 3, 4, 6, 7, 8}));
    QCOMPARE(m_widget->scrollY(), 0);
    m_widget->goBack();
    QCOMPARE(top("thread 3"), -3);
    m_widget->goForward();
    QCOMPARE(m_widget->scrollY(), 0);
    // What is folded since is looked at where it is folded.
    m_widget->setProcessCollapsed(section("thread 3").process, true);
    m_widget->goBack();
    QCOMPARE(m_widget->scrollY(), 0);
}

void TestTimelineNavigation::goesToATypedTime() {
    m_session->selectEvent(EventRow(1U));
    m_widget->fit();
    const TimeAxis slice = m_widget->axis();
    QTest::keyClick(m_widget.get(), Qt::Key_G, Qt::ControlModifier);
    QVERIFY(prompt()->isVisible());
    QTest::keyClicks(prompt()->edit(), "soon");
    QTest::keyClick(prompt()->edit(), Qt::Key_Return);
    QVERIFY(prompt()->isVisible());
    QCOMPARE(prompt()->problem(), QString("A time looks like 12.5ms, +3us, -3us or 07:57:06.123456"));
    prompt()->edit()->clear();
    QVERIFY(prompt()->problem().isEmpty());
    QTest::keyClicks(prompt()->edit(), "9.5ms");
    QTest::keyClick(prompt()->edit(), Qt::Key_Return);
    QVERIFY(!prompt()->isVisible());
    QVERIFY(m_widget->hasFocus());
    QCOMPARE(m_widget->axis().nsPerPixel, slice.nsPerPixel);
    const TimeNs middle = xToTime(m_widget->axis(), m_widget->lanesRect().width() / 2.0);
    QVERIFY(std::abs(middle - 9'500'000) <= 1);
    // Relative times count from the middle.
    QTest::keyClick(m_widget.get(), Qt::Key_G, Qt::ControlModifier);
    QTest::keyClicks(prompt()->edit(), "-100us");
    QTest::keyClick(prompt()->edit(), Qt::Key_Return);
    QVERIFY(std::abs(xToTime(m_widget->axis(), m_widget->lanesRect().width() / 2.0) - (middle - 100'000)) <= 1);
    m_widget->goBack();
    m_widget->goBack();
    QVERIFY(shows(slice));
}

void TestTimelineNavigation::escClosesThePrompt() {
    m_session->selectEvent(EventRow(1U));
    m_widget->askForTime();
    QTest::keyClick(prompt()->edit(), Qt::Key_Escape);
    QVERIFY(!prompt()->isVisible());
    QVERIFY2(m_session->selectedEvent().valid(), "it clears no selection");
    m_widget->askForTime();
    const std::weak_ptr<const Trace> old = m_session->trace();
    m_session->setTrace(nullptr);
    QVERIFY(!prompt()->isVisible());
    QTRY_VERIFY(old.expired());
}

void TestTimelineNavigation::theRulerCanShowTheTimeOfDay() {
    QAction* clock = nullptr;
    for (QAction* action : m_widget->actions()) {
        clock = action->objectName() == "timeline.time_of_day" ? action : clock;
    }
    QVERIFY(clock != nullptr);
    QVERIFY2(!clock->isEnabled(), "the trace has no base time");
    TraceBuilder builder;
    FileInfo info;
    info.baseTimeNs = 1'700'000'000'000'000'000;
    const ProcessId process = builder.process(builder.addFile(info), "7");
    SliceRecord slice;
    slice.duration = 1'000'000;
    slice.track = builder.track(process, "7");
    builder.addSlice(slice);
    JobControl job;
    m_session->setTrace(builder.seal(job).value());
    QVERIFY(clock->isEnabled());
    const QImage before = m_widget->grab().toImage();
    clock->trigger();
    QVERIFY(m_widget->grab().toImage() != before);
    QVERIFY(settings::store().value(settings::kTimelineClock).toBool());
    clock->trigger();
    QCOMPARE(m_widget->grab().toImage(), before);
}

void TestTimelineNavigation::marksTheSelection() {
    QTest::keyClick(m_widget.get(), Qt::Key_M);
    QVERIFY2(m_session->notes().marks.empty(), "nothing is selected");
    const QImage before = m_widget->grab().toImage();
    m_session->selectEvent(EventRow(1U));
    QTest::keyClick(m_widget.get(), Qt::Key_M);
    m_session->setArea(AreaSelection{{500, 900}, {}});
    QTest::keyClick(m_widget.get(), Qt::Key_M, Qt::ShiftModifier);
    const std::vector<Mark> expected = {{{{2'000'000, 2'100'000}, {}}, "b", false}, {{{500, 900}, {}}, "", true}};
    QCOMPARE(m_session->notes().marks, expected);
    m_session->setArea(std::nullopt);
    m_session->select({});
    QVERIFY(m_widget->grab().toImage() != before);
    m_session->undoStack().undo();
    m_session->undoStack().undo();
    QVERIFY(m_session->notes().marks.empty());
    QCOMPARE(m_widget->grab().toImage(), before);
}

void TestTimelineNavigation::aMarkWithoutItsTrackStandsOnTheRulerAlone() {
    const TimeRange range{4'000'000, 6'000'000};
    const QPoint inside(m_widget->lanesRect().left() + m_widget->lanesRect().width() / 2,
                        m_widget->lanesRect().bottom() - 40);
    const auto colorInside = [&] { return m_widget->grab().toImage().pixelColor(inside); };
    const QColor plain = colorInside();
    m_session->applyNotes({{}, {{{range, {}}, "all", true}}}, "all");
    QVERIFY(colorInside() != plain);
    m_session->applyNotes({{}, {{{range, {}}, "lost", true, {{0, QString("7"), QString("8")}}}}}, "lost");
    QCOMPARE(colorInside(), plain);
    const QPoint onRuler(inside.x(), m_widget->lanesRect().top() - 2);
    QHelpEvent help(QEvent::ToolTip, onRuler, m_widget->mapToGlobal(onRuler));
    QApplication::sendEvent(m_widget.get(), &help);
    QCOMPARE(QToolTip::text(), QString("lost\nMark: 2.000 ms from 4.000 ms on\n"
                                       "Its track is not in this trace. It is kept, and found again where it is."));
    QToolTip::hideText();
    QVERIFY(m_widget->grab().toImage().pixelColor(onRuler.x(), onRuler.y()) !=
            m_widget->grab().toImage().pixelColor(m_widget->lanesRect().left() + 4, onRuler.y()));
}

void TestTimelineNavigation::keysAreAboutTheMarkThatIsMeant() {
    const Mark first{{{0, 100'000}, {}}, "first", true};
    const Mark second{{{5'000'000, 6'000'000}, {}}, "second", true};
    m_session->applyNotes({{}, {first, second}}, "all");
    const auto press = [this](Qt::Key key, Qt::KeyboardModifiers modifiers) {
        QTest::keyClick(m_widget.get(), key, modifiers);
    };
    // The selected area says which; both are in view.
    m_session->setArea(second.area);
    answer("  slow  ");
    press(Qt::Key_N, Qt::AltModifier);
    QCOMPARE(m_session->notes().marks[1].note, QString("slow"));
    QCOMPARE(m_session->notes().marks[0], first);
    press(Qt::Key_M, Qt::ControlModifier | Qt::ShiftModifier);
    QVERIFY(!m_session->notes().marks[1].isKept && m_session->notes().marks[0].isKept);
    m_session->undoStack().undo();
    QVERIFY(m_session->notes().marks[1].isKept);
    press(Qt::Key_M, Qt::AltModifier | Qt::ShiftModifier);
    QCOMPARE(m_session->notes().marks, std::vector<Mark>{first});
    m_session->undoStack().undo();
    QCOMPARE(m_session->notes().marks.size(), 2U);
    // Nothing says which: it is asked.
    m_session->setArea(std::nullopt);
    press(Qt::Key_M, Qt::AltModifier | Qt::ShiftModifier);
    QVERIFY(popup() != nullptr && popup()->isVisible());
    QTest::keyClick(popup()->line(), Qt::Key_Return);
    QCOMPARE(m_session->notes().marks.size(), 1U);
    QCOMPARE(m_session->notes().marks[0].note, QString("slow"));
    // The only one in view.
    m_session->undoStack().undo();
    m_widget->setAxis(axisFitting({8'000'000, 9'000'000}, m_widget->lanesRect().width()));
    press(Qt::Key_M, Qt::AltModifier | Qt::ShiftModifier);
    QVERIFY(popup()->isVisible());
    QTest::keyClick(popup()->line(), Qt::Key_Escape);
    m_widget->setAxis(axisFitting({5'500'000, 9'000'000}, m_widget->lanesRect().width()));
    press(Qt::Key_M, Qt::AltModifier | Qt::ShiftModifier);
    QCOMPARE(m_session->notes().marks, std::vector<Mark>{first});
}

void TestTimelineNavigation::marksAreListed() {
    const Mark far{{{9'000'000, 9'100'000}, {}}, "far", true};
    const Mark lost{{{100, 200}, {}}, "lost", true, {{0, QString("7"), QString("8")}}};
    m_session->applyNotes({{}, {far, lost}}, "all");
    m_widget->setAxis(axisFitting({0, 1'000'000}, m_widget->lanesRect().width()));
    QTest::keyClick(m_widget.get(), Qt::Key_M, Qt::AltModifier);
    QVERIFY(popup() != nullptr && popup()->isVisible());
    QCOMPARE(popup()->list()->model()->rowCount(), 2);
    QTest::keyClick(popup()->line(), Qt::Key_Return);
    QCOMPARE(m_session->area(), std::optional(far.area));
    const TimeRange shown = visibleRange(m_widget->axis(), m_widget->lanesRect().width());
    QVERIFY(shown.begin < far.area.range.begin && far.area.range.end < shown.end);
    // One without its track selects no area, which would be about all.
    QTest::keyClick(m_widget.get(), Qt::Key_M, Qt::AltModifier);
    QTest::keyClicks(popup()->line(), "lost");
    QTest::keyClick(popup()->line(), Qt::Key_Return);
    QVERIFY(!m_session->area());
    QVERIFY(visibleRange(m_widget->axis(), m_widget->lanesRect().width()).begin <= 100);
    // It was gone to last.
    QTest::keyClick(m_widget.get(), Qt::Key_M, Qt::AltModifier | Qt::ShiftModifier);
    QCOMPARE(m_session->notes().marks, std::vector<Mark>{far});
}

void TestTimelineNavigation::aStepToANeighbourKeepsTheZoom() {
    m_session->setTrace(test::traceFromText("cpu main: long 0..5000000 tiny 5000100..5000800 far 20000000..21000000"));
    m_session->selectEvent(EventRow(0U));
    m_session->setVisibleRange({0, 10'000'000});
    const double zoom = m_widget->axis().nsPerPixel;
    for (const char* name : {"tiny", "far"}) {
        QTest::keyClick(m_widget.get(), Qt::Key_Period);
        const EventRow row = m_session->selectedEvent();
        QCOMPARE(m_session->trace()->sliceName(row), std::string_view(name));
        QCOMPARE(m_widget->axis().nsPerPixel, zoom);
        const TimeRange view = m_session->visibleRange();
        QVERIFY(view.begin <= m_session->trace()->slices().begin[row.value]);
        QVERIFY(view.end >= m_session->trace()->slices().end(row.value));
    }
}

void TestTimelineNavigation::theRulersMenuIsAboutTime() {
    const QPoint at(m_widget->lanesRect().center().x(), m_widget->lanesRect().top() - 10);
    const auto entries = [&](QPoint place) {
        QStringList found;
        QTimer::singleShot(50, this, [&] {
            if (auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget())) {
                for (const QAction* action : menu->actions()) {
                    found << action->text().remove('&');
                }
                menu->close();
            }
        });
        QContextMenuEvent event(QContextMenuEvent::Mouse, place, m_widget->mapToGlobal(place));
        QApplication::sendEvent(m_widget.get(), &event);
        return found;
    };
    const QStringList ofRuler = entries(at);
    for (const char* text : {"Go to a time…", "Zoom in", "Bookmark this view", "Ruler shows the time of day"}) {
        QVERIFY2(ofRuler.contains(QString::fromUtf8(text)), text);
    }
    QVERIFY(!ofRuler.contains("Collapse all tracks"));
    const TimeRange view = m_session->visibleRange();
    m_session->applyNotes({{}, {{{{view.begin + view.length() / 4, view.end - view.length() / 4}, {}}, "x", true}}},
                          "m");
    const QPoint edge(m_widget->lanesRect().left() + m_widget->lanesRect().width() / 4, at.y() + 8);
    QCOMPARE(entries(edge).mid(0, 3), (QStringList{"Note of the mark…", "Keep the mark no longer", "Remove the mark"}));
    QVERIFY(!entries(edge).contains("Zoom in"));
}

void TestTimelineNavigation::bookmarksAreViewsToComeBackTo() {
    QSignalSpy told(m_session.get(), &Session::told);
    m_session->selectEvent(EventRow(1U));
    m_widget->fit();
    const TimeRange slice = visibleRange(m_widget->axis(), m_widget->lanesRect().width());
    QTest::keyClick(m_widget.get(), Qt::Key_B, Qt::ControlModifier);
    QCOMPARE(m_session->notes().bookmarks, (std::vector<Bookmark>{{"Bookmark 1", slice, {}}}));
    QCOMPARE(told.count(), 1);
    QVERIFY(told.first().first().toString().startsWith("Bookmark \"Bookmark 1\" added"));
    m_widget->fitAll();
    m_widget->resize(800, 400);
    QMenu* menu = nullptr;
    for (const QAction* action : m_widget->actions()) {
        menu = action->menu() != nullptr && action->text().startsWith("Book") ? action->menu() : menu;
    }
    QVERIFY(menu != nullptr);
    emit menu->aboutToShow();
    QCOMPARE(menu->actions().first()->text(), QString("Bookmark 1"));
    menu->actions().first()->trigger();
    const TimeRange shown = visibleRange(m_widget->axis(), m_widget->lanesRect().width());
    QVERIFY(std::abs(shown.begin - slice.begin) <= 1 && std::abs(shown.end - slice.end) <= 1);
    m_widget->goBack();
    QVERIFY(visibleRange(m_widget->axis(), m_widget->lanesRect().width()).length() > 9'000'000);
    menu->findChildren<QMenu*>().last()->actions().first()->trigger();
    QVERIFY(m_session->notes().bookmarks.empty());
    m_session->undoStack().undo();
    QCOMPARE(m_session->notes().bookmarks.size(), 1U);
}

QTEST_MAIN(TestTimelineNavigation)
#include "tst_timeline_navigation.moc"
