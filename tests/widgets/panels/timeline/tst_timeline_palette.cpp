// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "core/base/job_control.h"
#include "core/trace/trace_builder.h"
#include "widgets/panels/timeline/timeline_palette.h"

using namespace warpline;
using namespace warpline::timeline;

class tst_TimelinePalette : public QObject {
    Q_OBJECT

private slots:
    void textReads_data();
    void textReads();
    void kindsDiffer_data();
    void kindsDiffer();
    void fadedStandsBack_data();
    void fadedStandsBack();
    void contrastIsThatOfTheStandard();
    void sameNameSameHue();
};

static const Theme& look(bool dark) {
    return dark ? darkTheme() : lightTheme();
}

static void addLooks() {
    QTest::addColumn<bool>("dark");
    QTest::newRow("light") << false;
    QTest::newRow("dark") << true;
}

void tst_TimelinePalette::textReads_data() {
    addLooks();
}

void tst_TimelinePalette::textReads() {
    QFETCH(bool, dark);
    const BarColors colors = barColors(look(dark));
    for (size_t key = 0; key < kColorKeys; ++key) {
        const double ratio = contrast(colors.fill[key], colors.text[key]);
        QVERIFY2(ratio >= 4.5, qPrintable(QStringLiteral("key %1: %2").arg(key).arg(ratio)));
    }
}

void tst_TimelinePalette::kindsDiffer_data() {
    addLooks();
}

void tst_TimelinePalette::kindsDiffer() {
    QFETCH(bool, dark);
    const BarColors colors = barColors(look(dark));
    const QRgb surface = look(dark).surface.rgb();
    for (size_t hue = 0; hue < kHues; ++hue) {
        const QRgb device = colors.fill[static_cast<size_t>(Strength::Device) * kHues + hue];
        const QRgb host = colors.fill[static_cast<size_t>(Strength::Host) * kHues + hue];
        const QRgb muted = colors.fill[static_cast<size_t>(Strength::Muted) * kHues + hue];
        QVERIFY(contrast(device, surface) > contrast(host, surface));
        QVERIFY(contrast(host, surface) > contrast(muted, surface));
        // Even the muted ones are seen.
        QVERIFY(contrast(muted, surface) > 1.1);
    }
}

void tst_TimelinePalette::fadedStandsBack_data() {
    addLooks();
}

void tst_TimelinePalette::fadedStandsBack() {
    QFETCH(bool, dark);
    const BarColors colors = barColors(look(dark));
    const QRgb surface = look(dark).surface.rgb();
    for (size_t key = 0; key < 2 * kHues; ++key) {
        QVERIFY(contrast(colors.faded[key], surface) < contrast(colors.fill[key], surface));
        QVERIFY(contrast(colors.faded[key], surface) > 1.05);
    }
}

void tst_TimelinePalette::contrastIsThatOfTheStandard() {
    QCOMPARE(contrast(qRgb(0, 0, 0), qRgb(255, 255, 255)), 21.0);
    QCOMPARE(contrast(qRgb(9, 9, 9), qRgb(9, 9, 9)), 1.0);
    QVERIFY(std::abs(contrast(qRgb(119, 119, 119), qRgb(255, 255, 255)) - 4.48) < 0.01);
}

void tst_TimelinePalette::sameNameSameHue() {
    TraceBuilder builder;
    const StringId mm = builder.intern("aten::mm");
    const StringId add = builder.intern("aten::add");
    JobControl job;
    const std::shared_ptr<const Trace> trace = std::move(builder.seal(job)).value();
    NameColors colors;
    colors.reset(trace.get());
    const ColorKey host = colors.key(mm, EventKind::CpuOp);
    QCOMPARE(colors.key(mm, EventKind::CpuOp), host);
    QCOMPARE(colors.key(mm, EventKind::Kernel) % kHues, host % kHues);
    QVERIFY(colors.key(mm, EventKind::Kernel) != host);
    QVERIFY(colors.key(add, EventKind::CpuOp) < kColorKeys);
}

QTEST_APPLESS_MAIN(tst_TimelinePalette)
#include "tst_timeline_palette.moc"
