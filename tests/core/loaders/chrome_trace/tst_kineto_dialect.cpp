// SPDX-License-Identifier: MIT
#include <QTest>

#include "core/loaders/chrome_trace/kineto_dialect.h"
#include "tests/core/loaders/loader_testing.h"

using namespace warpline;
using namespace warpline::loaders::chrome_trace;
using namespace warpline::test;

class tst_KinetoDialect : public QObject {
    Q_OBJECT

private slots:
    void categories_data();
    void categories();
    void kernelFacts();
    void copyFacts();
    void syncIdsAreNoOps();
    void memoryMarks();
    void header();
    void oddHeader();
    void baseTimeAsAReal();
    void longHeaderValueIsSaid();
    void formats_data();
    void formats();
    void jaxTracks();
    void tensorFlowTracks_data();
    void tensorFlowTracks();
};

void tst_KinetoDialect::categories_data() {
    QTest::addColumn<QByteArray>("category");
    QTest::addColumn<QByteArray>("kind");
    const auto row = [](const char* category, const char* kind) {
        QTest::newRow(category) << QByteArray(category) << QByteArray(kind);
    };
    row("cpu_op", "cpu_op");
    row("Operator", "cpu_op");
    row("user_annotation", "annotation");
    row("gpu_user_annotation", "gpu_annotation");
    row("kernel", "kernel");
    row("Kernel", "kernel");
    row("gpu_memcpy", "memcpy");
    row("Memcpy", "memcpy");
    row("gpu_memset", "memset");
    row("cuda_runtime", "runtime");
    row("Runtime", "runtime");
    row("hip_runtime", "runtime");
    row("cuda_driver", "driver");
    row("cuda_sync", "sync");
    row("python_function", "python");
    row("overhead", "overhead");
    row("Trace", "other");
    row("", "other");
    row("kernel_launch_of_some_other_tool", "other");
}

void tst_KinetoDialect::categories() {
    QFETCH(QByteArray, category);
    QFETCH(QByteArray, kind);
    QCOMPARE(QByteArray::fromStdString(std::string(eventKindName(meaningOfCategory(category.toStdString()).kind))),
             kind);
}

void tst_KinetoDialect::kernelFacts() {
    const auto trace =
        loadText(R"([{"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":1,"dur":1,"args":{"External id":5,
        "device":0,"context":1,"stream":7,"correlation":9,"registers per thread":168,"shared memory":164308,
        "grid":[8,4,2],"block":[384, 1, 1],"est. achieved occupancy %":18.5,"graph node id":101}},
        {"ph":"X","cat":"kernel","name":"bare","pid":0,"tid":7,"ts":3,"dur":1,"args":{"grid":[8,4],"stream":"x"}}])");
    const KernelFacts* k = trace.value()->findKernelFacts(EventRow(0U));
    QVERIFY(k != nullptr);
    QCOMPARE(k->device, 0);
    QCOMPARE(k->context, int64_t(1));
    QCOMPARE(k->stream, int64_t(7));
    QCOMPARE(k->grid, (std::array<int32_t, 3>{8, 4, 2}));
    QCOMPARE(k->block, (std::array<int32_t, 3>{384, 1, 1}));
    QCOMPARE(k->registersPerThread, 168);
    QCOMPARE(k->sharedBytes, int64_t(164308));
    QCOMPARE(k->staticSharedBytes, kUnknownFact);
    QCOMPARE(k->fileOccupancyPercent, 18.5F);
    QCOMPARE(k->graphNode, uint64_t(101));
    QCOMPARE(trace.value()->slices().correlation[0], uint64_t(9));
    QCOMPARE(trace.value()->slices().externalId[0], uint64_t(5));
    const KernelFacts* bare = trace.value()->findKernelFacts(EventRow(1U));
    QVERIFY(bare != nullptr && !bare->hasLaunchShape());
    QCOMPARE(bare->stream, kUnknownFact);
    QCOMPARE(bare->registersPerThread, -1);
}

void tst_KinetoDialect::copyFacts() {
    const auto trace = loadText(R"([{"ph":"X","cat":"gpu_memcpy","name":"Memcpy HtoD","pid":0,"tid":7,"ts":1,"dur":1,
        "args":{"device":0,"stream":7,"bytes":16448}}])");
    const CopyFacts* copy = trace.value()->findCopyFacts(EventRow(0U));
    QVERIFY(copy != nullptr);
    QCOMPARE(copy->bytes, int64_t(16448));
    QCOMPARE(copy->stream, int64_t(7));
}

void tst_KinetoDialect::syncIdsAreNoOps() {
    const auto trace = loadText(R"([{"ph":"X","cat":"cuda_sync","name":"Stream Sync","pid":0,"tid":7,"ts":1,"dur":1,
        "args":{"External id":4,"correlation":4}},{"ph":"X","cat":"cuda_sync","name":"Stream Sync","pid":0,"tid":7,"ts":3,
        "dur":1,"args":{"External id":4,"correlation":5}}])");
    QCOMPARE(trace.value()->slices().externalId[0], kNoExternalId);
    QCOMPARE(trace.value()->slices().externalId[1], uint64_t(4));
}

void tst_KinetoDialect::memoryMarks() {
    const auto trace = loadText(R"([{"ph":"i","name":"[memory]","pid":1,"tid":1,"ts":2,"args":{"Total Reserved":2097152,
        "Total Allocated":512,"Bytes":-1024,"Addr":139637976000000,"Device Id":1,"Device Type":1}},
        {"ph":"i","name":"[OutOfMemory]","pid":1,"tid":1,"ts":3,"args":{"Bytes":268435456,"Device Id":0,"Device Type":1}},
        {"ph":"i","name":"[memory]","pid":1,"tid":1,"ts":1,"args":{"Bytes":8,"Device Id":-1,"Device Type":0}}])");
    QCOMPARE(trace.value()->instants().size(), size_t(3));
    const auto events = trace.value()->memoryEvents();
    QCOMPARE(events.size(), size_t(3));
    QCOMPARE(events[0].deviceType, MemoryDeviceType::Cpu);
    QCOMPARE(events[0].totalAllocated, int64_t(-1));
    QCOMPARE(events[1].bytes, int64_t(-1024));
    QCOMPARE(events[1].address, uint64_t(139637976000000));
    QCOMPARE(events[1].device, int64_t(1));
    QCOMPARE(events[1].totalAllocated, int64_t(512));
    QCOMPARE(events[1].totalReserved, int64_t(2097152));
    QVERIFY(events[2].outOfMemory && !events[1].outOfMemory);
    QCOMPARE(events[2].bytes, int64_t(268435456));
}

void tst_KinetoDialect::header() {
    const auto trace = loadText(R"({"schemaVersion":1,"deviceProperties":[{"id":3,"name":"Example GPU","computeMajor":9,
        "computeMinor":0,"numSms":132,"totalGlobalMem":150109880320,"sharedMemPerBlockOptin":232448}, 7],
        "baseTimeNanoseconds":1790857026000000001,"distributedInfo":{"backend":"nccl","rank":2,"world_size":8},
        "cupti_version":130001,"traceEvents":[{"ph":"X","name":"a","ts":1,"dur":1}],"traceName":"x \"y\".json"})");
    const FileInfo& file = trace.value()->files()[0];
    QCOMPARE(file.baseTimeNs, std::optional<int64_t>(1790857026000000001));
    QCOMPARE(file.rank, std::optional<int64_t>(2));
    QCOMPARE(file.worldSize, std::optional<int64_t>(8));
    QCOMPARE(file.properties.at("cupti_version"), std::string("130001"));
    QCOMPARE(QByteArray::fromStdString(file.properties.at("distributedInfo")).replace(' ', ""),
             QByteArray(R"({"backend":"nccl","rank":2,"world_size":8})"));
    QCOMPARE(file.properties.at("traceName"), std::string("\"x \\\"y\\\".json\""));
    QCOMPARE(trace.value()->devices().size(), size_t(1));
    const DeviceInfo& device = trace.value()->devices()[0];
    QCOMPARE(device.id, int64_t(3));
    QCOMPARE(device.name, std::string("Example GPU"));
    QCOMPARE(device.smCount, std::optional<int64_t>(132));
    QCOMPARE(device.memoryBytes, std::optional<int64_t>(150109880320));
    QCOMPARE(device.sharedBytesPerBlockOptin, std::optional<int64_t>(232448));
    QCOMPARE(device.warpSize, std::optional<int64_t>());
}

/// A value that cannot be taken costs that value, not its neighbours, and is said.
void tst_KinetoDialect::oddHeader() {
    const auto trace = loadText(R"({"deviceProperties":[{"id":0,"name":"A","numSms":132,"clock":1e999,"x":"1e999",
        "totalGlobalMem":18446744073709551615}],"distributedInfo":7,"baseTimeNanoseconds":"soon","note":{"a":[1,2]},
        "traceEvents":[{"ph":"i","name":"[memory]","pid":1,"tid":1,"ts":1,"args":{"Bytes":8,"Device Type":1,
        "Addr":18446744073709551615}}]})");
    QCOMPARE(trace.value()->devices().size(), size_t(1));
    const DeviceInfo& device = trace.value()->devices()[0];
    QCOMPARE(device.smCount, std::optional<int64_t>(132));
    QCOMPARE(device.memoryBytes, std::optional<int64_t>());
    QCOMPARE(trace.value()->memoryEvents()[0].address, UINT64_MAX);
    const FileInfo& file = trace.value()->files()[0];
    QCOMPARE(file.properties.at("distributedInfo"), std::string("7"));
    QCOMPARE(file.properties.at("baseTimeNanoseconds"), std::string("\"soon\""));
    QCOMPARE(QByteArray::fromStdString(file.properties.at("note")).replace(' ', ""), QByteArray(R"({"a":[1,2]})"));
    QVERIFY(file.properties.contains("deviceProperties"));
    QVERIFY(!file.baseTimeNs.has_value());
    QCOMPARE(trace.value()->report().countOf("odd_value"), uint64_t(2));
    QCOMPARE(trace.value()->report().lostCount(), uint64_t(0));
}

void tst_KinetoDialect::baseTimeAsAReal() {
    const auto trace =
        loadText(R"({"baseTimeNanoseconds":1.7e18,"traceEvents":[{"ph":"X","name":"a","ts":1,"dur":1}]})");
    QCOMPARE(trace.value()->files()[0].baseTimeNs, std::optional<int64_t>(1'700'000'000'000'000'000));
    QVERIFY(trace.value()->report().issues().empty());
}

void tst_KinetoDialect::longHeaderValueIsSaid() {
    loaders::chrome_trace::ReadLimits limits;
    limits.windowBytes = 64;
    limits.headerBytes = 100;
    const auto trace = loadText(
        R"({"long":")" + QByteArray(300'000, 'x') + R"(","traceEvents":[{"ph":"X","name":"a","ts":1,"dur":1}]})",
        limits);
    QCOMPARE(issueLines(*trace.value()), QStringList{"value_too_long data_loss 1 @8"});
    QCOMPARE(int(trace.value()->sliceCount()), 1);
}

void tst_KinetoDialect::formats_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("format");
    QTest::newRow("plain") << QByteArray(R"([{"ph":"X","cat":"kernel","name":"a","ts":1,"dur":1}])")
                           << QByteArray("chrome-json");
    QTest::newRow("categories") << QByteArray(R"([{"ph":"X","cat":"cpu_op","name":"a","ts":1,"dur":1}])")
                                << QByteArray("kineto-json");
    QTest::newRow("header") << QByteArray(R"({"schemaVersion":1,"traceEvents":[{"ph":"X","name":"a","ts":1,"dur":1}]})")
                            << QByteArray("kineto-json");
    QTest::newRow("JAX") << QByteArray(R"([{"ph":"M","name":"process_name","pid":1,"args":{"name":"/device:GPU:0"}}])")
                         << QByteArray("jax-json");
}

void tst_KinetoDialect::formats() {
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, format);
    QCOMPARE(QByteArray::fromStdString(loadText(text).value()->files()[0].format), format);
}

void tst_KinetoDialect::jaxTracks() {
    const auto trace = loadText(R"json([{"ph":"M","pid":1,"name":"process_name","args":{"name":"/device:GPU:0"}},
        {"ph":"M","pid":2,"name":"process_name","args":{"name":"/host:CPU"}},
        {"ph":"M","pid":1,"tid":14,"name":"thread_name","args":{"name":"Stream #14(Compute)"}},
        {"ph":"M","pid":1,"tid":15,"name":"thread_name","args":{"name":"XLA Ops"}},
        {"ph":"X","pid":1,"tid":14,"ts":1,"dur":1,"name":"gemm","args":{"context_id":"$$3","correlation_id":"50","kernel_details":
        "regs:168 static_shared:16 dynamic_shared:213188 grid:2,64,1 block:384,1,1 occ_pct:18.75"}},
        {"ph":"X","pid":1,"tid":15,"ts":1,"dur":1,"name":"op"},
        {"ph":"X","pid":2,"tid":9,"ts":1,"dur":1,"name":"host"}, {}])json");
    QMap<QString, QString> kinds;
    const SliceColumns& s = trace.value()->slices();
    for (uint32_t i = 0; i < s.size(); ++i) {
        kinds[textOf(*trace.value(), s.name[i])] = QString::fromUtf8(eventKindName(s.kind[i]).data()) +
                                                   (trace.value()->track(s.track[i]).isDevice ? " device" : " host");
    }
    QCOMPARE(kinds,
             (QMap<QString, QString>{{"gemm", "kernel device"}, {"op", "other device"}, {"host", "other host"}}));
    const KernelFacts& k = trace.value()->kernelFacts()[0];
    QCOMPARE(k.grid, (std::array<int32_t, 3>{2, 64, 1}));
    QCOMPARE(k.registersPerThread, 168);
    QCOMPARE(k.sharedBytes, int64_t(213204));
    QCOMPARE(k.dynamicSharedBytes, int64_t(213188));
    QCOMPARE(k.device, 0);
    QCOMPARE(k.stream, int64_t(14));
    QCOMPARE(k.context, int64_t(3));
    QCOMPARE(trace.value()->slices().correlation[k.row.value], uint64_t(50));
}

void tst_KinetoDialect::tensorFlowTracks_data() {
    QTest::addColumn<QString>("process");
    QTest::addColumn<QString>("track");
    QTest::addColumn<QString>("kind");
    QTest::addColumn<qlonglong>("device");
    QTest::addColumn<qlonglong>("stream");
    const QString gpu = "/device:GPU:1";
    for (const char* name :
         {"XLA Ops", "XLA Modules", "Async XLA Ops", "Steps", "TensorFlow Name Scope", "TensorFlow Ops",
          "Framework Name Scope", "Framework Ops", "Source code", "Launch Stats"}) {
        QTest::newRow(name) << gpu << name << "other device" << -1LL << -1LL;
    }
    QTest::newRow("several sorts of work") << gpu << "Stream #20(MemcpyH2D,Compute)"
                                           << "kernel device" << 1LL << 20LL;
    QTest::newRow("no number") << gpu << "Stream #x"
                               << "kernel device" << 1LL << -1LL;
    QTest::newRow("device with a name") << gpu + " (pid 5)"
                                        << "Stream #7"
                                        << "kernel device" << 1LL << 7LL;
    QTest::newRow("another device") << "/device:CUSTOM:Megascale"
                                    << "Stream #7"
                                    << "kernel device" << -1LL << 7LL;
    QTest::newRow("the CPU as a device") << "/device:CPU:0"
                                         << "Stream #7"
                                         << "other host" << -1LL << -1LL;
    QTest::newRow("host") << "/host:CPU"
                          << "tf_data_private_threadpool"
                          << "other host" << -1LL << -1LL;
}

void tst_KinetoDialect::tensorFlowTracks() {
    QFETCH(QString, process);
    QFETCH(QString, track);
    QFETCH(QString, kind);
    QFETCH(qlonglong, device);
    QFETCH(qlonglong, stream);
    // TensorFlow writes kernel_details on several lines, and shows them on derived tracks too.
    const QString text = QString(R"json({"displayTimeUnit":"ns","metadata":{"highres-ticks":true},"traceEvents":[
        {"ph":"M","pid":1,"name":"process_name","args":{"name":"%1"}},
        {"ph":"M","pid":1,"tid":14,"name":"thread_name","args":{"name":"%2"}},
        {"ph":"X","pid":1,"tid":14,"ts":1,"dur":1,"name":"gemm","args":{"kernel_details":
        "regs:32\nstatic_shared:0\ndynamic_shared:0\ngrid:4,1,1\nblock:128,1,1\nocc_pct:100"}}, {}]})json")
                             .arg(process, track);
    const auto trace = loadText(text.toUtf8());
    const SliceColumns& s = trace.value()->slices();
    QCOMPARE(QString::fromUtf8(eventKindName(s.kind[0]).data()) +
                 (trace.value()->track(s.track[0]).isDevice ? " device" : " host"),
             kind);
    QCOMPARE(QString::fromStdString(trace.value()->files()[0].format), QString("jax-json"));
    const KernelFacts& k = trace.value()->kernelFacts()[0];
    QCOMPARE(qlonglong(k.device), device);
    QCOMPARE(qlonglong(k.stream), stream);
    QCOMPARE(k.block, (std::array<int32_t, 3>{128, 1, 1}));
    QCOMPARE(k.sharedBytes, int64_t(0));
}

QTEST_APPLESS_MAIN(tst_KinetoDialect)
#include "tst_kineto_dialect.moc"
