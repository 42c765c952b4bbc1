// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAbstractItemModelTester>
#include <QTest>

#include "core/analyses/area_table/area_table.h"
#include "core/loaders/load_trace.h"
#include "tests/support/trace_text.h"
#include "widgets/panels/details/area_facts_page.h"
#include "widgets/panels/details/event_facts_page.h"
#include "widgets/panels/details/fact_model.h"
#include "widgets/panels/details/fact_text.h"
#include "widgets/panels/details/file_facts_page.h"
#include "widgets/panels/details/point_facts_page.h"

using namespace warpline;

class TestFactPages : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void factsOfAnEvent_data();
    void factsOfAnEvent();
    void linksGoToTheOtherEnd();
    void whatAnOperatorLaunchedIsListed();
    void moreFacts_data();
    void moreFacts();
    void aTinyGridIsNotZeroWaves();
    void theStackAboveAKernelIsListed();
    void whatTakesLongIsPendingAtFirst();
    void waitsOfARealTrace();
    void namesAreDemangledAndKept();
    void anAreaIsSummed_data();
    void anAreaIsSummed();
    void anAreaOfSomeTracksCountsThose();
    void anAreaCountsWhatPassesTheFilter();
    void pointsAreDescribed();
    void filesAreDescribed();
    void wallClock();
    void filesThatChangedAreToBeReloaded();
    void theModelIsSound();

private:
    EventRow row(const char* name) const;
    std::shared_ptr<const FactTree> page(const char* name) const;
    std::shared_ptr<const Trace> m_trace;
};

namespace {

constexpr auto kTrace = R"(
device 0 sm_90
cpu main: forward 0..1000 { "aten::mm" 100..400 (ext=2 shapes=[[4,4],[4,4]]) { cudaLaunchKernel 120..150 (corr=7) cudaFree 160..170 (corr=99) } endless 500..? }
gpu 0 stream 7: _Z5sgemmPf 200..800 (corr=7 ext=2 grid=264,1,1 block=256,1,1 regs=64 shared=0) Memcpy 900..1000 (kind=memcpy bytes=5000) bare 1100..1200 (kind=kernel)
)";

const Fact* find(const Fact& in, const QString& label) {
    for (const auto& child : in.children) {
        if (child->label == label) {
            return child.get();
        }
        if (const Fact* deeper = find(*child, label)) {
            return deeper;
        }
    }
    return nullptr;
}

}  // namespace

void TestFactPages::initTestCase() {
    m_trace = test::traceFromText(kTrace);
}

EventRow TestFactPages::row(const char* name) const {
    for (uint32_t i = 0; i < m_trace->sliceCount(); ++i) {
        if (m_trace->sliceName(EventRow(i)) == name) {
            return EventRow(i);
        }
    }
    qFatal("no such slice");
}

std::shared_ptr<const FactTree> TestFactPages::page(const char* name) const {
    JobControl job;
    return eventFacts(*m_trace, row(name), job).value();
}

void TestFactPages::factsOfAnEvent_data() {
    QTest::addColumn<QByteArray>("event");
    QTest::addColumn<QString>("label");
    QTest::addColumn<QString>("value");
    const auto fact = [](const char* event, const char* label, const char* value) {
        QTest::addRow("%s: %s", event, label) << QByteArray(event) << QString(label) << QString::fromUtf8(value);
    };
    fact("aten::mm", "Start", "100 ns");
    fact("aten::mm", "Duration", "300 ns");
    fact("aten::mm", "Self time", "260 ns");
    fact("aten::mm", "Input shapes", "[[4,4],[4,4]]");
    fact("aten::mm", "Children", "2  ·  40 ns");
    fact("aten::mm", "External id", "2");
    fact("aten::mm", "Category", "cpu_op");
    fact("aten::mm", "Depth", "1");
    fact("endless", "Duration", "n/a – the file gives no end");
    fact("endless", "Self time", "n/a – the duration is not known");
    // The call ends at 150, the kernel starts at 200, and nothing is before it.
    fact("_Z5sgemmPf", "Launch delay", "50 ns");
    fact("_Z5sgemmPf", "  queue wait", "0 ns");
    fact("_Z5sgemmPf", "  stream idle", "50 ns");
    fact("_Z5sgemmPf", "Call to start", "80 ns");
    fact("_Z5sgemmPf", "Grid", "264 × 1 × 1");
    fact("_Z5sgemmPf", "Block", "256 × 1 × 1");
    fact("_Z5sgemmPf", "Registers per thread", "64");
    fact("_Z5sgemmPf", "Shared memory", "0 B");
    // sm_90: 65,536 registers hold 1,024 threads of 64, of 2,048 that fit.
    fact("_Z5sgemmPf", "Theoretical occupancy", "50.0 %");
    fact("_Z5sgemmPf", "Limited by", "registers");
    // 264 blocks on 132 multiprocessors that hold 4 each.
    fact("_Z5sgemmPf", "Waves", "0.50");
    fact("_Z5sgemmPf", "Correlation id", "7");
    fact("Memcpy", "Size", "4.88 KiB");
    fact("Memcpy", "Rate", "50.0 GB/s");
    fact("Memcpy", "Launched by", "n/a – no call with its correlation id is in the trace");
    fact("bare", "Grid", "n/a – the file does not say");
    fact("cudaFree", "Launched", "nothing on the device");
    fact("forward", "Children", "2  ·  300 ns");
    fact("forward", "Launched", "1 kernel  ·  600 ns");
    fact("endless", "Launched", "n/a – no API call is inside of it");
}

void TestFactPages::factsOfAnEvent() {
    QFETCH(QByteArray, event);
    QFETCH(QString, label);
    const auto tree = page(event.constData());
    const Fact* fact = find(tree->root, label);
    QVERIFY2(fact != nullptr, qPrintable(label));
    QTEST(fact->value, "value");
    QCOMPARE(fact->muted, fact->value.startsWith("n/a") || fact->value.startsWith("nothing"));
}

void TestFactPages::linksGoToTheOtherEnd() {
    const auto kernel = page("_Z5sgemmPf");
    QCOMPARE(find(kernel->root, "Launched by")->link, row("cudaLaunchKernel"));
    QCOMPARE(find(kernel->root, "Operator")->link, row("aten::mm"));
    const auto launch = page("cudaLaunchKernel");
    QCOMPARE(find(launch->root, "Launched")->link, row("_Z5sgemmPf"));
    QCOMPARE(find(launch->root, "Inside of")->link, row("aten::mm"));
    QCOMPARE(find(page("forward")->root, "Inside of"), nullptr);
    QCOMPARE(find(page("aten::mm")->root, "Children")->children.at(1)->link, row("cudaFree"));
}

void TestFactPages::whatAnOperatorLaunchedIsListed() {
    const auto own = page("aten::mm");
    const Fact* kernel = find(own->root, "Launched");
    QCOMPARE(kernel->children.size(), size_t{1});
    QCOMPARE(kernel->children[0]->value, "sgemm");
    QCOMPARE(kernel->children[0]->label, QString::fromUtf8("600 ns  ·  stream 7"));
    QCOMPARE(kernel->children[0]->link, row("_Z5sgemmPf"));

    std::string calls, work;
    for (int i = 1; i <= 120; ++i) {
        const std::string n = std::to_string(i);
        const auto span = [](int from, int to) { return std::to_string(from) + ".." + std::to_string(to); };
        calls += " cudaLaunchKernel " + span(i * 10, i * 10 + 5) + " (corr=" + n + ")";
        work += (i % 2 == 0 ? " Memset " : " k ") + span(5000 + i * 10, 5003 + i * 10) + " (corr=" + n + ")";
    }
    const auto trace = test::traceFromText("cpu main: many 0..2000 {" + calls + " }\ngpu 0 stream 9:" + work);
    uint32_t many = 0;
    while (trace->sliceName(EventRow(many)) != "many") {
        ++many;
    }
    JobControl job;
    const auto tree = eventFacts(*trace, EventRow(many), job).value();
    const Fact* list = find(tree->root, "Launched");
    QCOMPARE(list->value, QString::fromUtf8("60 kernels, 60 copies or memsets  ·  360 ns"));
    QCOMPARE(list->children.size(), size_t{101});
    QCOMPARE(list->children.back()->value, "and 20 more");
    QVERIFY(!list->children.back()->link.valid() && list->children[99]->link.valid());
}

void TestFactPages::moreFacts_data() {
    QTest::addColumn<QString>("trace");
    QTest::addColumn<QByteArray>("event");
    QTest::addColumn<QString>("label");
    QTest::addColumn<QString>("value");
    QTest::addColumn<QByteArray>("link");
    const auto fact = [](const char* trace, const char* event, const char* label, const char* value,
                         const char* link = "") {
        QTest::addRow("%s: %s, %s", event, label, value)
            << trace << QByteArray(event) << label << QString::fromUtf8(value) << QByteArray(link);
    };
    constexpr auto kQueue = R"(cpu main: cudaLaunchKernel 0..2 (corr=2) cudaLaunchKernel 10..15 (corr=1)
        gpu 0 stream 7: before 5..60 (corr=2) k 63..80 (corr=1))";
    fact(kQueue, "k", "Launch delay", "48 ns");
    fact(kQueue, "k", "  queue wait", "45 ns");
    fact(kQueue, "k", "  stream idle", "3 ns");
    fact(kQueue, "k", "  queued behind", "before", "before");
    fact(kQueue, "k", "Call to start", "53 ns");
    constexpr auto kWait = R"(
        cpu main: step 0..200 (kind=annotation) { cudaLaunchKernel 0..5 (corr=1) "aten::item" 15..130 { cudaStreamSynchronize 20..120 (corr=9) } }
        gpu 0 stream 7: k 10..90 (corr=1))";
    fact(kWait, "cudaStreamSynchronize", "Waits for", "k", "k");
    fact(kWait, "cudaStreamSynchronize", "  known from", "only stream");
    fact(kWait, "cudaStreamSynchronize", "Until that ended", "70 ns  ·  70.0 %");
    fact(kWait, "cudaStreamSynchronize", "After it had ended", "30 ns  ·  30.0 %");
    fact(kWait, "cudaStreamSynchronize", "Device busy", "70 ns  ·  70.0 %");
    fact(kWait, "cudaStreamSynchronize", "Device idle", "30 ns  ·  30.0 %");
    fact(kWait, "aten::item", "Waits inside", "1 call  ·  100 ns");
    fact(kWait, "aten::item", "100 ns", "cudaStreamSynchronize: k", "cudaStreamSynchronize");
    fact(kWait, "aten::item", "Waits for", "k", "k");
    fact(kWait, "step", "0", "80 ns  ·  1 piece");
    fact(kWait, "step", "After its own start", "10 ns");
    fact(kWait, "step", "In the file", "not there");
    constexpr auto kTwo = R"(
        cpu main: op 0..130 { cudaLaunchKernel 0..5 (corr=1) cudaLaunchKernel 6..9 (corr=2) cudaStreamSynchronize 40..120 cudaDeviceSynchronize 121..124 }
        gpu 0 stream 7: k 10..90 (corr=1)
        gpu 0 stream 8: l 10..100 (corr=2))";
    fact(kTwo, "cudaStreamSynchronize", "Waits for",
         "n/a – several streams had work left, and the file does not say which was meant");
    fact(kTwo, "cudaStreamSynchronize", "80 ns  ·  stream 7", "k", "k");
    fact(kTwo, "cudaDeviceSynchronize", "Waits for", "nothing was left");
    fact(kTwo, "op", "Waits inside", "2 calls  ·  83 ns");
    fact(kTwo, "op", "80 ns", "cudaStreamSynchronize: n/a", "cudaStreamSynchronize");
    fact("cpu main: empty 0..9 (kind=annotation)", "empty", "First to last work",
         "n/a – nothing was launched from inside of it");
}

// A block on 132 multiprocessors that hold 8 each.
constexpr auto kTiny = "device 0 sm_90\ngpu 0 stream 7: k 0..5 (grid=1,1,1 block=256,1,1 regs=32 shared=0)";

void TestFactPages::aTinyGridIsNotZeroWaves() {
    JobControl job;
    const auto tree = eventFacts(*test::traceFromText(kTiny), EventRow(0U), job).value();
    QCOMPARE(find(tree->root, "Waves")->value, "0.00095");
}

void TestFactPages::moreFacts() {
    QFETCH(QString, trace);
    QFETCH(QByteArray, event);
    QFETCH(QString, label);
    QFETCH(QByteArray, link);
    const auto loaded = test::traceFromText(trace.toStdString());
    const auto rowNamed = [&](const QByteArray& name) {
        uint32_t at = 0;
        while (loaded->sliceName(EventRow(at)) != name.toStdString()) {
            ++at;
        }
        return EventRow(at);
    };
    JobControl job;
    const auto tree = eventFacts(*loaded, rowNamed(event), job).value();
    const Fact* fact = find(tree->root, label);
    QVERIFY2(fact != nullptr, qPrintable(label));
    QTEST(fact->value, "value");
    QCOMPARE(fact->link, link.isEmpty() ? EventRow::none() : rowNamed(link));
    QVERIFY(!tree->isPending);
}

void TestFactPages::theStackAboveAKernelIsListed() {
    const auto trace = test::traceFromText(R"(
        cpu main: "train.py(3): main" 0..100 (kind=python) { "aten::linear" 5..60 { "aten::addmm" 6..50 { cudaLaunchKernel 12..15 (corr=7) } } }
        gpu 0 stream 7: sgemm 20..80 (corr=7))");
    uint32_t kernel = 0;
    while (trace->sliceName(EventRow(kernel)) != "sgemm") {
        ++kernel;
    }
    JobControl job;
    const auto tree = eventFacts(*trace, EventRow(kernel), job).value();
    const Fact* stack = find(tree->root, "Called from, innermost first");
    QVERIFY(stack != nullptr && stack->isSection);
    QStringList lines;
    for (const auto& frame : stack->children) {
        lines << frame->label + ": " + QString::fromStdString(std::string(trace->sliceName(frame->link)));
    }
    QCOMPARE(lines, QStringList({"CPU op: aten::addmm", "CPU op: aten::linear", "Python function: train.py(3): main"}));
}

void TestFactPages::whatTakesLongIsPendingAtFirst() {
    JobControl job;
    const auto quick = eventFacts(*m_trace, row("forward"), job, FactsDepth::Quick).value();
    QVERIFY(quick->isPending);
    const Fact* launched = find(quick->root, "Launched");
    QVERIFY(launched != nullptr && launched->isPending && launched->muted);
    QCOMPARE(launched->value, QString::fromUtf8("…"));
    QCOMPARE(find(quick->root, "Duration")->value, find(page("forward")->root, "Duration")->value);
    QVERIFY(!page("forward")->isPending);
    // Of a kernel only what is read from the file.
    const auto kernel = eventFacts(*m_trace, row("_Z5sgemmPf"), job, FactsDepth::Quick).value();
    QStringList pending;
    for (const auto& section : kernel->root.children) {
        for (const auto& fact : section->children) {
            if (fact->isPending) {
                pending << fact->label;
            }
        }
    }
    QCOMPARE(pending, QStringList("Arguments"));
}

void TestFactPages::waitsOfARealTrace() {
    JobControl job;
    const auto trace = loadTrace({WARPLINE_TEST_DATA_DIR "/sync_heavy.trace.json.gz"}, {}, job).value();
    const auto facts = [&](uint64_t correlation, EventKind kind) {
        uint32_t at = 0;
        while (trace->slices().correlation[at] != correlation || trace->slices().kind[at] != kind) {
            ++at;
        }
        return eventFacts(*trace, EventRow(at), job).value();
    };
    // Values of these two are worked out by hand from the file's JSON.
    const auto wait = facts(25662, EventKind::Runtime);
    QCOMPARE(find(wait->root, "Waits for")->value, "Memcpy DtoH (Device -> Pinned)");
    QCOMPARE(find(wait->root, "Until that ended")->exact->value, (std::variant<int64_t, double>(int64_t{2576})));
    const auto kernel = facts(25637, EventKind::Kernel);
    QCOMPARE(find(kernel->root, "Theoretical occupancy")->value, "100.0 %");
    QCOMPARE(find(kernel->root, "Kineto's estimate")->value, "12 %");
    QCOMPARE(find(kernel->root, "Waves")->value, "0.12");  // 256 blocks, 132 times 16 fit
    QCOMPARE(find(kernel->root, "  why it differs")->value, "1.9 of 16 blocks");
    // The call ended 2490.228 us after the first event, the kernel began at 2492.152.
    QCOMPARE(find(kernel->root, "Launch delay")->value, QString::fromUtf8("1.924 µs"));
}

void TestFactPages::namesAreDemangledAndKept() {
    const auto tree = page("_Z5sgemmPf");
    QCOMPARE(tree->title, "sgemm(float*)");
    QCOMPARE(tree->rawName, "_Z5sgemmPf");
    QCOMPARE(tree->kind, std::optional(EventKind::Kernel));
}

void TestFactPages::anAreaIsSummed_data() {
    QTest::addColumn<qint64>("begin");
    QTest::addColumn<qint64>("end");
    QTest::addColumn<qint64>("kernels");
    QTest::addColumn<qint64>("kernelNs");
    QTest::addColumn<qint64>("ops");
    QTest::addColumn<qint64>("opNs");
    const auto area = [](const char* name, qint64 b, qint64 e, qint64 k, qint64 kNs, qint64 o, qint64 oNs) {
        QTest::newRow(name) << b << e << k << kNs << o << oNs;
    };
    area("all", 0, 1200, 2, 700, 3, 1300);
    area("cut on both sides", 300, 310, 1, 10, 2, 20);
    area("begins where a slice ends", 800, 810, 0, 0, 1, 10);
    area("ends where a slice begins", 150, 200, 0, 0, 2, 100);
    area("nothing there", 5000, 6000, 0, 0, 0, 0);
}

void TestFactPages::anAreaIsSummed() {
    QFETCH(qint64, begin);
    QFETCH(qint64, end);
    JobControl job;
    const auto sums = sumArea(*m_trace, {{begin, end}, {}}, {}, job).value();
    const auto of = [&](EventKind kind) { return sums[static_cast<size_t>(kind)]; };
    QTEST(static_cast<qint64>(of(EventKind::Kernel).count), "kernels");
    QTEST(static_cast<qint64>(of(EventKind::Kernel).insideNs), "kernelNs");
    QTEST(static_cast<qint64>(of(EventKind::CpuOp).count), "ops");
    QTEST(static_cast<qint64>(of(EventKind::CpuOp).insideNs), "opNs");
}

void TestFactPages::anAreaOfSomeTracksCountsThose() {
    JobControl job;
    const TrackId stream = m_trace->slices().track[row("Memcpy").value];
    const auto sums = sumArea(*m_trace, {{0, 1200}, {stream}}, {}, job).value();
    QCOMPARE(sums[static_cast<size_t>(EventKind::CpuOp)].count, uint64_t{0});
    QCOMPARE(sums[static_cast<size_t>(EventKind::Kernel)].count, uint64_t{2});
    const auto tree = areaFacts(*m_trace, {{0, 1200}, {stream}}, {}, job).value();
    QCOMPARE(find(tree->root, "Copy")->value, QString::fromUtf8("1  ·  100 ns"));
    QCOMPARE(find(tree->root, "Length")->value, QString::fromUtf8("1.200 µs"));
    QCOMPARE(find(tree->root, "CPU op"), nullptr);
    job.requestStop();
    QVERIFY(sumArea(*m_trace, {{0, 1200}, {}}, {}, job).error().isCancelled());
}

/// As the area's table does: from the same area under the same filter.
void TestFactPages::anAreaCountsWhatPassesTheFilter() {
    JobControl job;
    const TrackId stream = m_trace->slices().track[row("Memcpy").value];
    const std::array filters = {GlobalFilter{},
                                GlobalFilter{std::nullopt, 150},
                                GlobalFilter{std::nullopt, 1'000'000},
                                GlobalFilter{AreaSelection{{100, 700}, {}}, 0},
                                GlobalFilter{AreaSelection{{100, 700}, {stream}}, 150},
                                GlobalFilter{AreaSelection{{5'000, 6'000}, {}}, 0}};
    std::vector<uint64_t> counts;
    for (const GlobalFilter& filter : filters) {
        const AreaSelection area{{0, 1'200}, {}};
        const auto sums = sumArea(*m_trace, area, filter, job).value();
        uint64_t count = 0;
        for (const KindSum& sum : sums) {
            count += sum.count;
        }
        AnalysisOptions options;
        options.filter.range = area.range;
        if (const auto passing = narrowed(options.filter, filter)) {
            options.filter = *passing;
            const auto table = analyses::area_table::make()->run(*m_trace, options, job);
            QVERIFY(table.ok());
            QCOMPARE(count, static_cast<uint64_t>(std::get<int64_t>(table.value().totals.at(1).value)));
        } else {
            QCOMPARE(count, uint64_t{0});
        }
        counts.push_back(count);
        const auto tree = areaFacts(*m_trace, area, filter, job).value();
        QCOMPARE(find(tree->root, "All")->value, QString::number(count));
        QCOMPARE(find(tree->root, "Filter") != nullptr, !filter.empty());
    }
    QCOMPARE(counts, (std::vector<uint64_t>{8, 4, 1, 6, 1, 0}));  // one has no end, and may be of any length
}

void TestFactPages::pointsAreDescribed() {
    const auto trace = test::traceFromText("cpu main: a 0..100\ninstant main: mark 30\ncounter load: 0=1 50=4");
    JobControl job;
    const auto instant = pointFacts(*trace, {Selection::Kind::Instant, 0}, job);
    QVERIFY(instant.ok());
    QCOMPARE(instant.value()->title, "mark");
    QCOMPARE(find(instant.value()->root, "Time")->children.front()->value, "30 ns");
    const auto last = pointFacts(*trace, {Selection::Kind::CounterSample, 0, 0, 1}, job);
    QVERIFY(last.ok());
    QCOMPARE(last.value()->title, "load");
    QCOMPARE(find(last.value()->root, "Change")->value, "+3");
    QCOMPARE(find(last.value()->root, "Sample")->value, "2 of 2");
    QVERIFY(find(last.value()->root, "Holds for")->value.contains("last value"));
    const auto first = pointFacts(*trace, {Selection::Kind::CounterSample, 0, 0, 0}, job);
    QCOMPARE(find(first.value()->root, "Holds for")->value, "50 ns");
    QVERIFY(find(first.value()->root, "Change") == nullptr);
}

void TestFactPages::filesAreDescribed() {
    const auto tree = fileFacts(*m_trace);
    QCOMPARE(find(tree->root, "Span")->value, QString::fromUtf8("1.200 µs"));
    QCOMPARE(find(tree->root, "Slices")->value, "8");
    QCOMPARE(find(tree->root, "Compute capability")->value, "9.0");
    QCOMPARE(find(fileFacts(*test::traceFromText(""))->root, "Span")->value, "n/a – nothing in it has a time");
}

void TestFactPages::wallClock() {
    QCOMPARE(facts::wallClock(0), "00:00:00.000 000 000, 1970-01-01 UTC");
    QCOMPARE(facts::wallClock(1690000000123456789), "04:26:40.123 456 789, 2023-07-22 UTC");
    QCOMPARE(facts::timeOfDay(1690000000123456789), "04:26:40.123 456 789");
    QCOMPARE(facts::dateAndTime(1690000000123456789), "2023-07-22 04:26:40");
    QCOMPARE(facts::wallClock(-1), "23:59:59.999 999 999, 1969-12-31 UTC");
    // Each of the two says how it goes with the other.
    JobControl job;
    const auto trace = loadTrace({WARPLINE_TEST_DATA_DIR "/sync_heavy.trace.json.gz"}, {}, job).value();
    const auto file = fileFacts(*trace);
    const Fact* starts = find(file->root, "Clock starts");
    QVERIFY2(starts->tooltip.contains("own clock was at 0"), qPrintable(starts->tooltip));
    const auto event = eventFacts(*trace, EventRow(0U), job).value();
    const Fact* clock = find(event->root, "Wall clock");
    QVERIFY2(clock->tooltip.contains("\"Clock starts\""), qPrintable(clock->tooltip));
    QVERIFY2(clock->tooltip.contains(clock->value), qPrintable(clock->tooltip));
}

void TestFactPages::filesThatChangedAreToBeReloaded() {
    const QString text = facts::unreadable(Error::failed("t.json: the file has changed", "file_changed"));
    QVERIFY2(text.contains("the file has changed: reload it"), qPrintable(text));
    QCOMPARE(facts::unreadable(Error::failed("t.json: cannot be read")), "t.json: cannot be read");
}

void TestFactPages::theModelIsSound() {
    FactModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.setTree(page("_Z5sgemmPf"));
    QVERIFY(model.rowCount() > 3);
    model.setTree(fileFacts(*m_trace));
    model.setTree(nullptr);
    QCOMPARE(model.rowCount(), 0);
}

QTEST_MAIN(TestFactPages)
#include "tst_fact_pages.moc"
