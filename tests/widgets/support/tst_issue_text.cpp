// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "widgets/support/issue_text.h"

using namespace warpline;

class TestIssueText : public QObject {
    Q_OBJECT

private slots:
    void countsWorstFirst();
    void nothingIsNoText();
};

void TestIssueText::countsWorstFirst() {
    ImportReport report;
    const auto add = [&report](const char* code, Severity severity, uint64_t count) {
        report.add(FileId(0U), code, severity, std::nullopt, OffsetSpace::File, {}, count);
    };
    add("a", Severity::Info, 1);
    QCOMPARE(issueCountsText(report), "1 info");
    add("b", Severity::Warning, 1);
    QCOMPARE(issueCountsText(report), "1 warning, 1 info");
    add("c", Severity::Warning, 1'233);
    add("d", Severity::DataLoss, 2);
    add("e", Severity::Error, 1);
    QCOMPARE(issueCountsText(report), "1 error, 2 data loss, 1,234 warnings, 1 info");
    QCOMPARE(severityTitle(Severity::DataLoss), "Data loss");
}

void TestIssueText::nothingIsNoText() {
    QCOMPARE(issueCountsText(ImportReport()), "");
}

QTEST_APPLESS_MAIN(TestIssueText)
#include "tst_issue_text.moc"
