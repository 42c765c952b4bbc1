// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include <cmath>

#include "widgets/panels/timeline/view_motion.h"

using warpline::timeline::ViewMotion;
using warpline::timeline::WholePixels;

class tst_ViewMotion : public QObject {
    Q_OBJECT

private slots:
    void stepsSumUpToTheWhole_data();
    void stepsSumUpToTheWhole();
    void isFastAtFirst();
    void oppositeNotchesCancel();
    void wholePixelsOfManyParts();
};

void tst_ViewMotion::stepsSumUpToTheWhole_data() {
    QTest::addColumn<double>("seconds");
    for (const double seconds : {0.001, 0.008, 0.014, 0.05, 1.0}) {
        QTest::addRow("%g s", seconds) << seconds;
    }
}

void tst_ViewMotion::stepsSumUpToTheWhole() {
    QFETCH(double, seconds);
    ViewMotion motion;
    QVERIFY(motion.isAtRest());
    motion.zoom(0.8, 300);
    motion.zoom(0.8, 310);
    motion.pan(-133);
    motion.scroll(97);
    double zoom = 1, pan = 0;
    int scroll = 0, steps = 0;
    while (!motion.isAtRest()) {
        QVERIFY(++steps < 2000);
        const ViewMotion::Step step = motion.advance(seconds);
        QCOMPARE(step.anchorX, 310.0);
        QVERIFY(step.zoom <= 1 && step.pan <= 0 && step.scroll >= 0);  // never back
        zoom *= step.zoom;
        pan += step.pan;
        scroll += step.scroll;
    }
    QVERIFY(std::abs(zoom - 0.64) < 1e-12);
    QVERIFY(std::abs(pan + 133) < 1e-9);
    QCOMPARE(scroll, 97);
    QVERIFY(steps * seconds < 0.5 + seconds);  // a tenth of a second does most of it
}

void tst_ViewMotion::isFastAtFirst() {
    ViewMotion motion;
    motion.pan(100);
    const double first = motion.advance(0.014).pan;
    const double second = motion.advance(0.014).pan;
    // 1 - exp(-14/40) = 0.2953 of what is left
    QVERIFY(std::abs(first - 29.53) < 0.01);
    QVERIFY(std::abs(second - 29.53 * 0.7047) < 0.01);
    motion.stop();
    QVERIFY(motion.isAtRest());
    QCOMPARE(motion.advance(1).pan, 0.0);
}

void tst_ViewMotion::oppositeNotchesCancel() {
    ViewMotion motion;
    motion.zoom(0.5, 10);
    motion.zoom(2, 10);
    QCOMPARE(motion.advance(0.014).zoom, 1.0);
    QVERIFY(motion.isAtRest());
}

void tst_ViewMotion::wholePixelsOfManyParts() {
    for (int parts = 1; parts <= 200; ++parts) {
        WholePixels pixels;
        double moved = 0;
        for (int i = 0; i < parts; ++i) {
            const double step = pixels.take(40.0 / parts, 2);
            QCOMPARE(step * 2, std::round(step * 2));
            moved += step;
        }
        // However the parts were rounded, they make the whole, and nothing is left for what comes after.
        QCOMPARE(moved, 40.0);
        QCOMPARE(pixels.take(25, 2), 25.0);
        QCOMPARE(pixels.take(-25, 2), -25.0);
    }
}

QTEST_APPLESS_MAIN(tst_ViewMotion)
#include "tst_view_motion.moc"
