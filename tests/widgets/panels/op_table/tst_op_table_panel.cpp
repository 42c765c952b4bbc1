// SPDX-License-Identifier: GPL-3.0-or-later
#include <QComboBox>
#include <QHeaderView>
#include <QTest>

#include "tests/support/trace_text.h"
#include "widgets/panels/op_table/op_table_panel.h"
#include "widgets/support/session.h"
#include "widgets/support/settings.h"
#include "widgets/support/table_model.h"
#include "widgets/support/table_panel.h"
#include "widgets/support/table_view.h"

using namespace warpline;

class TestOpTablePanel : public QObject {
    Q_OBJECT

private slots:
    void init() { settings::useTemporary(); }
    void groupingIsChosenAndRemembered();
    void deviceTimeIsThatOfTheKernels();
    void theOrderAtTheStartStandsInTheHeading();
};

namespace {

constexpr auto kTrace = R"(
cpu main: "aten::mm" 0..10 (ext=1 shapes=[[2,2],[2,2]]) { cudaLaunchKernel 2..4 (corr=5) } "aten::mm" 20..30 (shapes=[[4,4],[4,4]])
gpu 0 stream 7: sgemm 15..115 (corr=5 ext=1)
)";

QStringList column(const TablePanel& panel, const char* id) {
    QStringList out;
    for (int row = 0; row < panel.model()->rowCount(); ++row) {
        out << panel.model()->index(row, panel.model()->columnOf(id)).data().toString();
    }
    return out;
}

}  // namespace

void TestOpTablePanel::groupingIsChosenAndRemembered() {
    const auto factory = panels::op_table::make();
    Session session;
    const std::unique_ptr<QWidget> widget(factory->create(session, nullptr));
    auto* panel = qobject_cast<TablePanel*>(widget.get());
    QVERIFY(panel != nullptr);
    session.setTrace(test::traceFromText(kTrace));
    QTRY_COMPARE(column(*panel, "key").count("aten::mm"), 1);
    QComboBox* groupBy = nullptr;
    for (QComboBox* box : panel->findChildren<QComboBox*>()) {
        groupBy = box->accessibleName() == "Group by" ? box : groupBy;
    }
    QVERIFY(groupBy != nullptr);
    QCOMPARE(groupBy->count(), 4);
    groupBy->setCurrentIndex(groupBy->findData("shape"));
    QTRY_COMPARE(column(*panel, "key").count("aten::mm"), 2);
    Session other;
    const std::unique_ptr<QWidget> again(factory->create(other, nullptr));
    other.setTrace(test::traceFromText(kTrace));
    QTRY_COMPARE(column(*qobject_cast<TablePanel*>(again.get()), "key").count("aten::mm"), 2);
}

void TestOpTablePanel::deviceTimeIsThatOfTheKernels() {
    Session session;
    const std::unique_ptr<QWidget> widget(panels::op_table::make()->create(session, nullptr));
    const auto* panel = qobject_cast<TablePanel*>(widget.get());
    session.setTrace(test::traceFromText(kTrace));
    QTRY_VERIFY(panel->model()->rowCount() == 3);
    const int row = static_cast<int>(column(*panel, "key").indexOf("aten::mm"));
    QCOMPARE(column(*panel, "device_ns").at(row), "100 ns");
    QCOMPARE(column(*panel, "cpu_ns").at(row), "20 ns");
    QVERIFY2(panel->footerText().contains("100 ns"), qPrintable(panel->footerText()));
}

void TestOpTablePanel::theOrderAtTheStartStandsInTheHeading() {
    Session session;
    const std::unique_ptr<QWidget> widget(panels::op_table::make()->create(session, nullptr));
    const auto* panel = qobject_cast<TablePanel*>(widget.get());
    session.setTrace(test::traceFromText(kTrace));
    QTRY_COMPARE(panel->model()->rowCount(), 3);
    const QHeaderView* header = panel->view()->horizontalHeader();
    QVERIFY(header->isSortIndicatorShown());
    QCOMPARE(header->sortIndicatorSection(), panel->model()->columnOf("self_device_ns"));
    QCOMPARE(header->sortIndicatorOrder(), Qt::DescendingOrder);
    // Rows of equal time keep the own order of the table among each other: by time on the host.
    QCOMPARE(column(*panel, "self_device_ns"), (QStringList{"100 ns", "100 ns", "0 ns"}));
    QCOMPARE(column(*panel, "self_cpu_ns"), (QStringList{"18 ns", "0 ns", "2 ns"}));
}

QTEST_MAIN(TestOpTablePanel)
#include "tst_op_table_panel.moc"
