// SPDX-License-Identifier: MIT
// Files that their own producers wrote, each with what is known of it from the producer or by counting in the file.
#include <QTest>
#include <map>
#include <set>

#include "core/analyses/op_table/op_table.h"
#include "core/loaders/load_trace.h"
#include "tests/core/loaders/loader_testing.h"

using namespace warpline;
using namespace warpline::test;

namespace {

/// Of a file in tests/data, by the loader that its content asks for.
std::shared_ptr<const Trace> loadFile(const char* name) {
    JobControl job;
    const auto trace = loadTrace({std::string(WARPLINE_TEST_DATA_DIR "/") + name}, {}, job);
    if (!trace) {
        qWarning("%s", trace.error().message.c_str());
    }
    return trace ? trace.value() : nullptr;
}

/// Slices and summed ns, by kind.
std::map<QString, std::pair<int, qlonglong>> kindsOf(const Trace& trace) {
    std::map<QString, std::pair<int, qlonglong>> kinds;
    const SliceColumns& s = trace.slices();
    for (uint32_t i = 0; i < s.size(); ++i) {
        auto& [count, ns] = kinds[QString::fromUtf8(eventKindName(s.kind[i]).data())];
        ++count;
        ns += s.summedDuration(i);
    }
    return kinds;
}

// Counted in the files.
constexpr int64_t kClangBase = 1795989415670082000;
constexpr int kClangTotals = 93, kClangPasses = 350;
constexpr DurationNs kNodeOpen = 846000;

QString formatOf(const Trace& trace) {
    return QString::fromStdString(trace.files()[0].format);
}

}  // namespace

class tst_Producers : public QObject {
    Q_OBJECT

private slots:
    void jax();
    void clangTimeTrace();
    void node();
    void protonStreams();
    void protonInsideKernels();
    void chromeStacksAndBindings();
};

void tst_Producers::jax() {
    const auto trace = loadFile("jax.trace.json.gz");
    QVERIFY(trace);
    QCOMPARE(formatOf(*trace), QString("jax-json"));
    QCOMPARE(trace->report().lostCount(), uint64_t(0));
    QCOMPARE(trace->sliceCount(), 992U);
    // JAX's own figures for "Stream #14(Compute)", from the XPlane file of the same run.
    QCOMPARE(kindsOf(*trace)["kernel"], (std::pair<int, qlonglong>{200, 1162587}));
    QCOMPARE(trace->kernelFacts().size(), size_t(200));
    std::set<std::pair<int, int64_t>> streams;
    for (const KernelFacts& facts : trace->kernelFacts()) {
        QVERIFY(facts.hasLaunchShape() && facts.registersPerThread > 0 && facts.context == 1);
        streams.emplace(facts.device, facts.stream);
    }
    QCOMPARE(streams, (std::set<std::pair<int, int64_t>>{{0, 14}}));
    const EventRow first = trace->kernelFacts()[0].row;
    const auto args = trace->argsJson(first);
    QVERIFY(args.ok());
    QVERIFY(args.value().find(R"("hlo_op":"gemm_fusion_dot_general.2")") != std::string::npos ||
            args.value().find(R"("hlo_op": "gemm_fusion_dot_general.2")") != std::string::npos);
    QCOMPARE(trace->slices().correlation[first.value], uint64_t(1));
}

// clang 14: -ftime-trace over a file of 15 lines.
void tst_Producers::clangTimeTrace() {
    const auto trace = loadFile("clang_time_trace.json");
    QVERIFY(trace);
    QCOMPARE(formatOf(*trace), QString("clang-time-trace"));
    QVERIFY(trace->report().issues().empty());
    QCOMPARE(trace->files()[0].baseTimeNs.value_or(0), kClangBase);
    QCOMPARE(textOf(*trace, trace->processes()[0].label), QString("clang"));
    const SliceColumns& s = trace->slices();
    int totals = 0, passes = 0;
    for (uint32_t i = 0; i < s.size(); ++i) {
        const bool isTotal = trace->string(s.name[i]).starts_with("Total ");
        QCOMPARE(textOf(*trace, trace->track(s.track[i]).label), QString(isTotal ? "totals" : "clang-14"));
        QVERIFY(!trace->track(s.track[i]).isDevice && s.kind[i] == EventKind::Other);
        QCOMPARE((s.flags[i] & kSliceIsSum) != 0, isTotal);
        ++(isTotal ? totals : passes);
    }
    // The op table counts passes alone, so nothing twice.
    OpTableOptions options;
    JobControl job;
    const auto table = computeOpTable(*trace, options, job);
    QVERIFY(table.ok());
    const Table& rows = table.value().table;
    QVERIFY(rows.rowCount() > 0);
    for (size_t row = 0; row < rows.rowCount(); ++row) {
        const auto* name = std::get_if<std::string>(&rows.cell(row, 0));
        QVERIFY(name != nullptr && !name->starts_with("Total "));
    }
    QCOMPARE(totals, kClangTotals);
    QCOMPARE(passes, kClangPasses);
    // The thread that is real stands above those that are not.
    QCOMPARE(textOf(*trace, trace->track(trace->processes()[0].tracks.front()).label), QString("clang-14"));
}

// Node 20: --trace-event-categories v8,node,node.async_hooks,node.perf,node.bootstrap
void tst_Producers::node() {
    const auto trace = loadFile("node_trace.json");
    QVERIFY(trace);
    QCOMPARE(formatOf(*trace), QString("node-json"));
    QCOMPARE(trace->report().lostCount(), uint64_t(0));
    QCOMPARE(trace->counts().slices, uint64_t(23 + 8));  // X, and B with E
    QCOMPARE(trace->counts().instants, uint64_t(6));
    QCOMPARE(trace->counts().async, uint64_t(18));
    QCOMPARE(trace->report().countOf("unmatched_begin"), uint64_t(18 - 16));
    QCOMPARE(textOf(*trace, trace->tracks()[0].label), QString("JavaScriptMainThread"));
    int opens = 0;
    for (const AsyncSlice& slice : trace->asyncSlices()) {
        if (trace->string(slice.name) == "open") {
            ++opens;
            QCOMPARE(slice.duration, kNodeOpen);
            QVERIFY(slice.id && trace->idText(*slice.id).starts_with("0x"));
            const auto args = trace->argsJson(slice.track, slice.source, slice.endSource);
            QVERIFY(args.ok() && args.value().find("result") != std::string::npos);
        }
    }
    QCOMPARE(opens, 1);
}

// Triton 3.6: proton.start(data="trace") around three launches of an add, a matmul and a relu.
void tst_Producers::protonStreams() {
    const auto trace = loadFile("proton.chrome_trace");
    QVERIFY(trace);
    QCOMPARE(formatOf(*trace), QString("proton-chrome-trace"));
    QCOMPARE(trace->report().lostCount(), uint64_t(0));
    QCOMPARE(kindsOf(*trace)["kernel"], (std::pair<int, qlonglong>{5, 2464 + 2272 + 2304 + 56512 + 2496}));
    for (const KernelFacts& facts : trace->kernelFacts()) {
        QCOMPARE(facts.stream, int64_t(7));
    }
    const auto args = trace->argsJson(EventRow(0U));
    QVERIFY(args.ok());
    QCOMPARE(QString::fromStdString(args.value()).remove(' '),
             QString(R"({"call_stack":["ROOT","step","add","add_1048576"]})"));
}

// proton.start(backend="instrumentation", data="trace"): two scopes in four warps of four blocks.
void tst_Producers::protonInsideKernels() {
    const auto trace = loadFile("proton_instrumented.chrome_trace");
    QVERIFY(trace);
    QCOMPARE(formatOf(*trace), QString("proton-chrome-trace"));
    QVERIFY(trace->report().issues().empty());
    QCOMPARE(kindsOf(*trace)["other"].first, 32);
    QCOMPARE(trace->processes().size(), size_t(4));
    QCOMPARE(trace->tracks().size(), size_t(16));
    QVERIFY(textOf(*trace, trace->processes()[0].label).startsWith("add2 Core"));
    QCOMPARE(textOf(*trace, trace->tracks()[0].label), QString("warp 0 (line 0)"));
}

// What about:tracing saves, after the format's description: stacks beside args, arrows that slices name themselves, and
// the system's own trace as text.
void tst_Producers::chromeStacksAndBindings() {
    const auto loaded = loadText(R"j({"traceEvents":[
{"ph":"X","name":"a","cat":"c","pid":1,"tid":1,"ts":1,"dur":5,"sf":2,"tts":100,"tdur":3,"args":{"x":1,"sf":"own"}},
{"ph":"B","name":"b","pid":1,"tid":1,"ts":2,"stack":["main","b"]},{"ph":"E","pid":1,"tid":1,"ts":3,"esf":1},
{"ph":"X","name":"from","cat":"here","pid":1,"tid":2,"ts":10,"dur":5,"bind_id":"0x1","flow_out":true,"args":{}},
{"ph":"X","name":"over","cat":"there","pid":1,"tid":2,"ts":17,"dur":1,"bind_id":"0x1","flow_in":true,"flow_out":true},
{"ph":"X","name":"to","pid":1,"tid":1,"ts":20,"dur":5,"bind_id":"0x1","flow_in":true,"args":"text","sf":3}],
"stackFrames":{"1":{"category":"m","name":"main"},"2":{"category":"m","name":"foo","parent":"1"}},
"samples":[{"cpu":0,"tid":1,"ts":4,"name":"cycles","sf":2,"weight":1}],"metadata":{"os-name":"Linux"},
"systemTraceEvents":"# tracer: nop","controllerTraceDataKey":"systraceController"})j");
    QVERIFY(loaded.ok());
    const Trace& trace = *loaded.value();
    QMap<QString, QString> args;
    for (uint32_t i = 0; i < trace.sliceCount(); ++i) {
        const SliceColumns& s = trace.slices();
        const auto json = trace.argsJson(EventRow(i));
        args[textOf(trace, s.name[i])] =
            QString::fromStdString(json.ok() ? json.value() : json.error().message).remove(' ');
    }
    QCOMPARE(args["a"], QString(R"({"tts":100,"tdur":3,"x":1,"sf":"own"})"));
    QCOMPARE(args["b"], QString(R"({"stack":["main","b"],"esf":1})"));
    QCOMPARE(args["from"], QString("{}"));
    QCOMPARE(args["to"], QString("\"text\""));
    QStringList arrows;
    for (const FlowArrow& flow : trace.flows()) {
        arrows << QString::fromStdString(std::string(trace.sliceName(flow.from)) + " -> " +
                                         std::string(trace.sliceName(flow.to)));
    }
    QCOMPARE(arrows, (QStringList{"from -> over", "over -> to"}));
    QCOMPARE(trace.report().countOf("dangling_flow"), uint64_t(0));
    QCOMPARE(issueLines(trace).filter("not_shown"), QStringList{"not_shown warning 2 @-1"});
    QVERIFY(trace.files()[0].properties.at("stackFrames").find("foo") != std::string::npos);
}

QTEST_APPLESS_MAIN(tst_Producers)
#include "tst_producers.moc"
