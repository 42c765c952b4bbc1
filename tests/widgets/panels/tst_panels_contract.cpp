// SPDX-License-Identifier: GPL-3.0-or-later
// What holds for every panel that was built in.

#include <QAbstractItemView>
#include <QAction>
#include <QDockWidget>
#include <QLabel>
#include <QPixmap>
#include <QRegularExpression>
#include <QSet>
#include <QTest>
#include <QWidget>

#include <memory>

#include "tests/support/trace_text.h"
#include "widgets/panels/registry.h"
#include "widgets/support/empty_state.h"
#include "widgets/support/job_runner.h"
#include "widgets/support/session.h"
#include "widgets/support/settings.h"
#include "widgets/support/theme.h"

using namespace warpline;

class TestPanelsContract : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void infoIsComplete();
    void opensWithoutATrace_data() { panelNames(); }
    void opensWithoutATrace();
    void opensWithATrace_data() { panelNames(); }
    void opensWithATrace();
    void survivesOddTraces_data() { panelNames(); }
    void survivesOddTraces();
    void tracesComeAndGo_data() { panelNames(); }
    void tracesComeAndGo();
    void bothLooks_data() { panelNames(); }
    void bothLooks();

private:
    static void panelNames();
    QWidget* open(Session& session);
    const PanelFactory* m_factory = nullptr;
    std::vector<std::unique_ptr<PanelFactory>> m_all;
    std::unique_ptr<QWidget> m_window;
};

namespace {

constexpr auto kTrace = R"(
device 0 sm_90
cpu main: forward 0..100 (ext=1) { "aten::mm" 10..40 (ext=2) { cudaLaunchKernel 12..15 (corr=7) } "aten::relu" 50..60 }
gpu 0 stream 7: sgemm 20..80 (corr=7 ext=2 grid=4,1,1 block=256,1,1 regs=64 shared=0)
instant main: mark 30
counter load: 0=1 50=2
)";

/// What labels, views and empty states show.
QString shownText(QWidget& panel) {
    QStringList parts;
    if (!panel.accessibleName().isEmpty()) {
        parts << panel.accessibleName();
    }
    for (const QLabel* label : panel.findChildren<QLabel*>()) {
        if (label->isVisible()) {
            parts << label->text();
        }
    }
    for (const EmptyState* empty : panel.findChildren<EmptyState*>()) {
        if (empty->isVisible()) {
            parts << empty->title() << empty->sentence();
        }
    }
    for (const QAbstractItemView* view : panel.findChildren<QAbstractItemView*>()) {
        if (view->isVisible() && view->model() != nullptr && view->model()->rowCount() > 0) {
            parts << view->model()->index(0, 0).data().toString();
        }
        if (view->isVisible()) {
            parts << view->accessibleDescription();
        }
    }
    parts.removeAll(QString());
    return parts.join('|');
}

bool isBlank(const QImage& image) {
    const QRgb first = image.pixel(0, 0);
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
            if (image.pixel(x, y) != first) {
                return false;
            }
        }
    }
    return true;
}

}  // namespace

void TestPanelsContract::initTestCase() {
    settings::useTemporary();
    applyTheme(ThemeChoice::Light);
    m_all = panels::all();
    QVERIFY(!m_all.empty());
}

void TestPanelsContract::panelNames() {
    QTest::addColumn<QString>("id");
    for (const auto& factory : panels::all()) {
        QTest::newRow(qPrintable(factory->info().id)) << factory->info().id;
    }
}

QWidget* TestPanelsContract::open(Session& session) {
    m_factory = nullptr;
    const QString id = *static_cast<QString*>(QTest::qData("id", QMetaType::QString));
    for (const auto& factory : m_all) {
        m_factory = factory->info().id == id ? factory.get() : m_factory;
    }
    m_window = std::make_unique<QWidget>();
    QWidget* panel = m_factory->create(session, m_window.get());
    m_window->resize(700, 400);
    panel->setGeometry(m_window->rect());
    m_window->show();
    return panel;
}

void TestPanelsContract::infoIsComplete() {
    QSet<QString> ids;
    static const QRegularExpression kSnake("^[a-z][a-z0-9_]*$");
    for (const auto& factory : m_all) {
        const PanelInfo& info = factory->info();
        QVERIFY2(kSnake.match(info.id).hasMatch(), qPrintable(info.id));
        QVERIFY(!info.title.isEmpty());
        QVERIFY(!info.description.isEmpty());
        QVERIFY2(!ids.contains(info.id), qPrintable(info.id));
        ids.insert(info.id);
    }
}

void TestPanelsContract::opensWithoutATrace() {
    Session session;
    QWidget* panel = open(session);
    QTRY_COMPARE(JobRunner::activeJobs(), 0);
    // A designed empty state, not an empty surface.
    QVERIFY(!isBlank(panel->grab().toImage()));
    for (QAction* action : m_factory->actions(panel)) {
        if (!action->isSeparator()) {
            QVERIFY(!action->text().isEmpty());
        }
    }
    m_window.reset();
}

void TestPanelsContract::opensWithATrace() {
    Session session;
    session.setTrace(test::traceFromText(kTrace));
    QWidget* panel = open(session);
    QTRY_COMPARE(JobRunner::activeJobs(), 0);
    QVERIFY(!isBlank(panel->grab().toImage()));
    QVERIFY(panel->focusPolicy() != Qt::NoFocus || panel->focusProxy() != nullptr);
    session.selectEvent(EventRow(0U));
    session.revealEvent(EventRow(1U));
    session.setArea(AreaSelection{{10, 20}, {TrackId(0U)}});
    session.setHighlight({"x", {EventRow(0U), EventRow(2U)}, -1});
    session.stepHighlight(+1);
    session.setVisibleRange({5, 25});
    QTRY_COMPARE(JobRunner::activeJobs(), 0);
    QVERIFY(!isBlank(panel->grab().toImage()));
    m_window.reset();
}

void TestPanelsContract::survivesOddTraces() {
    Session session;
    QWidget* panel = open(session);
    for (const char* text : {"", "cpu main: a 5..5", "cpu main: endless 5..?", "instant main: mark 3",
                             "cpu main: a -9000000000000000000..-8999999999999999990", "cpu main: \"\" 0..10",
                             "gpu 0 stream 7: k 0..5 k 3..9", "memory cpu 5 100 100\noom gpu0 6 1000"}) {
        session.setTrace(test::traceFromText(text));
        session.setHighlight({});
        if (session.trace()->sliceCount() > 0) {
            session.revealEvent(EventRow(0U));
        }
        QTRY_COMPARE(JobRunner::activeJobs(), 0);
        // Something is said about it, be it that there is nothing.
        QVERIFY2(!isBlank(panel->grab().toImage()), text);
        const QString said = shownText(*panel);
        QVERIFY2(!said.isEmpty(), text);
        QVERIFY2(!said.contains("No trace is open"), text);
    }
    m_window.reset();
}

void TestPanelsContract::tracesComeAndGo() {
    Session session;
    QWidget* panel = open(session);
    std::weak_ptr<const Trace> old;
    for (int i = 0; i < 3; ++i) {
        auto trace = test::traceFromText(kTrace);
        old = trace;
        session.setTrace(std::move(trace));
        session.selectEvent(EventRow(static_cast<uint32_t>(i)));
        panel->grab();
        session.setTrace(nullptr);
        panel->grab();
    }
    QTRY_COMPARE(JobRunner::activeJobs(), 0);
    // Nobody keeps what is closed: a trace can be gigabytes. What is large is freed on a thread.
    QTRY_VERIFY(old.expired());
    m_window.reset();
}

void TestPanelsContract::bothLooks() {
    Session session;
    session.setTrace(test::traceFromText(kTrace));
    QWidget* panel = open(session);
    QTRY_COMPARE(JobRunner::activeJobs(), 0);
    const QImage light = panel->grab().toImage();
    applyTheme(ThemeChoice::Dark);
    QCoreApplication::processEvents();
    const QImage dark = panel->grab().toImage();
    applyTheme(ThemeChoice::Light);
    const QPoint corner(panel->width() / 2, panel->height() - 4);
    QVERIFY(light.pixelColor(corner).lightness() > 128);
    QVERIFY(dark.pixelColor(corner).lightness() < 128);
    m_window.reset();
}

QTEST_MAIN(TestPanelsContract)
#include "tst_panels_contract.moc"
