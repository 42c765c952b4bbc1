// SPDX-License-Identifier: MIT
#include <QTest>

#include "core/trace/import_report.h"

using namespace warpline;

namespace {
const FileId kFile(0U);
}

class tst_ImportReport : public QObject {
    Q_OBJECT

private slots:
    void countsByFileCodeAndSeverity();
    void keepsTheFirstPlace();
    void sortsWorstFirst();
    void sentences_data();
    void sentences();
};

void tst_ImportReport::countsByFileCodeAndSeverity() {
    ImportReport report;
    report.add(kFile, "overlap", Severity::Warning, 5, OffsetSpace::File);
    report.add(kFile, "overlap", Severity::Warning, 6, OffsetSpace::File, {}, 3);
    report.add(kFile, "outlier", Severity::DataLoss, 7, OffsetSpace::File);
    report.add(kFile, "outlier", Severity::Warning, 8, OffsetSpace::File);
    report.add(FileId(1U), "overlap", Severity::Warning, 5, OffsetSpace::File);
    report.finish();
    QCOMPARE(report.issues().size(), size_t{4});
    QCOMPARE(report.countOf("overlap"), uint64_t{5});
    QCOMPARE(report.lostCount(), uint64_t{1});
    report.add(kFile, "encoding", Severity::Info, 0, OffsetSpace::File, {}, 7);
    QCOMPARE(report.countOf(Severity::Info), uint64_t{7});
    QCOMPARE(report.countOf(Severity::Warning), uint64_t{6});
    QCOMPARE(report.countFrom(Severity::Warning), uint64_t{7});
    QCOMPARE(report.countFrom(Severity::Info), uint64_t{14});
}

void tst_ImportReport::keepsTheFirstPlace() {
    ImportReport report;
    report.add(kFile, "overlap", Severity::Warning, 50, OffsetSpace::File, "later");
    report.add(kFile, "overlap", Severity::Warning, 20, OffsetSpace::File, "first");
    report.add(kFile, "overlap", Severity::Warning, std::nullopt, OffsetSpace::File, "nowhere");
    QVERIFY(report.issues()[0].firstOffset == 20U);
    QCOMPARE(report.issues()[0].detail, std::string("first"));
    // A detail is made only where it is kept.
    int made = 0;
    const auto detail = [&made] {
        ++made;
        return std::string("made");
    };
    report.addOne(kFile, "overlap", Severity::Warning, 30, OffsetSpace::File, detail);
    QCOMPARE(made, 0);
    report.addOne(kFile, "overlap", Severity::Warning, 10, OffsetSpace::File, detail);
    QCOMPARE(made, 1);
    QCOMPARE(report.issues()[0].detail, std::string("made"));
    QCOMPARE(report.issues()[0].count, uint64_t{5});
}

void tst_ImportReport::sortsWorstFirst() {
    ImportReport report;
    report.add(kFile, "encoding", Severity::Info, 0, OffsetSpace::File);
    report.add(kFile, "unmatched_end", Severity::DataLoss, 0, OffsetSpace::File);
    report.add(kFile, "overlap", Severity::Warning, 0, OffsetSpace::File);
    report.finish();
    QCOMPARE(report.issues()[0].code, std::string("unmatched_end"));
    QCOMPARE(report.issues()[2].code, std::string("encoding"));
}

void tst_ImportReport::sentences_data() {
    QTest::addColumn<QString>("code");
    QTest::addColumn<int>("severity");
    QTest::addColumn<int>("count");
    QTest::addColumn<QString>("detail");
    QTest::addColumn<QString>("message");
    const int loss = static_cast<int>(Severity::DataLoss);
    const int info = static_cast<int>(Severity::Info);
    const int error = static_cast<int>(Severity::Error);
    QTest::newRow("one") << "unmatched_end" << loss << 1 << "pid 9, tid 9"
                         << "1 end without a begin was dropped (pid 9, tid 9)";
    QTest::newRow("many") << "unmatched_end" << loss << 3 << "pid 9, tid 9"
                          << "3 ends without a begin were dropped (the first: pid 9, tid 9)";
    QTest::newRow("by severity") << "truncated" << info << 1 << ""
                                 << "1 list or file has no proper end; every event that is there was read";
    QTest::newRow("quoted") << "recorder_note" << info << 1 << "out of buffers"
                            << "1 note of the recording program: out of buffers";
    QTest::newRow("error") << "unsupported" << error << 1 << "not a trace"
                           << "not a trace";
    QTest::newRow("unknown code") << "new_code" << info << 2 << "x"
                                  << "2 new_code (the first: x)";
    QTest::newRow("control characters") << "no_events" << int(Severity::Warning) << 1 << QString("pid \x1b[2J\x07")
                                        << R"(1 file holds nothing that has a time (pid \x1b[2J\x07))";
}

void tst_ImportReport::sentences() {
    QFETCH(QString, code);
    QFETCH(int, severity);
    QFETCH(int, count);
    QFETCH(QString, detail);
    QFETCH(QString, message);
    Issue issue;
    issue.code = code.toStdString();
    issue.severity = static_cast<Severity>(severity);
    issue.count = static_cast<uint64_t>(count);
    issue.detail = detail.toStdString();
    QCOMPARE(QString::fromStdString(issueMessage(issue)), message);
}

QTEST_GUILESS_MAIN(tst_ImportReport)
#include "tst_import_report.moc"
