// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include <cmath>

#include "widgets/panels/timeline/held_keys.h"

using namespace warpline::timeline;
using Move = HeldKeys::Move;

class tst_HeldKeys : public QObject {
    Q_OBJECT

private slots:
    void pressAndRelease();
    void movesAreNamedByActions();
    void motions_data();
    void motions();
};

void tst_HeldKeys::pressAndRelease() {
    HeldKeys keys;
    QVERIFY(keys.empty());
    QVERIFY(keys.press(Qt::Key_D, Move::PanRight));
    QVERIFY(!keys.press(Qt::Key_D, Move::PanRight));
    QVERIFY(!keys.release(Qt::Key_A));
    QVERIFY(keys.release(Qt::Key_D));
    QVERIFY(keys.empty());
    keys.press(Qt::Key_W, Move::ZoomIn);
    keys.clear();
    QVERIFY(keys.empty());
}

void tst_HeldKeys::movesAreNamedByActions() {
    QCOMPARE(HeldKeys::moveOf("timeline.zoom_in"), std::optional(Move::ZoomIn));
    QCOMPARE(HeldKeys::moveOf("timeline.zoom_out"), std::optional(Move::ZoomOut));
    QCOMPARE(HeldKeys::moveOf("timeline.pan_left"), std::optional(Move::PanLeft));
    QCOMPARE(HeldKeys::moveOf("timeline.pan_right"), std::optional(Move::PanRight));
    QCOMPARE(HeldKeys::moveOf("timeline.scroll_up"), std::optional(Move::ScrollUp));
    QCOMPARE(HeldKeys::moveOf("timeline.scroll_down"), std::optional(Move::ScrollDown));
    QVERIFY(!HeldKeys::moveOf("timeline.fit"));
    QVERIFY(!HeldKeys::moveOf(""));
}

void tst_HeldKeys::motions_data() {
    QTest::addColumn<QList<Move>>("held");
    QTest::addColumn<double>("pan");
    QTest::addColumn<double>("zoom");
    QTest::addColumn<int>("scroll");
    QTest::newRow("none") << QList<Move>{} << 0.0 << 1.0 << 0;
    QTest::newRow("right") << QList{Move::PanRight} << 110.0 << 1.0 << 0;
    QTest::newRow("right by both keys") << QList{Move::PanRight, Move::PanRight} << 110.0 << 1.0 << 0;
    QTest::newRow("left") << QList{Move::PanLeft} << -110.0 << 1.0 << 0;
    QTest::newRow("left and right") << QList{Move::PanLeft, Move::PanRight} << 0.0 << 1.0 << 0;
    QTest::newRow("in") << QList{Move::ZoomIn} << 0.0 << std::exp(-0.24) << 0;
    QTest::newRow("out and down") << QList{Move::ZoomOut, Move::ScrollDown} << 0.0 << std::exp(0.24) << 66;
    QTest::newRow("up") << QList{Move::ScrollUp} << 0.0 << 1.0 << -66;
}

void tst_HeldKeys::motions() {
    QFETCH(QList<Move>, held);
    HeldKeys keys;
    int key = 0;
    for (const Move move : held) {
        QVERIFY(keys.press(++key, move));
    }
    const HeldKeys::Motion motion = keys.motion(0.1);
    QTEST(motion.pan, "pan");
    QTEST(motion.zoom, "zoom");
    QTEST(motion.scroll, "scroll");
}

QTEST_APPLESS_MAIN(tst_HeldKeys)
#include "tst_held_keys.moc"
