// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAbstractItemModelTester>
#include <QClipboard>
#include <QComboBox>
#include <QHeaderView>
#include <QLineEdit>
#include <QMenu>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>

#include <thread>
#include <utility>

#include "core/analyses/op_table/op_table.h"
#include "tests/support/trace_text.h"
#include "widgets/support/discard.h"
#include "widgets/support/highlight_stepper.h"
#include "widgets/support/session.h"
#include "widgets/support/settings.h"
#include "widgets/support/table_filter_bar.h"
#include "widgets/support/table_model.h"
#include "widgets/support/table_panel.h"
#include "widgets/support/table_view.h"
#include "widgets/support/theme.h"

using namespace warpline;

class TestTablePanel : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { applyTheme(ThemeChoice::Light); }
    void init();
    void cleanup();
    void showsTheTableAndItsTotals();
    void theFooterFollowsTheFilter();
    void typingFilters();
    void aBadRegularExpressionIsSaidAndKeepsTheRows();
    void categoriesRestrict();
    void aRowHighlightsItsInstancesAndEnterSteps();
    void anotherHighlightClearsTheSelection();
    void theSelectedRowIsFoundAgainByAllThatNamesIt();
    void resultsAreFreedOffTheGuiThread();
    void headingsSort();
    void anArrowTellsTheOrder_data();
    void anArrowTellsTheOrder();
    void onlyTheVisibleRangeOrAreaCounts();
    void theFilterOfAllPanelsCounts();
    void columnsAreChosenAndRemembered();
    void theGroupingIsKeptForEachTrace();
    void copying();
    void anEmptyResultIsExplained();
    void closingTheTraceWhileComputingIsSafe();

private:
    QStringList names() const;
    QString cell(int row, const char* column) const;
    int rowOf(const QString& name) const;

    std::unique_ptr<Session> m_session;
    std::unique_ptr<TablePanel> m_panel;
    std::unique_ptr<QAbstractItemModelTester> m_tester;
};

namespace {

constexpr auto kTrace = R"(
cpu main: "aten::mm" 0..10 "aten::add" 20..50 "aten::mm" 60..90 "ProfilerStep#1" 100..300
cpu worker: "aten::relu" 40..45
)";

}  // namespace

void TestTablePanel::init() {
    settings::useTemporary();
    m_session = std::make_unique<Session>();
    TablePanelSpec spec;
    spec.id = "ops";
    spec.nameColumn = "key";
    spec.keyColumns = {"key", "kind", "shapes"};
    spec.noRowsSentence = "There are no ops.";
    m_panel = std::make_unique<TablePanel>(*m_session, std::shared_ptr<const Analysis>(analyses::op_table::make()),
                                           spec, nullptr);
    m_tester = std::make_unique<QAbstractItemModelTester>(m_panel->model(),
                                                          QAbstractItemModelTester::FailureReportingMode::QtTest);
    m_panel->resize(1000, 400);
    m_panel->show();
    m_session->setTrace(test::traceFromText(kTrace));
    QTRY_COMPARE(m_panel->model()->rowCount(), 4);
}

void TestTablePanel::cleanup() {
    m_tester.reset();
    m_panel.reset();
    m_session.reset();
}

QStringList TestTablePanel::names() const {
    QStringList out;
    for (int row = 0; row < m_panel->model()->rowCount(); ++row) {
        out << cell(row, "key");
    }
    return out;
}

QString TestTablePanel::cell(int row, const char* column) const {
    return m_panel->model()->index(row, m_panel->model()->columnOf(column)).data().toString();
}

int TestTablePanel::rowOf(const QString& name) const {
    return static_cast<int>(names().indexOf(name));
}

void TestTablePanel::showsTheTableAndItsTotals() {
    QCOMPARE(cell(rowOf("aten::mm"), "count"), "2");
    QCOMPARE(cell(rowOf("aten::mm"), "cpu_ns"), "40 ns");
    // 10 + 30 + 30 + 200 + 5
    QVERIFY2(m_panel->footerText().startsWith("4 rows"), qPrintable(m_panel->footerText()));
    QVERIFY2(m_panel->footerText().contains("Total self CPU 275 ns"), qPrintable(m_panel->footerText()));
}

void TestTablePanel::theFooterFollowsTheFilter() {
    m_panel->filterBar()->setText("mm", false);
    QTRY_COMPARE(m_panel->model()->rowCount(), 1);
    // 10 + 30
    QCOMPARE(m_panel->footerText().section(QStringLiteral("   \u00b7   "), 0, 1),
             QStringLiteral("1 row   \u00b7   Self CPU shown 40 ns"));
    QVERIFY2(m_panel->footerText().contains("Total self CPU 275 ns"), qPrintable(m_panel->footerText()));
}

void TestTablePanel::typingFilters() {
    auto* text = m_panel->filterBar()->findChild<QLineEdit*>();
    QTest::keyClicks(text, "MM");
    QTRY_COMPARE(names(), QStringList{"aten::mm"});
    m_panel->filterBar()->clear();
    QTRY_COMPARE(m_panel->model()->rowCount(), 4);
}

void TestTablePanel::aBadRegularExpressionIsSaidAndKeepsTheRows() {
    auto* text = m_panel->filterBar()->findChild<QLineEdit*>();
    auto* regex = m_panel->filterBar()->findChild<QToolButton*>("regex");
    QVERIFY(regex != nullptr);
    QTest::mouseClick(regex, Qt::LeftButton);
    QTest::keyClicks(text, "aten::(mm|relu)$");
    QTRY_COMPARE(m_panel->model()->rowCount(), 2);
    QVERIFY(m_panel->errorText().isEmpty());
    text->setText("aten::(");
    QTRY_VERIFY(!m_panel->errorText().isEmpty());
    QVERIFY(text->property("invalid").toBool());
    QCOMPARE(m_panel->model()->rowCount(), 2);
    text->setText("add");
    QTRY_COMPARE(names(), QStringList{"aten::add"});
    QVERIFY(m_panel->errorText().isEmpty());
    QVERIFY(!text->property("invalid").toBool());
}

void TestTablePanel::categoriesRestrict() {
    auto* button = m_panel->filterBar()->findChild<QToolButton*>("categories");
    QVERIFY(button != nullptr);
    QTRY_VERIFY(button->menu()->actions().size() > 2);
    QAction* annotation = nullptr;
    for (QAction* action : button->menu()->actions()) {
        if (action->data().toString() == "user_annotation") {
            annotation = action;
        }
    }
    QVERIFY(annotation != nullptr);
    annotation->trigger();
    QTRY_COMPARE(names(), QStringList{"ProfilerStep*"});
    QCOMPARE(button->text(), "user_annotation");
    annotation->trigger();
    QTRY_COMPARE(m_panel->model()->rowCount(), 4);
    QCOMPARE(button->text(), "All categories");
}

void TestTablePanel::aRowHighlightsItsInstancesAndEnterSteps() {
    TableView* view = m_panel->view();
    const QModelIndex mm = m_panel->model()->index(rowOf("aten::mm"), 0);
    QTest::mouseClick(view->viewport(), Qt::LeftButton, {}, view->visualRect(mm).center());
    QCOMPARE(m_session->highlight().title, "aten::mm");
    QCOMPARE(m_session->highlight().events.size(), size_t{2});
    QCOMPARE(m_session->highlight().current, -1);
    auto* stepper = m_panel->findChild<HighlightStepper*>();
    QCOMPARE(stepper->text(), "2 instances");
    QTest::keyClick(view, Qt::Key_Return);
    QCOMPARE(stepper->text(), "1 of 2");
    QCOMPARE(m_session->trace()->slices().begin[m_session->selectedEvent().value], TimeNs{0});
    QTest::keyClick(view, Qt::Key_Return);
    QCOMPARE(stepper->text(), "2 of 2");
    QCOMPARE(m_session->trace()->slices().begin[m_session->selectedEvent().value], TimeNs{60});
    QTest::mouseClick(stepper->findChildren<QToolButton*>().first(), Qt::LeftButton);
    QCOMPARE(stepper->text(), "1 of 2");
    // Sorting keeps the row selected and the place in its instances.
    view->setSortSpec("key");
    QTRY_COMPARE(names().first(), "ProfilerStep*");
    QCOMPARE(view->currentIndex().row(), rowOf("aten::mm"));
    QCOMPARE(m_session->highlight().current, 0);
}

void TestTablePanel::anotherHighlightClearsTheSelection() {
    m_panel->view()->selectRow(rowOf("aten::add"));
    QCOMPARE(m_session->highlight().title, "aten::add");
    m_session->setHighlight({"other", {EventRow(0U)}, 0});
    QVERIFY(!m_panel->view()->selectionModel()->hasSelection());
    QCOMPARE(m_session->highlight().title, "other");
}

void TestTablePanel::theSelectedRowIsFoundAgainByAllThatNamesIt() {
    m_session->setTrace(test::traceFromText(
        "cpu main: mm 0..10 (shapes=[[1]]) mm 20..50 (shapes=[[2]]) mm 60..90 (shapes=[[2]]) add 100..300"));
    auto* group = m_panel->filterBar()->findChildren<QComboBox*>().first();
    group->setCurrentIndex(group->findData("shape"));
    QTRY_COMPARE(m_panel->model()->rowCount(), 3);
    int row = -1;
    for (int i = 0; i < 3; ++i) {
        row = cell(i, "key") == "mm" && cell(i, "count") == "2" ? i : row;
    }
    QVERIFY(row >= 0);
    m_panel->view()->setCurrentIndex(m_panel->model()->index(row, 0));
    m_session->stepHighlight(+1);
    m_session->stepHighlight(+1);
    QCOMPARE(m_session->highlight().current, 1);
    m_panel->filterBar()->findChild<QLineEdit*>()->setText("mm");
    QTRY_COMPARE(m_panel->model()->rowCount(), 2);
    QCOMPARE(cell(m_panel->view()->currentIndex().row(), "count"), "2");
    QCOMPARE(m_session->highlight().events.size(), size_t{2});
    QCOMPARE(m_session->highlight().current, 1);
    // A row that a filter hides keeps its highlight, and is selected again when it is back.
    m_panel->filterBar()->findChild<QLineEdit*>()->setText("add");
    QTRY_COMPARE(m_panel->model()->rowCount(), 1);
    QCOMPARE(m_session->highlight().events.size(), size_t{2});
    m_panel->filterBar()->findChild<QLineEdit*>()->setText("");
    QTRY_COMPARE(m_panel->model()->rowCount(), 3);
    QCOMPARE(cell(m_panel->view()->currentIndex().row(), "count"), "2");
    QCOMPARE(m_session->highlight().current, 1);
}

void TestTablePanel::resultsAreFreedOffTheGuiThread() {
    const std::thread::id gui = std::this_thread::get_id();
    std::thread::id freedOn = gui;
    struct Probe {
        std::thread::id* on;
        explicit Probe(std::thread::id* place) : on(place) {}
        Probe(Probe&& other) noexcept : on(std::exchange(other.on, nullptr)) {}
        ~Probe() {
            if (on != nullptr) {
                *on = std::this_thread::get_id();
            }
        }
    };
    std::shared_ptr<const Probe> last = makeDiscarded(Probe(&freedOn));
    last.reset();
    QTRY_COMPARE(pendingDiscards(), 0);
    QVERIFY(freedOn != gui);
    // The highlight is a part of the result, not a copy.
    m_panel->view()->selectRow(rowOf("aten::mm"));
    const SharedRows first = m_session->highlight().events;
    m_panel->view()->selectRow(rowOf("aten::add"));
    m_panel->view()->selectRow(rowOf("aten::mm"));
    QCOMPARE(m_session->highlight().events.rows().data(), first.rows().data());
}

void TestTablePanel::headingsSort() {
    TableView* view = m_panel->view();
    QHeaderView* header = view->horizontalHeader();
    const auto click = [&](const char* id) {
        const int section = m_panel->model()->columnOf(id);
        QTest::mouseClick(header->viewport(), Qt::LeftButton, {},
                          QPoint(header->sectionViewportPosition(section) + 12, header->height() / 2));
    };
    click("cpu_ns");
    QTRY_COMPARE(names(), (QStringList{"ProfilerStep*", "aten::mm", "aten::add", "aten::relu"}));
    click("cpu_ns");
    QTRY_COMPARE(names(), (QStringList{"aten::relu", "aten::add", "aten::mm", "ProfilerStep*"}));
    click("key");
    QTRY_COMPARE(names(), (QStringList{"ProfilerStep*", "aten::add", "aten::mm", "aten::relu"}));
    QCOMPARE(settings::store().value("tables/ops/sort").toString(), "key");
}

void TestTablePanel::anArrowTellsTheOrder_data() {
    QTest::addColumn<bool>("dark");
    QTest::addColumn<int>("scale");
    QTest::newRow("light") << false << 1;
    QTest::newRow("dark") << true << 1;
    QTest::newRow("light, 200 %") << false << 2;
    QTest::newRow("dark, 200 %") << true << 2;
}

void TestTablePanel::anArrowTellsTheOrder() {
    QFETCH(bool, dark);
    QFETCH(int, scale);
    applyTheme(dark ? ThemeChoice::Dark : ThemeChoice::Light);
    TableView* view = m_panel->view();
    QHeaderView* header = view->horizontalHeader();
    const int column = m_panel->model()->columnOf("cpu_ns");
    // Pixels of the arrow's colour in each line of the column's heading.
    const auto lines = [&](int section) {
        QImage image(header->size() * scale, QImage::Format_RGB32);
        image.setDevicePixelRatio(scale);
        header->render(&image);
        const QColor wanted = theme().accent;
        std::vector<int> counts;
        const int left = header->sectionViewportPosition(section) * scale;
        for (int y = 0; y < image.height(); ++y) {
            int found = 0;
            for (int x = left; x < left + header->sectionSize(section) * scale; ++x) {
                found += image.valid(x, y) && image.pixelColor(x, y) == wanted ? 1 : 0;
            }
            if (found > 0) {
                counts.push_back(found);
            }
        }
        return counts;
    };
    view->setSortSpec("-cpu_ns");
    const std::vector<int> down = lines(column);
    QVERIFY2(down.size() >= static_cast<size_t>(4 * scale), qPrintable(QString::number(down.size())));
    QVERIFY(down.front() >= 7 * scale && down.back() <= 3 * scale);
    view->setSortSpec("cpu_ns");
    const std::vector<int> up = lines(column);
    QVERIFY(up.size() >= static_cast<size_t>(4 * scale));
    QVERIFY(up.back() >= 7 * scale && up.front() <= 3 * scale);
    QVERIFY(lines(m_panel->model()->columnOf("key")).empty());
    applyTheme(ThemeChoice::Light);
}

void TestTablePanel::onlyTheVisibleRangeOrAreaCounts() {
    auto* scope = m_panel->filterBar()->findChild<QComboBox*>("scope");
    QVERIFY(scope != nullptr);
    m_session->setVisibleRange({15, 55});
    QCOMPARE(m_panel->model()->rowCount(), 4);
    scope->setCurrentIndex(static_cast<int>(TableFilterBar::Scope::Visible));
    QTRY_COMPARE(m_panel->model()->rowCount(), 2);
    m_session->setVisibleRange({0, 15});
    QTRY_COMPARE(names(), QStringList{"aten::mm"});
    scope->setCurrentIndex(static_cast<int>(TableFilterBar::Scope::Area));
    QCOMPARE(m_panel->model()->rowCount(), 0);
    QVERIFY(m_panel->view()->message().contains("No area"));
    m_session->setArea(AreaSelection{{95, 200}, {}});
    QTRY_COMPARE(names(), QStringList{"ProfilerStep*"});
    QCOMPARE(m_panel->view()->message(), "");
}

void TestTablePanel::theFilterOfAllPanelsCounts() {
    const auto scope = m_panel->findChild<QComboBox*>("scope");
    m_session->applyFilter({AreaSelection{{15, 70}, {}}});
    QTRY_COMPARE(names(), (QStringList{"aten::add", "aten::mm", "aten::relu"}));
    // Of an area, what both have in common.
    m_session->setArea(AreaSelection{{0, 55}, {}});
    scope->setCurrentIndex(2);
    QTRY_COMPARE(names(), (QStringList{"aten::add", "aten::relu"}));
    m_session->setArea(AreaSelection{{0, 15}, {}});
    QTRY_COMPARE(m_panel->model()->rowCount(), 0);
    QTRY_COMPARE(m_panel->view()->message(),
                 QString("The filter of all panels leaves nothing of this part of the trace."));
    scope->setCurrentIndex(0);
    QTRY_COMPARE(m_panel->model()->rowCount(), 3);
    m_session->applyFilter({AreaSelection{{310, 320}, {}}});
    QTRY_COMPARE(m_panel->view()->message(),
                 QString("Nothing of it is in the part of the trace that counts: see the filter above."));
    m_session->applyFilter({});
    QTRY_COMPARE(m_panel->model()->rowCount(), 4);
}

void TestTablePanel::columnsAreChosenAndRemembered() {
    const int column = m_panel->model()->columnOf("cpu_ns");
    QVERIFY(!m_panel->view()->isColumnHidden(column));
    QMenu menu;
    m_panel->view()->fillColumnMenu(&menu);
    const QString title = m_panel->model()->headerData(column, Qt::Horizontal).toString();
    QAction* toggle = nullptr;
    for (QAction* action : menu.actions()) {
        toggle = action->text() == title ? action : toggle;
    }
    QVERIFY(toggle != nullptr);
    toggle->trigger();
    QVERIFY(m_panel->view()->isColumnHidden(column));
    const auto shown = m_panel->view()->shownColumns();
    QVERIFY(std::find(shown.begin(), shown.end(), static_cast<size_t>(column)) == shown.end());
    TableView other(m_panel->model(), "ops", {});
    QVERIFY(other.isColumnHidden(column));
    TableView unrelated(m_panel->model(), "another", {});
    QVERIFY(!unrelated.isColumnHidden(column));
}

void TestTablePanel::theGroupingIsKeptForEachTrace() {
    QComboBox* grouping = nullptr;
    for (QComboBox* box : m_panel->findChildren<QComboBox*>()) {
        grouping = box->accessibleName() == "Group by" ? box : grouping;
    }
    QVERIFY(grouping != nullptr);
    grouping->setCurrentIndex(grouping->findData("stack"));
    m_panel->filterBar()->setText("mm", false);
    QTRY_COMPARE(m_panel->model()->rowCount(), 1);
    const PanelStates kept = m_session->panelStates();
    grouping->setCurrentIndex(grouping->findData("shape"));
    m_panel->filterBar()->setText("", false);
    // Another trace begins with what the user chose last; one that was looked at has its own again.
    const auto trace = m_session->trace();
    m_session->setTrace(test::traceFromText("cpu main: z 0..10"));
    QCOMPARE(grouping->currentData().toString(), QString("shape"));
    m_session->setTrace(trace);
    m_session->restorePanelStates(kept);
    QCOMPARE(grouping->currentData().toString(), QString("stack"));
    QTRY_COMPARE(m_panel->model()->rowCount(), 1);
    QVERIFY(m_panel->model()->columnOf("stack") >= 0);
    QCOMPARE(m_session->panelStates(), kept);
    m_session->setTrace(test::traceFromText("cpu main: z 0..10"));
    QCOMPARE(grouping->currentData().toString(), QString("shape"));
    // A session that names none, or one that there is none of, leaves it.
    m_session->restorePanelStates({{"ops", R"({"group_by":"moon"})"}});
    QCOMPARE(grouping->currentData().toString(), QString("shape"));
}

void TestTablePanel::copying() {
    m_panel->view()->selectRow(rowOf("aten::relu"));
    QApplication::clipboard()->clear();
    QTest::keySequence(m_panel->view(), QKeySequence::Copy);
    QTRY_VERIFY(QApplication::clipboard()->text().contains("aten::relu"));
    const QStringList lines = QApplication::clipboard()->text().trimmed().split('\n');
    QCOMPARE(lines.size(), 2);
    QVERIFY2(lines.first().startsWith("key,"), qPrintable(lines.first()));
    QVERIFY2(lines.last().contains(",5,"), qPrintable(lines.last()));
    emit m_panel->view()->copyRequested(TableFormat::Markdown, false);
    QTRY_VERIFY(QApplication::clipboard()->text().startsWith("|"));
    QVERIFY(QApplication::clipboard()->text().contains("aten::add"));
}

void TestTablePanel::anEmptyResultIsExplained() {
    m_session->setTrace(test::traceFromText("counter load: 5=1"));
    QTRY_COMPARE(m_panel->view()->message(), "There are no ops.");
    m_panel->filterBar()->findChild<QLineEdit*>()->setText("x");
    QTRY_COMPARE(m_panel->view()->message(), "Nothing passes the filter.");
}

void TestTablePanel::closingTheTraceWhileComputingIsSafe() {
    m_session->setTrace(test::traceFromText(kTrace));
    m_session->setTrace(nullptr);
    QTRY_COMPARE(JobRunner::activeJobs(), 0);
    QCOMPARE(m_panel->model()->rowCount(), 0);
    QCOMPARE(m_panel->footerText(), "");
    m_session->setTrace(test::traceFromText(kTrace));
    m_panel.reset();
    QCOMPARE(JobRunner::activeJobs(), 0);
}

QTEST_MAIN(TestTablePanel)
#include "tst_table_panel.moc"
