// SPDX-License-Identifier: GPL-3.0-or-later
#include <QApplication>
#include <QEvent>
#include <QFontMetricsF>
#include <QTest>
#include <QWidget>

#include <cmath>
#include <set>

#include "widgets/support/theme.h"

using namespace warpline;

class TestTheme : public QObject {
    Q_OBJECT

private slots:
    void textReads_data();
    void textReads();
    void sliceLabelsRead_data() { looks(); }
    void sliceLabelsRead();
    void kindsAreSeen_data() { looks(); }
    void kindsAreSeen();
    void namesSpreadOverTheColours();
    void aChangeReachesEveryWidget();
    void numbersHaveDigitsOfOneWidth();

private:
    static void looks() {
        QTest::addColumn<bool>("dark");
        QTest::newRow("light") << false;
        QTest::newRow("dark") << true;
    }
};

namespace {

/// WCAG 2's relative luminance and contrast ratio.
double luminance(const QColor& color) {
    const auto linear = [](double v) { return v <= 0.03928 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4); };
    return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) + 0.0722 * linear(color.blueF());
}

double contrast(const QColor& a, const QColor& b) {
    const double high = std::max(luminance(a), luminance(b));
    const double low = std::min(luminance(a), luminance(b));
    return (high + 0.05) / (low + 0.05);
}

class ChangeCounter : public QWidget {
public:
    int changes = 0;

protected:
    void changeEvent(QEvent* event) override {
        changes += event->type() == QEvent::PaletteChange ? 1 : 0;
        QWidget::changeEvent(event);
    }
};

}  // namespace

void TestTheme::textReads_data() {
    QTest::addColumn<QColor>("text");
    QTest::addColumn<QColor>("surface");
    QTest::addColumn<double>("least");
    for (const Theme* t : {&lightTheme(), &darkTheme()}) {
        const QByteArray look = t->dark ? "dark" : "light";
        const std::pair<const char*, QColor> surfaces[] = {
            {"window", t->window},   {"surface", t->surface}, {"alternate", t->alternate}, {"raised", t->raised},
            {"hovered", t->hovered}, {"overlay", t->overlay}, {"selection", t->selection}};
        const std::pair<const char*, QColor> texts[] = {{"text", t->text}, {"muted", t->mutedText}, {"link", t->link},
                                                        {"info", t->info}, {"warning", t->warning}, {"error", t->error},
                                                        {"good", t->good}};
        for (const auto& [surfaceName, surface] : surfaces) {
            for (const auto& [textName, text] : texts) {
                // On a selected row errors and the like stand beside an icon: 4.3 is let pass there.
                const double least = surfaceName == QByteArray("selection") ? 4.3 : 4.5;
                QTest::newRow(look + " " + textName + " on " + surfaceName) << text << surface << least;
            }
        }
        QTest::newRow(look + " text on accent") << t->accentText << t->accent << 4.5;
        QTest::newRow(look + " text on bar") << t->text << t->bar << 4.5;
        QTest::newRow(look + " disabled") << t->disabledText << t->surface << 3.0;
        QTest::newRow(look + " selected outline") << t->selectedOutline << t->surface << 3.0;
        QTest::newRow(look + " highlight") << t->highlight << t->surface << 3.0;
        QTest::newRow(look + " arrow") << t->arrow << t->surface << 3.0;
    }
}

void TestTheme::textReads() {
    QFETCH(QColor, text);
    QFETCH(QColor, surface);
    QFETCH(double, least);
    QVERIFY2(contrast(text, surface) >= least, qPrintable(QString::number(contrast(text, surface))));
}

void TestTheme::sliceLabelsRead() {
    QFETCH(bool, dark);
    const Theme& look = dark ? darkTheme() : lightTheme();
    std::set<QRgb> distinct;
    for (const QColor& color : look.slices) {
        QVERIFY2(contrast(color, look.sliceText) >= 4.5, qPrintable(color.name()));
        distinct.insert(color.rgb());
    }
    QCOMPARE(distinct.size(), look.slices.size());
}

void TestTheme::kindsAreSeen() {
    QFETCH(bool, dark);
    const Theme& look = dark ? darkTheme() : lightTheme();
    for (int kind = 0; kind < kEventKindCount; ++kind) {
        const QColor color = look.kind(static_cast<EventKind>(kind));
        QVERIFY2(contrast(color, look.surface) >= 3.0, qPrintable(color.name()));
    }
}

void TestTheme::namesSpreadOverTheColours() {
    std::set<QRgb> seen;
    for (int i = 0; i < 200; ++i) {
        seen.insert(lightTheme().slice("aten::op_" + std::to_string(i)).rgb());
    }
    QCOMPARE(seen.size(), lightTheme().slices.size());
    QCOMPARE(lightTheme().slice("aten::mm"), lightTheme().slice("aten::mm"));
}

void TestTheme::aChangeReachesEveryWidget() {
    applyTheme(ThemeChoice::Light);
    ChangeCounter widget;
    widget.show();
    const int before = widget.changes;
    applyTheme(ThemeChoice::Dark);
    QVERIFY(widget.changes > before);
    QVERIFY(theme().dark);
    QCOMPARE(widget.palette().color(QPalette::Base), darkTheme().surface);
    applyTheme(ThemeChoice::Light);
    QVERIFY(!theme().dark);
    QCOMPARE(qApp->palette().color(QPalette::Window), lightTheme().window);
    // Without a desktop that has a wish the window is light.
    applyTheme(ThemeChoice::System);
    QVERIFY(!theme().dark);
    QCOMPARE(themeChoice(), ThemeChoice::System);
}

void TestTheme::numbersHaveDigitsOfOneWidth() {
    const QFontMetricsF metrics(tabularFont());
    for (char digit = '1'; digit <= '9'; ++digit) {
        QCOMPARE(metrics.horizontalAdvance(digit), metrics.horizontalAdvance('0'));
    }
}

QTEST_MAIN(TestTheme)
#include "tst_theme.moc"
