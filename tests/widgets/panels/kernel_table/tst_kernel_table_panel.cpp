// SPDX-License-Identifier: GPL-3.0-or-later
#include <QComboBox>
#include <QTest>

#include "tests/support/trace_text.h"
#include "widgets/panels/kernel_table/kernel_table_panel.h"
#include "widgets/support/session.h"
#include "widgets/support/settings.h"
#include "widgets/support/table_filter_bar.h"
#include "widgets/support/table_model.h"
#include "widgets/support/table_panel.h"
#include "widgets/support/table_view.h"

using namespace warpline;

class TestKernelTablePanel : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { settings::useTemporary(); }
    void statisticsAreShown_data();
    void statisticsAreShown();
    void selectingARowHighlightsItsLaunches();
    void whatVariesIsNamedInTheTooltip();
    void rowsCanBeMadeByLaunchShape();
    void aTraceWithoutKernelsIsExplained();

private:
    static constexpr auto kTrace = R"(
device 0 sm_90
gpu 0 stream 7: k 0..10 (grid=264,1,1 block=256,1,1 regs=64 shared=0) k 20..40 (grid=132,1,1 block=256,1,1 regs=64 shared=0) other 50..55
)";
};

void TestKernelTablePanel::statisticsAreShown_data() {
    QTest::addColumn<QString>("column");
    QTest::addColumn<QString>("text");
    QTest::newRow("count") << "count"
                           << "2";
    QTest::newRow("total") << "total_ns"
                           << "30 ns";
    QTest::newRow("median") << "median_ns"
                            << "15 ns";
    QTest::newRow("grids differ") << "grid"
                                  << "varies";
    QTest::newRow("registers of no launch known") << "local_bytes_per_thread"
                                                  << "n/a";
    QTest::newRow("block") << "block" << QString::fromUtf8("256 × 1 × 1");
    QTest::newRow("occupancy") << "occupancy"
                               << "50.0 %";
}

void TestKernelTablePanel::statisticsAreShown() {
    QFETCH(QString, column);
    Session session;
    const std::unique_ptr<QWidget> widget(panels::kernel_table::make()->create(session, nullptr));
    const auto* panel = qobject_cast<TablePanel*>(widget.get());
    session.setTrace(test::traceFromText(kTrace));
    QTRY_COMPARE(panel->model()->rowCount(), 2);
    QVERIFY2(panel->model()->columnOf(column) >= 0, qPrintable(column));
    QTEST(panel->model()->index(0, panel->model()->columnOf(column)).data().toString(), "text");
    QVERIFY2(panel->footerText().contains("35 ns"), qPrintable(panel->footerText()));
}

void TestKernelTablePanel::selectingARowHighlightsItsLaunches() {
    Session session;
    const std::unique_ptr<QWidget> widget(panels::kernel_table::make()->create(session, nullptr));
    const auto* panel = qobject_cast<TablePanel*>(widget.get());
    session.setTrace(test::traceFromText(kTrace));
    QTRY_COMPARE(panel->model()->rowCount(), 2);
    panel->view()->selectRow(0);
    QCOMPARE(session.highlight().title, "k");
    QCOMPARE(session.highlight().events.size(), size_t{2});
}

void TestKernelTablePanel::whatVariesIsNamedInTheTooltip() {
    Session session;
    const std::unique_ptr<QWidget> widget(panels::kernel_table::make()->create(session, nullptr));
    const auto* panel = qobject_cast<TablePanel*>(widget.get());
    session.setTrace(test::traceFromText(kTrace));
    QTRY_COMPARE(panel->model()->rowCount(), 2);
    const QModelIndex grid = panel->model()->index(0, panel->model()->columnOf("grid"));
    QCOMPARE(grid.data(Qt::ToolTipRole).toString(), "2 values: [132, 1, 1], [264, 1, 1]");
    QVERIFY(!grid.data(TableModel::RawRole).isValid());
}

void TestKernelTablePanel::rowsCanBeMadeByLaunchShape() {
    Session session;
    const std::unique_ptr<QWidget> widget(panels::kernel_table::make()->create(session, nullptr));
    const auto* panel = qobject_cast<TablePanel*>(widget.get());
    session.setTrace(test::traceFromText(kTrace));
    QTRY_COMPARE(panel->model()->rowCount(), 2);
    auto* group = panel->filterBar()->findChildren<QComboBox*>().first();
    group->setCurrentIndex(group->findData("shape"));
    QTRY_COMPARE(panel->model()->rowCount(), 3);
    QCOMPARE(panel->model()->index(0, panel->model()->columnOf("grid")).data().toString(),
             QString::fromUtf8("132 × 1 × 1"));
    group->setCurrentIndex(group->findData("name"));
    QTRY_COMPARE(panel->model()->rowCount(), 2);
}

void TestKernelTablePanel::aTraceWithoutKernelsIsExplained() {
    Session session;
    const std::unique_ptr<QWidget> widget(panels::kernel_table::make()->create(session, nullptr));
    const auto* panel = qobject_cast<TablePanel*>(widget.get());
    session.setTrace(test::traceFromText("cpu main: a 0..5"));
    QTRY_VERIFY(panel->view()->message().contains("no kernels"));
}

QTEST_MAIN(TestKernelTablePanel)
#include "tst_kernel_table_panel.moc"
