// SPDX-License-Identifier: MIT
#include <QTest>
#include <string>

#include "core/analyses/kernel_table/kernel_table.h"
#include "core/analyses/slice_filter.h"
#include "core/pattern/name_pattern.h"
#include "tests/support/trace_text.h"

using namespace warpline;
using warpline::test::traceFromText;

class TestNamePattern : public QObject {
    Q_OBJECT

private slots:
    void finds_data() {
        QTest::addColumn<std::string>("pattern");
        QTest::addColumn<std::string>("name");
        QTest::addColumn<bool>("found");
        QTest::newRow("anywhere") << std::string("mm") << std::string("aten::mm_out") << true;
        QTest::newRow("case counts") << std::string("MM") << std::string("aten::mm") << false;
        QTest::newRow("case folded") << std::string("(?i)MM") << std::string("aten::mm") << true;
        QTest::newRow("anchored") << std::string("^mm") << std::string("aten::mm") << false;
        QTest::newRow("look ahead") << std::string("^(?!aten::)") << std::string("gemm") << true;
        QTest::newRow("a character is no byte") << std::string("^.$") << std::string("é") << true;
        QTest::newRow("the end is the end") << std::string("mm$") << std::string("mm\n") << false;
        QTest::newRow("empty name") << std::string("^$") << std::string() << true;
        QTest::newRow("not UTF-8") << std::string("mm") << std::string("\xff\xfe mm \xc3") << true;
        QTest::newRow("a long name") << std::string("b$") << std::string(1 << 20, 'a').append("b") << true;
    }
    void finds() {
        QFETCH(std::string, pattern);
        QFETCH(std::string, name);
        QFETCH(bool, found);
        QVERIFY(checkPattern(pattern).ok());
        const auto compiled = NamePattern::compile(pattern);
        QVERIFY(compiled.ok());
        const auto result = compiled.value().isFoundIn(name);
        QVERIFY2(result.ok(), result.ok() ? "" : result.error().message.c_str());
        QCOMPARE(result.value(), found);
    }

    void refuses_data() {
        QTest::addColumn<std::string>("pattern");
        QTest::addColumn<QString>("said");
        QTest::newRow("no end") << std::string("gemm(") << "\"gemm(\" is not a regular expression";
        QTest::newRow("place") << std::string("a)b") << "at byte 1";
        QTest::newRow("too deep") << std::string(60000, '(') << "too deeply nested";
        QTest::newRow("deep and whole") << std::string(2000, '(') + std::string(2000, ')') << "too deeply nested";
        QTest::newRow("too long") << std::string(100000, 'a') << "has 100000";
        QTest::newRow("too large") << std::string("((((a{1,999}){1,999}){1,999}){1,999})") << "too large";
        QTest::newRow("not UTF-8") << std::string("\xff") << "UTF-8";
    }
    void refuses() {
        QFETCH(std::string, pattern);
        QFETCH(QString, said);
        const Status status = checkPattern(pattern);
        QVERIFY(!status.ok());
        QVERIFY2(QString::fromStdString(status.error().message).contains(said), status.error().message.c_str());
        QVERIFY(status.error().message.size() < 300);
    }

    /// An endless search is an error that names the name, never "not found".
    void endlessSearchIsSaid() {
        const std::string name = std::string(41, 'a').append("!");
        const auto trace = traceFromText("gpu 0 stream 7: \"" + name + "\" 0..10");
        TraceFilter filter;
        filter.text = "(a+)+$";
        filter.textIsRegex = true;
        JobControl job;
        const auto result = computeKernelTable(*trace, filter, job);
        QVERIFY(!result.ok());
        QVERIFY(!result.error().isCancelled());
        QVERIFY2(QString::fromStdString(result.error().message).contains(QString::fromStdString(name)),
                 result.error().message.c_str());
    }

    void namesThatDoNotCountAreNotSearched() {
        const auto trace = traceFromText("gpu 0 stream 7: \"" + std::string(41, 'a') + "!\" 0..10 b 20..30");
        TraceFilter filter;
        filter.text = "(a+)+$";
        filter.textIsRegex = true;
        filter.range = TimeRange{20, 30};
        const auto compiled = SliceFilter::compile(*trace, filter, JobControl());
        QVERIFY(compiled.ok());
        QVERIFY(!compiled.value().accepts(EventRow(0U)));
        QVERIFY(!compiled.value().accepts(EventRow(1U)));
    }

    void stops() {
        const auto trace = traceFromText("gpu 0 stream 7: a 0..10");
        TraceFilter filter;
        filter.text = "a";
        JobControl job;
        job.requestStop();
        const auto compiled = SliceFilter::compile(*trace, filter, job);
        QVERIFY(!compiled.ok());
        QVERIFY(compiled.error().isCancelled());
    }

    void namesOfNoSlice() {
        const auto trace = traceFromText("gpu 0 stream 7: a 0..10");
        TraceFilter filter;
        filter.text = "MEM";
        const auto compiled = SliceFilter::compile(*trace, filter, JobControl(), {"[memory]", "other"});
        QVERIFY(compiled.ok());
        QVERIFY(compiled.value().accepts(5, "[memory]", "any"));
        QVERIFY(!compiled.value().accepts(5, "other", "any"));
    }
};

QTEST_GUILESS_MAIN(TestNamePattern)
#include "tst_name_pattern.moc"
