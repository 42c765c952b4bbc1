// SPDX-License-Identifier: MIT
// `warpline run` as far as it goes without a GPU: lists, wrong usage, what is missing.
#include <QLibrary>
#include <QTemporaryDir>
#include <QTest>
#include <nlohmann/json.hpp>

#include "app/cli/kernel_text.h"
#include "kernels/registry.h"
#include "tests/support/cli_process.h"

using namespace warpline;
using namespace warpline::test;
using nlohmann::json;

class TestRun : public QObject {
    Q_OBJECT

private slots:
    void withoutToolkit();
    void list();
    void listJson();
    void wrongUsage_data();
    void wrongUsage();
    void noDriver_data();
    void noDriver();
    void recordsItsOwnProcess();
    void reportOfEvents();
    void ratesNeedKernelsAlone();
    void shortRunsAreWarnedOf();
    void jsonOfARun();

private:
    bool m_hasKernels = !kernels::all().empty();
};

#define NEED_KERNELS                             \
    if (!m_hasKernels) {                         \
        QSKIP("built without the CUDA Toolkit"); \
    }

namespace {
ChosenKernel chosenKernel(const char* name, const std::vector<std::string>& settings) {
    auto chosen = chooseKernel(kernels::all(), name, settings);
    return chosen.ok() ? std::move(chosen).value() : ChosenKernel();
}

EventOutcome outcomeOf(std::vector<double> samplesNs, LaunchLedger run) {
    EventOutcome outcome;
    outcome.gpu.name = "a GPU";
    outcome.gpu.smCount = 132;
    outcome.samplesNs = std::move(samplesNs);
    outcome.oneRun = std::move(run);
    return outcome;
}
}  // namespace

void TestRun::withoutToolkit() {
    if (m_hasKernels) {
        QSKIP("the kernels are built in");
    }
    for (const QStringList& arguments : {QStringList{"run", "gemm"}, QStringList{"run", "--list"}}) {
        const CliRun run = runCli(arguments);
        QCOMPARE(run.code, 1);
        QVERIFY(run.err.contains("this build has no sample kernels"));
    }
}

void TestRun::list() {
    NEED_KERNELS
    const CliRun run = runCli({"run", "--list"});
    QCOMPARE(run.code, 0);
    QVERIFY(run.out.contains("gemm - Matrix product"));
    QVERIFY(run.out.contains("  :spilling "));
    QVERIFY(run.out.contains("--param M=4096 elements: rows of A and C (8 to 65536, multiples of 8)"));
    QCOMPARE(run.err, QByteArray());
}

void TestRun::listJson() {
    NEED_KERNELS
    const CliRun run = runCli({"run", "--list", "--json"});
    QCOMPARE(run.code, 0);
    const json document = json::parse(run.out.toStdString());
    QCOMPARE(document["kernels"].size(), size_t{10});
    const auto& all = document["kernels"];
    const auto gemm = std::find_if(all.begin(), all.end(), [](const json& kernel) { return kernel["id"] == "gemm"; });
    QVERIFY(gemm != all.end());
    QCOMPARE((*gemm)["dtype"].get<std::string>(), std::string("fp16"));
    QCOMPARE((*gemm)["versions"].size(), size_t{5});
    QCOMPARE((*gemm)["versions"][0]["only_compute_capability"].get<std::string>(), std::string("9.0"));
    QVERIFY((*gemm)["versions"][1]["only_compute_capability"].is_null());
    QCOMPARE((*gemm)["parameters"][0]["default"].get<int>(), 4096);
    QCOMPARE((*gemm)["flops_per_launch"].get<int64_t>(), int64_t{137'438'953'472});
    QCOMPARE((*gemm)["bytes_per_launch"].get<int64_t>(), int64_t{100'663'296});
    const auto churn =
        std::find_if(all.begin(), all.end(), [](const json& kernel) { return kernel["id"] == "allocation_churn"; });
    QVERIFY((*churn)["flops_per_launch"].is_null());
}

void TestRun::wrongUsage_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QByteArray>("message");
    QTest::newRow("no name") << QStringList{} << QByteArray("which kernel?");
    QTest::newRow("kernel") << QStringList{"gem"} << QByteArray("did you mean gemm?");
    QTest::newRow("version") << QStringList{"gemm:tield"} << QByteArray("did you mean tiled?");
    QTest::newRow("parameter") << QStringList{"gemm", "--param", "L=3"} << QByteArray("known are M, N, K");
    QTest::newRow("after the parameters") << QStringList{"--param", "M=3", "gemm"} << QByteArray("8 to 65536");
    QTest::newRow("value") << QStringList{"gemm", "--param", "N=8", "M=9"} << QByteArray("a multiple of 8");
    QTest::newRow("mode") << QStringList{"gemm", "--mode", "evnt"} << QByteArray("--mode");
    QTest::newRow("few samples") << QStringList{"gemm", "--mode", "event", "--samples", "19"}
                                 << QByteArray("--samples");
    QTest::newRow("few warm-ups") << QStringList{"gemm", "--warm-up", "9"} << QByteArray("--warm-up");
    QTest::newRow("unknown option") << QStringList{"gemm", "--nonsense"} << QByteArray("--nonsense");
}

void TestRun::wrongUsage() {
    NEED_KERNELS
    QFETCH(QStringList, arguments);
    QFETCH(QByteArray, message);
    const CliRun run = runCli(QStringList{"run"} + arguments);
    QCOMPARE(run.code, 2);
    QCOMPARE(run.out, QByteArray());
    QVERIFY2(run.err.contains(message), run.err.constData());
}

void TestRun::noDriver_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::newRow("event mode") << QStringList{"run", "gemm", "--mode", "event"};
    QTest::newRow("to be recorded") << QStringList{"kernel-process", "vector_add:scalar"};
}

void TestRun::noDriver() {
    NEED_KERNELS
    QFETCH(QStringList, arguments);
    if (QLibrary("libcuda.so.1").load()) {
        QSKIP("there is a driver here");
    }
    const CliRun run = runCli(arguments);
    QCOMPARE(run.code, 1);
    QCOMPARE(run.out, QByteArray());
    QVERIFY2(run.err.contains("no NVIDIA driver here"), run.err.constData());
    QCOMPARE(run.errorLines().size(), 1);
}

void TestRun::recordsItsOwnProcess() {
    NEED_KERNELS
    if (QLibrary("libcuda.so.1").load()) {
        QSKIP("there is a driver here");
    }
    QTemporaryDir folder;
    CliOptions options;
    options.folder = folder.path();
    const CliRun run = runCli({"run", "gemm:tiled", "-o", "gemm.wcap"}, options);
    if (run.code == 125 && run.err.contains("libwarpline_inject.so")) {
        QSKIP("the library that records is not built");
    }
    // The process that is recorded has the last word.
    QCOMPARE(run.code, 1);
    QVERIFY2(run.err.contains("no NVIDIA driver here"), run.err.constData());
    QVERIFY2(run.err.contains("the program exited with 1"), run.err.constData());
    QVERIFY(!runCli({"--help"}).out.contains("kernel-process"));
}

void TestRun::reportOfEvents() {
    NEED_KERNELS
    const ChosenKernel gemm = chosenKernel("gemm:tiled", {"M=1024", "N=1024", "K=1024"});
    LaunchLedger one;
    one.kernels["gemm_kernel"] = 1;
    const EventOutcome outcome = outcomeOf({200'000, 100'000, 300'000}, one);
    const cli::EventReport report = cli::eventReport(gemm, {}, outcome);
    // 2 * 1024^3 operations in 200 us; 3 * 1024^2 halves.
    QCOMPARE(report.flopsPerSecond.value_or(0), 2.0 * 1024 * 1024 * 1024 / 200e-6);
    QCOMPARE(report.bytesPerSecond.value_or(0), 6.0 * 1024 * 1024 / 200e-6);
    QVERIFY(report.warnings.empty());
    const json document = json::parse(cli::eventJson(gemm, {}, outcome, report));
    QCOMPARE(document["median_ns"].get<double>(), 200'000.0);
    QCOMPARE(document["iqr_ns"].get<double>(), 100'000.0);
    QCOMPARE(document["min_ns"].get<double>(), 100'000.0);
    QCOMPARE(document["samples"].get<int>(), 3);
    QCOMPARE(document["parameters"]["M"].get<int>(), 1024);
    QVERIFY(document["check"].is_null());
    QVERIFY(document["flush_l2"].get<bool>());
    const QString text = QString::fromStdString(cli::eventText(gemm, {}, outcome, report));
    QVERIFY2(text.contains("median 200.000 µs, IQR 100.000 µs, min 100.000 µs (n = 3)"), qPrintable(text));
    QVERIFY2(text.contains("10.7 TFLOP/s"), qPrintable(text));
    QVERIFY2(text.contains("Check        not made"), qPrintable(text));
}

void TestRun::ratesNeedKernelsAlone() {
    NEED_KERNELS
    LaunchLedger run;
    run.kernels["tiny_gemm_kernel"] = 200;
    const ChosenKernel tiny = chosenKernel("tiny_gemm", {});
    cli::EventReport report = cli::eventReport(tiny, {}, outcomeOf({1e6}, run));
    QCOMPARE(report.flopsPerRun.value_or(0), uint64_t{200} * 4'194'304);
    run.hostCopies = 1;
    report = cli::eventReport(tiny, {}, outcomeOf({1e6}, run));
    QVERIFY(!report.flopsPerRun && !report.flopsPerSecond && !report.bytesPerSecond);
    const json document = json::parse(cli::eventJson(tiny, {}, outcomeOf({1e6}, run), report));
    QVERIFY(document["flops_per_s"].is_null());
}

void TestRun::shortRunsAreWarnedOf() {
    NEED_KERNELS
    LaunchLedger one;
    one.kernels["reduction_warp_shuffle_kernel"] = 1;
    const ChosenKernel reduction = chosenKernel("reduction", {"N=1000"});
    EventOptions options;
    const EventOutcome outcome = outcomeOf({5000}, one);
    QCOMPARE(cli::eventReport(reduction, options, outcome).warnings.size(), size_t{1});
    QVERIFY(cli::eventReport(reduction, options, outcome).warnings[0].find("--graph-replay times") !=
            std::string::npos);
    options.graphReplay = true;
    QVERIFY(cli::eventReport(reduction, options, outcome).warnings.empty());
    // What is a graph already cannot be helped.
    const auto warnings = cli::eventReport(chosenKernel("graph", {}), {}, outcome).warnings;
    QCOMPARE(warnings.size(), size_t{1});
    QVERIFY(warnings[0].find("no way out") != std::string::npos);
}

void TestRun::jsonOfARun() {
    NEED_KERNELS
    const ChosenKernel tiny = chosenKernel("tiny_gemm", {});
    RunOutcome outcome;
    outcome.measured.kernels["tiny_gemm_kernel"] = 10'000;
    outcome.total.kernels = {{"fill_float_kernel", 2}, {"tiny_gemm_kernel", 12'200}};
    outcome.total.memsets = 1;
    outcome.check = KernelCheck{true, 16384, 0, 1e-5, "all"};
    const std::string line = cli::runJson(tiny, {}, outcome);
    QCOMPARE(std::count(line.begin(), line.end(), '\n'), std::ptrdiff_t{1});
    const json document = json::parse(line);
    QCOMPARE(document["measured"]["runs"].get<int>(), 50);
    QCOMPARE(document["measured"]["kernels"]["tiny_gemm_kernel"].get<int>(), 10'000);
    QCOMPARE(document["total"]["kernel_count"].get<int>(), 12'202);
    QCOMPARE(document["total"]["memsets"].get<int>(), 1);
    QVERIFY(document["check"]["passed"].get<bool>());
    QCOMPARE(document["flops_per_launch"].get<int>(), 4'194'304);
}

QTEST_GUILESS_MAIN(TestRun)
#include "tst_run.moc"
