// SPDX-License-Identifier: GPL-3.0-or-later
// Real mouse, wheel and key events, on a screen with two device pixels a pixel.
#include <QAction>
#include <QApplication>
#include <QContextMenuEvent>
#include <QImage>
#include <QSignalSpy>
#include <QTest>
#include <QTimer>
#include <QWheelEvent>

#include <memory>

#include "tests/support/trace_text.h"
#include "widgets/panels/timeline/edge_snap.h"
#include "widgets/panels/timeline/timeline_widget.h"
#include "widgets/support/settings.h"
#include "widgets/support/theme.h"

using namespace warpline;
using namespace warpline::timeline;
using warpline::test::traceFromText;

namespace {

const char kTrace[] =
    "cpu main: step 0..1000000 { forward 100000..400000 { cudaLaunchKernel 200000..220000 (corr=1) } "
    "backward 500000..900000 } step 1100000..1900000\n"
    "cpu worker: load 0..300000 { read 1000..200000 }\n"
    "gpu 0 stream 7: sgemm 450000..600000 (corr=1) relu 700000..705000\n";

}  // namespace

class tst_TimelineWidget : public QObject {
    Q_OBJECT

private slots:
    void init();
    void cleanup();
    void anotherTraceHasOtherBars();

    void opensOnTheWholeTrace();
    void drawsAtTheScreensResolution();
    void clickSelects();
    void clickBesideClearsTheSelection();
    void dragSelectsAnArea();
    void anAreaEndsWithTheTrace();
    void dragsHoldToEdges();
    void dragOverRowsNamesTracks();
    void areaEdgesMove();
    void escapeEndsADrag();
    void aMenuClosesWithItsTrace();
    void aDragTakesWhatIsScrolledAway();
    void aDragOverDerivedRowsTakesTheirStreams();
    void stepsOverOverlapsAndGaps();
    void controlWheelZoomsAtThePointer();
    void aWheelGlidesToWhereItWouldHaveJumped();
    void shiftWheelAndShiftDragPan();
    void plainWheelScrolls();
    void heldKeysMoveAndStop_data();
    void heldKeysMoveAndStop();
    void fitAndFitAgain();
    void homeAndEnd();
    void stepsAlongTheLane();
    void followsTheLaunch();
    void doubleClickZoomsToASlice();
    void escapeClears();
    void revealBringsIntoView();
    void revealOpensWhatIsFolded();
    void headsFold();
    void highlightIsDrawn();
    void hoverShowsAReadout();
    void visibleRangeIsShared();
    void resizeKeepsTheRange();
    void theSelectedSliceDoesNotFade();
    void aLargeHighlightIsIndexedOnAThread();
    void revealWaitsForAView();
    void revealBringsAMomentIntoView();
    void asksForTheKeyboard();
    void instantsAndCountersAreSelected();
    void keysFoldTracksAndProcesses();
    void theHeadsWidthIsRemembered();
    void withoutATrace();
    void actionsDoWhatTheySay();

private:
    EventRow find(const char* name) const {
        for (uint32_t row = 0; row < m_trace->sliceCount(); ++row) {
            if (m_trace->sliceName(EventRow(row)) == name) {
                return EventRow(row);
            }
        }
        return EventRow::none();
    }
    /// The middle of a slice's bar, in the widget.
    QPoint middleOf(EventRow row) const {
        const LayoutRow& lane =
            m_widget->layout().rows()[static_cast<size_t>(m_widget->layout().rowOfLane(m_trace->laneOf(row)))];
        const SliceColumns& slices = m_trace->slices();
        const double x =
            (timeToX(m_widget->axis(), slices.begin[row.value]) + timeToX(m_widget->axis(), slices.end(row.value))) / 2;
        return m_widget->lanesRect().topLeft() +
               QPoint(static_cast<int>(x), lane.y + lane.height / 2 - m_widget->scrollY());
    }
    int xOf(TimeNs time) const {
        return m_widget->lanesRect().left() + static_cast<int>(std::lround(timeToX(m_widget->axis(), time)));
    }
    /// With pixels it is fingers on a touch pad.
    void wheel(QPoint at, QPoint angle, Qt::KeyboardModifiers modifiers, QPoint pixels = {}) {
        QWheelEvent event(at, m_widget->mapToGlobal(at), pixels, angle, Qt::NoButton, modifiers,
                          pixels.isNull() ? Qt::NoScrollPhase : Qt::ScrollUpdate, false);
        QApplication::sendEvent(m_widget.get(), &event);
        QTRY_VERIFY(!m_widget->isMoving());
    }

    std::shared_ptr<const Trace> m_trace;
    std::unique_ptr<Session> m_session;
    std::unique_ptr<TimelineWidget> m_widget;
};

void tst_TimelineWidget::init() {
    settings::useTemporary();
    applyTheme(ThemeChoice::Light);
    m_trace = traceFromText(kTrace);
    m_session = std::make_unique<Session>();
    m_widget = std::make_unique<TimelineWidget>(*m_session);
    m_widget->resize(1000, 400);
    m_widget->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_widget.get()));
    m_session->setTrace(m_trace);
}

void tst_TimelineWidget::cleanup() {
    m_widget.reset();
    m_session.reset();
}

void tst_TimelineWidget::opensOnTheWholeTrace() {
    const int width = m_widget->lanesRect().width();
    const TimeRange shown = visibleRange(m_widget->axis(), width);
    QVERIFY(shown.begin <= 0 && shown.end >= 1'900'000);
    QVERIFY(shown.length() < 2'000'000);
    QVERIFY(m_widget->geometry().bars.size() >= 9);
}

void tst_TimelineWidget::drawsAtTheScreensResolution() {
    QCOMPARE(m_widget->devicePixelRatioF(), 2.0);
    const Geometry& geometry = m_widget->geometry();
    QCOMPARE(geometry.view.scale, 2.0);
    QCOMPARE(geometry.view.width, 2 * m_widget->lanesRect().width());
    const QImage image = m_widget->grab().toImage();
    QCOMPARE(image.width(), 2000);
    const BarColors colors = barColors(theme());
    // Every wide bar shows its own colour at its top left, at device resolution.
    int checked = 0;
    for (const RowGeometry& row : geometry.rows) {
        for (const Bar& bar : geometry.barsOf(row)) {
            if (bar.x1 - bar.x0 >= 6 && bar.x0 >= 0) {
                const QPoint at(2 * m_widget->lanesRect().left() + bar.x0 + 1,
                                2 * m_widget->lanesRect().top() + row.y0 + 1);
                QCOMPARE(image.pixel(at), colors.fill[bar.color]);
                ++checked;
            }
        }
    }
    QVERIFY(checked >= 8);
}

void tst_TimelineWidget::clickSelects() {
    QSignalSpy selected(m_session.get(), &Session::selectedEventChanged);
    for (const char* name : {"forward", "backward", "sgemm", "cudaLaunchKernel", "read"}) {
        const EventRow row = find(name);
        QTest::mouseClick(m_widget.get(), Qt::LeftButton, Qt::NoModifier, middleOf(row));
        QCOMPARE(m_session->selectedEvent(), row);
    }
    QCOMPARE(selected.count(), 5);
}

void tst_TimelineWidget::clickBesideClearsTheSelection() {
    m_session->selectEvent(find("forward"));
    QTest::mouseClick(m_widget.get(), Qt::LeftButton, Qt::NoModifier,
                      QPoint(xOf(1'050'000), middleOf(find("step")).y()));
    QVERIFY(!m_session->selectedEvent().valid());
}

void tst_TimelineWidget::dragSelectsAnArea() {
    const int y = middleOf(find("forward")).y();
    const QPoint from(xOf(200'000), y);
    const QPoint to(xOf(800'000), y + 4);
    QTest::mousePress(m_widget.get(), Qt::LeftButton, Qt::NoModifier, from);
    QTest::mouseMove(m_widget.get(), from + QPoint(40, 2));
    QTest::mouseMove(m_widget.get(), to);
    QVERIFY(!m_session->area().has_value());
    QTest::mouseRelease(m_widget.get(), Qt::LeftButton, Qt::NoModifier, to);
    QVERIFY(m_session->area().has_value());
    const auto pixel = static_cast<DurationNs>(m_widget->axis().nsPerPixel + 1);
    QVERIFY(std::abs(m_session->area()->range.begin - 200'000) <= pixel);
    QVERIFY(std::abs(m_session->area()->range.end - 800'000) <= pixel);
    QVERIFY(m_session->area()->tracks.empty());
    QVERIFY(!m_session->selectedEvent().valid());
}

void tst_TimelineWidget::anAreaEndsWithTheTrace() {
    const TimeRange all = *m_trace->range();
    m_session->setVisibleRange({all.begin - all.length() / 4, all.end + all.length() / 4});
    const QRect lanes = m_widget->lanesRect();
    const auto drag = [&](int x0, int x1) {
        QTest::mousePress(m_widget.get(), Qt::LeftButton, Qt::NoModifier, {x0, lanes.top() + 60});
        QTest::mouseMove(m_widget.get(), {(x0 + x1) / 2, lanes.top() + 61});
        QTest::mouseMove(m_widget.get(), {x1, lanes.top() + 61});
        QTest::mouseRelease(m_widget.get(), Qt::LeftButton, Qt::NoModifier, {x1, lanes.top() + 61});
    };
    QVERIFY(xOf(all.begin) - lanes.left() > 30 && lanes.right() - xOf(all.end) > 30);
    drag(xOf(all.begin) - 20, xOf(all.end) + 20);
    QVERIFY(m_session->area().has_value());
    QCOMPARE(m_session->area()->range, all);
    // Wholly beside it there is nothing to select.
    drag(lanes.left() + 12, lanes.left() + 24);
    QVERIFY(!m_session->area().has_value());
    m_session->setArea(AreaSelection{{all.begin - 500, all.begin + 100}, {}});
    QCOMPARE(m_session->area()->range, (TimeRange{all.begin, all.begin + 100}));
}

void tst_TimelineWidget::dragsHoldToEdges() {
    const EventRow forward = find("forward");
    const SliceColumns& slices = m_trace->slices();
    const TimeNs begin = slices.begin[forward.value], end = slices.end(forward.value);
    const int y = middleOf(forward).y();
    const auto drag = [&](Qt::KeyboardModifiers modifiers) {
        m_session->setArea(std::nullopt);
        const QPoint from(xOf(begin) + 4, y), to(xOf(end) - 3, y);
        QTest::mousePress(m_widget.get(), Qt::LeftButton, modifiers, from);
        // Moves of QTest have no modifiers.
        for (const QPoint at : {from + QPoint(30, 0), to}) {
            QMouseEvent move(QEvent::MouseMove, at, m_widget->mapToGlobal(at), Qt::NoButton, Qt::LeftButton, modifiers);
            QApplication::sendEvent(m_widget.get(), &move);
        }
        QTest::mouseRelease(m_widget.get(), Qt::LeftButton, modifiers, to);
        return m_session->area() ? m_session->area()->range : TimeRange{};
    };
    QCOMPARE(drag(Qt::NoModifier), (TimeRange{begin, end}));
    const TimeAxis& axis = m_widget->axis();
    const int left = m_widget->lanesRect().left();
    QCOMPARE(drag(Qt::AltModifier),
             (TimeRange{xToTime(axis, xOf(begin) + 4 - left), xToTime(axis, xOf(end) - 3 - left)}));
    // Where many slices are one bar, or the edge is further away, a drag means the time.
    const Geometry& geometry = m_widget->geometry();
    const double x = timeToX(axis, begin) * geometry.view.scale;
    const auto row = static_cast<int>((y - m_widget->lanesRect().top()) * geometry.view.scale);
    QCOMPARE(edgeNear(*m_trace, geometry, x + 8, row, 12), std::optional(begin));
    QVERIFY(!edgeNear(*m_trace, geometry, x + 13, row, 12));
    Geometry merged = geometry;
    for (Bar& bar : merged.bars) {
        bar.count = 2;
    }
    QVERIFY(!edgeNear(*m_trace, merged, x + 8, row, 12));
}

void tst_TimelineWidget::dragOverRowsNamesTracks() {
    const QPoint from(xOf(200'000), middleOf(find("forward")).y());
    const QPoint to(xOf(800'000), middleOf(find("read")).y());
    QTest::mousePress(m_widget.get(), Qt::LeftButton, Qt::NoModifier, from);
    QTest::mouseMove(m_widget.get(), to);
    QTest::mouseRelease(m_widget.get(), Qt::LeftButton, Qt::NoModifier, to);
    QVERIFY(m_session->area().has_value());
    const std::vector<TrackId> expected{m_trace->slices().track[find("forward").value],
                                        m_trace->slices().track[find("read").value]};
    QCOMPARE(m_session->area()->tracks, expected);
}

void tst_TimelineWidget::escapeEndsADrag() {
    const AreaSelection before{{100'000, 300'000}, {}};
    m_session->setArea(before);
    const QPoint from(xOf(500'000), 150), to(xOf(900'000), 154);
    const auto start = [&](Qt::KeyboardModifiers modifiers) {
        QTest::mousePress(m_widget.get(), Qt::LeftButton, modifiers, from);
        for (const QPoint at : {from + QPoint(30, 0), to}) {
            QMouseEvent move(QEvent::MouseMove, at, m_widget->mapToGlobal(at), Qt::NoButton, Qt::LeftButton, modifiers);
            QApplication::sendEvent(m_widget.get(), &move);
        }
    };
    start(Qt::NoModifier);
    QTest::keyClick(m_widget.get(), Qt::Key_Escape);
    QTest::mouseRelease(m_widget.get(), Qt::LeftButton, Qt::NoModifier, to);
    QCOMPARE(m_session->area(), std::optional(before));
    const TimeAxis view = m_widget->axis();
    start(Qt::ShiftModifier);
    QVERIFY(m_widget->axis() != view);
    QTest::keyClick(m_widget.get(), Qt::Key_Escape);
    QTest::mouseRelease(m_widget.get(), Qt::LeftButton, Qt::ShiftModifier, to);
    QCOMPARE(m_widget->axis(), view);
    // No menu opens over a drag: it would take the release that ends it.
    start(Qt::NoModifier);
    QContextMenuEvent menu(QContextMenuEvent::Mouse, to, m_widget->mapToGlobal(to));
    QApplication::sendEvent(m_widget.get(), &menu);
    QVERIFY(QApplication::activePopupWidget() == nullptr);
    QTest::mouseRelease(m_widget.get(), Qt::LeftButton, Qt::NoModifier, to);
    QVERIFY(m_session->area() != std::optional(before));
}

void tst_TimelineWidget::aMenuClosesWithItsTrace() {
    const QPoint at(20, middleOf(find("forward")).y());
    bool wasOpen = false;
    QTimer::singleShot(100, this, [&] {
        wasOpen = QApplication::activePopupWidget() != nullptr;
        m_session->reloadTrace(traceFromText("cpu main: x 0..10"));
    });
    QContextMenuEvent menu(QContextMenuEvent::Mouse, at, m_widget->mapToGlobal(at));
    QApplication::sendEvent(m_widget.get(), &menu);  // returns once the menu is closed
    QVERIFY(wasOpen);
    QVERIFY(QApplication::activePopupWidget() == nullptr);
}

void tst_TimelineWidget::aDragTakesWhatIsScrolledAway() {
    std::string text;
    for (int i = 0; i < 60; ++i) {
        text += "cpu t" + std::to_string(i) + ": a 0..1000 { b 100..200 }\n";
    }
    m_session->setTrace(traceFromText(text));
    QVERIFY(m_widget->layout().height() > 3 * m_widget->lanesRect().height());
    const QPoint from(m_widget->lanesRect().left() + 100, m_widget->lanesRect().top() + 60);
    const QPoint to = from + QPoint(200, 200);
    const int first = m_widget->layout().sectionAt(60);
    QTest::mousePress(m_widget.get(), Qt::LeftButton, Qt::NoModifier, from);
    QTest::mouseMove(m_widget.get(), to);
    m_widget->setScrollY(500);
    QTest::mouseMove(m_widget.get(), to + QPoint(1, 0));
    const int last = m_widget->layout().sectionAt(60 + 200 + 500);
    QTest::mouseRelease(m_widget.get(), Qt::LeftButton, Qt::NoModifier, to + QPoint(1, 0));
    QVERIFY(m_session->area().has_value());
    std::vector<TrackId> expected;
    for (int i = first; i <= last; ++i) {
        if (const Section& section = m_widget->layout().sections()[size_t(i)]; section.kind == SectionKind::Track) {
            expected.push_back(section.track);
        }
    }
    QVERIFY(expected.size() > 12);
    QCOMPARE(m_session->area()->tracks, expected);
}

void tst_TimelineWidget::aDragOverDerivedRowsTakesTheirStreams() {
    m_session->setTrace(
        traceFromText("cpu main: launch 0..10\ngpu 0 stream 7: k 0..100 k 200..300\ngpu 0 stream 8: m 50..250"));
    const auto middle = [this](const char* title) {
        for (const Section& section : m_widget->layout().sections()) {
            if (section.title.find(title) != std::string::npos) {
                return m_widget->lanesRect().top() + section.y + section.height / 2;
            }
        }
        return -1;
    };
    QTRY_VERIFY(middle("GPU busy") > 0 && middle("Streams active") > 0);
    const QPoint from(xOf(20), middle("GPU busy")), to(xOf(220), middle("Streams active") + 4);
    QTest::mousePress(m_widget.get(), Qt::LeftButton, Qt::NoModifier, from);
    QTest::mouseMove(m_widget.get(), to);
    QTest::mouseRelease(m_widget.get(), Qt::LeftButton, Qt::NoModifier, to);
    QVERIFY(m_session->area().has_value());
    QCOMPARE(m_session->area()->tracks.size(), size_t{2});
    for (const TrackId track : m_session->area()->tracks) {
        QVERIFY(m_session->trace()->track(track).isDevice);
    }
}

void tst_TimelineWidget::stepsOverOverlapsAndGaps() {
    std::string text = "gpu 0 stream 7: k0 0..10 k1 5..15 k2 20..25 k3 22..30 k4 40..43";
    for (int i = 0; i < 6000; ++i) {
        text += " set " + std::to_string(100 + i * 2) + ".." + std::to_string(101 + i * 2) + " (kind=memset)";
    }
    text += " k5 20000..20010";
    m_session->setTrace(traceFromText(text));
    const Trace& trace = *m_session->trace();
    const auto named = [&](std::string_view name) {
        for (uint32_t row = 0; row < trace.sliceCount(); ++row) {
            if (trace.sliceName(EventRow(row)) == name) {
                return EventRow(row);
            }
        }
        return EventRow::none();
    };
    m_session->selectEvent(named("k0"));
    for (const char* name : {"k1", "k2", "k3", "k4"}) {
        m_widget->stepSlice(1);
        QCOMPARE(trace.sliceName(m_session->selectedEvent()), std::string_view(name));
    }
    for (const char* name : {"k3", "k2", "k1", "k0"}) {
        m_widget->stepSlice(-1);
        QCOMPARE(trace.sliceName(m_session->selectedEvent()), std::string_view(name));
    }
    m_session->selectEvent(named("k4"));
    m_widget->stepKernel(1);
    QCOMPARE(trace.sliceName(m_session->selectedEvent()), std::string_view("k5"));
}

void tst_TimelineWidget::areaEdgesMove() {
    m_session->setArea(AreaSelection{{200'000, 800'000}, {}});
    const QPoint from(xOf(800'000), 200);
    const QPoint to(xOf(1'200'000), 200);
    QTest::mousePress(m_widget.get(), Qt::LeftButton, Qt::NoModifier, from);
    QTest::mouseMove(m_widget.get(), to);
    QTest::mouseRelease(m_widget.get(), Qt::LeftButton, Qt::NoModifier, to);
    QCOMPARE(m_session->area()->range.begin, 200'000);
    const auto pixel = static_cast<DurationNs>(m_widget->axis().nsPerPixel + 1);
    QVERIFY(std::abs(m_session->area()->range.end - 1'200'000) <= pixel);
}

void tst_TimelineWidget::controlWheelZoomsAtThePointer() {
    const QPoint at = m_widget->lanesRect().topLeft() + QPoint(300, 60);
    const TimeAxis before = m_widget->axis();
    wheel(at, {0, 120}, Qt::ControlModifier);
    QVERIFY(m_widget->axis().nsPerPixel < before.nsPerPixel * 0.85);
    QVERIFY(std::abs(xToTime(m_widget->axis(), 300) - xToTime(before, 300)) <= 1);
    wheel(at, {0, -120}, Qt::ControlModifier);
    QVERIFY(std::abs(m_widget->axis().nsPerPixel - before.nsPerPixel) < 1e-6);
    // A touch pad moves in pixels.
    wheel(at, {0, 15}, Qt::ControlModifier, {0, 30});
    QVERIFY(m_widget->axis().nsPerPixel < before.nsPerPixel);
}

void tst_TimelineWidget::aWheelGlidesToWhereItWouldHaveJumped() {
    const TimeAxis before = m_widget->axis();
    const QPoint at = m_widget->lanesRect().topLeft() + QPoint(300, 60);
    const auto notch = [&] {
        QWheelEvent event(at, m_widget->mapToGlobal(at), {}, {0, 120}, Qt::NoButton, Qt::ControlModifier,
                          Qt::NoScrollPhase, false);
        QApplication::sendEvent(m_widget.get(), &event);
    };
    settings::store().setValue(settings::kTimelineSmooth, false);
    notch();
    QVERIFY(!m_widget->isMoving());
    const TimeAxis jumped = m_widget->axis();
    m_widget->setAxis(before);
    settings::store().remove(settings::kTimelineSmooth);
    notch();
    QVERIFY(m_widget->isMoving());
    QVERIFY(m_widget->axis().nsPerPixel < before.nsPerPixel);  // the first part is there at once
    QVERIFY(m_widget->axis().nsPerPixel > jumped.nsPerPixel);
    QTRY_VERIFY(!m_widget->isMoving());
    QVERIFY(std::abs(m_widget->axis().nsPerPixel / jumped.nsPerPixel - 1) < 1e-9);
    QVERIFY(std::abs(m_widget->axis().begin - jumped.begin) <= 1);
    // Going somewhere else ends it.
    notch();
    m_widget->fitAll();
    QVERIFY(!m_widget->isMoving());
}

void tst_TimelineWidget::shiftWheelAndShiftDragPan() {
    m_widget->setAxis({400'000, 100});
    wheel(QPoint(500, 100), {0, -120}, Qt::ShiftModifier);
    QVERIFY(m_widget->axis().begin > 400'000);
    QCOMPARE(m_widget->axis().nsPerPixel, 100.0);
    m_widget->setAxis({400'000, 100});
    wheel(QPoint(500, 100), {-30, 0}, Qt::NoModifier, {-25, 0});
    QCOMPARE(m_widget->axis().begin, 402'500);

    m_widget->setAxis({400'000, 100});
    QTest::mousePress(m_widget.get(), Qt::LeftButton, Qt::ShiftModifier, QPoint(600, 100));
    QTest::mouseMove(m_widget.get(), QPoint(500, 100));
    QTest::mouseRelease(m_widget.get(), Qt::LeftButton, Qt::ShiftModifier, QPoint(500, 100));
    QCOMPARE(m_widget->axis().begin, 410'000);
    QVERIFY(!m_session->area().has_value());
}

void tst_TimelineWidget::plainWheelScrolls() {
    m_widget->resize(1000, 100);
    const TimeAxis before = m_widget->axis();
    QCOMPARE(m_widget->scrollY(), 0);
    wheel(QPoint(500, 100), {0, -120}, Qt::NoModifier);
    QVERIFY(m_widget->scrollY() > 20);
    QCOMPARE(m_widget->axis(), before);
    m_widget->setScrollY(1 << 20);
    QCOMPARE(m_widget->scrollY(), m_widget->layout().height() - m_widget->lanesRect().height());
}

void tst_TimelineWidget::heldKeysMoveAndStop_data() {
    QTest::addColumn<int>("key");
    QTest::addColumn<int>("zooms");
    QTest::addColumn<int>("pans");
    QTest::newRow("W") << int(Qt::Key_W) << -1 << 0;
    QTest::newRow("S") << int(Qt::Key_S) << 1 << 0;
    QTest::newRow("A") << int(Qt::Key_A) << 0 << -1;
    QTest::newRow("D") << int(Qt::Key_D) << 0 << 1;
    QTest::newRow("Left") << int(Qt::Key_Left) << 0 << -1;
    QTest::newRow("Right") << int(Qt::Key_Right) << 0 << 1;
}

void tst_TimelineWidget::heldKeysMoveAndStop() {
    QFETCH(int, key);
    QFETCH(int, zooms);
    QFETCH(int, pans);
    const auto sign = [](double value) { return value > 0 ? 1 : value < 0 ? -1 : 0; };
    m_widget->setAxis({600'000, 200});
    const TimeAxis start = m_widget->axis();
    QTest::keyPress(m_widget.get(), static_cast<Qt::Key>(key));
    const TimeAxis tapped = m_widget->axis();
    QCOMPARE(sign(tapped.nsPerPixel - start.nsPerPixel), zooms);
    if (pans != 0) {
        QCOMPARE(sign(static_cast<double>(tapped.begin - start.begin)), pans);
    }
    QTRY_VERIFY(m_widget->axis() != tapped);
    QTest::keyRelease(m_widget.get(), static_cast<Qt::Key>(key));
    const TimeAxis released = m_widget->axis();
    QCOMPARE(sign(released.nsPerPixel - tapped.nsPerPixel), zooms);
    QTest::qWait(60);
    QCOMPARE(m_widget->axis(), released);
}

void tst_TimelineWidget::fitAndFitAgain() {
    const TimeAxis all = m_widget->axis();
    m_session->selectEvent(find("sgemm"));
    QTest::keyClick(m_widget.get(), Qt::Key_F);
    const TimeRange shown = visibleRange(m_widget->axis(), m_widget->lanesRect().width());
    QVERIFY(shown.begin < 450'000 && shown.begin > 350'000);
    QVERIFY(shown.end > 600'000 && shown.end < 700'000);
    QTest::keyClick(m_widget.get(), Qt::Key_F);
    QCOMPARE(m_widget->axis(), all);
    m_session->selectEvent(EventRow::none());
    m_session->setArea(AreaSelection{{1'200'000, 1'300'000}, {}});
    QTest::keyClick(m_widget.get(), Qt::Key_F);
    QVERIFY(std::abs(m_widget->axis().begin - 1'184'000) < 3'000);
}

void tst_TimelineWidget::homeAndEnd() {
    m_widget->setAxis({900'000, 50});
    QTest::keyClick(m_widget.get(), Qt::Key_Home);
    QCOMPARE(m_widget->axis().begin, -400);
    QTest::keyClick(m_widget.get(), Qt::Key_End);
    const TimeRange shown = visibleRange(m_widget->axis(), m_widget->lanesRect().width());
    QCOMPARE(shown.end, 1'900'400);
    QCOMPARE(m_widget->axis().nsPerPixel, 50.0);
}

void tst_TimelineWidget::stepsAlongTheLane() {
    m_session->selectEvent(find("forward"));
    QTest::keyClick(m_widget.get(), Qt::Key_Period);
    QCOMPARE(m_session->selectedEvent(), find("backward"));
    QTest::keyClick(m_widget.get(), Qt::Key_Period);
    QCOMPARE(m_session->selectedEvent(), find("backward"));
    QTest::keyClick(m_widget.get(), Qt::Key_Comma);
    QCOMPARE(m_session->selectedEvent(), find("forward"));
}

void tst_TimelineWidget::followsTheLaunch() {
    m_session->selectEvent(find("cudaLaunchKernel"));
    const TimeRange all = *m_trace->range();
    const std::vector<ArrowLink> links = arrowLinks(*m_trace, find("cudaLaunchKernel"), all).links;
    QCOMPARE(links.size(), 1U);
    QCOMPARE(links[0].to, find("sgemm"));
    // An op shows the arrows of the launches inside it.
    QCOMPARE(arrowLinks(*m_trace, find("forward"), all).links, links);
    QCOMPARE(placeArrows(*m_trace, m_widget->layout(), m_widget->geometry().view, links).size(), 1U);
    QTest::keyClick(m_widget.get(), Qt::Key_BracketRight);
    QCOMPARE(m_session->selectedEvent(), find("sgemm"));
    QTest::keyClick(m_widget.get(), Qt::Key_BracketLeft);
    QCOMPARE(m_session->selectedEvent(), find("cudaLaunchKernel"));
}

void tst_TimelineWidget::doubleClickZoomsToASlice() {
    QTest::mouseDClick(m_widget.get(), Qt::LeftButton, Qt::NoModifier, middleOf(find("sgemm")));
    const TimeRange shown = visibleRange(m_widget->axis(), m_widget->lanesRect().width());
    QVERIFY(shown.contains(450'000) && shown.contains(599'999));
    QVERIFY(shown.length() < 220'000);
}

void tst_TimelineWidget::escapeClears() {
    m_session->selectEvent(find("sgemm"));
    m_session->setHighlight({QStringLiteral("x"), {find("sgemm")}, -1});
    m_session->setArea(AreaSelection{{0, 10}, {}});
    QTest::keyClick(m_widget.get(), Qt::Key_Escape);
    QVERIFY(!m_session->area().has_value());
    QTest::keyClick(m_widget.get(), Qt::Key_Escape);
    QVERIFY(m_session->highlight().events.empty());
    QVERIFY(m_session->selectedEvent().valid());
    QTest::keyClick(m_widget.get(), Qt::Key_Escape);
    QVERIFY(!m_session->selectedEvent().valid());
}

void tst_TimelineWidget::revealBringsIntoView() {
    m_widget->resize(1000, 150);
    m_widget->setAxis({1'500'000, 10});
    const EventRow row = find("relu");
    m_session->revealEvent(row);
    const TimeAxis axis = m_widget->axis();
    const double x0 = timeToX(axis, 700'000);
    const double x1 = timeToX(axis, 705'000);
    QVERIFY(x0 >= 0 && x1 <= m_widget->lanesRect().width());
    QVERIFY(x1 - x0 >= 12);
    QVERIFY(m_widget->lanesRect().contains(middleOf(row)));
    // From far out it is zoomed in to.
    m_widget->fitAll();
    m_session->revealEvent(find("sgemm"));
    m_session->revealEvent(row);
    QVERIFY(timeToX(m_widget->axis(), 705'000) - timeToX(m_widget->axis(), 700'000) >= 12);
}

void tst_TimelineWidget::revealOpensWhatIsFolded() {
    const EventRow row = find("cudaLaunchKernel");
    const TrackId track = m_trace->slices().track[row.value];
    m_widget->setTrackMode(track, {true, false});
    m_widget->setProcessCollapsed(m_trace->track(track).process, true);
    QVERIFY(m_widget->layout().rowOfLane(m_trace->laneOf(row)) < 0);
    m_session->revealEvent(row);
    QVERIFY(m_widget->layout().rowOfLane(m_trace->laneOf(row)) >= 0);
    QVERIFY(m_widget->lanesRect().contains(middleOf(row)));
}

void tst_TimelineWidget::headsFold() {
    const int before = m_widget->layout().height();
    // The stream's process comes first.
    size_t index = 0;
    while (m_widget->layout().sections()[index].kind != SectionKind::Process ||
           m_widget->layout().sections()[index + 1].kind != SectionKind::Track) {
        ++index;
    }
    const Section process = m_widget->layout().sections()[index];
    const QPoint header(40, m_widget->headsRect().top() + process.y + 8);
    QTest::mouseClick(m_widget.get(), Qt::LeftButton, Qt::NoModifier, header);
    QVERIFY(m_widget->layout().sections()[index].collapsed);
    QVERIFY(m_widget->layout().height() < before);
    QTest::mouseClick(m_widget.get(), Qt::LeftButton, Qt::NoModifier, header);
    QCOMPARE(m_widget->layout().height(), before);

    const Section track = m_widget->layout().sections()[index + 1];
    QCOMPARE(track.kind, SectionKind::Track);
    const QRect head(0, m_widget->headsRect().top() + track.y, m_widget->headsRect().width(), track.height);
    QTest::mouseClick(m_widget.get(), Qt::LeftButton, Qt::NoModifier, chevronRect(track, head).center());
    QVERIFY(m_widget->layout().sections()[index + 1].collapsed);
    QVERIFY(m_widget->layout().height() < before);
}

void tst_TimelineWidget::highlightIsDrawn() {
    QVERIFY(!m_widget->geometry().highlighting);
    const QImage plain = m_widget->grab().toImage();
    m_session->setHighlight({QStringLiteral("sgemm"), {find("sgemm")}, -1});
    const Geometry& geometry = m_widget->geometry();
    QVERIFY(geometry.highlighting);
    QCOMPARE(geometry.marks.size(), 1U);
    QCOMPARE(geometry.marks[0].item, find("sgemm").value);
    const QImage marked = m_widget->grab().toImage();
    const QPoint same = (middleOf(find("sgemm")) - QPoint(0, 6)) * 2;
    QCOMPARE(marked.pixel(same), plain.pixel(same));
    const QPoint other = (middleOf(find("backward")) - QPoint(0, 6)) * 2;
    QVERIFY(marked.pixel(other) != plain.pixel(other));
}

void tst_TimelineWidget::hoverShowsAReadout() {
    const Geometry& geometry = m_widget->geometry();
    const std::optional<Hit> hit = [&]() -> std::optional<Hit> {
        const QPoint at = (middleOf(find("forward")) - m_widget->lanesRect().topLeft()) * 2;
        return hitTest(geometry, at.x(), at.y());
    }();
    QVERIFY(hit.has_value());
    const std::shared_ptr<const TimelineModel> model = buildTimelineModel(*m_trace);
    const std::optional<Readout> readout = makeReadout({*m_trace, *model, m_widget->layout(), geometry}, *hit, 0);
    QVERIFY(readout.has_value());
    QCOMPARE(readout->title, QStringLiteral("forward"));
    QVERIFY(readout->lines.join('|').contains(QStringLiteral("300.000 µs")));
    QVERIFY(readout->lines.join('|').contains(QStringLiteral("280.000 µs")));
    QVERIFY(readout->lines.join('|').contains(QStringLiteral("100.000 µs")));

    const QImage before = m_widget->grab().toImage();
    QTest::mouseMove(m_widget.get(), middleOf(find("forward")));
    QTRY_VERIFY(m_widget->grab().toImage() != before);
}

void tst_TimelineWidget::visibleRangeIsShared() {
    QSignalSpy changed(m_session.get(), &Session::visibleRangeChanged);
    m_widget->setAxis({250'000, 100});
    QCOMPARE(changed.count(), 1);
    QCOMPARE(m_session->visibleRange(), visibleRange({250'000, 100}, m_widget->lanesRect().width()));
    m_session->setVisibleRange({500'000, 600'000});
    QCOMPARE(m_widget->axis().begin, 500'000);
    QVERIFY(std::abs(m_widget->axis().nsPerPixel * m_widget->lanesRect().width() - 100'000) < 1);
}

void tst_TimelineWidget::resizeKeepsTheRange() {
    m_widget->setAxis({250'000, 100});
    const TimeRange before = visibleRange(m_widget->axis(), m_widget->lanesRect().width());
    m_widget->resize(1400, 500);
    QTRY_COMPARE(m_widget->width(), 1400);
    const TimeRange after = visibleRange(m_widget->axis(), m_widget->lanesRect().width());
    QCOMPARE(after.begin, before.begin);
    QVERIFY(std::abs(after.end - before.end) <= 2);
}

void tst_TimelineWidget::theSelectedSliceDoesNotFade() {
    m_session->setHighlight({QStringLiteral("sgemm"), {find("sgemm")}, -1});
    const QPoint at = (middleOf(find("backward")) - QPoint(0, 4)) * 2;
    const QRgb faded = m_widget->grab().toImage().pixel(at);
    m_session->selectEvent(find("backward"));
    const BarColors colors = barColors(theme());
    const QRgb shown = m_widget->grab().toImage().pixel(at);
    QVERIFY(shown != faded);
    QVERIFY(std::find(colors.fill.begin(), colors.fill.end(), shown) != colors.fill.end());
}

void tst_TimelineWidget::aLargeHighlightIsIndexedOnAThread() {
    std::vector<EventRow> many(100'000, find("sgemm"));
    m_session->setHighlight({QStringLiteral("sgemm"), SharedRows(std::move(many)), -1});
    QVERIFY(!m_widget->geometry().highlighting);
    QTRY_COMPARE(JobRunner::activeJobs(), 0);
    QVERIFY(m_widget->geometry().highlighting);
    QCOMPARE(m_widget->geometry().marks.size(), 1U);
    m_session->stepHighlight(+1);
    QCOMPARE(JobRunner::activeJobs(), 0);
}

void tst_TimelineWidget::revealWaitsForAView() {
    Session session;
    TimelineWidget widget(session);
    widget.resize(1000, 400);
    session.setTrace(m_trace);
    session.revealEvent(find("relu"));
    widget.show();
    QVERIFY(QTest::qWaitForWindowExposed(&widget));
    const double x0 = timeToX(widget.axis(), 700'000);
    const double x1 = timeToX(widget.axis(), 705'000);
    QVERIFY(x0 >= 0 && x1 <= widget.lanesRect().width());
    QVERIFY(x1 - x0 >= 12);
}

void tst_TimelineWidget::revealBringsAMomentIntoView() {
    std::string tracks;
    for (int i = 0; i < 60; ++i) {
        tracks += "cpu worker" + std::to_string(i) + ": a 0..1000000\n";
    }
    m_trace = traceFromText(tracks + "cpu last: a 0..1000000\ninstant last: mark 900000\ncounter load: 800000=1");
    m_session->setTrace(m_trace);
    m_widget->setAxis(axisFitting({0, 1000}, m_widget->lanesRect().width()));
    const double scale = m_widget->axis().nsPerPixel;
    const auto isSeen = [this](TimeNs time, int layoutRow) {
        const LayoutRow& row = m_widget->layout().rows()[static_cast<size_t>(layoutRow)];
        const TimeRange shown = visibleRange(m_widget->axis(), m_widget->lanesRect().width());
        return shown.begin <= time && time < shown.end && row.y >= m_widget->scrollY() &&
               row.y + row.height <= m_widget->scrollY() + m_widget->lanesRect().height();
    };
    m_session->reveal({Selection::Kind::Instant, 0});
    QVERIFY(isSeen(900'000, m_widget->layout().rowOfInstants(m_trace->instants()[0].track)));
    m_session->reveal({Selection::Kind::CounterSample, 0, 0, 0});
    QVERIFY(isSeen(800'000, m_widget->layout().rowOfCounter(0)));
    // A moment has no length to zoom to.
    QCOMPARE(m_widget->axis().nsPerPixel, scale);
    Highlight marks;
    marks.points =
        std::make_shared<const std::vector<HighlightPoint>>(1, HighlightPoint{0, Selection::Kind::Instant, 0, 0});
    m_session->setHighlight(marks);
    m_session->reveal({Selection::Kind::Instant, 0});
    QCOMPARE(m_widget->geometry().marks.size(), 1U);
    QTest::keyClick(m_widget.get(), Qt::Key_Escape);
    QVERIFY(m_session->highlight().empty());
}

void tst_TimelineWidget::asksForTheKeyboard() {
    QWidget other;
    other.show();
    other.setFocus();
    m_widget->activateWindow();
    m_widget->clearFocus();
    m_session->goToTimeline();
    QVERIFY(m_widget->hasFocus());
}

void tst_TimelineWidget::instantsAndCountersAreSelected() {
    m_trace = traceFromText("cpu main: step 0..1000\ninstant main: mark 500\ncounter load: 0=1 600=3");
    m_session->setTrace(m_trace);
    const auto click = [this](RowKind kind, TimeNs time) {
        for (const LayoutRow& row : m_widget->layout().rows()) {
            if (row.kind == kind) {
                QTest::mouseClick(m_widget.get(), Qt::LeftButton, Qt::NoModifier,
                                  QPoint(xOf(time), m_widget->lanesRect().top() + row.y + row.height / 2));
                return true;
            }
        }
        return false;
    };
    QVERIFY(click(RowKind::Instants, 500));
    QCOMPARE(m_session->selection(), (Selection{Selection::Kind::Instant, 0}));
    const QImage plain = m_widget->grab().toImage();
    QVERIFY(click(RowKind::Counter, 800));
    QCOMPARE(m_session->selection(), (Selection{Selection::Kind::CounterSample, 0, 0, 1}));
    QVERIFY(m_widget->grab().toImage() != plain);
    QTest::keyClick(m_widget.get(), Qt::Key_R);
    QCOMPARE(m_session->area()->range.begin, 600);
}

void tst_TimelineWidget::keysFoldTracksAndProcesses() {
    m_session->selectEvent(find("forward"));
    const auto trigger = [this](const QKeySequence& key) {
        for (QAction* action : m_widget->actions()) {
            if (action->shortcut() == key) {
                action->trigger();
            }
        }
    };
    const int before = m_widget->layout().height();
    // The first step lands on the track of the selected slice.
    trigger(Qt::CTRL | Qt::Key_Down);
    QTest::keyClick(m_widget.get(), Qt::Key_Space);
    const int track = m_widget->layout().sectionOfTrack(m_trace->slices().track[find("forward").value]);
    QVERIFY(m_widget->layout().sections()[static_cast<size_t>(track)].collapsed);
    QVERIFY(m_widget->layout().height() < before);
    QTest::keyClick(m_widget.get(), Qt::Key_Space);
    QCOMPARE(m_widget->layout().height(), before);
    trigger(Qt::CTRL | Qt::Key_Up);
    QTest::keyClick(m_widget.get(), Qt::Key_Space);
    const int header = m_widget->layout().sectionOfTrack(m_trace->slices().track[find("forward").value]);
    QCOMPARE(m_widget->layout().sections()[static_cast<size_t>(header)].kind, SectionKind::Process);
    QVERIFY(m_widget->layout().sections()[static_cast<size_t>(header)].collapsed);
}

void tst_TimelineWidget::theHeadsWidthIsRemembered() {
    const QPoint border(m_widget->headsRect().right() + 1, 200);
    QTest::mousePress(m_widget.get(), Qt::LeftButton, Qt::NoModifier, border);
    QTest::mouseMove(m_widget.get(), QPoint(300, 200));
    QTest::mouseRelease(m_widget.get(), Qt::LeftButton, Qt::NoModifier, QPoint(300, 200));
    QCOMPARE(m_widget->headsRect().width(), 300);
    const TimelineWidget another(*m_session);
    QCOMPARE(another.headsRect().width(), 300);
    settings::store().remove(settings::kTimelineHeads);
}

void tst_TimelineWidget::withoutATrace() {
    m_session->setTrace(nullptr);
    auto* empty = m_widget->findChild<EmptyState*>();
    QVERIFY(empty != nullptr && empty->isVisible());
    QVERIFY(!empty->sentence().isEmpty());
    QTest::keyClick(m_widget.get(), Qt::Key_F);
    QTest::keyClick(m_widget.get(), Qt::Key_Period);
    QTest::mouseClick(m_widget.get(), Qt::LeftButton, Qt::NoModifier, QPoint(500, 200));
    wheel(QPoint(500, 100), {0, 120}, Qt::ControlModifier);
    QVERIFY(!m_widget->grab().toImage().isNull());
    QVERIFY(m_widget->geometry().bars.empty());
    m_session->setTrace(traceFromText(""));
    QVERIFY(empty->isVisible());
    m_session->setTrace(m_trace);
    QVERIFY(!empty->isVisible());
    QVERIFY(!m_widget->geometry().bars.empty());
}

void tst_TimelineWidget::actionsDoWhatTheySay() {
    const auto trigger = [this](int key) {
        for (QAction* action : m_widget->actions()) {
            if (action->shortcut() == QKeySequence(key)) {
                action->trigger();
                return true;
            }
        }
        return false;
    };
    const double before = m_widget->axis().nsPerPixel;
    QVERIFY(trigger(Qt::Key_W));
    QVERIFY(m_widget->axis().nsPerPixel < before);
    QVERIFY(trigger(Qt::Key_S));
    QVERIFY(std::abs(m_widget->axis().nsPerPixel - before) < 1e-6);
    m_session->selectEvent(find("sgemm"));
    QVERIFY(trigger(Qt::Key_R));
    QCOMPARE(m_session->area()->range, (TimeRange{450'000, 600'000}));
}

/// At the same zoom, and of the same length: nothing of the first is left in what is kept from frame to frame.
void tst_TimelineWidget::anotherTraceHasOtherBars() {
    const auto spans = [this] {
        const Geometry& shown = m_widget->geometry();
        QStringList out;
        for (const Bar& bar : shown.bars) {
            out << QStringLiteral("%1..%2").arg(bar.x0).arg(bar.x1);
        }
        return out;
    };
    m_session->setTrace(test::traceFromText("cpu main: a 0..100 b 200..1000"));
    QTRY_COMPARE(JobRunner::activeJobs(), 0);
    const QStringList first = spans();
    QCOMPARE(first.size(), 2);
    m_session->setTrace(test::traceFromText("cpu main: a 0..700 b 900..1000"));
    QTRY_COMPARE(JobRunner::activeJobs(), 0);
    QVERIFY(spans() != first);
    m_session->setTrace(test::traceFromText("cpu main: a 0..100 b 200..1000"));
    QTRY_COMPARE(JobRunner::activeJobs(), 0);
    QCOMPARE(spans(), first);
}

int main(int argc, char** argv) {
    qputenv("QT_SCALE_FACTOR", "2");
    QApplication app(argc, argv);
    tst_TimelineWidget test;
    return QTest::qExec(&test, argc, argv);
}

#include "tst_timeline_widget.moc"
