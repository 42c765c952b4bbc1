// SPDX-License-Identifier: MIT
// The sample kernels that are built in: names, limits, work by hand. None of it needs a GPU. Without the CUDA Toolkit
// there are no kernels.
#include <QSet>
#include <QTest>

#include "core/base/job_control.h"
#include "kernels/find_kernel.h"
#include "kernels/registry.h"
#include "kernels/runner.h"

using namespace warpline;

class TestSampleKernels : public QObject {
    Q_OBJECT

private slots:
    void withoutToolkitTheRunnerSaysSo();
    void everyKernelDescribesItself();
    void versions_data();
    void versions();
    void work_data();
    void work();
    void chosenByName();
    void wrongNames_data();
    void wrongNames();
};

void TestSampleKernels::withoutToolkitTheRunnerSaysSo() {
    if (!kernels::all().empty()) {
        QSKIP("the kernels are built in");
    }
    JobControl job;
    const auto run = runToBeRecorded({}, {}, job);
    QVERIFY(!run.ok());
    QCOMPARE(run.error().code, std::string("no_kernels"));
    QVERIFY(!timeWithEvents({}, {}, job).ok());
}

void TestSampleKernels::everyKernelDescribesItself() {
    QSet<QString> ids;
    for (const auto& kernel : kernels::all()) {
        const SampleKernelInfo& info = kernel->info();
        const QString id = QString::fromStdString(info.id);
        QVERIFY(!ids.contains(id));
        ids.insert(id);
        QVERIFY2(!info.title.empty() && !info.dtype.empty() && !info.versions.empty(), info.id.c_str());
        for (const KernelVersion& version : info.versions) {
            QVERIFY2(!version.id.empty() && !version.meaning.empty(), info.id.c_str());
        }
        for (const KernelParameter& parameter : info.parameters) {
            QVERIFY2(parameter.least <= parameter.defaultValue && parameter.defaultValue <= parameter.most &&
                         parameter.defaultValue % parameter.multipleOf == 0 && !parameter.meaning.empty(),
                     (info.id + " " + parameter.name).c_str());
        }
        const auto defaults = ParameterValues::parse(info.parameters, {});
        QVERIFY(defaults.ok());
        // By default a run fits on a small GPU.
        QVERIFY2(kernel->deviceBytes(defaults.value()) <= uint64_t{4} << 30, info.id.c_str());
        for (const KernelVersion& version : info.versions) {
            QVERIFY(kernel->accepts(defaults.value(), version).ok());
        }
    }
}

void TestSampleKernels::versions_data() {
    QTest::addColumn<QString>("kernel");
    QTest::addColumn<QStringList>("versions");
    QTest::newRow("gemm") << "gemm"
                          << QStringList{"naive", "spilling", "tensor_core", "tensor_core_pipelined", "tiled"};
    QTest::newRow("vector_add") << "vector_add" << QStringList{"scalar", "vectorised"};
    QTest::newRow("tiny_gemm") << "tiny_gemm" << QStringList{"graph", "launches"};
    QTest::newRow("transpose") << "transpose" << QStringList{"naive", "padded", "tiled"};
    QTest::newRow("softmax") << "softmax" << QStringList{"online", "registers", "three_pass"};
    QTest::newRow("reduction") << "reduction" << QStringList{"shared_tree", "warp_shuffle"};
    QTest::newRow("streams") << "streams" << QStringList{"one_stream", "overlapped"};
    QTest::newRow("allocation_churn") << "allocation_churn" << QStringList{"cuda_malloc", "cuda_malloc_async", "pool"};
    QTest::newRow("graph") << "graph" << QStringList{"chain", "wide"};
    QTest::newRow("device_copy") << "device_copy" << QStringList{"memcpy"};
}

void TestSampleKernels::versions() {
    QFETCH(QString, kernel);
    QFETCH(QStringList, versions);
    if (kernels::all().empty()) {
        QSKIP("built without the CUDA Toolkit");
    }
    const auto chosen = chooseKernel(kernels::all(), kernel.toStdString(), {});
    QVERIFY(chosen.ok());
    QStringList found;
    for (const KernelVersion& version : chosen.value().kernel->info().versions) {
        found += QString::fromStdString(version.id);
    }
    found.sort();
    QCOMPARE(found, versions);
}

void TestSampleKernels::work_data() {
    QTest::addColumn<QString>("kernel");
    QTest::addColumn<QString>("settings");
    QTest::addColumn<qint64>("flops");  // -1: none
    QTest::addColumn<qint64>("bytes");
    QTest::newRow("gemm") << "gemm"
                          << "M=16 N=32 K=64" << qint64{2 * 16 * 32 * 64} << qint64{2 * (16 * 64 + 64 * 32 + 16 * 32)};
    QTest::newRow("gemm, large") << "gemm"
                                 << "M=8192 N=8192 K=8192" << qint64{1'099'511'627'776} << qint64{402'653'184};
    QTest::newRow("vector_add") << "vector_add"
                                << "N=1000" << qint64{1000} << qint64{12'000};
    QTest::newRow("tiny_gemm") << "tiny_gemm"
                               << "" << qint64{4'194'304} << qint64{196'608};
    QTest::newRow("transpose") << "transpose"
                               << "rows=10 columns=7" << qint64{-1} << qint64{560};
    QTest::newRow("softmax") << "softmax"
                             << "rows=10 columns=8" << qint64{-1} << qint64{640};
    QTest::newRow("reduction") << "reduction"
                               << "N=1000" << qint64{999} << qint64{4004};
    QTest::newRow("streams") << "streams"
                             << "chunk_kib=4 iterations=3" << qint64{2 * 1024 * 3} << qint64{8192};
    QTest::newRow("graph") << "graph"
                           << "elements=1000" << qint64{2000} << qint64{8000};
    QTest::newRow("allocation_churn") << "allocation_churn"
                                      << "" << qint64{-1} << qint64{-1};
    QTest::newRow("device_copy") << "device_copy"
                                 << "N=1000" << qint64{-1} << qint64{8000};
}

void TestSampleKernels::work() {
    QFETCH(QString, kernel);
    QFETCH(QString, settings);
    QFETCH(qint64, flops);
    QFETCH(qint64, bytes);
    if (kernels::all().empty()) {
        QSKIP("built without the CUDA Toolkit");
    }
    std::vector<std::string> texts;
    for (const QString& setting : settings.split(' ', Qt::SkipEmptyParts)) {
        texts.push_back(setting.toStdString());
    }
    const auto chosen = chooseKernel(kernels::all(), kernel.toStdString(), texts);
    QVERIFY(chosen.ok());
    const KernelWork work = chosen.value().kernel->work(chosen.value().values);
    QCOMPARE(work.flops ? static_cast<qint64>(*work.flops) : -1, flops);
    QCOMPARE(work.bytes ? static_cast<qint64>(*work.bytes) : -1, bytes);
}

void TestSampleKernels::chosenByName() {
    if (kernels::all().empty()) {
        QSKIP("built without the CUDA Toolkit");
    }
    const auto byDefault = chooseKernel(kernels::all(), "gemm", {});
    QVERIFY(byDefault.ok());
    QCOMPARE(byDefault.value().version.id, std::string("tensor_core_pipelined"));
    QVERIFY(byDefault.value().version.needsHopper);
    const auto tiled = chooseKernel(kernels::all(), "gemm:tiled", {"M=128"});
    QVERIFY(tiled.ok());
    QCOMPARE(tiled.value().version.id, std::string("tiled"));
    QCOMPARE(tiled.value().values["M"], int64_t{128});
    QCOMPARE(tiled.value().values["N"], int64_t{4096});
}

void TestSampleKernels::wrongNames_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("setting");
    QTest::addColumn<QString>("message");
    QTest::newRow("kernel") << "gem"
                            << ""
                            << "gem: no such sample kernel; did you mean gemm?";
    QTest::newRow("version") << "gemm:tield"
                             << ""
                             << "gemm:tield: no such version of gemm; did you mean tiled?";
    QTest::newRow("parameter") << "gemm"
                               << "m=8"
                               << "--param m=8: no such parameter; did you mean M?";
    QTest::newRow("what the version cannot do") << "softmax:registers"
                                                << "columns=8196"
                                                << "--param columns=8196: softmax:registers holds rows of 8192 columns "
                                                   "at most; softmax:online takes longer ones";
}

void TestSampleKernels::wrongNames() {
    QFETCH(QString, name);
    QFETCH(QString, setting);
    QFETCH(QString, message);
    if (kernels::all().empty()) {
        QSKIP("built without the CUDA Toolkit");
    }
    std::vector<std::string> settings;
    if (!setting.isEmpty()) {
        settings.push_back(setting.toStdString());
    }
    const auto chosen = chooseKernel(kernels::all(), name.toStdString(), settings);
    QVERIFY(!chosen.ok());
    QCOMPARE(QString::fromStdString(chosen.error().message), message);
}

QTEST_GUILESS_MAIN(TestSampleKernels)
#include "tst_sample_kernels.moc"
