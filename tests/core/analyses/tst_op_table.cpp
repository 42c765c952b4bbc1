// SPDX-License-Identifier: MIT
#include <QtTest>
#include <stdexcept>

#include "core/analyses/op_table/op_flops.h"
#include "core/analyses/op_table/op_table.h"
#include "tests/support/trace_text.h"

using namespace warpline;
using warpline::test::traceFromText;

namespace {

/// Rows as text: "name kind count self/total cpu self/total device", sorted; with the group after a bar.
class Rows {
public:
    Rows(const Trace& trace, const OpTableOptions& options = {}) {
        JobControl job;
        auto computed = computeOpTable(trace, options, job);
        if (!computed) {
            throw std::runtime_error(computed.error().message);
        }
        m_result = std::move(computed).value();
    }
    const AnalysisResult& result() const { return m_result; }
    QStringList keys() const {
        QStringList out;
        for (size_t row = 0; row < m_result.table.rowCount(); ++row) {
            out << QString::fromStdString(std::get<std::string>(cell(row, "key")));
        }
        out.sort();
        return out;
    }
    /// Of the only row of that key (and kind).
    QString sums(const std::string& key, const std::string& kind = {}) const {
        const auto row = find(key, kind);
        if (!row) {
            return QStringLiteral("no such row");
        }
        const auto number = [&](const char* column) { return QString::number(std::get<int64_t>(cell(*row, column))); };
        return number("count") + QStringLiteral("x cpu ") + number("self_cpu_ns") + QLatin1Char('/') +
               number("cpu_ns") + QStringLiteral(" gpu ") + number("self_device_ns") + QLatin1Char('/') +
               number("device_ns");
    }
    const Cell& cell(size_t row, const char* column) const {
        return m_result.table.cell(row, m_result.table.findColumn(column).value());
    }
    const Cell& cellOf(const std::string& key, const char* column, const std::string& kind = {}) const {
        return cell(find(key, kind).value(), column);
    }
    std::optional<size_t> find(const std::string& key, const std::string& kind = {}) const {
        for (size_t row = 0; row < m_result.table.rowCount(); ++row) {
            if (cell(row, "key") == Cell(key) && (kind.empty() || cell(row, "kind") == Cell(kind))) {
                return row;
            }
        }
        return std::nullopt;
    }
    int64_t total(size_t i) const { return std::get<int64_t>(m_result.totals.at(i).value); }

private:
    AnalysisResult m_result;
};

OpTableOptions groupedBy(OpGrouping grouping) {
    OpTableOptions options;
    options.groupBy = grouping;
    return options;
}

}  // namespace

class tst_OpTable : public QObject {
    Q_OBJECT
private slots:
    void selfTimeLeavesOutChildren() {
        const auto trace =
            traceFromText("cpu main: forward 0..100 { matmul 10..40 relu 50..60 { cudaLaunchKernel 52..55 } }");
        const Rows rows(*trace);
        QCOMPARE(rows.sums("forward"), QStringLiteral("1x cpu 60/100 gpu 0/0"));
        QCOMPARE(rows.sums("relu"), QStringLiteral("1x cpu 7/10 gpu 0/0"));
        QCOMPARE(rows.sums("cudaLaunchKernel", "runtime"), QStringLiteral("1x cpu 3/3 gpu 0/0"));
        QCOMPARE(rows.total(0), int64_t{100});
        QCOMPARE(std::get<double>(rows.cellOf("forward", "self_cpu_ratio")), 0.6);
        QCOMPARE(rows.cellOf("forward", "self_device_ratio"), Cell());
    }

    void deviceTimeGoesToTheOpOfTheExternalId() {
        const auto trace = traceFromText(R"(
            cpu main: linear 0..100 (ext=1) { addmm 10..80 (ext=2) { cudaLaunchKernel 40..60 (ext=2 corr=77) } }
            gpu 0 stream 7: sgemm 90..290 (ext=2 corr=77)  splitk 300..350 (ext=2 corr=78)  stray 400..410 (corr=79)
            gpu 0 stream 9: other 100..130 (ext=1 corr=80))");
        const Rows rows(*trace);
        QCOMPARE(rows.sums("addmm"), QStringLiteral("1x cpu 50/70 gpu 250/250"));
        QCOMPARE(rows.sums("linear"), QStringLiteral("1x cpu 30/100 gpu 30/280"));
        QCOMPARE(rows.sums("cudaLaunchKernel"), QStringLiteral("1x cpu 20/20 gpu 0/0"));
        QCOMPARE(rows.sums("sgemm", "kernel"), QStringLiteral("1x cpu 0/0 gpu 200/200"));
        QCOMPARE(rows.total(1), int64_t{290});
        QCOMPARE(std::get<double>(rows.cellOf("addmm", "self_device_ratio")), 250.0 / 290);
    }

    void aSingleChildOfTheSameNameIsFolded() {
        const auto trace = traceFromText(R"(
            cpu main: a 0..100 (ext=1) { a 10..90 (ext=2) { a 20..80 (ext=3) { x 30..40 y 50..60 } } }
            cpu other: b 0..100 { b 10..20 b 30..40 }
            gpu 0 stream 7: k 100..150 (ext=3 corr=1))");
        const Rows rows(*trace);
        QCOMPARE(rows.sums("a"), QStringLiteral("1x cpu 80/100 gpu 50/50"));
        QCOMPARE(rows.sums("b"), QStringLiteral("3x cpu 100/120 gpu 0/0"));
        // What is folded is no instance: a click steps through what the row counts.
        QCOMPARE(rows.result().instances.of(*rows.find("a")).size(), size_t{1});
        QCOMPARE(rows.result().instances.of(*rows.find("b")).size(), size_t{3});
    }

    void hiddenNamesLeaveTheirChildrenToTheParent() {
        const auto trace = traceFromText("cpu main: f 0..100 { profiler::_record_function_exit 10..50 { g 20..30 } }");
        const Rows rows(*trace);
        QCOMPARE(rows.keys(), QStringList({"f", "g"}));
        QCOMPARE(rows.sums("f"), QStringLiteral("1x cpu 90/100 gpu 0/0"));
    }

    void pythonAndTraceTakeNoPart() {
        const auto trace = traceFromText(R"(
            cpu main: train 0..200 (kind=python) { f 0..100 { helper 10..90 (kind=python) { g 20..30 } } }
            track Spans/x: Profiler 0..500 (cat=Trace))");
        const Rows rows(*trace);
        QCOMPARE(rows.keys(), QStringList({"f", "g"}));
        QCOMPARE(rows.sums("f"), QStringLiteral("1x cpu 90/100 gpu 0/0"));
        OpTableOptions options;
        options.withPython = true;
        const Rows with(*trace, options);
        QCOMPARE(with.sums("train", "python"), QStringLiteral("1x cpu 120/200 gpu 0/0"));
        QCOMPARE(with.sums("f"), rows.sums("f"));
        QCOMPARE(with.total(0), rows.total(0));
    }

    void overheadStandsOnTheMainThread() {
        const auto trace = traceFromText(R"(
            cpu main: f 0..100 { cudaLaunchKernel 10..60 }
            cpu worker: g 0..100
            overhead: "Activity Buffer Request" 20..50)");
        const Rows rows(*trace);
        QCOMPARE(rows.sums("cudaLaunchKernel"), QStringLiteral("1x cpu 20/50 gpu 0/0"));
        QCOMPARE(rows.sums("Activity Buffer Request", "overhead"), QStringLiteral("1x cpu 30/30 gpu 0/0"));
        QCOMPARE(rows.sums("g"), QStringLiteral("1x cpu 100/100 gpu 0/0"));
    }

    void stepsShareARow() {
        const auto trace = traceFromText("cpu main: ProfilerStep#1 0..100 ProfilerStep#2 100..210");
        const Rows rows(*trace);
        QCOMPARE(rows.sums("ProfilerStep*", "annotation"), QStringLiteral("2x cpu 210/210 gpu 0/0"));
        QCOMPARE(std::get<double>(rows.cellOf("ProfilerStep*", "cpu_avg_ns")), 105.0);
    }

    void whatIsNamedAsTheFoldedStepsSharesTheirRow() {
        const auto trace = traceFromText("cpu main: ProfilerStep#1 0..100 ProfilerStep* 100..210 (kind=annotation)");
        const Rows rows(*trace);
        QCOMPARE(rows.sums("ProfilerStep*", "annotation"), QStringLiteral("2x cpu 210/210 gpu 0/0"));
    }

    void overlapIsNoNesting() {
        const auto trace = traceFromText("cpu main: a 0..100 b 50..150 c 60..90");
        const Rows rows(*trace);
        QCOMPARE(rows.sums("a"), QStringLiteral("1x cpu 100/100 gpu 0/0"));
        QCOMPARE(rows.sums("b"), QStringLiteral("1x cpu 70/100 gpu 0/0"));
    }

    void annotationsOfTheDeviceAreRowsButNotInTheTotal() {
        const auto trace = traceFromText(R"(
            cpu main: step 0..50 (kind=annotation ext=5)
            gpu 0 stream 7: step 59..161 (kind=gpu_annotation ext=5) { k 60..160 (ext=5 corr=3) }
            gpu 0 stream 7: "Stream Sync" 170..180 (ext=4 corr=4))");
        const Rows rows(*trace);
        QCOMPARE(rows.sums("step", "gpu_annotation"), QStringLiteral("1x cpu 0/0 gpu 102/102"));
        QCOMPARE(rows.sums("step", "annotation"), QStringLiteral("1x cpu 50/50 gpu 100/100"));
        QCOMPARE(rows.sums("Stream Sync", "sync"), QStringLiteral("1x cpu 0/0 gpu 10/10"));
        QCOMPARE(rows.total(1), int64_t{110});
    }

    void aSyncThatNamesItselfIsNobodys() {
        const auto trace = traceFromText(R"(
            cpu main: f 0..50 (ext=4)
            gpu 0 stream 7: "Stream Sync" 170..180 (ext=4 corr=4))");
        QCOMPARE(Rows(*trace).sums("f"), QStringLiteral("1x cpu 50/50 gpu 0/0"));
    }

    void memoryBelongsToWhatIsOpen() {
        const auto trace = traceFromText(R"(
            cpu main: f 0..100 { g 10..50 }
            memory cpu 0 8
            memory gpu0 10 512
            memory gpu0 50 -100
            memory gpu0 51 1
            memory gpu0 200 4096
            oom gpu0 60 1000000)");
        const Rows rows(*trace);
        QCOMPARE(rows.cellOf("f", "self_cpu_bytes"), Cell(int64_t{8}));
        QCOMPARE(rows.cellOf("f", "self_device_bytes"), Cell(int64_t{1}));
        QCOMPARE(rows.cellOf("f", "device_bytes"), Cell(int64_t{413}));
        QCOMPARE(rows.cellOf("g", "self_device_bytes"), Cell(int64_t{412}));
        QCOMPARE(rows.sums("[memory]", "other"), QStringLiteral("1x cpu 0/0 gpu 0/0"));
        QCOMPARE(rows.cellOf("[memory]", "self_device_bytes"), Cell(int64_t{4096}));
        QCOMPARE(rows.sums("[OutOfMemory]", "other"), QStringLiteral("1x cpu 0/0 gpu 0/0"));
        QCOMPARE(rows.cellOf("[OutOfMemory]", "self_device_bytes"), Cell());
        QVERIFY(rows.result().instances.of(*rows.find("[memory]")).empty());
    }

    void memoryIsUnknownWithoutMemoryEvents() {
        QCOMPARE(Rows(*traceFromText("cpu main: f 0..1")).cellOf("f", "self_cpu_bytes"), Cell());
    }

    void groupedByShape() {
        const auto trace = traceFromText(R"(
            cpu main: aten::mm 0..10 (shapes="[[2, 3], [3, 4]]") aten::mm 10..30 (shapes="[[2, 3], [3, 4]]")
            cpu main: aten::mm 30..70 (shapes="[[5, 5], [5, 5]]") aten::mm 70..71)");
        const Rows rows(*trace, groupedBy(OpGrouping::Shape));
        QCOMPARE(rows.result().table.rowCount(), size_t{3});
        QCOMPARE(rows.cell(0, "shapes"), Cell(std::string("[[5, 5], [5, 5]]")));
        QCOMPARE(rows.cell(1, "count"), Cell(int64_t{2}));
        QCOMPARE(rows.cell(1, "flops"), Cell(int64_t{2 * 2 * 2 * 3 * 4}));
        QCOMPARE(rows.cell(2, "shapes"), Cell());
        QCOMPARE(rows.cell(2, "flops"), Cell());
        QCOMPARE(Rows(*trace).cellOf("aten::mm", "shapes"), Cell());
    }

    void groupedByStack() {
        const auto trace = traceFromText(R"(
            cpu main: train 0..100 (kind=python) { a.py 0..40 (kind=python) { f 0..10 (ext=1) f 20..25 } b.py 50..90 (kind=python) { f 60..70 } }
            gpu 0 stream 1: k 100..120 (ext=1 corr=1))");
        const Rows rows(*trace, groupedBy(OpGrouping::Stack));
        QCOMPARE(rows.result().table.rowCount(), size_t{3});
        QCOMPARE(rows.cellOf("f", "stack"), Cell(std::string(R"(["a.py", "train"])")));
        QCOMPARE(rows.cellOf("k", "stack"), Cell(std::string(R"(["a.py", "train"])")));
        QCOMPARE(rows.cell(2, "stack"), Cell(std::string(R"(["b.py", "train"])")));
    }

    void groupedByAnnotation() {
        const auto trace = traceFromText(R"(
            cpu main: ProfilerStep#1 0..50 { f 0..10 (ext=1) { cudaLaunchKernel 2..4 (corr=9 ext=1) } } f 60..70
            gpu 0 stream 1: k 100..120 (ext=1 corr=9) loose 130..140)");
        const Rows rows(*trace, groupedBy(OpGrouping::Annotation));
        QCOMPARE(rows.cellOf("k", "annotation"), Cell(std::string("ProfilerStep*")));
        QCOMPARE(rows.cellOf("cudaLaunchKernel", "annotation"), Cell(std::string("ProfilerStep*")));
        QCOMPARE(rows.cellOf("loose", "annotation"), Cell());
        QCOMPARE(rows.cellOf("ProfilerStep*", "annotation"), Cell());
    }

    void sharesAndTotalsAreOfAllRowsWhateverTheFilterShows() {
        const auto trace = traceFromText(R"(
            cpu main: outer 0..100 (ext=1) { inner 10..100 (ext=2) }
            gpu 0 stream 7: sgemm 100..300 (ext=2 corr=7))");
        OpTableOptions options;
        options.filter.text = "outer";
        const Rows rows(*trace, options);
        QCOMPARE(std::get<double>(rows.cellOf("outer", "self_cpu_ratio")), 0.1);
        QCOMPARE(std::get<double>(rows.cellOf("outer", "cpu_ratio")), 1.0);
        QCOMPARE(std::get<double>(rows.cellOf("outer", "self_device_ratio")), 0.0);
        QCOMPARE(rows.total(0), int64_t{100});
        QCOMPARE(rows.total(1), int64_t{200});
    }

    void filters() {
        const auto trace = traceFromText(R"(
            cpu main: Forward 0..100 { aten::mm 10..40 } Backward 100..150
            gpu 0 stream 7: _Z4reluPf 200..210)");
        OpTableOptions options;
        options.filter.text = "WARD";
        const Rows byText(*trace, options);
        QCOMPARE(byText.keys(), QStringList({"Backward", "Forward"}));
        // Self times come from the whole tree all the same.
        QCOMPARE(byText.sums("Forward"), QStringLiteral("1x cpu 70/100 gpu 0/0"));
        QCOMPARE(byText.total(0), int64_t{150});
        options.filter.text = "^(aten|relu\\()";
        options.filter.textIsRegex = true;
        QCOMPARE(Rows(*trace, options).keys(), QStringList({"_Z4reluPf", "aten::mm"}));
        options.filter = {};
        options.filter.range = TimeRange{10, 101};
        QCOMPARE(Rows(*trace, options).keys(), QStringList({"Backward", "aten::mm"}));
        options.filter = {};
        options.filter.leastDuration = 50;
        QCOMPARE(Rows(*trace, options).keys(), QStringList({"Backward", "Forward"}));
        QCOMPARE(Rows(*trace, options).sums("Forward"), QStringLiteral("1x cpu 70/100 gpu 0/0"));
        options.filter = {};
        options.filter.categories = {"kernel", "nothing of the kind"};
        QCOMPARE(Rows(*trace, options).keys(), QStringList({"_Z4reluPf"}));
    }

    void hostileExpressionsDoNotCrash() {
        const std::string longName(200000, 'a');
        const auto trace = traceFromText("cpu main: " + longName + " 0..1");
        OpTableOptions options;
        options.filter.textIsRegex = true;
        options.filter.text = "(a|b)*c";
        QCOMPARE(Rows(*trace, options).keys(), QStringList());
        options.filter.text = std::string(100000, '(');
        JobControl job;
        const auto result = computeOpTable(*trace, options, job);
        QVERIFY(!result.ok() && !result.error().isCancelled());
    }

    void instancesComeByTime() {
        const auto trace = traceFromText(R"(
            cpu main: a 50..60 { f 52..53 }  f 10..20  f 200..210
            cpu worker: f 100..110 f 0..5)");
        const Rows rows(*trace);
        QList<qint64> begins;
        for (const EventRow event : rows.result().instances.of(*rows.find("f"))) {
            begins << trace->slices().begin[event.value];
        }
        QCOMPARE(begins, (QList<qint64>{0, 10, 52, 100, 200}));
    }

    void aPlainTraceHasItsSlicesForOperators() {
        const auto trace = traceFromText("track 1/1: load 0..100 { parse 20..50 }");
        const Rows rows(*trace);
        QCOMPARE(rows.sums("load", "other"), QStringLiteral("1x cpu 70/100 gpu 0/0"));
        QCOMPARE(rows.total(0), int64_t{100});
    }

    void aSliceWithoutEndCountsNothing() {
        const Rows rows(*traceFromText("cpu main: f 0..? g 10..20"));
        QCOMPARE(rows.sums("f"), QStringLiteral("1x cpu 0/0 gpu 0/0"));
    }

    void plainTableFoldsNothing() {
        const auto trace = traceFromText(R"(
            cpu main: ProfilerStep#1 0..100 { a 10..90 (ext=1) { a 20..80 (ext=2) { helper 20..80 (kind=python) { aten::is_leaf 30..40 } } } }
            gpu 0 stream 7: k 100..150 (ext=2 corr=1) "Stream Sync" 150..160 (ext=2))");
        QStringList rows;
        for (const PlainOpRow& row : computePlainOpTable(*trace)) {
            rows << QStringLiteral("%1 %2 %3/%4 %5/%6")
                        .arg(QString::fromStdString(std::string(trace->string(row.name))))
                        .arg(row.count)
                        .arg(*row.selfCpu.value())
                        .arg(*row.cpu.value())
                        .arg(*row.selfDevice.value())
                        .arg(*row.device.value());
        }
        QCOMPARE(rows, QStringList({"ProfilerStep#1 1 20/100 0/50", "a 2 70/140 50/100", "aten::is_leaf 1 10/10 0/0"}));
    }

    void sumsThatDoNotFitAreUnknown() {
        // Three threads of 4e18 ns and their kernels are more than 63 bits of ns each.
        const auto trace = traceFromText(R"(
            cpu 1/1: f 0..4000000000000000000 (ext=1)
            cpu 1/2: f 0..4000000000000000000 (ext=2)
            cpu 1/3: f 0..4000000000000000000 (ext=3) g 4000000000000000000..4000000000000000005
            gpu 0 stream 7: k 0..4000000000000000000 (ext=1)
            gpu 0 stream 8: k 0..4000000000000000000 (ext=1)
            gpu 0 stream 9: k 0..4000000000000000000 (ext=1)
            memory cpu 5 9000000000000000000
            memory cpu 6 9000000000000000000)");
        JobControl job;
        const auto result = computeOpTable(*trace, {}, job);
        QVERIFY(result.ok());
        const Table& table = result.value().table;
        const auto cell = [&](const char* key, const char* column) {
            for (size_t row = 0; row < table.rowCount(); ++row) {
                if (table.cell(row, table.findColumn("key").value()) == Cell(std::string(key))) {
                    return table.cell(row, table.findColumn(column).value());
                }
            }
            return Cell(std::string("no such row"));
        };
        for (const char* column : {"cpu_ns", "self_cpu_ns", "self_cpu_ratio", "cpu_avg_ns", "device_ns",
                                   "self_device_ns", "cpu_bytes", "self_cpu_bytes"}) {
            QVERIFY2(cell("f", column) == Cell(), column);
        }
        QVERIFY(cell("k", "device_ns") == Cell());
        QVERIFY(cell("g", "cpu_ns") == Cell(int64_t{5}));
        QVERIFY(cell("g", "device_ns") == Cell(int64_t{0}));
        QVERIFY(cell("g", "cpu_bytes") == Cell(int64_t{0}));
        for (const Total& total : result.value().totals) {
            QVERIFY(total.value == Cell());
        }
        QVERIFY(!computePlainOpTable(*trace).at(0).cpu.known());
    }

    /// By hand: mm 0..40 holds launch 5..10 and launches k1 (20) and k2 (7); add launches k3 (100); k4 (1000) is of
    /// none.
    void totalsOfWhatTheFilterShows_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QList<qint64>>("totals");
        // Self CPU: mm 35, launches 5 each, add 25; outer 100 - 40 - 30 = 30.
        const QList<qint64> all{100, 1127};
        QTest::newRow("no filter") << "" << all;
        QTest::newRow("an operator and what it launched") << "mm" << (all + QList<qint64>{35, 27});
        QTest::newRow("a kernel alone") << "k1" << (all + QList<qint64>{0, 20});
        QTest::newRow("both count each piece once") << "mm|k[0-9]" << (all + QList<qint64>{35, 1127});
        QTest::newRow("a call has no device time of its own") << "cuda" << (all + QList<qint64>{10, 0});
        QTest::newRow("nothing") << "moon" << (all + QList<qint64>{0, 0});
    }
    void totalsOfWhatTheFilterShows() {
        QFETCH(QString, text);
        QFETCH(QList<qint64>, totals);
        const auto trace = traceFromText(
            "cpu main: outer 0..100 { mm 0..40 (ext=1) { cudaLaunchKernel 5..10 (corr=1) } "
            "add 50..80 (ext=2) { cudaLaunchKernel 55..60 (corr=3) } }\n"
            "gpu 0 stream 7: k1 100..120 (corr=1 ext=1) k2 120..127 (ext=1) k3 200..300 (corr=3 ext=2) k4 1000..2000");
        OpTableOptions options;
        options.filter.text = text.toStdString();
        options.filter.textIsRegex = true;
        JobControl job;
        const auto result = computeOpTable(*trace, options, job);
        QVERIFY(result.ok());
        QList<qint64> found;
        for (const Total& total : result.value().totals) {
            found << std::get<int64_t>(total.value);
        }
        QCOMPARE(found, totals);
    }

    void flops_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("shapes");
        QTest::addColumn<qint64>("expected");  // -1: unknown
        const auto row = [](const char* name, const char* shapes, qint64 expected) {
            QTest::addRow("%s %s", name, shapes) << name << shapes << expected;
        };
        row("aten::mm", "[[2, 3], [3, 4]]", 48);
        row("aten::addmm", "[[4], [2, 3], [3, 4], [], []]", 48);
        row("aten::bmm", "[[5, 2, 3], [5, 3, 4]]", 240);
        row("aten::baddbmm", "[[5, 2, 4], [5, 2, 3], [5, 3, 4]]", 240);
        row("aten::mul", "[[7, 3], []]", 21);
        row("aten::add", "[[], [], []]", 1);
        row("aten::mm", "[[2, 3], [4, 4]]", -1);
        row("aten::mm", "[[2, 3]]", -1);
        row("aten::mm", "[[[2, 3], [2]], [3, 4]]", -1);
        row("aten::mm", "[[\"a]\", 3], [3, 4]]", -1);
        row("aten::mm", "", -1);
        row("aten::mm", "[[2, 3], [3, 4]", -1);
        row("aten::mm", "]]", -1);
        row("aten::mm", "[[4000000000, 4000000000], [4000000000, 4000000000]]", -1);
        row("aten::mul", "[[-1, 3]]", -1);
        row("aten::relu", "[[7, 3]]", -1);
    }
    void flops() {
        QFETCH(QString, name);
        QFETCH(QString, shapes);
        QFETCH(qint64, expected);
        QCOMPARE(op_table::computeFlops(name.toStdString(), shapes.toStdString()).value_or(-1), int64_t{expected});
    }
};

QTEST_APPLESS_MAIN(tst_OpTable)
#include "tst_op_table.moc"
