// SPDX-License-Identifier: MIT
// What every analysis keeps to, whichever it is.
#include <QtTest>

#include "core/analyses/registry.h"
#include "core/table/table_format.h"
#include "tests/support/trace_text.h"

using namespace warpline;
using warpline::test::traceFromText;

namespace {

constexpr const char* kTrace = R"(
    device 0 sm_90
    cpu main: ProfilerStep#1 0..200 { f 0..100 (ext=1) { cudaLaunchKernel 10..20 (corr=1 ext=1) } f 110..120 }
    gpu 0 stream 7: k 30..60 (corr=1 ext=1 grid=1,1,1 block=32,1,1 regs=16 shared=0) "Memcpy HtoD" 70..80 (bytes=4)
    memory gpu0 15 512)";

}  // namespace

class tst_AnalysesContract : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        for (const auto& analysis : analyses::all()) {
            QVERIFY(!analysis->info().id.empty());
            QVERIFY(!analysis->info().title.empty());
            m_ids << QString::fromStdString(analysis->info().id);
        }
        QVERIFY(m_ids.contains(QStringLiteral("op_table")));
        QVERIFY(m_ids.contains(QStringLiteral("kernel_table")));
        QVERIFY(m_ids.contains(QStringLiteral("gpu_busy")));
        QVERIFY(m_ids.contains(QStringLiteral("area_table")));
        QCOMPARE(m_ids.removeDuplicates(), qsizetype{0});
    }

    void anEmptyTraceGivesAnEmptyTable() {
        const auto trace = traceFromText("");
        for (const auto& analysis : analyses::all()) {
            JobControl job;
            const auto result = analysis->run(*trace, optionsOf(*analysis), job);
            QVERIFY2(result.ok(), analysis->info().id.c_str());
            QCOMPARE(result.value().table.rowCount(), size_t{0});
            QVERIFY(!result.value().table.columns().empty());
        }
    }

    void cancelled() {
        for (const char* text : {"", kTrace}) {
            const auto trace = traceFromText(text);
            for (const auto& analysis : analyses::all()) {
                JobControl job;
                job.requestStop();
                const auto result = analysis->run(*trace, optionsOf(*analysis), job);
                QVERIFY2(!result.ok() && result.error().isCancelled(), analysis->info().id.c_str());
            }
        }
    }

    void aBadRegularExpressionIsSaid() {
        const auto trace = traceFromText(kTrace);
        for (const auto& analysis : analyses::all()) {
            JobControl job;
            AnalysisOptions options = optionsOf(*analysis);
            options.filter.text = "gemm(";
            options.filter.textIsRegex = true;
            const auto result = analysis->run(*trace, options, job);
            QVERIFY2(!result.ok() && !result.error().isCancelled(), analysis->info().id.c_str());
            QVERIFY(QString::fromStdString(result.error().message).contains(QStringLiteral("gemm(")));
        }
    }

    void everyGroupingHoldsTogether() {
        const auto trace = traceFromText(kTrace);
        for (const auto& analysis : analyses::all()) {
            std::vector<std::string> groupings = analysis->info().groupings;
            if (groupings.empty()) {
                groupings.push_back("name");
            }
            for (const std::string& grouping : groupings) {
                JobControl job;
                AnalysisOptions options;
                options.groupBy = grouping;
                const auto result = analysis->run(*trace, options, job);
                QVERIFY2(result.ok(), analysis->info().id.c_str());
                const Table& table = result.value().table;
                QVERIFY(table.rowCount() > 0);
                QVERIFY(table.findColumn(table.keyColumnId()).has_value());
                const RowInstances& instances = result.value().instances;
                if (!instances.offsets.empty()) {
                    QCOMPARE(instances.offsets.size(), table.rowCount() + 1);
                    QCOMPARE(size_t{instances.offsets.back()}, instances.events.size());
                }
                for (const Column& column : table.columns()) {
                    QCOMPARE(column.cells.size(), table.rowCount());
                    QVERIFY(!column.info.title.empty());
                    QVERIFY(!column.info.tooltip.empty());
                }
            }
        }
    }

    void anUnknownGroupingIsSaid() {
        const auto trace = traceFromText(kTrace);
        for (const auto& analysis : analyses::all()) {
            if (analysis->info().groupings.size() > 1) {
                JobControl job;
                AnalysisOptions options;
                options.groupBy = "colour";
                QVERIFY(!analysis->run(*trace, options, job).ok());
            }
        }
    }

private:
    static AnalysisOptions optionsOf(const Analysis& analysis) {
        AnalysisOptions options;
        if (!analysis.info().groupings.empty()) {
            options.groupBy = analysis.info().groupings.front();
        }
        return options;
    }

    QStringList m_ids;
};

QTEST_APPLESS_MAIN(tst_AnalysesContract)
#include "tst_analyses_contract.moc"
