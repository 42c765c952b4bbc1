// SPDX-License-Identifier: MIT
// Files that their own producers wrote, each with what is known of it from the producer or by counting in the file.
#include <QTest>
#include <map>
#include <set>

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

QString formatOf(const Trace& trace) {
    return QString::fromStdString(trace.files()[0].format);
}

}  // namespace

class tst_Producers : public QObject {
    Q_OBJECT

private slots:
    void jax();
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

QTEST_APPLESS_MAIN(tst_Producers)
#include "tst_producers.moc"
