// SPDX-License-Identifier: GPL-3.0-or-later
#include <QGuiApplication>
#include <QImage>
#include <QPainter>
#include <QTest>

#include "widgets/panels/timeline/label_cache.h"

using namespace warpline;
using namespace warpline::timeline;

class tst_LabelCache : public QObject {
    Q_OBJECT

private slots:
    void barLabels_data();
    void barLabels();
    void qualifiers_data();
    void qualifiers();
    void staysInItsWidth_data();
    void staysInItsWidth();
};

void tst_LabelCache::barLabels_data() {
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<bool>("python");
    QTest::addColumn<QString>("expected");
    QTest::newRow("op") << QByteArray("aten::mm") << false << "aten::mm";
    QTest::newRow("kernel") << QByteArray("void gemm<float>(int)") << false << "gemm<float>(int)";
    QTest::newRow("frame") << QByteArray("torch/nn/modules/module.py(1779): _call_impl") << true
                           << "_call_impl (module.py:1779)";
    QTest::newRow("frame without a file") << QByteArray("<built-in function len>") << true << "<built-in function len>";
    QTest::newRow("module") << QByteArray("nn.Module: Linear_0") << true << "nn.Module: Linear_0";
    QTest::newRow("no frame") << QByteArray("a.py(3): f") << false << "a.py(3): f";
    QTest::newRow("control characters") << QByteArray("a\nb\tc") << false << "a b c";
    QTest::newRow("empty") << QByteArray("") << false << "";
}

void tst_LabelCache::barLabels() {
    QFETCH(QByteArray, name);
    QFETCH(bool, python);
    QFETCH(QString, expected);
    QCOMPARE(barLabel(std::string_view(name.constData(), static_cast<size_t>(name.size())),
                      python ? EventKind::Python : EventKind::CpuOp),
             expected);
}

void tst_LabelCache::qualifiers_data() {
    QTest::addColumn<QString>("label");
    QTest::addColumn<int>("expected");
    QTest::newRow("op") << "aten::mm" << 6;
    QTest::newRow("nested") << "at::native::fill<c10::Half>" << 12;
    QTest::newRow("in arguments only") << "gemm<at::Half>(c10::X)" << 0;
    QTest::newRow("none") << "relu" << 0;
    QTest::newRow("nothing after it") << "x::" << 0;
    QTest::newRow("later word") << "run at::mm" << 0;
    QTest::newRow("empty") << "" << 0;
}

void tst_LabelCache::qualifiers() {
    QFETCH(QString, label);
    QFETCH(int, expected);
    QCOMPARE(qualifierLength(label), static_cast<qsizetype>(expected));
}

void tst_LabelCache::staysInItsWidth_data() {
    QTest::addColumn<QByteArray>("name");
    QTest::newRow("plain") << QByteArray("a_rather_long_name_of_an_operation");
    QTest::newRow("qualified") << QByteArray("aten::a_rather_long_name_of_an_operation");
    QTest::newRow("short") << QByteArray("aten::mm");
    QTest::newRow("glyphs of another font") << QByteArray("\xe6\x95\xb0\xe6\x8d\xae\xe5\x8a\xa0\xe8\xbd\xbd");
}

void tst_LabelCache::staysInItsWidth() {
    QFETCH(QByteArray, name);
    QFont font;
    font.setPixelSize(11);
    LabelCache labels;
    labels.reset(font, 2);
    int widest = 0;
    for (int width = 0; width < 500; width += 3) {
        QImage image(600, 36, QImage::Format_RGB32);
        image.fill(Qt::white);
        {
            QPainter painter(&image);
            painter.setPen(Qt::black);
            labels.draw(painter, StringId(1), std::string_view(name.constData(), static_cast<size_t>(name.size())),
                        EventKind::CpuOp, 20, width, 0, 36);
        }
        int left = image.width();
        int right = -1;
        for (int y = 0; y < image.height(); ++y) {
            for (int x = 0; x < image.width(); ++x) {
                if (image.pixel(x, y) != qRgb(255, 255, 255)) {
                    left = std::min(left, x);
                    right = std::max(right, x);
                }
            }
        }
        if (right >= 0) {
            // A letter may lean a pixel out of its advance.
            QVERIFY2(left >= 18, qPrintable(QString::number(left)));
            QVERIFY2(right <= 20 + width + 2, qPrintable(QStringLiteral("%1 in %2").arg(right).arg(width)));
            widest = std::max(widest, right);
        }
    }
    QVERIFY(widest > 20);
}

QTEST_MAIN(tst_LabelCache)
#include "tst_label_cache.moc"
