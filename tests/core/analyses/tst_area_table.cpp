// SPDX-License-Identifier: MIT
#include <QTest>
#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <random>
#include <string>

#include "core/analyses/area_table/area_table.h"
#include "core/analyses/kernel_table/kernel_table.h"
#include "core/loaders/load_trace.h"
#include "core/table/table_format.h"
#include "tests/core/loaders/loader_testing.h"
#include "tests/support/trace_text.h"

using namespace warpline;
using namespace warpline::test;

namespace {

AnalysisResult tableOf(const Trace& trace, const TraceFilter& filter, AreaGrouping grouping = AreaGrouping::Name) {
    JobControl job;
    return computeAreaTable(trace, filter, grouping, job).value();
}
TraceFilter rangeFilter(TimeNs begin, TimeNs end) {
    TraceFilter filter;
    filter.range = TimeRange{begin, end};
    return filter;
}

QString cellText(const AnalysisResult& result, size_t row, const char* column) {
    const size_t index = result.table.findColumn(column).value();
    return QString::fromStdString(cellJson(result.table.cell(row, index), result.table.columns()[index].info));
}

/// "name kind count inside share total mean median min max", a line a row.
QStringList lines(const AnalysisResult& result, std::initializer_list<const char*> keys = {"name", "kind"}) {
    QStringList out;
    for (size_t row = 0; row < result.table.rowCount(); ++row) {
        QStringList cells;
        for (const char* key : keys) {
            cells << cellText(result, row, key).remove('"');
        }
        for (const char* column :
             {"count", "inside_ns", "share", "total_ns", "mean_ns", "median_ns", "min_ns", "max_ns"}) {
            cells << cellText(result, row, column);
        }
        out << cells.join(' ');
    }
    return out;
}

QString totalsOf(const AnalysisResult& result) {
    QStringList out;
    for (const Total& total : result.totals) {
        out << QString::fromStdString(total.info.id + "=" + cellJson(total.value, total.info));
    }
    return out.join(' ');
}

// All lies in [0, 100].
const char* const kText = R"(
    cpu main: step 0..100 (kind=annotation) { a 10..20 a 30..50 a 60..61 b 70..70 }
    gpu 0 stream 7: a 15..45 a 90..94)";

}  // namespace

class TestAreaTable : public QObject {
    Q_OBJECT
private slots:
    void figures_data() {
        QTest::addColumn<qint64>("begin");
        QTest::addColumn<qint64>("end");
        QTest::addColumn<QStringList>("rows");
        QTest::newRow("all") << 0ll << 100ll
                             << QStringList{
                                    "step annotation 1 100 1 100 100 100 100 100", "a kernel 2 34 0.34 34 17 17 4 30",
                                    "a cpu_op 3 31 0.31 31 10.333333333333334 10 1 20", "b cpu_op 1 0 0 0 0 0 0 0"};
        // Cut at both edges; whole durations in the statistics.
        QTest::newRow("inside of slices")
            << 40ll << 60ll
            << QStringList{"step annotation 1 20 1 100 100 100 100 100", "a cpu_op 1 10 0.5 20 20 20 20 20",
                           "a kernel 1 5 0.25 30 30 30 30 30"};
        QTest::newRow("ends where it begins")
            << 20ll << 25ll
            << QStringList{"a kernel 1 5 1 30 30 30 30 30", "step annotation 1 5 1 100 100 100 100 100"};
        QTest::newRow("a slice without length at the begin")
            << 70ll << 71ll << QStringList{"step annotation 1 1 1 100 100 100 100 100", "b cpu_op 1 0 0 0 0 0 0 0"};
        QTest::newRow("and at the end") << 69ll << 70ll << QStringList{"step annotation 1 1 1 100 100 100 100 100"};
        QTest::newRow("empty") << 40ll << 40ll << QStringList();
        QTest::newRow("nothing there") << 1000ll << 2000ll << QStringList();
    }
    void figures() {
        QFETCH(qint64, begin);
        QFETCH(qint64, end);
        QFETCH(QStringList, rows);
        const auto trace = traceFromText(kText);
        const AnalysisResult result = tableOf(*trace, rangeFilter(begin, end));
        QCOMPARE(lines(result), rows);
    }

    void withoutARange() {
        const auto trace = traceFromText(kText);
        const AnalysisResult all = tableOf(*trace, {});
        QCOMPARE(lines(all), lines(tableOf(*trace, rangeFilter(0, 100))));
        QCOMPARE(totalsOf(all), "range_ns=100 count=7 inside_ns=165");
        QCOMPARE(totalsOf(tableOf(*trace, rangeFilter(40, 60))), "range_ns=20 count=3 inside_ns=35");
        const AnalysisResult none = tableOf(*traceFromText(""), {});
        QCOMPARE(none.table.rowCount(), size_t{0});
        QCOMPARE(totalsOf(none), "range_ns=null count=0 inside_ns=0");
    }

    void groupings() {
        const auto trace = traceFromText(kText);
        QCOMPARE(lines(tableOf(*trace, rangeFilter(0, 50), AreaGrouping::Kind), {"kind"}),
                 (QStringList{"annotation 1 50 1 100 100 100 100 100", "cpu_op 2 30 0.6 30 15 15 10 20",
                              "kernel 1 30 0.6 30 30 30 30 30"}));
        QCOMPARE(lines(tableOf(*trace, rangeFilter(0, 50), AreaGrouping::Track), {"process", "track"}),
                 (QStringList{"100 100 3 80 1.6 130 43.333333333333336 20 10 100", "0 7 1 30 0.6 30 30 30 30 30"}));
    }

    void filters() {
        const auto trace = traceFromText(kText);
        TraceFilter filter = rangeFilter(0, 50);
        filter.tracks = {trace->slices().track[trace->sliceCount() - 1]};
        QCOMPARE(lines(tableOf(*trace, filter)), (QStringList{"a kernel 1 30 0.6 30 30 30 30 30"}));
        filter.tracks.clear();
        filter.text = "^A$";
        QCOMPARE(tableOf(*trace, filter).table.rowCount(), size_t{0});
        filter.text = "A";
        QCOMPARE(tableOf(*trace, filter).table.rowCount(), size_t{2});
        filter.categories = {"kernel"};
        QCOMPARE(lines(tableOf(*trace, filter)), (QStringList{"a kernel 1 30 0.6 30 30 30 30 30"}));
        filter.leastDuration = 30;
        QCOMPARE(lines(tableOf(*trace, filter)), (QStringList{"a kernel 1 30 0.6 30 30 30 30 30"}));
        filter.leastDuration = 31;
        QCOMPARE(tableOf(*trace, filter).table.rowCount(), size_t{0});
    }

    void whatHasNoEnd() {
        const auto trace = traceFromText("cpu main: a 10..20 a 30..? open 40..?\ninstant main: last 100");
        const AnalysisResult result = tableOf(*trace, rangeFilter(0, 100));
        QCOMPARE(lines(result),
                 (QStringList{"a cpu_op 2 10 0.1 10 10 10 10 10", "open cpu_op 1 null null null null null null null"}));
        QCOMPARE(cellText(result, 0, "no_end_count"), "1");
        QCOMPARE(cellText(result, 1, "no_end_count"), "1");
    }

    void sumsAreLeftOut() {
        JobControl job;
        const auto loaded = loadTrace({WARPLINE_TEST_DATA_DIR "/proton.hatchet"}, {}, job);
        QVERIFY(loaded.value()->sliceCount() > 0);
        QCOMPARE(tableOf(*loaded.value(), {}).table.rowCount(), size_t{0});
    }

    void beyond64Bits() {
        const auto trace = traceFromText(R"(
            gpu 0 stream 7: a 0..4000000000000000000
            gpu 0 stream 8: a 0..4000000000000000000
            gpu 0 stream 9: a 0..4000000000000000000)");
        const AnalysisResult result =
            tableOf(*trace, rangeFilter(std::numeric_limits<TimeNs>::min(), std::numeric_limits<TimeNs>::max()));
        QCOMPARE(lines(result), (QStringList{"a kernel 3 null null null 4e+18 4e+18 4000000000000000000 "
                                             "4000000000000000000"}));
        QCOMPARE(totalsOf(result), "range_ns=9223372036854775807 count=3 inside_ns=null");
    }

    /// All of a recorded trace: the sums of the kernel table, which go another way.
    void allOfItAsTheKernelTable_data() {
        QTest::addColumn<QString>("name");
        for (const char* name : {"multi_stream", "quickstart", "worked_example"}) {
            QTest::newRow(name) << QString(name);
        }
    }
    void allOfItAsTheKernelTable() {
        QFETCH(QString, name);
        JobControl job;
        const auto loaded =
            loadTrace({QString(WARPLINE_SAMPLES_DIR "/%1.trace.json.gz").arg(name).toStdString()}, {}, job);
        const Trace& trace = *loaded.value();
        const AnalysisResult area = tableOf(trace, {});
        const AnalysisResult kernels = computeKernelTable(trace, {}, job).value();
        std::map<QString, QStringList> figuresOf;
        for (size_t row = 0; row < area.table.rowCount(); ++row) {
            QStringList figures;
            for (const char* column : {"count", "total_ns", "mean_ns", "median_ns", "min_ns", "max_ns", "inside_ns"}) {
                figures << cellText(area, row, column);
            }
            figuresOf[cellText(area, row, "name") + cellText(area, row, "kind")] = figures;
        }
        QVERIFY(kernels.table.rowCount() > 1);
        for (size_t row = 0; row < kernels.table.rowCount(); ++row) {
            QStringList figures;
            for (const char* column : {"count", "total_ns", "mean_ns", "median_ns", "min_ns", "max_ns", "total_ns"}) {
                figures << cellText(kernels, row, column);
            }
            QCOMPARE(figuresOf[cellText(kernels, row, "name") + cellText(kernels, row, "kind")], figures);
        }
    }

    void instancesAreByBegin() {
        const auto trace = traceFromText(kText);
        const AnalysisResult result = tableOf(*trace, {}, AreaGrouping::Track);
        QCOMPARE(result.instances.offsets, (std::vector<uint32_t>{0, 5, 7}));
        for (size_t row = 0; row < 2; ++row) {
            QVERIFY(std::ranges::is_sorted(result.instances.of(row), {},
                                           [&](EventRow event) { return trace->slices().begin[event.value]; }));
        }
    }

    /// Every figure by the definition, slice by slice.
    void whatAScanFinds() {
        std::mt19937 random(9);
        for (int round = 0; round < 60; ++round) {
            std::string text;
            for (const char* track : {"track 1/1:", "track 1/2:", "gpu 0 stream 7:"}) {
                text += track;
                for (int i = 0; i < 30; ++i) {
                    const int begin = static_cast<int>(random() % 200);
                    text += std::string(" ") + "abc"[random() % 3] + " " + std::to_string(begin) + "..";
                    text += random() % 10 == 0 ? "?" : std::to_string(begin + static_cast<int>(random() % 40));
                }
                text += '\n';
            }
            const auto trace = traceFromText(text);
            const SliceColumns& slices = trace->slices();
            const auto begin = static_cast<TimeNs>(random() % 200);
            const TimeRange range{begin, begin + 1 + static_cast<TimeNs>(random() % 60)};
            std::map<std::pair<std::string, std::string>, std::vector<int64_t>> wholeOf;
            std::map<std::pair<std::string, std::string>, std::array<int64_t, 2>> countAndInside;
            for (uint32_t row = 0; row < slices.size(); ++row) {
                const TimeNs from = slices.begin[row];
                const TimeNs to = slices.end(row);
                const bool isIn = from == to ? range.contains(from) : from < range.end && to > range.begin;
                if (!isIn) {
                    continue;
                }
                const auto key = std::pair(std::string(trace->sliceName(EventRow(row))),
                                           std::string(eventKindName(slices.kind[row])));
                auto& [count, inside] = countAndInside[key];
                ++count;
                if ((slices.flags[row] & kSliceNoEnd) == 0) {
                    inside += std::min(to, range.end) - std::max(from, range.begin);
                    wholeOf[key].push_back(to - from);
                }
            }
            const AnalysisResult result = tableOf(*trace, rangeFilter(range.begin, range.end));
            QCOMPARE(result.table.rowCount(), countAndInside.size());
            for (size_t row = 0; row < result.table.rowCount(); ++row) {
                const auto key = std::pair(cellText(result, row, "name").remove('"').toStdString(),
                                           cellText(result, row, "kind").remove('"').toStdString());
                const auto& [count, inside] = countAndInside[key];
                std::vector<int64_t> whole = wholeOf[key];
                QCOMPARE(cellText(result, row, "count").toLongLong(), count);
                QCOMPARE(cellText(result, row, "no_end_count").toLongLong(),
                         count - static_cast<int64_t>(whole.size()));
                QCOMPARE(result.instances.of(row).size(), static_cast<size_t>(count));
                if (whole.empty()) {
                    QCOMPARE(cellText(result, row, "inside_ns"), "null");
                    continue;
                }
                std::ranges::sort(whole);
                int64_t total = 0;
                for (const int64_t duration : whole) {
                    total += duration;
                }
                const auto lower = static_cast<double>(whole[(whole.size() - 1) / 2]);
                const auto upper = static_cast<double>(whole[whole.size() / 2]);
                QCOMPARE(cellText(result, row, "inside_ns").toLongLong(), inside);
                QCOMPARE(cellText(result, row, "share").toDouble(),
                         static_cast<double>(inside) / static_cast<double>(range.length()));
                QCOMPARE(cellText(result, row, "total_ns").toLongLong(), total);
                QCOMPARE(cellText(result, row, "mean_ns").toDouble(),
                         static_cast<double>(total) / static_cast<double>(whole.size()));
                QCOMPARE(cellText(result, row, "median_ns").toDouble(), (lower + upper) / 2);
                QCOMPARE(cellText(result, row, "min_ns").toLongLong(), whole.front());
                QCOMPARE(cellText(result, row, "max_ns").toLongLong(), whole.back());
            }
        }
    }
};

QTEST_APPLESS_MAIN(TestAreaTable)
#include "tst_area_table.moc"
