// SPDX-License-Identifier: GPL-3.0-or-later
// Whose arrows the timeline draws, and the keys along them.
#include <QAction>
#include <QImage>
#include <QTest>

#include <memory>

#include "core/loaders/load_trace.h"
#include "tests/support/flow_scene.h"
#include "widgets/panels/timeline/timeline_widget.h"
#include "widgets/support/settings.h"
#include "widgets/support/theme.h"

using namespace warpline;
using namespace warpline::timeline;
using test::FlowScene;
using test::rowNamed;

class TestTimelineFlows : public QObject {
    Q_OBJECT

private slots:
    void init();
    void cleanup();

    void allInViewAreDrawn();
    void oneModeAtATimeIsRemembered();
    void manyAreSortedByAJob();
    void anotherTraceIsSortedAnew();
    void theNextAfterComingBack();
    void launchesInsideComeLast();
    void toTheEnds();

private:
    QAction* action(const char* id) const {
        for (QAction* found : m_widget->actions()) {
            if (found->objectName() == QLatin1String(id)) {
                return found;
            }
        }
        return nullptr;
    }
    void show(std::shared_ptr<const Trace> trace) {
        m_trace = std::move(trace);
        m_session->setTrace(m_trace);
        QTRY_COMPARE(JobRunner::activeJobs(), 0);
    }
    /// Pixels that a mode changes in the picture with no arrows.
    int changedBy(FlowMode mode) {
        m_widget->setFlowMode(FlowMode::None);
        const QImage without = m_widget->grab(m_widget->lanesRect()).toImage();
        m_widget->setFlowMode(mode);
        [&] { QTRY_COMPARE(JobRunner::activeJobs(), 0); }();
        const QImage with = m_widget->grab(m_widget->lanesRect()).toImage();
        int changed = 0;
        for (int y = 0; y < with.height(); ++y) {
            for (int x = 0; x < with.width(); ++x) {
                changed += with.pixel(x, y) != without.pixel(x, y) ? 1 : 0;
            }
        }
        return changed;
    }
    EventRow named(const char* name) const { return rowNamed(*m_trace, name); }
    void press(int key, Qt::KeyboardModifiers modifiers = {}) {
        QTest::keyClick(m_widget.get(), Qt::Key(key), modifiers);
    }

    std::shared_ptr<const Trace> m_trace;
    std::unique_ptr<Session> m_session;
    std::unique_ptr<TimelineWidget> m_widget;
};

namespace {

std::shared_ptr<const Trace> load(const char* path) {
    JobControl job;
    auto trace = loadTrace({path}, {}, job);
    return trace.ok() ? trace.value() : nullptr;
}

std::shared_ptr<const Trace> launches(int count) {
    FlowScene scene;
    // Between them, so that arrows have a length.
    for (int i = 0; i < 3; ++i) {
        scene.slice(scene.thread(50 + i), EventKind::CpuOp, 0, 10, "idle");
    }
    for (int i = 0; i < count; ++i) {
        scene.slice(scene.thread(1), EventKind::Runtime, 1000 * i, 100, "call", i + 1);
        scene.slice(scene.stream(7), EventKind::Kernel, 1000 * i + 300, 600, "kernel", i + 1);
    }
    return scene.seal();
}

}  // namespace

void TestTimelineFlows::init() {
    settings::useTemporary();
    applyTheme(ThemeChoice::Light);
    m_session = std::make_unique<Session>();
    m_widget = std::make_unique<TimelineWidget>(*m_session);
    m_widget->resize(1000, 500);
    m_widget->show();
    m_widget->setFocus();
    QVERIFY(QTest::qWaitForWindowActive(m_widget.get()));
}

void TestTimelineFlows::cleanup() {
    m_widget.reset();
    m_session.reset();
}

void TestTimelineFlows::allInViewAreDrawn() {
    show(load(WARPLINE_TEST_DATA_DIR "/training_step.trace.json.gz"));
    QVERIFY(m_trace);
    QCOMPARE(changedBy(FlowMode::Selection), 0);
    const int all = changedBy(FlowMode::All);
    QVERIFY2(all > 2000, qPrintable(QString::number(all)));
    const qsizetype svgAll = m_widget->svg().count("shape-rendering=\"auto\"");
    QVERIFY(svgAll > 100 && svgAll <= static_cast<qsizetype>(kMaxFlowsInView));
    // The selection's come on top.
    for (const FlowArrow& flow : m_trace->flows()) {
        if (m_trace->string(flow.category) == "fwdbwd") {
            m_session->selectEvent(flow.from);
            break;
        }
    }
    QVERIFY(m_widget->svg().count("shape-rendering=\"auto\"") > svgAll);
    m_widget->setFlowMode(FlowMode::Selection);
    const qsizetype own = m_widget->svg().count("shape-rendering=\"auto\"");
    QVERIFY(own > 0 && own < svgAll);
    m_widget->setFlowMode(FlowMode::None);
    QCOMPARE(m_widget->svg().count("shape-rendering=\"auto\""), qsizetype{0});
}

void TestTimelineFlows::oneModeAtATimeIsRemembered() {
    const QStringList ids{"timeline.flows_selection", "timeline.flows_all", "timeline.flows_none"};
    QVERIFY(action("timeline.flows_selection")->isChecked());
    show(launches(10));
    for (const QString& id : {ids[1], ids[2], ids[0], ids[1]}) {
        action(qPrintable(id))->trigger();
        for (const QString& other : ids) {
            QCOMPARE(action(qPrintable(other))->isChecked(), other == id);
            QVERIFY(!action(qPrintable(other))->toolTip().isEmpty());
        }
        Session session;
        TimelineWidget next(session);
        for (const QAction* found : next.actions()) {
            if (ids.contains(found->objectName())) {
                QCOMPARE(found->isChecked(), found->objectName() == id);
            }
        }
    }
}

void TestTimelineFlows::manyAreSortedByAJob() {
    show(launches(30'000));
    action("timeline.flows_all")->trigger();
    QVERIFY(JobRunner::activeJobs() > 0);
    QTRY_COMPARE(JobRunner::activeJobs(), 0);
    QVERIFY(changedBy(FlowMode::All) > 2000);
    // Another trace while it is being sorted: that one counts.
    m_session->setTrace(launches(40'000));
    m_session->setTrace(launches(25'000));
    m_session->setTrace(nullptr);
    QTRY_COMPARE(JobRunner::activeJobs(), 0);
    m_widget->grab();
}

void TestTimelineFlows::anotherTraceIsSortedAnew() {
    m_widget->setFlowMode(FlowMode::All);
    show(launches(10));
    QCOMPARE(m_widget->svg().count("shape-rendering=\"auto\""), qsizetype{10});
    show(launches(20));
    QCOMPARE(m_widget->svg().count("shape-rendering=\"auto\""), qsizetype{20});
}

void TestTimelineFlows::theNextAfterComingBack() {
    FlowScene scene;
    const TrackId one = scene.thread(1), two = scene.thread(2);
    scene.slice(one, EventKind::CpuOp, 0, 100, "from");
    for (int i = 1; i <= 3; ++i) {
        scene.slice(two, EventKind::CpuOp, 1000 * i, 100, "to" + std::to_string(i));
        scene.flow(static_cast<uint64_t>(i), "x", {{one, 50}, {two, 1000 * i + 50}});
    }
    show(scene.seal());
    m_session->selectEvent(named("from"));
    for (const char* target : {"to1", "to2", "to3", "to1"}) {
        press(Qt::Key_BracketRight);
        QCOMPARE(m_session->selectedEvent(), named(target));
        press(Qt::Key_BracketLeft);
        QCOMPARE(m_session->selectedEvent(), named("from"));
    }
    // Chosen otherwise, it begins at the first again.
    press(Qt::Key_BracketRight);
    QCOMPARE(m_session->selectedEvent(), named("to2"));
    m_session->selectEvent(named("from"));
    press(Qt::Key_BracketRight);
    QCOMPARE(m_session->selectedEvent(), named("to1"));
}

void TestTimelineFlows::launchesInsideComeLast() {
    FlowScene scene;
    const TrackId one = scene.thread(1), two = scene.thread(2);
    scene.slice(one, EventKind::CpuOp, 0, 1000, "forward");
    scene.slice(one, EventKind::Runtime, 100, 50, "call", 1);
    scene.slice(scene.stream(7), EventKind::Kernel, 200, 50, "kernel", 1);
    scene.slice(two, EventKind::CpuOp, 5000, 1000, "backward");
    scene.flow(1, "fwdbwd", {{one, 10}, {two, 5010}});
    scene.slice(one, EventKind::CpuOp, 2000, 1000, "plain");
    scene.slice(one, EventKind::Runtime, 2100, 50, "call2", 2);
    scene.slice(scene.stream(7), EventKind::Kernel, 2200, 50, "kernel2", 2);
    show(scene.seal());
    m_session->selectEvent(named("forward"));
    press(Qt::Key_BracketRight);
    QCOMPARE(m_session->selectedEvent(), named("backward"));
    press(Qt::Key_BracketLeft);
    press(Qt::Key_BracketRight);
    QCOMPARE(m_session->selectedEvent(), named("kernel"));
    press(Qt::Key_BracketLeft);
    QCOMPARE(m_session->selectedEvent(), named("call"));
    m_session->selectEvent(named("plain"));
    press(Qt::Key_BracketRight);
    QCOMPARE(m_session->selectedEvent(), named("kernel2"));
}

void TestTimelineFlows::toTheEnds() {
    FlowScene scene;
    const TrackId one = scene.thread(1), two = scene.thread(2);
    scene.slice(one, EventKind::CpuOp, 0, 100, "start");
    scene.slice(two, EventKind::CpuOp, 1000, 100, "step");
    scene.slice(one, EventKind::CpuOp, 2000, 100, "outer");
    scene.slice(one, EventKind::Runtime, 2010, 50, "launch", 1);
    scene.slice(scene.stream(7), EventKind::Kernel, 3000, 100, "kernel", 1);
    scene.flow(1, "x", {{one, 50}, {two, 1050}, {one, 2020}});
    show(scene.seal());
    const auto goes = [&](const char* from, int key, const char* to) {
        m_session->selectEvent(named(from));
        press(key, Qt::ControlModifier);
        QTRY_COMPARE(JobRunner::activeJobs(), 0);
        QCOMPARE(m_session->selectedEvent(), named(to));
    };
    goes("start", Qt::Key_BracketRight, "kernel");
    goes("kernel", Qt::Key_BracketLeft, "start");
    goes("step", Qt::Key_BracketRight, "kernel");
    goes("step", Qt::Key_BracketLeft, "start");
    // What only has a launch inside goes on from there; the end stays the end.
    goes("outer", Qt::Key_BracketRight, "kernel");
    goes("kernel", Qt::Key_BracketRight, "kernel");
    goes("outer", Qt::Key_BracketLeft, "outer");
}

QTEST_MAIN(TestTimelineFlows)
#include "tst_timeline_flows.moc"
