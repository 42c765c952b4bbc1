// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include <algorithm>
#include <set>

#include "widgets/panels/timeline/ruler.h"

using namespace warpline;
using namespace warpline::timeline;

namespace {

int letters(std::string_view label) {
    return static_cast<int>(label.size()) * 7;
}

}  // namespace

class tst_Ruler : public QObject {
    Q_OBJECT

private slots:
    void labels_data();
    void labels();
    void stepsAndGaps_data();
    void stepsAndGaps();
    void whatLiesOverTheRulerCoversNoLabel_data();
    void whatLiesOverTheRulerCoversNoLabel();
    void labelsAreWhereTheirTicksAre();
    void countsFromTheTraceStart();
    void aShortViewFarFromTheStartCountsFromABase();
    void noLabelIsCut_data();
    void noLabelIsCut();
    void noWidthNoTicks();
    void timesOfDay_data();
    void timesOfDay();
    void aDayHasRoundTicks();
    void aShortViewCountsFromATimeOfDay();
};

void tst_Ruler::labels_data() {
    QTest::addColumn<qint64>("since");
    QTest::addColumn<qint64>("step");
    QTest::addColumn<qint64>("largest");
    QTest::addColumn<QString>("expected");
    QTest::newRow("ns") << qint64(250) << qint64(50) << qint64(900) << "250 ns";
    QTest::newRow("us") << qint64(2'500) << qint64(500) << qint64(9'000) << "2.5 µs";
    QTest::newRow("whole ms") << qint64(30'000'000) << qint64(10'000'000) << qint64(90'000'000) << "30 ms";
    QTest::newRow("ms at 50 us") << qint64(69'550'000) << qint64(50'000) << qint64(69'900'000) << "69.55 ms";
    QTest::newRow("ms at 1 ns") << qint64(69'000'007) << qint64(1) << qint64(69'900'000) << "69.000007 ms";
    QTest::newRow("zero") << qint64(0) << qint64(1'000) << qint64(2'000'000) << "0.000 ms";
    QTest::newRow("negative") << qint64(-1'500'000) << qint64(500'000) << qint64(-2'000'000) << "-1.5 ms";
    QTest::newRow("seconds") << qint64(5'400'000'000'000) << qint64(1'000'000'000) << qint64(6'000'000'000'000)
                             << "5,400 s";
    QTest::newRow("exact beyond double") << qint64(9'007'199'254'740'993) << qint64(1) << qint64(9'007'199'254'740'993)
                                         << "9,007,199.254740993 s";
}

void tst_Ruler::labels() {
    QFETCH(qint64, since);
    QFETCH(qint64, step);
    QFETCH(qint64, largest);
    QFETCH(QString, expected);
    QCOMPARE(QString::fromStdString(rulerLabel(since, step, largest)), expected);
}

void tst_Ruler::whatLiesOverTheRulerCoversNoLabel_data() {
    QTest::addColumn<int>("width");
    QTest::addColumn<int>("least");
    QTest::addColumn<int>("most");
    QTest::addColumn<int>("x");
    // Labels lie at 100..140, 200..240 and 300..340; three pixels around it stay free.
    QTest::newRow("the middle is free") << 40 << 0 << 340 << 150;
    QTest::newRow("to the left") << 50 << 60 << 260 << 143;
    QTest::newRow("to the right") << 50 << 160 << 360 << 243;
    QTest::newRow("not out of the area") << 50 << 190 << 300 << 243;
    QTest::newRow("no room between two") << 60 << 100 << 340 << 190;
    QTest::newRow("just room") << 54 << 100 << 340 << 143;
    QTest::newRow("the area is as wide") << 50 << 210 << 260 << 210;
}

void tst_Ruler::whatLiesOverTheRulerCoversNoLabel() {
    QFETCH(int, width);
    QFETCH(int, least);
    QFETCH(int, most);
    const std::vector<RulerSpan> labels{{100, 40}, {200, 40}, {300, 40}};
    const RulerSpan place = placeAmongLabels(labels, width, least, most);
    QTEST(place.x, "x");
    QCOMPARE(place.width, width);
}

void tst_Ruler::labelsAreWhereTheirTicksAre() {
    const RulerTicks ruler = computeRulerTicks({0, 1000}, 600, {}, letters, 20);
    const std::vector<RulerSpan> spans = labelSpans(ruler, letters);
    size_t i = 0;
    for (const RulerTick& tick : ruler.ticks) {
        if (!tick.label.empty()) {
            QVERIFY((spans.at(i++) == RulerSpan{tick.x + kRulerLabelInset, letters(tick.label)}));
        }
    }
    QVERIFY(i > 3 && i == spans.size());
}

void tst_Ruler::stepsAndGaps_data() {
    QTest::addColumn<double>("nsPerPixel");
    QTest::addColumn<qint64>("begin");
    for (const qint64 begin : {0LL, -700'000LL, 123'456'789LL, 1'700'000'000'000'000'000LL}) {
        for (const double nsPerPixel : {0.05, 0.4, 1.0, 17.0, 313.0, 4'000.0, 1e5, 2.2e6, 9e8}) {
            QTest::addRow("%g from %lld", nsPerPixel, begin) << nsPerPixel << qint64(begin);
        }
    }
}

void tst_Ruler::stepsAndGaps() {
    QFETCH(double, nsPerPixel);
    QFETCH(qint64, begin);
    constexpr int kWidth = 1500;
    const RulerTicks ruler = computeRulerTicks({begin, nsPerPixel}, kWidth, {}, letters, 20);
    qint64 lead = ruler.stepNs;
    while (lead >= 10) {
        QCOMPARE(lead % 10, 0);
        lead /= 10;
    }
    QVERIFY(lead == 1 || lead == 2 || lead == 5);
    std::set<std::string> seen;
    int labelEnd = -1000;
    TimeNs last = std::numeric_limits<TimeNs>::min();
    for (const RulerTick& tick : ruler.ticks) {
        QVERIFY(tick.time > last);
        last = tick.time;
        if (tick.label.empty()) {
            continue;
        }
        QVERIFY(seen.insert(tick.label).second);
        QVERIFY2(tick.x >= labelEnd, tick.label.c_str());
        labelEnd = tick.x + letters(tick.label) + 20;
        QCOMPARE(tick.time % ruler.stepNs, 0);
    }
    // Far from zero labels are long, but one is always there to read.
    QVERIFY(!seen.empty());
    QVERIFY(ruler.ticks.size() <= kWidth / 5 + 10);
}

void tst_Ruler::countsFromTheTraceStart() {
    constexpr TimeNs kStart = 1'700'000'000'000'000'123;
    const RulerTicks ruler = computeRulerTicks({kStart, 1000}, 1000, {kStart}, letters);
    QCOMPARE(ruler.ticks.front().time, kStart);
    QCOMPARE(ruler.ticks.front().x, 0);
    QCOMPARE(QString::fromStdString(ruler.ticks.front().label), QStringLiteral("0.0 ms"));
    QVERIFY(ruler.baseLabel.empty());
}

void tst_Ruler::aShortViewFarFromTheStartCountsFromABase() {
    // 163 ns on 815 pixels, 10.403 985 ms after the start.
    constexpr TimeNs kBegin = 10'403'985;
    const RulerTicks ruler = computeRulerTicks({kBegin, 0.2}, 815, {}, letters);
    QCOMPARE(QString::fromStdString(ruler.baseLabel), QStringLiteral("10.403 ms"));
    QStringList labels;
    for (const RulerTick& tick : ruler.ticks) {
        if (!tick.label.empty()) {
            labels << QString::fromStdString(tick.label);
        }
    }
    QCOMPARE(ruler.stepNs, 20);
    QCOMPARE(labels, (QStringList{"+1.00 µs", "+1.02 µs", "+1.04 µs", "+1.06 µs", "+1.08 µs", "+1.10 µs", "+1.12 µs"}));
    const RulerTicks later = computeRulerTicks({10'404'010, 0.2}, 400, {}, letters);
    QCOMPARE(QString::fromStdString(later.baseLabel), QStringLiteral("10.4040 ms"));
    QVERIFY(std::any_of(later.ticks.begin(), later.ticks.end(),
                        [](const RulerTick& tick) { return tick.label == "+20 ns" && tick.time == 10'404'020; }));
    // Before the start the base lies before the view as well.
    const RulerTicks before = computeRulerTicks({-10'404'010, 0.2}, 400, {}, letters);
    QCOMPARE(QString::fromStdString(before.baseLabel), QStringLiteral("-10.4041 ms"));
}

void tst_Ruler::noLabelIsCut_data() {
    stepsAndGaps_data();
}

void tst_Ruler::noLabelIsCut() {
    QFETCH(double, nsPerPixel);
    QFETCH(qint64, begin);
    for (const int width : {90, 333, 1500}) {
        for (int shift = 0; shift < 40; ++shift) {
            const auto from = begin + static_cast<TimeNs>(shift * 7 * nsPerPixel);
            for (const RulerTick& tick : computeRulerTicks({from, nsPerPixel}, width, {}, letters).ticks) {
                const int left = tick.x + kRulerLabelInset;
                QVERIFY(tick.label.empty() || (left >= 0 && left + letters(tick.label) <= width));
            }
        }
    }
}

void tst_Ruler::noWidthNoTicks() {
    QVERIFY(computeRulerTicks({0, 1}, 0, {}, letters).ticks.empty());
}

void tst_Ruler::timesOfDay_data() {
    QTest::addColumn<qint64>("ns");
    QTest::addColumn<qint64>("step");
    QTest::addColumn<QString>("expected");
    const qint64 at = ((7 * 60 + 57) * qint64(60) + 6) * 1'000'000'000 + 123'456'789;
    QTest::newRow("seconds") << at << qint64(1'000'000'000) << "07:57:06";
    QTest::newRow("minutes") << at << qint64(500'000'000'000) << "07:57:06";
    QTest::newRow("tenths") << at << qint64(200'000'000) << "07:57:06.1";
    QTest::newRow("ms") << at << qint64(1'000'000) << "07:57:06.123";
    QTest::newRow("ns") << at << qint64(2) << "07:57:06.123456789";
    QTest::newRow("midnight") << qint64(0) << qint64(1'000'000'000) << "00:00:00";
    QTest::newRow("before midnight") << qint64(-1'000'000) << qint64(1'000'000) << "23:59:59.999";
    QTest::newRow("the next day") << qint64(86'401) * 1'000'000'000 << qint64(1'000'000'000) << "00:00:01";
}

void tst_Ruler::timesOfDay() {
    QFETCH(qint64, ns);
    QFETCH(qint64, step);
    QFETCH(QString, expected);
    QCOMPARE(QString::fromStdString(timeOfDayLabel(ns, step)), expected);
}

void tst_Ruler::aDayHasRoundTicks() {
    // Midnight was 7 h before the time 1000; 900 pixels show 45 ms from then on.
    constexpr TimeNs kMidnight = 1000 - qint64(7) * 3'600 * 1'000'000'000;
    const RulerTicks ticks = computeRulerTicks({1000, 50'000}, 900, {kMidnight, true}, letters);
    QVERIFY(ticks.baseLabel.empty());
    QStringList labels;
    for (const RulerTick& tick : ticks.ticks) {
        if (!tick.label.empty()) {
            labels << QString::fromStdString(tick.label);
            QVERIFY(std::abs(timeToX({1000, 50'000}, tick.time) - tick.x) < 1);
        }
    }
    QCOMPARE(labels, (QStringList{"07:00:00.00", "07:00:00.01", "07:00:00.02", "07:00:00.03", "07:00:00.04"}));
}

void tst_Ruler::aShortViewCountsFromATimeOfDay() {
    constexpr TimeNs kMidnight = -qint64(7) * 3'600 * 1'000'000'000;
    const RulerTicks ticks = computeRulerTicks({123'456'000, 1}, 900, {kMidnight, true}, letters);
    QCOMPARE(QString::fromStdString(ticks.baseLabel), QString("07:00:00.123456"));
    QStringList labels;
    for (const RulerTick& tick : ticks.ticks) {
        if (!tick.label.empty()) {
            labels << QString::fromStdString(tick.label);
        }
    }
    QCOMPARE(labels.first(), QString("+0 ns"));
}

QTEST_APPLESS_MAIN(tst_Ruler)
#include "tst_ruler.moc"
