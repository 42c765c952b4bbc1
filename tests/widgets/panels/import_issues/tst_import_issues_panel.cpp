// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAbstractItemModelTester>
#include <QHeaderView>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>

#include "core/trace/trace_builder.h"
#include "tests/support/trace_text.h"
#include "widgets/panels/import_issues/import_issues_panel.h"
#include "widgets/panels/import_issues/issues_model.h"
#include "widgets/support/empty_state.h"
#include "widgets/support/session.h"
#include "widgets/support/theme.h"

using namespace warpline;

class TestImportIssuesPanel : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { applyTheme(ThemeChoice::Light); }
    void nothingToReport();
    void issuesAreListedWorstFirst();
    void theTitleAndTheStatusCountWhatIsListed();
    void harmlessIssuesCountToo();
    void headingsSort();
};

namespace {

std::shared_ptr<const Trace> traceWithIssues() {
    TraceBuilder builder;
    const FileId file = builder.addFile({.path = "/data/a.json"});
    SliceRecord slice;
    slice.duration = 5;
    slice.track = builder.track(builder.process(file, "1"), "1");
    builder.addSlice(slice);
    builder.report().add(file, "unknown_phase", Severity::Info, 5, OffsetSpace::File, "Q", 3);
    builder.report().add(file, "unmatched_end", Severity::DataLoss, 4096, OffsetSpace::Decompressed, "x", 2);
    builder.report().add(file, "overlap", Severity::Warning, std::nullopt, OffsetSpace::File, "y", 1200);
    JobControl job;
    return builder.seal(job).value();
}

}  // namespace

void TestImportIssuesPanel::nothingToReport() {
    Session session;
    ImportIssuesPanel panel(session);
    QCOMPARE(panel.emptyState()->title(), "No trace is open");
    QCOMPARE(panel.statusText(), "");
    session.setTrace(test::traceFromText("cpu main: a 0..5"));
    QVERIFY(!panel.showsTable());
    QCOMPARE(panel.emptyState()->title(), "Nothing to report");
    QCOMPARE(panel.windowTitle(), "Import issues");
    QCOMPARE(panel.statusText(), "No import issues");
}

void TestImportIssuesPanel::issuesAreListedWorstFirst() {
    Session session;
    ImportIssuesPanel panel(session);
    const QAbstractItemModelTester tester(panel.model(), QAbstractItemModelTester::FailureReportingMode::QtTest);
    session.setTrace(traceWithIssues());
    QVERIFY(panel.showsTable());
    const auto cell = [&](int row, int column) { return panel.view()->model()->index(row, column).data().toString(); };
    QCOMPARE(panel.view()->model()->rowCount(), 3);
    QCOMPARE(cell(0, IssuesModel::SeverityColumn), "Data loss");
    QCOMPARE(cell(0, IssuesModel::CodeColumn), "unmatched_end");
    QCOMPARE(cell(0, IssuesModel::PlaceColumn), "byte 4,096, unpacked");
    QCOMPARE(cell(1, IssuesModel::CountColumn), "1,200");
    QCOMPARE(cell(1, IssuesModel::PlaceColumn), QString::fromUtf8("–"));
    QCOMPARE(cell(2, IssuesModel::PlaceColumn), "byte 5");
    QVERIFY(cell(0, IssuesModel::MessageColumn).contains("2"));
    QVERIFY(panel.view()->isColumnHidden(IssuesModel::FileColumn));
}

void TestImportIssuesPanel::theTitleAndTheStatusCountWhatIsListed() {
    Session session;
    ImportIssuesPanel panel(session);
    QSignalSpy title(&panel, &QWidget::windowTitleChanged);
    session.setTrace(traceWithIssues());
    QCOMPARE(panel.windowTitle(), "Import issues (1,205)");
    QCOMPARE(panel.statusText(), "Import issues: 2 data loss, 1,200 warnings, 3 info");
    session.setTrace(nullptr);
    QCOMPARE(panel.windowTitle(), "Import issues");
    QCOMPARE(title.count(), 2);
}

void TestImportIssuesPanel::harmlessIssuesCountToo() {
    TraceBuilder builder;
    const FileId file = builder.addFile({.path = "/data/a.json"});
    SliceRecord slice;
    slice.duration = 5;
    slice.track = builder.track(builder.process(file, "1"), "1");
    builder.addSlice(slice);
    builder.report().add(file, "unknown_phase", Severity::Info, 5, OffsetSpace::File, "Q", 209);
    builder.report().add(file, "overlap", Severity::Warning, 5, OffsetSpace::File, "y", 1);
    JobControl job;
    Session session;
    ImportIssuesPanel panel(session);
    session.setTrace(builder.seal(job).value());
    QCOMPARE(panel.windowTitle(), "Import issues (210)");
    QCOMPARE(panel.statusText(), "Import issues: 1 warning, 209 info");
}

void TestImportIssuesPanel::headingsSort() {
    Session session;
    ImportIssuesPanel panel(session);
    panel.resize(900, 300);
    panel.show();
    session.setTrace(traceWithIssues());
    QHeaderView* header = panel.view()->horizontalHeader();
    QTest::mouseClick(header->viewport(), Qt::LeftButton, {},
                      QPoint(header->sectionViewportPosition(IssuesModel::CountColumn) + 10, 8));
    const auto counts = [&] {
        QStringList out;
        for (int row = 0; row < 3; ++row) {
            out << panel.view()->model()->index(row, IssuesModel::CountColumn).data().toString();
        }
        return out;
    };
    QCOMPARE(counts(), (QStringList{"2", "3", "1,200"}));
}

QTEST_MAIN(TestImportIssuesPanel)
#include "tst_import_issues_panel.moc"
