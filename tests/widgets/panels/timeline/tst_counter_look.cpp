// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include <cmath>

#include "tests/support/trace_text.h"
#include "widgets/panels/timeline/counter_look.h"

using namespace warpline;
using namespace warpline::timeline;
using warpline::test::traceFromText;

class TestCounterLook : public QObject {
    Q_OBJECT

private slots:
    void unitsByName_data() {
        QTest::addColumn<QString>("counter");
        QTest::addColumn<QString>("series");
        QTest::addColumn<double>("value");
        QTest::addColumn<QString>("text");
        QTest::newRow("watts") << "power.draw [W]"
                               << "value" << 351.26 << "351.3 W";
        QTest::newRow("clock") << "clocks.sm [MHz]"
                               << "value" << 1980.0 << "1980 MHz";
        QTest::newRow("clock without brackets") << "SM clock MHz"
                                                << "" << 1980.0 << "1980 MHz";
        QTest::newRow("percent") << "utilization.gpu [%]"
                                 << "" << 99.0 << "99 %";
        QTest::newRow("bytes") << "gpu_mem_bytes"
                               << "x" << 1610612736.0 << "1.50 GiB";
        QTest::newRow("rate") << "PCIe (bytes/s)"
                              << "x" << 12.3e9 << "12.3 GB/s";
        QTest::newRow("series first") << "Memory [MiB]"
                                      << "free [bytes]" << 2048.0 << "2.00 KiB";
        QTest::newRow("none") << "queue"
                              << "depth" << 12.0 << "12";
        QTest::newRow("a large count") << "items"
                                       << "n" << 1234567.0 << "1.23 M";
        QTest::newRow("an id in brackets is long") << "counter [0x7f00aa55]"
                                                   << "" << 3.0 << "3";
        QTest::newRow("gap") << "power [W]"
                             << "" << std::nan("") << "n/a";
    }
    void unitsByName() {
        QFETCH(QString, counter);
        QFETCH(QString, series);
        QFETCH(double, value);
        QFETCH(QString, text);
        QCOMPARE(valueText(value, unitOf(counter.toStdString(), series.toStdString())), text);
    }

    void scalesByHand() {
        const auto trace = traceFromText(
            "cpu main: a 0..100\n"
            "counter load: 0=40 10=60 50=90 90=80\n"
            "counter flat: 0=7\ncounter nothing: 0=0\n");
        const auto model = buildTimelineModel(*trace);
        QCOMPARE(model->counters.size(), size_t{3});
        const auto scale = [&](uint32_t counter, ValueScale how, TimeRange shown = {0, 100}) {
            return scaleOf(*trace, *model, counter, how, shown);
        };
        QCOMPARE(model->counters[0].title, std::string("load"));
        QCOMPARE(scale(0, ValueScale::Own), (ValueRange{40, 90}));
        QCOMPARE(scale(0, ValueScale::FromZero), (ValueRange{0, 90}));
        QCOMPARE(scale(0, ValueScale::InView), (ValueRange{40, 90}));
        QCOMPARE(scale(0, ValueScale::InView, {5, 20}), (ValueRange{40, 60}));
        QCOMPARE(scale(0, ValueScale::InView, {92, 99}), (ValueRange{0, 80}));  // one value: from zero
        QCOMPARE(scale(1, ValueScale::Own), (ValueRange{0, 7}));
        QCOMPARE(scale(2, ValueScale::Own), (ValueRange{0, 1}));
    }

    void looksAreWords() {
        for (const ValueStyle style : kValueStyles) {
            for (const ValueScale scale : kValueScales) {
                QCOMPARE(lookFrom(textOf({style, scale}), {}), (CounterLook{style, scale}));
                QVERIFY(!titleOf(style).isEmpty() && !titleOf(scale).isEmpty());
            }
        }
        const CounterLook fallback{ValueStyle::Line, ValueScale::Shared};
        for (const char* text : {"", "area", "area,", "area,half", "cake,own", "area,own,own"}) {
            QCOMPARE(lookFrom(QLatin1String(text), fallback), fallback);
        }
    }

    void throttleReasonsAreStates() {
        const auto trace = traceFromText(
            "cpu main: a 0..100\n"
            "counter \"clocks_throttle_reasons.active\": 0=0 10=1 20=4 30=36 40=512\n"
            "counter other: 0=4\n");
        const auto model = buildTimelineModel(*trace);
        const CounterLane* reasons = &model->counters[0];
        const CounterLane* other = &model->counters[1];
        if (reasons->title == "other") {
            std::swap(reasons, other);
        }
        QCOMPARE(lookAtFirst(*trace, *reasons).style, ValueStyle::States);
        QCOMPARE(lookAtFirst(*trace, *other).style, ValueStyle::Area);
        const auto text = [&](double value) { return stateText(*trace, *reasons, value); };
        QCOMPARE(text(0), QString());
        QCOMPARE(text(1), QStringLiteral("idle"));
        QCOMPARE(text(36), QStringLiteral("software power cap + software thermal"));
        QCOMPARE(text(512), QStringLiteral("0x200"));
        QCOMPARE(text(0.5), QStringLiteral("0.5"));
        QCOMPARE(text(std::nan("")), QString());
        QCOMPARE(stateText(*trace, *other, 4), QStringLiteral("4"));
        QVERIFY(isCalmState(*trace, *reasons, 1));
        QVERIFY(isCalmState(*trace, *reasons, 3));
        QVERIFY(!isCalmState(*trace, *reasons, 5));
        QVERIFY(!isCalmState(*trace, *other, 1));
    }
};

QTEST_GUILESS_MAIN(TestCounterLook)
#include "tst_counter_look.moc"
