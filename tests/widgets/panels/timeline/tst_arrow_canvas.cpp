// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "widgets/panels/timeline/arrow_canvas.h"

using namespace warpline;
using namespace warpline::timeline;

namespace {

constexpr QRgb kWhite = 0xffffffffU;

QImage drawn(const std::vector<Arrow>& arrows, double scale = 1, int size = 200) {
    QImage image(size, size, QImage::Format_RGB32);
    image.fill(Qt::white);
    drawArrows(arrows, lightTheme(), scale, image);
    return image;
}

int touched(const QImage& image, QRect within) {
    int count = 0;
    for (int y = within.top(); y <= within.bottom(); ++y) {
        for (int x = within.left(); x <= within.right(); ++x) {
            count += image.pixel(x, y) != kWhite ? 1 : 0;
        }
    }
    return count;
}

}  // namespace

class TestArrowCanvas : public QObject {
    Q_OBJECT

private slots:
    void aLevelArrow();
    void aSteepArrow();
    void twiceTheScale();
    void farEndsAreClipped();
    void manyAreFainter();
    void eachKindHasItsColour();
};

void TestArrowCanvas::aLevelArrow() {
    const QImage image = drawn({{ArrowKind::Launch, 20, 100, 180, 100}});
    for (int x = 22; x < 170; ++x) {
        QVERIFY2(image.pixel(x, 99) != kWhite && image.pixel(x, 100) != kWhite, qPrintable(QString::number(x)));
        QCOMPARE(touched(image, QRect(x, 0, 1, 98)), 0);
        QCOMPARE(touched(image, QRect(x, 102, 1, 98)), 0);
    }
    // The head: as high as it is half its length before the tip, and nothing behind that.
    QVERIFY(touched(image, QRect(175, 90, 1, 20)) >= 4);
    QCOMPARE(touched(image, QRect(180, 0, 20, 200)), 0);
    QCOMPARE(touched(image, QRect(0, 0, 19, 200)), 0);
}

void TestArrowCanvas::aSteepArrow() {
    const QImage image = drawn({{ArrowKind::Launch, 100, 20, 100, 180}});
    for (int y = 25; y < 175; ++y) {
        const int width = touched(image, QRect(0, y, 200, 1));
        QVERIFY2(width >= 1 && width <= 12, qPrintable(QString::number(y)));
    }
    QCOMPARE(touched(image, QRect(0, 0, 200, 17)), 0);
}

void TestArrowCanvas::twiceTheScale() {
    const QImage image = drawn({{ArrowKind::Launch, 20, 50, 90, 50}}, 2);
    QVERIFY(touched(image, QRect(100, 0, 1, 200)) >= 3);
    QCOMPARE(touched(image, QRect(0, 0, 38, 200)), 0);
    QCOMPARE(touched(image, QRect(181, 0, 19, 200)), 0);
}

void TestArrowCanvas::farEndsAreClipped() {
    const QImage image = drawn({{ArrowKind::Launch, -800, -5000, 1000, 9000},
                                {ArrowKind::Launch, -800, 100, 1000, 100},
                                {ArrowKind::Flow, 5000, 5000, 6000, 6000},
                                {ArrowKind::Flow, 199.9, 199.9, 200.2, 199.9},
                                {ArrowKind::Flow, 10, 10, 10, 10}});
    QVERIFY(touched(image, QRect(0, 99, 200, 2)) >= 200);
    QImage none;
    drawArrows({{ArrowKind::Launch, 0, 0, 10, 10}}, lightTheme(), 1, none);
    QVERIFY(none.isNull());
}

void TestArrowCanvas::manyAreFainter() {
    const std::vector<Arrow> one{{ArrowKind::Launch, 20, 100, 180, 100}};
    std::vector<Arrow> many = one;
    many.resize(400, {ArrowKind::Launch, 20, 500, 180, 500});
    QVERIFY(qGreen(drawn(one).pixel(100, 99)) < qGreen(drawn(many).pixel(100, 99)));
    QVERIFY(drawn(many).pixel(100, 99) != kWhite);
}

void TestArrowCanvas::eachKindHasItsColour() {
    for (const Theme* theme : {&lightTheme(), &darkTheme()}) {
        QVERIFY(arrowColor(*theme, ArrowKind::Launch) != arrowColor(*theme, ArrowKind::Backward));
        QVERIFY(arrowColor(*theme, ArrowKind::Launch) != arrowColor(*theme, ArrowKind::Flow));
        QVERIFY(arrowColor(*theme, ArrowKind::Backward) != arrowColor(*theme, ArrowKind::Flow));
    }
    const QRgb pixel = drawn({{ArrowKind::Backward, 20, 100, 180, 100}}).pixel(100, 99);
    QVERIFY(qBlue(pixel) > qRed(pixel));
}

QTEST_MAIN(TestArrowCanvas)
#include "tst_arrow_canvas.moc"
