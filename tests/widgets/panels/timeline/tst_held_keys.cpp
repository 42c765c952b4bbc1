// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include <cmath>

#include "widgets/panels/timeline/held_keys.h"

using namespace warpline::timeline;

class tst_HeldKeys : public QObject {
    Q_OBJECT

private slots:
    void pressAndRelease();
    void motions_data();
    void motions();
};

void tst_HeldKeys::pressAndRelease() {
    HeldKeys keys;
    QVERIFY(keys.empty());
    QVERIFY(keys.press(Qt::Key_D));
    QVERIFY(!keys.press(Qt::Key_D));
    QVERIFY(!keys.release(Qt::Key_A));
    QVERIFY(keys.release(Qt::Key_D));
    QVERIFY(keys.empty());
    keys.press(Qt::Key_W);
    keys.clear();
    QVERIFY(keys.empty());
    QVERIFY(HeldKeys::moves(Qt::Key_Up));
    QVERIFY(!HeldKeys::moves(Qt::Key_F));
}

void tst_HeldKeys::motions_data() {
    QTest::addColumn<QList<int>>("held");
    QTest::addColumn<double>("pan");
    QTest::addColumn<double>("zoom");
    QTest::addColumn<int>("scroll");
    QTest::newRow("none") << QList<int>{} << 0.0 << 1.0 << 0;
    QTest::newRow("right") << QList<int>{Qt::Key_D} << 110.0 << 1.0 << 0;
    QTest::newRow("right by both keys") << QList<int>{Qt::Key_D, Qt::Key_Right} << 110.0 << 1.0 << 0;
    QTest::newRow("left") << QList<int>{Qt::Key_Left} << -110.0 << 1.0 << 0;
    QTest::newRow("left and right") << QList<int>{Qt::Key_A, Qt::Key_Right} << 0.0 << 1.0 << 0;
    QTest::newRow("in") << QList<int>{Qt::Key_W} << 0.0 << std::exp(-0.24) << 0;
    QTest::newRow("out and down") << QList<int>{Qt::Key_S, Qt::Key_Down} << 0.0 << std::exp(0.24) << 66;
    QTest::newRow("up") << QList<int>{Qt::Key_Up} << 0.0 << 1.0 << -66;
}

void tst_HeldKeys::motions() {
    QFETCH(QList<int>, held);
    HeldKeys keys;
    for (const int key : held) {
        QVERIFY(HeldKeys::moves(key));
        keys.press(key);
    }
    const HeldKeys::Motion motion = keys.motion(0.1);
    QTEST(motion.pan, "pan");
    QTEST(motion.zoom, "zoom");
    QTEST(motion.scroll, "scroll");
}

QTEST_APPLESS_MAIN(tst_HeldKeys)
#include "tst_held_keys.moc"
