// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include <cmath>

#include "widgets/panels/timeline/gestures.h"

using namespace warpline;
using namespace warpline::timeline;

Q_DECLARE_METATYPE(warpline::KeyScheme)
Q_DECLARE_METATYPE(warpline::timeline::Tool)
Q_DECLARE_METATYPE(warpline::timeline::DragKind)

class TestGestures : public QObject {
    Q_OBJECT

private slots:
    void drags_data();
    void drags();
    void everyDragMeansSomething();
    void wheels_data();
    void wheels();
    void modifiersAreThoseOfTheTouch();
    void modifiersOfAWheelAreThoseOfNow();
    void aPadWithoutPhasesPausesBetweenGestures();
    void fingersKeepTheirDirection();
    void theFirstPixelsAreNotLost();
    void aWheelsPixelsAreNotBelieved();
    void pinchAndDrag();
    void whatTheSheetSays();
};

void TestGestures::drags_data() {
    QTest::addColumn<KeyScheme>("scheme");
    QTest::addColumn<Tool>("tool");
    QTest::addColumn<Qt::MouseButton>("button");
    QTest::addColumn<Qt::KeyboardModifiers>("modifiers");
    QTest::addColumn<DragKind>("expected");
    const Qt::KeyboardModifiers none = Qt::NoModifier;
    const Qt::KeyboardModifiers shift = Qt::ShiftModifier;
    const Qt::KeyboardModifiers control = Qt::ControlModifier;
    for (const KeyScheme scheme :
         {KeyScheme::Perfetto, KeyScheme::ChromeTracing, KeyScheme::Optiq, KeyScheme::Speedscope, KeyScheme::NsysAi}) {
        const auto row = [&](const char* name) -> QTestData& {
            return QTest::newRow(qPrintable(schemeId(scheme) + ": " + name)) << scheme;
        };
        row("select") << Tool::Select << Qt::LeftButton << none << DragKind::Area;
        row("move") << Tool::Pan << Qt::LeftButton << none << DragKind::Pan;
        row("zoom") << Tool::Zoom << Qt::LeftButton << none << DragKind::Zoom;
        row("time") << Tool::Time << Qt::LeftButton << none << DragKind::Measure;
        row("Shift") << Tool::Select << Qt::LeftButton << shift << DragKind::Pan;
        row("Shift, measuring") << Tool::Time << Qt::LeftButton << shift << DragKind::Pan;
        row("Ctrl") << Tool::Select << Qt::LeftButton << control << DragKind::AreaFilter;
        row("middle") << Tool::Zoom << Qt::MiddleButton << none << DragKind::Pan;
        row("right") << Tool::Pan << Qt::RightButton << none << DragKind::None;
    }
    const auto tracy = [&](const char* name) -> QTestData& {
        return QTest::newRow(qPrintable(QStringLiteral("tracy: ") + name)) << KeyScheme::Tracy;
    };
    tracy("select") << Tool::Select << Qt::LeftButton << none << DragKind::Area;
    tracy("zoom") << Tool::Zoom << Qt::LeftButton << none << DragKind::ZoomRange;
    tracy("Ctrl") << Tool::Time << Qt::LeftButton << control << DragKind::Area;
    tracy("Shift") << Tool::Select << Qt::LeftButton << shift << DragKind::Pan;
    tracy("middle") << Tool::Select << Qt::MiddleButton << none << DragKind::ZoomRange;
}

void TestGestures::drags() {
    QFETCH(KeyScheme, scheme);
    QFETCH(Tool, tool);
    QFETCH(Qt::MouseButton, button);
    QFETCH(Qt::KeyboardModifiers, modifiers);
    QFETCH(DragKind, expected);
    QCOMPARE(dragFor(scheme, tool, button, modifiers), expected);
}

void TestGestures::everyDragMeansSomething() {
    for (const KeyScheme scheme : kKeySchemes) {
        for (const Tool tool : {Tool::Select, Tool::Pan, Tool::Zoom, Tool::Time}) {
            for (const Qt::KeyboardModifiers modifiers :
                 {Qt::KeyboardModifiers(), Qt::KeyboardModifiers(Qt::ShiftModifier),
                  Qt::KeyboardModifiers(Qt::ControlModifier), Qt::ShiftModifier | Qt::ControlModifier}) {
                QVERIFY(dragFor(scheme, tool, Qt::LeftButton, modifiers) != DragKind::None);
                QVERIFY(dragFor(scheme, tool, Qt::MiddleButton, modifiers) != DragKind::None);
                QCOMPARE(dragFor(scheme, tool, Qt::RightButton, modifiers), DragKind::None);
            }
        }
    }
    QCOMPARE(cursorOf(Tool::Select), Qt::ArrowCursor);
    QCOMPARE(cursorOf(Tool::Pan), Qt::OpenHandCursor);
    QCOMPARE(cursorOf(Tool::Zoom), Qt::SizeVerCursor);
    QCOMPARE(cursorOf(Tool::Time), Qt::CrossCursor);
}

void TestGestures::wheels_data() {
    QTest::addColumn<KeyScheme>("scheme");
    QTest::addColumn<QPointF>("angle");
    QTest::addColumn<Qt::KeyboardModifiers>("modifiers");
    QTest::addColumn<double>("scroll");
    QTest::addColumn<double>("pan");
    QTest::addColumn<double>("zoom");
    const Qt::KeyboardModifiers none = Qt::NoModifier;
    const Qt::KeyboardModifiers shift = Qt::ShiftModifier;
    const Qt::KeyboardModifiers control = Qt::ControlModifier;
    const Qt::KeyboardModifiers alt = Qt::AltModifier;
    const QPointF up(0, 120);
    const QPointF down(0, -120);
    const double in = std::exp(-0.28);
    QTest::newRow("pf down") << KeyScheme::Perfetto << down << none << 54.0 << 0.0 << 1.0;
    QTest::newRow("pf half a notch up") << KeyScheme::Perfetto << QPointF(0, 60) << none << -27.0 << 0.0 << 1.0;
    QTest::newRow("pf sideways") << KeyScheme::Perfetto << QPointF(-120, 0) << none << 0.0 << 108.0 << 1.0;
    QTest::newRow("pf Ctrl up") << KeyScheme::Perfetto << up << control << 0.0 << 0.0 << in;
    QTest::newRow("pf Ctrl down") << KeyScheme::Perfetto << down << control << 0.0 << 0.0 << 1 / in;
    QTest::newRow("pf Ctrl half") << KeyScheme::Perfetto << QPointF(0, 60) << control << 0.0 << 0.0 << std::sqrt(in);
    QTest::newRow("pf Shift down") << KeyScheme::Perfetto << down << shift << 0.0 << 108.0 << 1.0;
    QTest::newRow("pf Shift, turned") << KeyScheme::Perfetto << QPointF(-120, 0) << shift << 0.0 << 108.0 << 1.0;
    QTest::newRow("pf Alt is nothing") << KeyScheme::Perfetto << down << alt << 54.0 << 0.0 << 1.0;
    QTest::newRow("ct Alt up, turned") << KeyScheme::ChromeTracing << QPointF(120, 0) << alt << 0.0 << 0.0 << in;
    QTest::newRow("ct down") << KeyScheme::ChromeTracing << down << none << 54.0 << 0.0 << 1.0;
    QTest::newRow("tr up") << KeyScheme::Tracy << up << none << 0.0 << 0.0 << in;
    QTest::newRow("tr Ctrl: fine") << KeyScheme::Tracy << up << control << 0.0 << 0.0 << std::exp(-0.07);
    QTest::newRow("tr Shift: fast") << KeyScheme::Tracy << up << shift << 0.0 << 0.0 << std::exp(-0.84);
    QTest::newRow("tr Shift, turned") << KeyScheme::Tracy << QPointF(120, 0) << shift << 0.0 << 0.0 << std::exp(-0.84);
    QTest::newRow("tr sideways") << KeyScheme::Tracy << QPointF(-120, 0) << none << 0.0 << 108.0 << 1.0;
    QTest::newRow("nothing") << KeyScheme::Perfetto << QPointF() << none << 0.0 << 0.0 << 1.0;
}

void TestGestures::wheels() {
    QFETCH(KeyScheme, scheme);
    WheelInput input;
    input.angle = *static_cast<QPointF*>(QTest::qData("angle", QMetaType::QPointF));
    input.modifiers = *static_cast<Qt::KeyboardModifiers*>(
        QTest::qData("modifiers", QMetaType::fromType<Qt::KeyboardModifiers>().id()));
    const WheelStep step = WheelModel().step(input, scheme);
    QTEST(step.scroll + 0.0, "scroll");
    QTEST(step.pan + 0.0, "pan");
    QTEST(step.zoom, "zoom");
}

namespace {

WheelInput fingers(QPointF pixels, Qt::ScrollPhase phase, Qt::KeyboardModifiers modifiers = {}) {
    WheelInput input;
    input.pixels = pixels;
    input.angle = pixels * 2;
    input.phase = phase;
    input.modifiers = modifiers;
    input.touchPad = true;
    return input;
}

}  // namespace

void TestGestures::modifiersAreThoseOfTheTouch() {
    WheelModel model;
    model.step(fingers({0, 0}, Qt::ScrollBegin), KeyScheme::Perfetto);
    QCOMPARE(model.step(fingers({0, -20}, Qt::ScrollUpdate), KeyScheme::Perfetto).scroll, 20.0);
    model.step(fingers({0, 0}, Qt::ScrollEnd), KeyScheme::Perfetto);
    // Ctrl goes down while the momentum still rolls: it scrolls on.
    const WheelStep rolls = model.step(fingers({0, -15}, Qt::ScrollMomentum, Qt::ControlModifier), KeyScheme::Perfetto);
    QCOMPARE(rolls.scroll, 15.0);
    QCOMPARE(rolls.zoom, 1.0);
    // With Ctrl from the first touch it zooms, and goes on to when Ctrl is let go.
    model.step(fingers({0, 0}, Qt::ScrollBegin, Qt::ControlModifier), KeyScheme::Perfetto);
    const double half = std::exp(-0.14);
    QCOMPARE(model.step(fingers({0, 30}, Qt::ScrollUpdate, Qt::ControlModifier), KeyScheme::Perfetto).zoom, half);
    const WheelStep after = model.step(fingers({0, 30}, Qt::ScrollMomentum), KeyScheme::Perfetto);
    QCOMPARE(after.zoom, half);
    QCOMPARE(after.scroll, 0.0);
    // The next touch is another gesture.
    model.step(fingers({0, 0}, Qt::ScrollBegin), KeyScheme::Perfetto);
    QCOMPARE(model.step(fingers({0, 30}, Qt::ScrollUpdate), KeyScheme::Perfetto).scroll, -30.0);
}

void TestGestures::modifiersOfAWheelAreThoseOfNow() {
    WheelModel model;
    WheelInput input;
    input.angle = {0, 120};
    QCOMPARE(model.step(input, KeyScheme::Perfetto).scroll, -54.0);
    input.modifiers = Qt::ControlModifier;
    QCOMPARE(model.step(input, KeyScheme::Perfetto).zoom, std::exp(-0.28));
    input.modifiers = {};
    QCOMPARE(model.step(input, KeyScheme::Perfetto).zoom, 1.0);
}

void TestGestures::aPadWithoutPhasesPausesBetweenGestures() {
    WheelModel model;
    WheelInput input = fingers({0, -20}, Qt::NoScrollPhase);
    input.milliseconds = 1000;
    QCOMPARE(model.step(input, KeyScheme::Perfetto).scroll, 18.0);
    input.modifiers = Qt::ControlModifier;
    input.milliseconds = 1016;
    QCOMPARE(model.step(input, KeyScheme::Perfetto).scroll, 18.0);
    input.milliseconds = 1500;
    QCOMPARE(model.step(input, KeyScheme::Perfetto).zoom, std::exp(0.28 / 3));
}

void TestGestures::fingersKeepTheirDirection() {
    WheelModel model;
    model.step(fingers({0, 0}, Qt::ScrollBegin), KeyScheme::Perfetto);
    QCOMPARE(model.step(fingers({-10, -2}, Qt::ScrollUpdate), KeyScheme::Perfetto).pan, 10.0);
    // Sideways it was, sideways it stays.
    const WheelStep slanted = model.step(fingers({-3, -9}, Qt::ScrollUpdate), KeyScheme::Perfetto);
    QCOMPARE(slanted.pan, 3.0);
    QCOMPARE(slanted.scroll, 0.0);
    model.step(fingers({0, 0}, Qt::ScrollBegin), KeyScheme::Perfetto);
    const WheelStep next = model.step(fingers({-3, -9}, Qt::ScrollUpdate), KeyScheme::Perfetto);
    QCOMPARE(next.pan, 0.0);
    QCOMPARE(next.scroll, 9.0);
}

void TestGestures::theFirstPixelsAreNotLost() {
    WheelModel model;
    model.step(fingers({0, 0}, Qt::ScrollBegin), KeyScheme::Perfetto);
    double scrolled = 0;
    for (int i = 0; i < 10; ++i) {
        const WheelStep step = model.step(fingers({0.5, -2}, Qt::ScrollUpdate), KeyScheme::Perfetto);
        QCOMPARE(step.pan, 0.0);
        scrolled += step.scroll;
    }
    QCOMPARE(scrolled, 20.0);
}

void TestGestures::aWheelsPixelsAreNotBelieved() {
    WheelInput input;
    input.pixels = {0, -3};
    input.angle = {0, -120};
    QCOMPARE(WheelModel().step(input, KeyScheme::Perfetto).scroll, 54.0);
    // Nor are those of a pad that does not say when fingers touch it.
    input.touchPad = true;
    QCOMPARE(WheelModel().step(input, KeyScheme::Perfetto).scroll, 54.0);
}

void TestGestures::pinchAndDrag() {
    QCOMPARE(zoomOfPinch(0), 1.0);
    QCOMPARE(zoomOfPinch(0.25), 0.8);
    QVERIFY(zoomOfPinch(-0.2) > 1);
    for (const double odd : {std::nan(""), HUGE_VAL, -HUGE_VAL, -1.0, 1e300}) {
        const double zoom = zoomOfPinch(odd);
        QVERIFY(zoom >= 0.5 && zoom <= 2);
    }
    QCOMPARE(zoomOfDrag(0), 1.0);
    QVERIFY(zoomOfDrag(-10) < 1 && zoomOfDrag(10) > 1);
    QCOMPARE(zoomOfDrag(20) * zoomOfDrag(-20), 1.0);
}

void TestGestures::whatTheSheetSays() {
    QCOMPARE(gestureOf("timeline.zoom_in", KeyScheme::Perfetto), "Ctrl+wheel up, pinch");
    QVERIFY(gestureOf("timeline.zoom_in", KeyScheme::Tracy).startsWith("Wheel up"));
    QVERIFY(gestureOf("timeline.zoom_in", KeyScheme::ChromeTracing).contains("Alt+wheel"));
    QVERIFY(gestureOf("timeline.pan_left", KeyScheme::Perfetto).contains("middle drag"));
    QVERIFY(!gestureOf("timeline.pan_left", KeyScheme::Tracy).contains("middle drag"));
    QVERIFY(gestureOf("timeline.end", KeyScheme::Perfetto).isEmpty());
}

QTEST_APPLESS_MAIN(TestGestures)
#include "tst_gestures.moc"
