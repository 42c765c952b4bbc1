// SPDX-License-Identifier: GPL-3.0-or-later
// Derived rows and counters in the widget: real mouse events, settings, pictures.
#include <QAction>
#include <QContextMenuEvent>
#include <QMenu>
#include <QTest>
#include <QTimer>

#include <memory>

#include "core/loaders/load_trace.h"
#include "tests/support/trace_text.h"
#include "widgets/panels/timeline/timeline_widget.h"
#include "widgets/support/key_bindings.h"
#include "widgets/support/settings.h"
#include "widgets/support/theme.h"

using namespace warpline;
using namespace warpline::timeline;
using warpline::test::traceFromText;

namespace {

const char kTrace[] =
    "cpu main: step 0..2000 { cudaLaunchKernel 0..30 (corr=1) cudaLaunchKernel 50..60 (corr=2) }\n"
    "gpu 0 stream 7: a 100..300 (corr=1) b 400..1000 (corr=2)\n"
    "gpu 0 stream 8: Memcpy 200..500 (bytes=600)\n"
    "memory gpu0 50 100 100\noom gpu0 1500 1000\n"
    "counter \"power [W]\": 0=100 500=700 1500=300\n";

}  // namespace

class TestTimelineDerived : public QObject {
    Q_OBJECT

private slots:
    void init();
    void cleanup();

    void rowsStandUnderTheirDevice();
    void whatIsLookedAtStays();
    void settingsAreRemembered();
    void menuSaysWhyThereIsNone();
    void aClickKeepsTheSelection();
    void hoverTellsTheValue();
    void headsFollowThePointer();
    void failuresAreMarked();
    void countersChangeTheirLook();
    void reasonsAreStates();
    void picturesHaveThem();
    void aDragAlongThemMeansTheirDevice();
    void aReloadKeepsThem();
    void annotationsAreProjected();
    void annotationsOfTheFileAreNotRepeated();

private:
    int sectionOf(const char* title) const {
        const std::vector<Section>& sections = m_widget->layout().sections();
        const auto found = std::find_if(sections.begin(), sections.end(),
                                        [title](const Section& section) { return section.title == title; });
        return found == sections.end() ? -1 : static_cast<int>(found - sections.begin());
    }
    const RowGeometry* rowOf(const char* title) const {
        for (const RowGeometry& row : m_widget->geometry().rows) {
            const LayoutRow& place = m_widget->layout().rows()[row.layoutRow];
            if (m_widget->layout().sections()[place.section].title == title) {
                return &row;
            }
        }
        return nullptr;
    }
    QPoint at(const char* title, TimeNs time) const {
        const RowGeometry* row = rowOf(title);
        const double scale = m_widget->geometry().view.scale;
        return m_widget->lanesRect().topLeft() + QPoint(static_cast<int>(timeToX(m_widget->axis(), time)),
                                                        static_cast<int>((row->y0 + row->y1) / 2 / scale));
    }
    QAction* action(const char* id) const { return keyBindings().action(QLatin1String(id)); }
    void waitForRows() const { QTRY_COMPARE(JobRunner::activeJobs(), 0); }
    void open(const std::shared_ptr<const Trace>& trace) {
        m_session->setTrace(trace);
        waitForRows();
    }

    std::unique_ptr<Session> m_session;
    std::unique_ptr<TimelineWidget> m_widget;
};

void TestTimelineDerived::init() {
    settings::useTemporary();
    settings::store().clear();
    applyTheme(ThemeChoice::Light);
    m_session = std::make_unique<Session>();
    m_widget = std::make_unique<TimelineWidget>(*m_session);
    m_widget->resize(1000, 500);
    m_widget->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_widget.get()));
}

void TestTimelineDerived::cleanup() {
    m_widget.reset();
    m_session.reset();
}

void TestTimelineDerived::rowsStandUnderTheirDevice() {
    m_session->setTrace(traceFromText(kTrace));
    // They have their places before they have values.
    const int header = sectionOf("GPU busy") - 1;
    QVERIFY(header >= 0);
    QCOMPARE(m_widget->layout().sections()[static_cast<size_t>(header)].kind, SectionKind::Process);
    QCOMPARE(sectionOf("GPU busy"), header + 1);
    QCOMPARE(sectionOf("Streams active"), header + 2);
    QCOMPARE(sectionOf("Launch queue"), header + 3);
    QCOMPARE(sectionOf("Memory"), header + 4);
    QCOMPARE(sectionOf("stream 7"), header + 5);
    QCOMPARE(sectionOf("Copy bandwidth"), -1);
    QCOMPARE(rowOf("GPU busy")->lineCount, 0U);
    const int height = m_widget->layout().height();
    waitForRows();
    QCOMPARE(m_widget->layout().height(), height);
    QCOMPARE(rowOf("GPU busy")->lineCount, 1U);
    QCOMPARE(rowOf("Memory")->lineCount, 2U);
    QCOMPARE(rowOf("Launch queue")->scale, (ValueRange{0, 2}));
    const Section& section = m_widget->layout().sections()[static_cast<size_t>(sectionOf("GPU busy"))];
    QCOMPARE(section.height, kDerivedHeight + kSectionGap);
    QCOMPARE(section.header, header);
}

void TestTimelineDerived::whatIsLookedAtStays() {
    std::string text = "gpu 0 stream 7: a 100..300 (corr=1) b 400..1000 (corr=2)\n";
    text += "cpu main: step 0..2000 { cudaLaunchKernel 0..30 (corr=1) cudaLaunchKernel 50..60 (corr=2) }\n";
    for (int i = 0; i < 40; ++i) {
        text += "cpu thread" + std::to_string(i) + ": x 0..100\n";
    }
    open(
        traceFromText("cpu main: c 0..1\ngpu 0 stream 7: a 100..300\ngpu 0 stream 8: Memcpy 200..500 (bytes=6)\n" + [] {
            std::string rows;
            for (int i = 0; i < 40; ++i) {
                rows += "gpu 1 stream " + std::to_string(i) + ": x" + std::to_string(i) + " 0..100\n";
            }
            return rows;
        }()));
    const Section before = m_widget->layout().sections()[static_cast<size_t>(sectionOf("stream 20"))];
    m_widget->setScrollY(before.y);
    QCOMPARE(m_widget->scrollY(), before.y);
    action("timeline.derived_copies")->trigger();
    const Section& after = m_widget->layout().sections()[static_cast<size_t>(sectionOf("stream 20"))];
    QCOMPARE(after.y - before.y, kDerivedHeight + kSectionGap);  // that of GPU 0
    QCOMPARE(m_widget->scrollY(), after.y);
    action("timeline.derived_busy")->trigger();
    QCOMPARE(m_widget->scrollY(), m_widget->layout().sections()[static_cast<size_t>(sectionOf("stream 20"))].y);
}

void TestTimelineDerived::settingsAreRemembered() {
    open(traceFromText(kTrace));
    QVERIFY(action("timeline.derived_busy")->isChecked());
    QVERIFY(!action("timeline.derived_copies")->isChecked());
    action("timeline.derived_busy")->trigger();
    action("timeline.derived_copies")->trigger();
    waitForRows();
    QCOMPARE(sectionOf("GPU busy"), -1);
    QVERIFY(sectionOf("Copy bandwidth") >= 0);
    QCOMPARE(rowOf("Copy bandwidth")->scale, (ValueRange{0, 2e9}));
    m_widget = std::make_unique<TimelineWidget>(*m_session);
    m_widget->resize(1000, 500);
    m_widget->show();
    waitForRows();
    QCOMPARE(sectionOf("GPU busy"), -1);
    QVERIFY(sectionOf("Copy bandwidth") >= 0);
    QVERIFY(action("timeline.derived_copies")->isChecked());
}

void TestTimelineDerived::menuSaysWhyThereIsNone() {
    open(traceFromText("cpu main: a 0..5"));
    QVERIFY(!action("timeline.derived_memory")->isEnabled());
    QCOMPARE(action("timeline.derived_memory")->property(kDisabledReason).toString(),
             QStringLiteral("This trace has no levels of a device's memory"));
    QVERIFY(!action("timeline.counter_style")->isEnabled());
    open(traceFromText(kTrace));
    QVERIFY(action("timeline.derived_memory")->isEnabled());
    QVERIFY(action("timeline.counter_style")->isEnabled());
    QVERIFY(action("timeline.derived_busy")->toolTip().contains("at least one kernel"));
}

void TestTimelineDerived::aClickKeepsTheSelection() {
    open(traceFromText(kTrace));
    m_session->selectEvent(EventRow(0U));
    m_session->setArea(AreaSelection{{100, 200}, {}});
    for (const char* title : {"GPU busy", "Streams active", "Launch queue", "Memory"}) {
        QTest::mouseClick(m_widget.get(), Qt::LeftButton, {}, at(title, 700));
        QCOMPARE(m_session->selectedEvent(), EventRow(0U));
        QVERIFY(m_session->area().has_value());
    }
    // Beside a slice it is let go, as ever.
    QTest::mouseClick(m_widget.get(), Qt::LeftButton, {}, at("stream 8", 1'800));
    QVERIFY(!m_session->selectedEvent().valid());
}

void TestTimelineDerived::hoverTellsTheValue() {
    open(traceFromText(kTrace));
    const auto picture = [this](const char* title, TimeNs time) {
        QTest::mouseMove(m_widget.get(), at(title, time));
        return m_widget->grab().toImage();
    };
    // The box with the value is drawn, and is another for another value.
    QVERIFY(picture("Launch queue", 70) != picture("Launch queue", 1'900));
    const Hit hit{static_cast<uint32_t>(rowOf("Launch queue") - m_widget->geometry().rows.data()), RowKind::Series,
                  nullptr};
    QVERIFY(hitTest(m_widget->geometry(), 10, rowOf("Launch queue")->y0 + 2)->row == hit.row);
    QVERIFY(hitTest(m_widget->geometry(), 10, rowOf("Launch queue")->y0 + 2)->bar == nullptr);
}

void TestTimelineDerived::headsFollowThePointer() {
    const auto trace = traceFromText(kTrace);
    open(trace);
    const auto model = buildTimelineModel(*trace);
    const auto scale = [&](const char* title, std::optional<TimeNs> time) {
        JobControl job;
        const DerivedTracks queue = computeDerived(trace, DerivedKind::Queue, job).value();
        DerivedView view;
        view.kinds[static_cast<size_t>(DerivedKind::Queue)] = &queue;
        const auto scales = headScales(m_widget->geometry(), m_widget->layout(), *trace, *model, view, time);
        return *findScale(scales, static_cast<uint32_t>(sectionOf(title)));
    };
    QCOMPARE(scale("Launch queue", {}).top, QStringLiteral("2"));
    QCOMPARE(scale("Launch queue", {}).held, QString());
    QCOMPARE(scale("Launch queue", 70).held, QStringLiteral("2"));
    QCOMPARE(scale("Launch queue", 120).held, QStringLiteral("1"));
    QCOMPARE(scale("power [W]", 600).top, QStringLiteral("700 W"));
    QCOMPARE(scale("power [W]", 600).bottom, QStringLiteral("100 W"));
    QCOMPARE(scale("power [W]", 600).held, QStringLiteral("700 W"));
    // A low row has room for one of them.
    QCOMPARE(scaleLabels(scale("Launch queue", {}), 15).size(), size_t{1});
    QCOMPARE(scaleLabels(scale("Launch queue", 120), 15)[0].text, QStringLiteral("1"));
    QCOMPARE(scaleLabels(scale("power [W]", 600), 15).size(), size_t{2});
    // A pin stands at the top right: the upper label goes to its left, the lower one stays.
    const QRect head(0, 100, 200, 34), pin(178, 100, 18, 20);
    const auto labels = scaleLabels(scale("power [W]", 600), 15);
    QCOMPARE(labelRoom(labels[0], head, pin).right(), 177);
    QCOMPARE(labelRoom(labels[0], head, QRect()).right(), 199 - kScaleMargin);
    QCOMPARE(labelRoom(labels[1], head, pin).right(), 199 - kScaleMargin);
    QVERIFY(findScale({}, 0) == nullptr);
}

void TestTimelineDerived::failuresAreMarked() {
    open(traceFromText(kTrace));
    const RowGeometry& row = *rowOf("Memory");
    QCOMPARE(row.barCount, 1U);
    const Bar& bar = m_widget->geometry().barsOf(row)[0];
    const double x = timeToX(m_widget->axis(), 1'500) * m_widget->geometry().view.scale;
    QCOMPARE(bar.x0, static_cast<int>(std::floor(x)));
    const QImage image = m_widget->grab().toImage();
    const double scale = m_widget->geometry().view.scale;
    QCOMPARE(image.pixel(static_cast<int>(m_widget->lanesRect().left() * scale) + bar.x0,
                         static_cast<int>(m_widget->lanesRect().top() * scale) + (row.y0 + row.y1) / 2),
             theme().error.rgb());
    QVERIFY(hitTest(m_widget->geometry(), bar.x0 + 2, row.y0 + 3, 3)->bar != nullptr);
}

void TestTimelineDerived::countersChangeTheirLook() {
    open(traceFromText(kTrace));
    QCOMPARE(rowOf("power [W]")->scale, (ValueRange{100, 700}));
    QCOMPARE(rowOf("power [W]")->ink, ValueInk::Area);
    // By the menu of its head.
    const auto choose = [this](const char* submenu, const char* choice) {
        QTimer::singleShot(0, [submenu, choice] {
            auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
            QVERIFY(menu != nullptr);
            for (QAction* action : menu->actions()) {
                for (QAction* inner : action->menu() != nullptr ? action->menu()->actions() : QList<QAction*>()) {
                    if (action->text() == QLatin1String(submenu) && inner->text() == QLatin1String(choice)) {
                        inner->trigger();
                    }
                }
            }
            menu->close();
        });
        const QPoint head(30, at("power [W]", 0).y());
        QContextMenuEvent event(QContextMenuEvent::Mouse, head, m_widget->mapToGlobal(head));
        QApplication::sendEvent(m_widget.get(), &event);
    };
    choose("Scale", "From zero");
    QCOMPARE(rowOf("power [W]")->scale, (ValueRange{0, 700}));
    choose("Draw as", "Line from point to point");
    QCOMPARE(rowOf("power [W]")->ink, ValueInk::Line);
    QCOMPARE(rowOf("power [W]")->scale, (ValueRange{0, 700}));
    // Half way between two points it is half way between their values.
    const RowGeometry& row = *rowOf("power [W]");
    const auto x = static_cast<size_t>(timeToX(m_widget->axis(), 250) * m_widget->geometry().view.scale);
    const double value = m_widget->geometry().columnsOf(row, 0)[x].last * 700;
    QVERIFY2(std::abs(value - 400) < 5, qPrintable(QString::number(value)));
    // Another widget, and another trace, draw it the same.
    m_widget = std::make_unique<TimelineWidget>(*m_session);
    m_widget->resize(1000, 500);
    m_widget->show();
    QCOMPARE(rowOf("power [W]")->ink, ValueInk::Line);
    QCOMPARE(rowOf("power [W]")->scale, (ValueRange{0, 700}));
    waitForRows();
}

void TestTimelineDerived::reasonsAreStates() {
    open(
        traceFromText("cpu main: a 0..1000\n"
                      "counter \"clocks_throttle_reasons.active\": 0=0 100=1 400=4 600=0 900=36\n"));
    const RowGeometry& row = *rowOf("clocks_throttle_reasons.active");
    QVERIFY(row.isStates);
    const auto bars = m_widget->geometry().barsOf(row);
    QCOMPARE(bars.size(), size_t{3});
    const double scale = m_widget->geometry().view.scale;
    const auto x = [&](TimeNs time) { return static_cast<int>(timeToX(m_widget->axis(), time) * scale); };
    const std::vector<std::pair<TimeNs, double>> expected = {{100, 1}, {400, 4}, {900, 36}};
    for (size_t i = 0; i < expected.size(); ++i) {
        // Where two share a pixel the higher one has it.
        QVERIFY(std::abs(bars[i].x0 - x(expected[i].first)) <= 1);
        QCOMPARE(m_widget->geometry().states[bars[i].item], expected[i].second);
    }
    QVERIFY(std::abs(bars[0].x1 - x(400)) <= 1);
    QVERIFY(QString::fromUtf8(m_widget->svg()).contains("software power cap"));
}

void TestTimelineDerived::picturesHaveThem() {
    open(traceFromText(kTrace));
    const QString svg = QString::fromUtf8(m_widget->svg());
    for (const char* part : {">GPU busy<", ">Streams active<", ">Memory<", ">700 W<", ">100 W<", ">100 %<"}) {
        QVERIFY2(svg.contains(QLatin1String(part)), part);
    }
    const InkColors colors = inkColors(theme());
    for (const QRgb color : {colors.fill, colors.line, theme().error.rgb()}) {
        QVERIFY(svg.contains("fill=\"" + QColor(color).name() + "\""));
    }
    // On the screen: busy time is solid where the GPU is busy.
    const RowGeometry& row = *rowOf("GPU busy");
    const double scale = m_widget->geometry().view.scale;
    const QImage image = m_widget->grab().toImage();
    const auto pixel = [&](TimeNs time) {
        return image.pixel(static_cast<int>((m_widget->lanesRect().left() + timeToX(m_widget->axis(), time)) * scale),
                           static_cast<int>(m_widget->lanesRect().top() * scale) + (row.y0 + row.y1) / 2);
    };
    QCOMPARE(pixel(350), colors.line);
    QVERIFY(pixel(1'300) != colors.line);
}

void TestTimelineDerived::aDragAlongThemMeansTheirDevice() {
    open(
        traceFromText("cpu main: launch 0..900\ngpu 0 stream 7: k 100..300\ngpu 0 stream 13: m 200..400\n"
                      "gpu 1 stream 7: other 500..800"));
    const Trace& trace = *m_session->trace();
    const auto tracksOf = [&](std::initializer_list<const char*> names) {
        std::vector<TrackId> tracks;
        for (const char* name : names) {
            for (uint32_t row = 0; row < trace.slices().size(); ++row) {
                if (trace.sliceName(EventRow(row)) == name) {
                    tracks.push_back(trace.slices().track[row]);
                }
            }
        }
        std::ranges::sort(tracks);
        return tracks;
    };
    const auto drag = [&](QPoint from, QPoint to) {
        QTest::mousePress(m_widget.get(), Qt::LeftButton, {}, from);
        QTest::mouseMove(m_widget.get(), (from + to) / 2);
        QTest::mouseMove(m_widget.get(), to);
        QTest::mouseRelease(m_widget.get(), Qt::LeftButton, {}, to);
        std::vector<TrackId> tracks = m_session->area() ? m_session->area()->tracks : std::vector<TrackId>();
        std::ranges::sort(tracks);
        return tracks;
    };
    const auto shade = [&](const char* title) {
        m_widget->clearFocus();
        const QPoint free(at(title, 450).x(), at(title, 450).y());
        return m_widget->grab().toImage().pixelColor(free);
    };
    const QPoint busy = at("GPU busy", 150);
    const QColor plain = shade("GPU busy");
    QCOMPARE(drag(busy, at("GPU busy", 600) + QPoint(0, 3)), tracksOf({"k", "m"}));
    QVERIFY(shade("GPU busy") != plain);
    // From the host's thread into the rows of the device.
    const int thread = m_widget->layout().sectionOfTrack(tracksOf({"launch"})[0]);
    const Section& host = m_widget->layout().sections()[static_cast<size_t>(thread)];
    const QPoint from(busy.x(), m_widget->lanesRect().top() + host.y + 4);
    m_session->setArea(std::nullopt);
    const Section& second = *std::ranges::find_if(m_widget->layout().sections(), [&](const Section& section) {
        return section.kind == SectionKind::Derived && section.y > m_widget->layout().sections()[4].y;
    });
    const int secondY = m_widget->lanesRect().top() + second.y + second.height / 2;
    QCOMPARE(drag(from, {at("GPU busy", 600).x(), secondY}), tracksOf({"launch", "other"}));
    QCOMPARE(shade("GPU busy"), plain);
    const auto secondShade = [&] { return m_widget->grab().toImage().pixelColor(at("GPU busy", 450).x(), secondY); };
    const QColor shaded = secondShade();
    QVERIFY(m_session->area()->range.end < 700);
    m_session->setArea(std::nullopt);
    QVERIFY(secondShade() != shaded);
    // One of its streams alone is not the device.
    m_session->setArea(AreaSelection{{100, 600}, tracksOf({"k"})});
    QCOMPARE(shade("GPU busy"), plain);
    // Level on a thread it is about time.
    QVERIFY(drag(from, {at("GPU busy", 600).x(), from.y() + 3}).empty());
    QVERIFY(m_session->area().has_value());
}

void TestTimelineDerived::aReloadKeepsThem() {
    open(traceFromText(kTrace));
    action("timeline.derived_streams")->trigger();
    m_session->reloadTrace(traceFromText(kTrace));
    waitForRows();
    QCOMPARE(sectionOf("Streams active"), -1);
    QCOMPARE(rowOf("GPU busy")->lineCount, 1U);
    m_session->setTrace(nullptr);
    QVERIFY(m_widget->layout().sections().empty());
}

void TestTimelineDerived::annotationsAreProjected() {
    const auto trace = traceFromText(
        "cpu main: step 0..2000 (kind=annotation) { inner 10..90 (kind=annotation) { cudaLaunchKernel 20..30 (corr=1) "
        "} cudaLaunchKernel 100..110 (corr=2) }\n"
        "gpu 0 stream 7: a 300..500 (corr=1) b 900..1500 (corr=2)\n");
    open(trace);
    // Below the stream, by the time that the work took: step 300..1500 and inside it inner 300..500.
    QCOMPARE(sectionOf("Annotations"), sectionOf("stream 7") + 1);
    std::vector<const RowGeometry*> rows;
    for (const RowGeometry& row : m_widget->geometry().rows) {
        if (row.kind == RowKind::Projection) {
            rows.push_back(&row);
        }
    }
    QCOMPARE(rows.size(), size_t{2});
    const double scale = m_widget->geometry().view.scale;
    const auto x = [&](TimeNs time) { return static_cast<int>(std::floor(timeToX(m_widget->axis(), time) * scale)); };
    const std::vector<std::tuple<const char*, TimeNs, TimeNs>> expected = {{"step", 300, 1'500}, {"inner", 300, 500}};
    for (size_t i = 0; i < 2; ++i) {
        const auto bars = m_widget->geometry().barsOf(*rows[i]);
        QCOMPARE(bars.size(), size_t{1});
        const auto& [name, begin, end] = expected[i];
        QCOMPARE(trace->sliceName(EventRow(bars[0].item)), std::string_view(name));
        QVERIFY(std::abs(bars[0].x0 - x(begin)) <= 1 && std::abs(bars[0].x1 - x(end)) <= 1);
    }
    // A click chooses the annotation on the host, a double click shows its time on the device.
    const QPoint inner =
        m_widget->lanesRect().topLeft() + QPoint(static_cast<int>(timeToX(m_widget->axis(), 400)),
                                                 static_cast<int>((rows[1]->y0 + rows[1]->y1) / 2 / scale));
    QTest::mouseClick(m_widget.get(), Qt::LeftButton, {}, inner);
    QCOMPARE(trace->sliceName(m_session->selectedEvent()), std::string_view("inner"));
    QVERIFY(QString::fromUtf8(m_widget->svg()).contains(">Annotations<"));
    QTest::mouseMove(m_widget.get(), inner);
    QTest::mouseDClick(m_widget.get(), Qt::LeftButton, {}, inner);
    const TimeRange shown = visibleRange(m_widget->axis(), m_widget->lanesRect().width());
    QVERIFY(shown.begin <= 300 && shown.end >= 500 && shown.length() < 800);
    // Folded, the outer ones are left.
    const QRect head(
        0, m_widget->headsRect().top() + m_widget->layout().sections()[static_cast<size_t>(sectionOf("Annotations"))].y,
        m_widget->headsRect().width(), 40);
    QTest::mouseClick(
        m_widget.get(), Qt::LeftButton, {},
        chevronRect(m_widget->layout().sections()[static_cast<size_t>(sectionOf("Annotations"))], head).center());
    QVERIFY(m_widget->layout().sections()[static_cast<size_t>(sectionOf("Annotations"))].collapsed);
}

void TestTimelineDerived::annotationsOfTheFileAreNotRepeated() {
    JobControl job;
    open(loadTrace({WARPLINE_SAMPLES_DIR "/multi_stream.trace.json.gz"}, {}, job).value());
    QCOMPARE(sectionOf("Annotations"), -1);
    QVERIFY(sectionOf("GPU busy") >= 0);
    QVERIFY(!action("timeline.derived_annotations")->isEnabled());
}

QTEST_MAIN(TestTimelineDerived)
#include "tst_timeline_derived.moc"
