// SPDX-License-Identifier: GPL-3.0-or-later
#include <QSignalSpy>
#include <QTest>

#include <cmath>

#include "tests/support/trace_text.h"
#include "widgets/panels/timeline/minimap.h"
#include "widgets/panels/timeline/timeline_widget.h"
#include "widgets/support/settings.h"
#include "widgets/support/theme.h"

using namespace warpline;
using namespace warpline::timeline;

class TestMinimap : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { applyTheme(ThemeChoice::Light); }
    void init() { settings::useTemporary(); }

    void sharesOfColumns_data();
    void sharesOfColumns();
    void sharesAddUp();
    void aRowADevice();
    void theHostWhereNoDeviceWorks();
    void draggingMovesTheView();
    void draggingAnEndZooms();
    void aPressBesideTheViewBringsItThere();
    void doubleClickShowsAll();
    void marksWhatIsHighlighted();
    void theFrameIsAPartOfTheStrip_data();
    void theFrameIsAPartOfTheStrip();
    void theStripIsDrawnAnewWhenItIsAnother();
    void keepsNoTrace();

private:
    static std::vector<DeviceActivity> activityOf(const Trace& trace) {
        JobControl job;
        return computeDeviceActivity(trace, kActivityBusy, job).value();
    }
};

namespace {

/// A widget with ten kernels, each 1 ms of 10 ms.
struct Fixture {
    Fixture() {
        std::string line = "gpu 0 stream 7:";
        for (int i = 0; i < 10; ++i) {
            line += " k " + std::to_string(i * 10'000'000) + ".." + std::to_string(i * 10'000'000 + 1'000'000);
        }
        widget.resize(1000, 300);
        widget.show();
        session.setTrace(test::traceFromText(line));
        minimap = widget.findChild<Minimap*>();
    }
    TimeRange view() const { return visibleRange(widget.axis(), widget.lanesRect().width()); }
    QPoint at(TimeNs time) const { return {static_cast<int>(minimap->xOf(time)), 10}; }

    Session session;
    TimelineWidget widget{session};
    Minimap* minimap = nullptr;
};

}  // namespace

void TestMinimap::sharesOfColumns_data() {
    QTest::addColumn<QByteArray>("work");
    QTest::addColumn<QList<double>>("expected");  // of 4 columns over 0..400
    QTest::newRow("one column") << QByteArray("k 100..200") << QList<double>{0, 1, 0, 0};
    QTest::newRow("over several") << QByteArray("k 50..250") << QList<double>{0.5, 1, 0.5, 0};
    QTest::newRow("all") << QByteArray("k 0..400") << QList<double>{1, 1, 1, 1};
    QTest::newRow("two in one") << QByteArray("k 0..25 k 50..75") << QList<double>{0.5, 0, 0, 0};
    QTest::newRow("beyond") << QByteArray("k 300..900") << QList<double>{0, 0, 0, 1};
}

void TestMinimap::sharesOfColumns() {
    QFETCH(QByteArray, work);
    QFETCH(QList<double>, expected);
    const auto trace = test::traceFromText("gpu 0 stream 7: " + work.toStdString());
    const auto devices = activityOf(*trace);
    const auto shares = busyShares(busyPieces(*trace, devices.at(0)), {0, 400}, 4);
    QCOMPARE(shares.size(), 4U);
    for (qsizetype i = 0; i < 4; ++i) {
        QVERIFY2(std::abs(static_cast<double>(shares[static_cast<size_t>(i)]) - expected[i]) < 1e-6,
                 qPrintable(QString::number(i)));
    }
}

/// Whatever is put together, its sum is the busy time.
void TestMinimap::sharesAddUp() {
    std::string line = "gpu 0 stream 7:";
    DurationNs sum = 0;
    TimeNs at = 0;
    uint32_t state = 7;
    for (int i = 0; i < 5'000; ++i) {
        state = state * 1'664'525U + 1'013'904'223U;
        const TimeNs length = 1 + state % 900;
        line += " k " + std::to_string(at) + ".." + std::to_string(at + length);
        sum += length;
        at += length + 1 + (state >> 16) % 700;
    }
    const auto trace = test::traceFromText(line);
    const auto devices = activityOf(*trace);
    for (const int width : {1, 7, 300, 2'000}) {
        double total = 0;
        for (const float share : busyShares(busyPieces(*trace, devices.at(0)), {0, at}, width)) {
            QVERIFY(share >= 0 && share <= 1);
            total += static_cast<double>(share);
        }
        const double ns = total * static_cast<double>(at) / width;
        QVERIFY2(std::abs(ns / static_cast<double>(sum) - 1) < 0.01, qPrintable(QString::number(ns)));
    }
}

void TestMinimap::aRowADevice() {
    const auto trace = test::traceFromText("cpu main: a 0..400\ngpu 0 stream 7: k 0..100\ngpu 1 stream 7: k 100..200");
    const auto rows = minimapRows(*trace, activityOf(*trace), {0, 400}, 4, 4);
    QCOMPARE(rows.size(), 2U);
    QCOMPARE(rows[0].shares, (std::vector<float>{1, 0, 0, 0}));
    QCOMPARE(rows[1].shares, (std::vector<float>{0, 1, 0, 0}));
    QCOMPARE(minimapRows(*trace, activityOf(*trace), {0, 400}, 4, 1).size(), 1U);
}

void TestMinimap::theHostWhereNoDeviceWorks() {
    const auto trace = test::traceFromText("cpu main: a 0..400\ncpu worker: b 100..200");
    const auto rows = minimapRows(*trace, activityOf(*trace), {0, 400}, 4, 4);
    QCOMPARE(rows.size(), 1U);
    QCOMPARE(QString::fromStdString(rows[0].title), QString("Host threads"));
    QCOMPARE(rows[0].shares, (std::vector<float>{0.5F, 1, 0.5F, 0.5F}));
}

void TestMinimap::draggingMovesTheView() {
    Fixture f;
    QTRY_COMPARE(f.minimap->rows().size(), 1U);
    f.session.setVisibleRange({20'000'000, 40'000'000});
    const TimeRange before = f.view();
    QTest::mousePress(f.minimap, Qt::LeftButton, {}, f.at(30'000'000));
    QTest::mouseMove(f.minimap, f.at(50'000'000));
    const TimeRange after = f.view();
    const DurationNs aPixel = f.minimap->range().length() / f.minimap->width();
    QVERIFY(std::abs(after.begin - before.begin - 20'000'000) <= 2 * aPixel);
    QVERIFY(std::abs(after.length() - before.length()) <= 2);
    QTest::mouseRelease(f.minimap, Qt::LeftButton, {}, f.at(50'000'000));
    QTest::mouseMove(f.minimap, f.at(10'000'000));
    QCOMPARE(f.view(), after);
    f.widget.goBack();
    QCOMPARE(f.view(), before);
}

void TestMinimap::draggingAnEndZooms() {
    Fixture f;
    f.session.setVisibleRange({20'000'000, 60'000'000});
    const DurationNs aPixel = f.minimap->range().length() / f.minimap->width();
    QTest::mousePress(f.minimap, Qt::LeftButton, {}, f.at(f.view().end));
    QTest::mouseMove(f.minimap, f.at(40'000'000));
    QTest::mouseRelease(f.minimap, Qt::LeftButton, {}, f.at(40'000'000));
    QVERIFY(std::abs(f.view().begin - 20'000'000) <= 2);
    QVERIFY(std::abs(f.view().end - 40'000'000) <= 2 * aPixel);
    QTest::mousePress(f.minimap, Qt::LeftButton, {}, f.at(f.view().begin));
    QTest::mouseMove(f.minimap, f.at(30'000'000));
    QTest::mouseRelease(f.minimap, Qt::LeftButton, {}, f.at(30'000'000));
    QVERIFY(std::abs(f.view().begin - 30'000'000) <= 2 * aPixel);
}

void TestMinimap::aPressBesideTheViewBringsItThere() {
    Fixture f;
    f.session.setVisibleRange({20'000'000, 30'000'000});
    QTest::mouseClick(f.minimap, Qt::LeftButton, {}, f.at(70'000'000));
    const DurationNs aPixel = f.minimap->range().length() / f.minimap->width();
    QVERIFY(std::abs((f.view().begin + f.view().end) / 2 - 70'000'000) <= 2 * aPixel);
    QVERIFY(std::abs(f.view().length() - 10'000'000) <= 2);
}

void TestMinimap::doubleClickShowsAll() {
    Fixture f;
    const TimeRange all = f.view();
    f.session.setVisibleRange({20'000'000, 30'000'000});
    QTest::mouseDClick(f.minimap, Qt::LeftButton, {}, f.at(25'000'000));
    QCOMPARE(f.view(), all);
}

void TestMinimap::marksWhatIsHighlighted() {
    Fixture f;
    QVERIFY(f.minimap->marks().empty());
    f.session.setHighlight({"some", {EventRow(2U), EventRow(3U), EventRow(7U)}});
    const std::vector<char>& marks = f.minimap->marks();
    QCOMPARE(marks.size(), static_cast<size_t>(f.minimap->width()));
    std::vector<int> columns;
    for (size_t x = 0; x < marks.size(); ++x) {
        if (marks[x] != 0) {
            columns.push_back(static_cast<int>(x));
        }
    }
    std::vector<int> expected;
    for (const TimeNs begin : {20'000'000, 30'000'000, 70'000'000}) {
        expected.push_back(static_cast<int>(std::floor(f.minimap->xOf(begin))));
    }
    QCOMPARE(columns, expected);
    const QImage picture = f.minimap->grab().toImage();
    QCOMPARE(picture.pixelColor(columns[1], f.minimap->height() - 4), theme().highlight);
    f.session.setHighlight({});
    QVERIFY(f.minimap->marks().empty());
}

void TestMinimap::theFrameIsAPartOfTheStrip_data() {
    QTest::addColumn<int>("samples");
    QTest::newRow("looked through at once") << 10;
    QTest::newRow("looked through on a thread") << 30'000;
}

/// A mark lies long after all work: the first view leaves it out, and a view that has it widens the strip.
void TestMinimap::theFrameIsAPartOfTheStrip() {
    QFETCH(int, samples);
    std::string text =
        "gpu 0 stream 7: a 0..400000 b 600000..1000000\ninstant main: \"window ends\" 1600000\ncounter c:";
    for (int i = 0; i < samples; ++i) {
        text += " " + std::to_string(i * 10) + "=" + std::to_string(i % 7);
    }
    Session session;
    TimelineWidget widget(session);
    widget.resize(1000, 300);
    widget.show();
    session.setTrace(test::traceFromText(text));
    Minimap& minimap = *widget.findChild<Minimap*>();
    const auto view = [&] { return visibleRange(widget.axis(), widget.lanesRect().width()); };
    QTRY_VERIFY(view().end < 1'100'000 && view().length() >= 1'000'000);
    const TimeRange first = view();
    QVERIFY(first.begin < 0 && first.end > 1'000'000);  // a margin on both sides
    QCOMPARE(minimap.range(), (TimeRange{0, first.end}));
    QVERIFY(minimap.hasMoreAfter() && !minimap.hasMoreBefore());
    // From there the same key shows the outliers too, and then the work again.
    QTest::keyClick(&widget, Qt::Key_F, Qt::ShiftModifier);
    QTRY_VERIFY(view().end > 1'600'000);
    QCOMPARE(minimap.range(), (TimeRange{0, 1'600'000}));
    QTest::keyClick(&widget, Qt::Key_F, Qt::ShiftModifier);
    QTRY_COMPARE(view(), first);
    QCOMPARE(minimap.range(), (TimeRange{0, first.end}));
    // All of the trace, then only its end.
    for (const TimeRange wide : {TimeRange{0, 1'600'000}, TimeRange{1'200'000, 1'600'000}}) {
        session.setVisibleRange(wide);
        QCOMPARE(minimap.range(), (TimeRange{0, 1'600'000}));
        QVERIFY(!minimap.hasMoreAfter());
        QVERIFY(std::abs(minimap.xOf(view().begin) - double(wide.begin) / 1'600'000 * minimap.width()) < 1);
        QVERIFY(std::abs(minimap.xOf(view().end) - minimap.width()) < 1);
    }
    // A drag back to the work narrows the strip once it is over, not under the pointer.
    QTest::mousePress(&minimap, Qt::LeftButton, {}, {int(minimap.xOf(1'400'000)), 10});
    QTest::mouseMove(&minimap, {int(minimap.xOf(500'000)), 10});
    QCOMPARE(minimap.range(), (TimeRange{0, 1'600'000}));
    QTest::mouseRelease(&minimap, Qt::LeftButton, {}, {int(minimap.xOf(500'000)), 10});
    QCOMPARE(minimap.range(), (TimeRange{0, 1'000'000}));
    QVERIFY(std::abs(view().begin - 300'000) < 4'000);
}

void TestMinimap::theStripIsDrawnAnewWhenItIsAnother() {
    Fixture f;
    QTRY_COMPARE(f.minimap->rows().size(), 1U);
    const auto picture = [&] { return f.minimap->grab().toImage(); };
    const QImage light = picture();
    QCOMPARE(picture(), light);
    applyTheme(ThemeChoice::Dark);
    const QImage dark = picture();
    QVERIFY(dark.pixelColor(1, 1) != light.pixelColor(1, 1));
    applyTheme(ThemeChoice::Light);
    QCOMPARE(picture(), light);
    // Half of the time, and then nothing that is known.
    const TimeRange all = f.minimap->range();
    const TimeRange view{all.begin, all.begin + all.length() / 4};
    f.minimap->setView(view);
    const QImage whole = picture();
    // A kernel in the whole, and no kernel in the half.
    const int busy = static_cast<int>(f.minimap->xOf(50'500'000));
    f.minimap->setRange({all.begin, all.begin + all.length() / 2});
    f.minimap->setView(view);
    const QImage half = picture();
    QVERIFY(half.copy(busy, 0, 1, half.height()) != whole.copy(busy, 0, 1, half.height()));
    f.minimap->setRange(all);
    f.minimap->setView(view);
    QCOMPARE(picture(), whole);
    f.minimap->setActivity(nullptr);
    QVERIFY(picture() != whole);
}

void TestMinimap::keepsNoTrace() {
    Fixture f;
    QTRY_COMPARE(f.minimap->rows().size(), 1U);
    const std::weak_ptr<const Trace> old = f.session.trace();
    f.session.setTrace(nullptr);
    QTRY_VERIFY(old.expired());
    QVERIFY(f.minimap->isHidden());
}

QTEST_MAIN(TestMinimap)
#include "tst_minimap.moc"
