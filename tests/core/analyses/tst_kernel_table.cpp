// SPDX-License-Identifier: MIT
#include <QtTest>
#include <cmath>
#include <numeric>

#include "core/analyses/kernel_table/kernel_table.h"
#include "tests/support/trace_text.h"

using namespace warpline;
using warpline::test::traceFromText;

namespace {

AnalysisResult kernelsOf(const Trace& trace, const TraceFilter& filter = {},
                         KernelGrouping grouping = KernelGrouping::Name) {
    JobControl job;
    auto result = computeKernelTable(trace, filter, job, grouping);
    if (!result) {
        throw std::runtime_error(result.error().message);
    }
    return std::move(result).value();
}

Cell cell(const AnalysisResult& result, size_t row, const char* column) {
    return result.table.cell(row, result.table.findColumn(column).value());
}

Cell text(const char* s) {
    return std::string(s);
}

Cell varies(const char* values) {
    return Varies{values};
}

/// "group: name count x total" of each row, in their order.
QStringList groupedRows(const AnalysisResult& result, const char* column) {
    QStringList out;
    for (size_t row = 0; row < result.table.rowCount(); ++row) {
        const Cell group = cell(result, row, column);
        const auto* words = std::get_if<std::string>(&group);
        out << QStringLiteral("%1: %2 %3x %4")
                   .arg(words != nullptr ? QString::fromStdString(*words) : QStringLiteral("null"),
                        QString::fromStdString(std::get<std::string>(cell(result, row, "name"))))
                   .arg(std::get<int64_t>(cell(result, row, "count")))
                   .arg(std::get<int64_t>(cell(result, row, "total_ns")));
    }
    return out;
}

}  // namespace

class tst_KernelTable : public QObject {
    Q_OBJECT
private slots:
    void statistics() {
        std::vector<int64_t> four = {4, 1, 3, 10};
        const DurationStatistics s = durationStatistics(four);
        QCOMPARE(s.total.value(), std::optional(int64_t{18}));
        QCOMPARE(s.minNs, int64_t{1});
        QCOMPARE(s.maxNs, int64_t{10});
        QCOMPARE(s.medianNs, 3.5);
        QCOMPARE(s.meanNs, 4.5);
        QCOMPARE(s.p95Ns, int64_t{10});
        QCOMPARE(s.stddevNs, std::sqrt((0.25 + 12.25 + 2.25 + 30.25) / 4));
        std::vector<int64_t> hundred(100);
        std::iota(hundred.rbegin(), hundred.rend(), 1);
        QCOMPARE(durationStatistics(hundred).p95Ns, int64_t{95});
        QCOMPARE(durationStatistics(hundred).medianNs, 50.5);
        std::vector<int64_t> one = {7};
        QCOMPARE(durationStatistics(one).medianNs, 7.0);
        QCOMPARE(durationStatistics(one).stddevNs, 0.0);
    }

    void aRowAName() {
        const auto trace = traceFromText(R"--(
            device 0 sm_90
            cpu main: cudaLaunchKernel 0..5 (corr=1) cudaLaunchKernel 10..15 (corr=2) cudaMemcpyAsync 20..22 (corr=3)
            gpu 0 stream 7: gemm 20..120 (corr=1 grid=512,1,1 block=256,1,1 regs=184 shared=147456 local=0)
            gpu 0 stream 9: gemm 40..160 (corr=2 grid=512,1,1 block=256,1,1 regs=184 shared=147456 local=0)
            gpu 0 stream 7: "Memcpy HtoD (Pinned -> Device)" 150..155 (corr=3 bytes=64) "Stream Sync" 155..900)--");
        const AnalysisResult result = kernelsOf(*trace);
        QCOMPARE(result.table.rowCount(), size_t{2});
        QCOMPARE(cell(result, 0, "name"), text("gemm"));
        QCOMPARE(cell(result, 0, "count"), Cell(int64_t{2}));
        QCOMPARE(cell(result, 0, "total_ns"), Cell(int64_t{220}));
        QCOMPARE(cell(result, 0, "median_ns"), Cell(110.0));
        QCOMPARE(cell(result, 0, "streams"), text("[7, 9]"));
        QCOMPARE(cell(result, 0, "device"), Cell(int64_t{0}));
        QCOMPARE(cell(result, 0, "grid"), text("[512, 1, 1]"));
        QCOMPARE(cell(result, 0, "block"), text("[256, 1, 1]"));
        QCOMPARE(cell(result, 0, "registers"), Cell(int64_t{184}));
        QCOMPARE(cell(result, 0, "shared_bytes"), Cell(int64_t{147456}));
        QCOMPARE(cell(result, 0, "static_shared_bytes"), Cell());
        QCOMPARE(cell(result, 0, "local_bytes_per_thread"), Cell(int64_t{0}));
        QCOMPARE(cell(result, 0, "occupancy"), Cell(0.125));
        QCOMPARE(cell(result, 0, "occupancy_limiter"), text("registers"));
        QCOMPARE(cell(result, 0, "waves"), Cell(512.0 / 132));
        QCOMPARE(cell(result, 0, "launch_delay_median_ns"), Cell(25.0));
        QCOMPARE(cell(result, 1, "name"), text("Memcpy HtoD (Pinned -> Device)"));
        QCOMPARE(cell(result, 1, "short_name"), text("Memcpy HtoD (Pinned -> Device)"));
        QCOMPARE(cell(result, 1, "streams"), text("[7]"));
        QCOMPARE(cell(result, 1, "grid"), Cell());
        QCOMPARE(cell(result, 1, "occupancy"), Cell());
        QCOMPARE(result.totals.front().value, Cell(int64_t{225}));
        QCOMPARE(result.instances.of(0).size(), size_t{2});
        QCOMPARE(trace->slices().begin[result.instances.of(0)[0].value], TimeNs{20});
    }

    void whatVariesIsToldFromWhatIsUnknown() {
        const auto trace = traceFromText(R"(
            device 0 sm_90
            gpu 0 stream 7: k 0..10 (grid=1,1,1 block=128,1,1 regs=32 shared=0) k 20..30 (grid=2,1,1 block=128,1,1 regs=32 shared=0)
            gpu 0 stream 7: half 40..45 (grid=1,1,1 block=128,1,1 regs=32 shared=0) half 60..65)");
        const AnalysisResult result = kernelsOf(*trace);
        QCOMPARE(cell(result, 0, "grid"), varies("2 values: [1, 1, 1], [2, 1, 1]"));
        // 16 blocks of 4 warps fit on each of the 132 multiprocessors.
        QCOMPARE(cell(result, 0, "waves"), varies("2 values, 0.0004735 to 0.000947"));
        QCOMPARE(cell(result, 0, "launch_shapes"), Cell(int64_t{2}));
        QCOMPARE(cell(result, 0, "block"), text("[128, 1, 1]"));
        QCOMPARE(cell(result, 0, "occupancy"), Cell(1.0));
        QCOMPARE(cell(result, 1, "name"), text("half"));
        QCOMPARE(cell(result, 1, "registers"), Cell());
        QCOMPARE(cell(result, 1, "occupancy"), Cell());
        QCOMPARE(cell(result, 1, "launch_shapes"), Cell(int64_t{1}));
        QCOMPARE(cell(result, 0, "launch_delay_median_ns"), Cell());
    }

    void occupanciesOfDifferentLaunchesVary() {
        // A block of 1024 threads holds 32 of 64 warps' room twice; 64 registers let only one in: 32 / 64.
        const auto trace = traceFromText(R"(
            device 0 sm_90
            gpu 0 stream 7: k 0..10 (grid=1,1,1 block=1024,1,1 regs=32 shared=0) k 20..30 (grid=1,1,1 block=1024,1,1 regs=64 shared=0)
            gpu 1 stream 7: k 0..10)");
        const AnalysisResult result = kernelsOf(*trace);
        QCOMPARE(cell(result, 0, "occupancy"), varies("2 values, 50.0 % to 100.0 %; not known of all"));
        QCOMPARE(cell(result, 0, "occupancy_limiter"), varies("2 values: registers, warps; not known of all"));
        QCOMPARE(cell(result, 0, "registers"), varies("2 values, 32 to 64; not known of all"));
        QCOMPARE(cell(result, 0, "shared_bytes"), Cell());
    }

    void manyShapesAreNotAllNamed() {
        QString line = "gpu 0 stream 7:";
        for (int i = 1; i <= 6; ++i) {
            line += QString(" k %1..%2 (grid=%3,1,1 shared=%4)").arg(i * 10).arg(i * 10 + 5).arg(i).arg(i * 1024);
        }
        const AnalysisResult result = kernelsOf(*traceFromText(line.toStdString()));
        QCOMPARE(cell(result, 0, "grid"), varies("6 values: [1, 1, 1], [2, 1, 1], [3, 1, 1], [4, 1, 1], …"));
        QCOMPARE(cell(result, 0, "shared_bytes"), varies("6 values, 1.00 KiB to 6.00 KiB"));
        QCOMPARE(cell(result, 0, "launch_shapes"), Cell(int64_t{6}));
    }

    void groupedByShape() {
        const auto trace = traceFromText(R"(
            gpu 0 stream 7: k 0..10 (grid=1,1,1 block=128,1,1 regs=32 shared=0) k 20..50 (grid=2,1,1 block=128,1,1 regs=32 shared=1024)
            gpu 0 stream 8: k 60..65 (grid=1,1,1 block=128,1,1 regs=32 shared=0) other 70..72 (grid=1,1,1 block=128,1,1 regs=1 shared=0) bare 80..81)");
        const AnalysisResult result = kernelsOf(*trace, {}, KernelGrouping::Shape);
        QCOMPARE(groupedRows(result, "launch_shape"),
                 QStringList({"[2, 1, 1] blocks of [128, 1, 1] threads, 32 registers, 1.00 KiB shared: k 1x 30",
                              "[1, 1, 1] blocks of [128, 1, 1] threads, 32 registers, 0 B shared: k 2x 15",
                              "[1, 1, 1] blocks of [128, 1, 1] threads, 1 register, 0 B shared: other 1x 2",
                              "null: bare 1x 1"}));
        QCOMPARE(cell(result, 0, "grid"), text("[2, 1, 1]"));
        QCOMPARE(cell(result, 1, "grid"), text("[1, 1, 1]"));
        QCOMPARE(result.instances.of(1).size(), size_t{2});
        QCOMPARE(result.totals.front().value, Cell(int64_t{48}));
        QVERIFY(!kernelsOf(*trace).table.findColumn("launch_shape"));
    }

    void groupedByAnnotation() {
        // c is launched outside of all; d by nothing in the file; e's launch is missing but its operator is not.
        const auto trace = traceFromText(R"--(
            cpu main: ProfilerStep#1 0..50 { "## fwd ##" 1..20 { op 2..10 { cudaLaunchKernel 3..4 (corr=1) } } cudaLaunchKernel 30..31 (corr=2) }
            cpu main: ProfilerStep#2 50..90 { cudaLaunchKernel 60..61 (corr=3) op 70..80 (ext=5) } cudaLaunchKernel 95..96 (corr=4)
            gpu 0 stream 7: a 100..101 (corr=1) b 110..114 (corr=2) b 120..125 (corr=3) b 130..131 (corr=1) c 140..142 (corr=4)
            gpu 0 stream 7: d 150..153 (corr=77) e 160..167 (ext=5))--");
        QCOMPARE(groupedRows(kernelsOf(*trace, {}, KernelGrouping::Annotation), "annotation"),
                 QStringList({"ProfilerStep*: b 2x 9", "ProfilerStep*: e 1x 7", "null: d 1x 3", ": c 1x 2",
                              "## fwd ##: a 1x 1", "## fwd ##: b 1x 1"}));
    }

    void groupedByStack() {
        const auto trace = traceFromText(R"(
            cpu main: outer 0..50 { inner 1..20 { cudaLaunchKernel 3..4 (corr=1) } inner 21..30 { cudaLaunchKernel 23..24 (corr=2) } }
            cpu main: inner 60..80 (ext=5) { cudaLaunchKernel 63..64 (corr=3) } cudaLaunchKernel 95..96 (corr=4)
            gpu 0 stream 7: a 100..101 (corr=1) a 110..120 (corr=2) a 120..125 (corr=3) a 130..132 (corr=4) a 140..143 a 150..151 (ext=5))");
        QCOMPARE(groupedRows(kernelsOf(*trace, {}, KernelGrouping::Stack), "stack"),
                 QStringList({R"(["inner", "outer"]: a 2x 11)", R"(["inner"]: a 2x 6)", "null: a 1x 3", "[]: a 1x 2"}));
    }

    void withoutADeviceThereIsNoOccupancy() {
        const auto trace = traceFromText("gpu 0 stream 7: k 0..10 (grid=1,1,1 block=128,1,1 regs=32 shared=0)");
        QCOMPARE(cell(kernelsOf(*trace), 0, "occupancy"), Cell());
    }

    void unknownDurationsHaveNoStatistics() {
        const AnalysisResult result = kernelsOf(*traceFromText("gpu 0 stream 7: k 0..?"));
        QCOMPARE(cell(result, 0, "count"), Cell(int64_t{1}));
        QCOMPARE(cell(result, 0, "total_ns"), Cell(int64_t{0}));
        QCOMPARE(cell(result, 0, "median_ns"), Cell());
        QCOMPARE(cell(result, 0, "min_ns"), Cell());
    }

    void filtered() {
        const auto trace = traceFromText("gpu 0 stream 7: aa 0..10 bb 10..20 aa 20..30");
        TraceFilter filter;
        filter.text = "A";
        filter.range = TimeRange{5, 100};
        const AnalysisResult result = kernelsOf(*trace, filter);
        QCOMPARE(result.table.rowCount(), size_t{1});
        QCOMPARE(cell(result, 0, "count"), Cell(int64_t{1}));
    }

    void onlyWhatIsLongEnough() {
        const auto trace = traceFromText("gpu 0 stream 7: aa 0..10 bb 10..29 aa 30..50 cc 60..?");
        TraceFilter filter;
        filter.leastDuration = 20;
        const AnalysisResult result = kernelsOf(*trace, filter);
        // Of cc the end is not known: it may be longer than anything.
        QCOMPARE(result.table.rowCount(), size_t{2});
        QCOMPARE(cell(result, 0, "count"), Cell(int64_t{1}));
        QCOMPARE(cell(result, 0, "total_ns"), Cell(int64_t{20}));
        filter.leastDuration = 19;
        QCOMPARE(kernelsOf(*trace, filter).table.rowCount(), size_t{3});
        filter.text = "bb";
        QCOMPARE(kernelsOf(*trace, filter).table.rowCount(), size_t{1});
        filter.leastDuration = 20;
        QCOMPARE(kernelsOf(*trace, filter).table.rowCount(), size_t{0});
    }

    void onlyTheTracksAskedFor() {
        const auto trace = traceFromText("gpu 0 stream 7: aa 0..10 bb 10..20\ngpu 0 stream 8: bb 0..7");
        TraceFilter filter;
        filter.tracks = {trace->slices().track[0]};
        const bool first = trace->slices().name[0] == *trace->findString("aa");
        QCOMPARE(kernelsOf(*trace, filter).table.rowCount(), size_t{first ? 2U : 1U});
        filter.tracks.push_back(TrackId(999U));
        QCOMPARE(kernelsOf(*trace, filter).table.rowCount(), size_t{first ? 2U : 1U});
        for (const Track& track : trace->tracks()) {
            filter.tracks.push_back(trace->slices().track[track.firstRow]);
        }
        QCOMPARE(kernelsOf(*trace, filter).table.rowCount(), size_t{2});
        filter.tracks = {TrackId(999U)};
        QCOMPARE(kernelsOf(*trace, filter).table.rowCount(), size_t{0});
    }

    void sumsThatDoNotFitAreUnknown() {
        // Three of these are more than 63 bits; two are not.
        const auto trace = traceFromText(R"(
            gpu 0 stream 7: k 0..4000000000000000000
            gpu 0 stream 8: k 0..4000000000000000000 pair 4000000000000000000..4000000000000000010
            gpu 0 stream 9: k 0..4000000000000000000)");
        const AnalysisResult result = kernelsOf(*trace);
        QCOMPARE(cell(result, 0, "name"), text("k"));
        QCOMPARE(cell(result, 0, "total_ns"), Cell());
        QCOMPARE(cell(result, 0, "total_ratio"), Cell());
        QCOMPARE(cell(result, 0, "mean_ns"), Cell(4e18));
        QCOMPARE(cell(result, 1, "total_ns"), Cell(int64_t{10}));
        QCOMPARE(cell(result, 1, "total_ratio"), Cell());
        QCOMPARE(result.totals.front().value, Cell());
        QCOMPARE(result.totals.front().info.id, std::string("total_ns"));
    }

    void streamsInTurn() {
        const auto trace = traceFromText(R"(
            gpu 0 stream 9: k 0..1 (grid=1,1,1) k 20..21 (grid=1,1,1)
            gpu 0 stream 7: k 10..11 (grid=1,1,1) k 30..31 (grid=1,1,1))");
        QCOMPARE(cell(kernelsOf(*trace), 0, "streams"), text("[7, 9]"));
    }
};

QTEST_APPLESS_MAIN(tst_KernelTable)
#include "tst_kernel_table.moc"
