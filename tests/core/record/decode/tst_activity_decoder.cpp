// SPDX-License-Identifier: MIT
// CUPTI's records, as fabricated bytes of every length, become records of a capture.
#include <QTest>

#include <memory>

#include "core/record/decode/activity_decoder.h"
#include "tests/support/capture_reader.h"
#include "tests/support/standin/cupti_records.h"

using namespace warpline;
using namespace warpline::capture;
using namespace warpline::record;
using namespace warpline::test;

namespace {

/// Decodes into a capture in memory.
struct Bench {
    std::string bytes;
    CaptureWriter writer{[this](std::span<const char> header, std::span<const char> payload) {
        bytes.append(header.data(), header.size()).append(payload.data(), payload.size());
        return true;
    }};
    ActivityDecoder decoder;

    explicit Bench(CuptiTraits traits = {})
        : decoder(writer, traits, [](CallDomain domain, uint32_t id) -> std::string_view {
              static std::string name;
              name = (domain == CallDomain::Runtime ? "runtime " : "driver ") + std::to_string(id);
              return name;
          }) {}

    /// In memory of that size and no more, so that AddressSanitizer sees what is read behind it.
    void decode(const std::string& record) {
        const std::unique_ptr<uint64_t[]> exact(new uint64_t[(record.size() + 7) / 8]);
        // Where the size is no multiple of 8, the record ends where the memory does.
        std::unique_ptr<char[]> odd(new char[record.size()]);
        std::memcpy(odd.get(), record.data(), record.size());
        if (record.size() % 8 == 0) {
            std::memcpy(exact.get(), record.data(), record.size());
            decoder.decode(exact.get(), record.size());
        } else {
            decoder.decode(odd.get(), record.size());
        }
    }
    CaptureContent content() {
        writer.flush();
        return readCapture(bytes);
    }
    template <class Record>
    Record only() {
        const auto all = content().records<Record>();
        return all.size() == 1 ? all.front() : Record{};
    }
};

template <class Layout>
Layout ofKind(uint32_t kind) {
    Layout record{};
    record.kind = kind;
    return record;
}

layout::Kernel someKernel() {
    auto kernel = ofKind<layout::Kernel>(layout::kConcurrentKernel);
    kernel.registersPerThread = 77;
    kernel.start = 1'000;
    kernel.end = 3'500;
    kernel.completed = 9'999;
    kernel.deviceId = 2;
    kernel.contextId = 3;
    kernel.streamId = 4;
    for (int axis = 0; axis < 3; ++axis) {
        kernel.grid[axis] = 10 + axis;
        kernel.block[axis] = 20 + axis;
        kernel.cluster[axis] = static_cast<uint32_t>(30 + axis);
    }
    kernel.staticShared = 111;
    kernel.dynamicShared = 222;
    kernel.localPerThread = 333;
    kernel.localTotal32 = 1;
    kernel.correlationId = 55;
    kernel.name = "_Z1kv";
    kernel.queued = 700;
    kernel.submitted = 800;
    kernel.sharedExecuted = 444;
    kernel.graphNodeId = 0x1'0000'0002;
    kernel.graphId = 6;
    kernel.channelId = 8;
    kernel.localTotal = 0x2'0000'0000;
    return kernel;
}

}  // namespace

class TestActivityDecoder : public QObject {
    Q_OBJECT

private slots:
    void kernel_data();
    void kernel();
    void timesOfWork();
    void copies();
    void sets();
    void calls();
    void memory();
    void pools();
    void facts();
    void ranges();
    void otherWork();
    void lengths_data();
    void lengths();
    void unknownKinds();
    void filter();
    void threadNames();
};

void TestActivityDecoder::kernel_data() {
    QTest::addColumn<uint>("version");
    for (const uint32_t version : {kCupti118, kCupti120, kCupti128, kCupti130, kCupti131}) {
        QTest::newRow(QByteArray::number(version).constData()) << version;
    }
}

void TestActivityDecoder::kernel() {
    QFETCH(uint, version);
    Bench bench;
    bench.decode(cuptiRecord(someKernel(), version));
    const auto to = bench.only<KernelRecord>();
    QCOMPARE(to.begin, 1'000);
    QCOMPARE(to.end, 3'500);
    QCOMPARE(to.queued, 700);
    QCOMPARE(to.submitted, 800);
    QCOMPARE(to.graphNode, 0x1'0000'0002U);
    QCOMPARE(to.graph, 6U);
    QCOMPARE(to.correlation, 55U);
    QCOMPARE(to.device, 2U);
    QCOMPARE(to.context, 3U);
    QCOMPARE(to.stream, 4U);
    for (int axis = 0; axis < 3; ++axis) {
        QCOMPARE(to.grid[axis], 10 + axis);
        QCOMPARE(to.block[axis], 20 + axis);
        QCOMPARE(to.cluster[axis], 30 + axis);
    }
    QCOMPARE(to.registers, 77U);
    QCOMPARE(to.staticShared, 111U);
    QCOMPARE(to.dynamicShared, 222U);
    QCOMPARE(to.sharedExecuted, 444U);
    QCOMPARE(to.localPerThread, 333U);
    QCOMPARE(to.localTotal, 0x2'0000'0000U);
    QCOMPARE(to.channel, 8U);
    QCOMPARE(to.flags, 0U);
    QCOMPARE(bench.content().text(0, to.name), std::string("_Z1kv"));
    QCOMPARE(bench.decoder.counts().kernels, 1U);
    QCOMPARE(bench.decoder.counts().lastEnd, 3'500);
}

/// Both zero: not recorded, or replayed; one zero is something else.
void TestActivityDecoder::timesOfWork() {
    Bench bench;
    auto kernel = someKernel();
    kernel.start = kernel.end = 0;
    bench.decode(cuptiRecord(kernel, kCupti130));
    bench.decoder.setReplays(true);
    bench.decode(cuptiRecord(kernel, kCupti130));
    kernel.start = 5;
    bench.decode(cuptiRecord(kernel, kCupti130));
    kernel.name = nullptr;
    kernel.staticShared = kernel.dynamicShared = -1;
    bench.decode(cuptiRecord(kernel, kCupti130));
    const auto all = bench.content().records<KernelRecord>();
    QCOMPARE(all.size(), 4U);
    QCOMPARE(all[0].flags, uint32_t(kNoTimes));
    QCOMPARE(all[1].flags, uint32_t(kReplayed));
    QCOMPARE(all[2].flags, 0U);
    QCOMPARE(all[3].name, 0U);
    QCOMPARE(all[3].staticShared, 0U);
    QCOMPARE(bench.decoder.counts().withoutTimes, 1U);
}

void TestActivityDecoder::copies() {
    Bench bench;
    auto copy = ofKind<layout::Memcpy>(layout::kMemcpy);
    copy.copyKind = 1;
    copy.sourceKind = 2;
    copy.targetKind = 3;
    copy.flags = 1;
    copy.bytes = 0x1'2345'6789;
    copy.start = 10;
    copy.end = 20;
    copy.deviceId = 4;
    copy.contextId = 5;
    copy.streamId = 6;
    copy.correlationId = 7;
    copy.graphNodeId = 8;
    copy.graphId = 9;
    copy.channelId = 10;
    bench.decode(cuptiRecord(copy, kCupti118));
    auto peer = ofKind<layout::PeerMemcpy>(layout::kPeerMemcpy);
    peer.copyKind = 10;
    peer.bytes = 99;
    peer.start = 30;
    peer.end = 40;
    peer.deviceId = 1;
    peer.sourceDevice = 1;
    peer.targetDevice = 0;
    peer.correlationId = 17;
    bench.decode(cuptiRecord(peer, kCupti130));
    const auto all = bench.content().records<CopyRecord>();
    QCOMPARE(all.size(), 2U);
    QCOMPARE(all[0].kind, uint8_t{1});
    QCOMPARE(all[0].sourceKind, uint8_t{2});
    QCOMPARE(all[0].targetKind, uint8_t{3});
    QCOMPARE(all[0].isAsync, uint8_t{1});
    QCOMPARE(all[0].bytes, 0x1'2345'6789U);
    QCOMPARE(all[0].begin, 10);
    QCOMPARE(all[0].end, 20);
    QCOMPARE(all[0].device, 4U);
    QCOMPARE(all[0].context, 5U);
    QCOMPARE(all[0].stream, 6U);
    QCOMPARE(all[0].correlation, 7U);
    QCOMPARE(all[0].graphNode, 8U);
    QCOMPARE(all[0].graph, 9U);
    QCOMPARE(all[0].channel, 10U);
    QCOMPARE(all[0].sourceDevice, 0U);
    QCOMPARE(all[1].kind, uint8_t{10});
    QCOMPARE(all[1].sourceDevice, 2U);
    QCOMPARE(all[1].targetDevice, 1U);
    QCOMPARE(all[1].isAsync, uint8_t{0});
}

void TestActivityDecoder::sets() {
    Bench bench;
    auto set = ofKind<layout::Memset>(layout::kMemset);
    set.value = 0xab;
    set.bytes = 1 << 20;
    set.start = 10;
    set.end = 20;
    set.deviceId = 1;
    set.contextId = 2;
    set.streamId = 3;
    set.correlationId = 4;
    set.memoryKind = 5;
    set.graphNodeId = 6;
    set.graphId = 7;
    bench.decode(cuptiRecord(set, kCupti118));
    const auto to = bench.only<SetRecord>();
    QCOMPARE(to.value, 0xabU);
    QCOMPARE(to.bytes, 1U << 20);
    QCOMPARE(to.begin, 10);
    QCOMPARE(to.end, 20);
    QCOMPARE(to.device, 1U);
    QCOMPARE(to.context, 2U);
    QCOMPARE(to.stream, 3U);
    QCOMPARE(to.correlation, 4U);
    QCOMPARE(to.memoryKind, 5U);
    QCOMPARE(to.graphNode, 6U);
    QCOMPARE(to.graph, 7U);
}

void TestActivityDecoder::calls() {
    Bench bench;
    for (const uint32_t kind : {layout::kRuntime, layout::kDriver, layout::kInternalLaunchApi}) {
        auto call = ofKind<layout::Api>(kind);
        call.cbid = 211;
        call.start = 100;
        call.end = 150;
        call.threadId = 0xffffffffU;  // no thread of this process
        call.correlationId = kind;
        call.returnValue = kind == layout::kRuntime ? 719 : 0;
        bench.decode(cuptiRecord(call, kCupti130));
    }
    const CaptureContent content = bench.content();
    const auto all = content.records<CallRecord>();
    QCOMPARE(all.size(), 3U);
    QCOMPARE(content.text(0, all[0].name), std::string("runtime 211"));
    QCOMPARE(content.text(0, all[1].name), std::string("driver 211"));
    QCOMPARE(content.text(0, all[2].name), std::string("driver 211"));
    QCOMPARE(int(all[0].domain), int(CallDomain::Runtime));
    QCOMPARE(int(all[2].domain), int(CallDomain::Driver));
    QCOMPARE(all[0].begin, 100);
    QCOMPARE(all[0].end, 150);
    QCOMPARE(all[0].thread, 0xffffffffU);
    QCOMPARE(all[0].correlation, uint32_t(layout::kRuntime));
    QCOMPARE(all[0].result, 719);
}

void TestActivityDecoder::memory() {
    auto from = ofKind<layout::Memory2>(layout::kMemory2);
    from.operation = 1;
    from.memoryKind = 4;
    from.correlationId = 5;
    from.address = 0x7000;
    from.bytes = 4096;
    from.timestamp = 99;
    from.deviceId = 1;
    from.contextId = 2;
    from.streamId = 3;
    from.poolAddress = 0x8000;
    from.poolThreshold = 11;
    from.poolSize = 12;
    from.poolUsed = 13;
    from.source = "liba.so";
    Bench bench({kCupti130, true});
    bench.decode(cuptiRecord(from, kCupti130));  // of no pool
    from.poolType = 1;
    bench.decode(cuptiRecord(from, kCupti130));
    from.poolType = 2;  // of another process: the size's place holds that process's number
    from.operation = 2;
    bench.decode(cuptiRecord(from, kCupti130));
    bench.decode(cuptiRecord(from, kCupti118));  // too short for a source
    CaptureContent content = bench.content();
    auto all = content.records<MemoryRecord>();
    QCOMPARE(all.size(), 4U);
    QCOMPARE(all[0].time, 99);
    QCOMPARE(all[0].address, 0x7000U);
    QCOMPARE(all[0].bytes, 4096U);
    QCOMPARE(all[0].pool, 0U);
    QCOMPARE(all[0].poolSize, 0U);
    QCOMPARE(int(all[0].action), int(MemoryAction::Allocate));
    QCOMPARE(all[0].kind, 4U);
    QCOMPARE(all[0].device, 1U);
    QCOMPARE(all[0].context, 2U);
    QCOMPARE(all[0].stream, 3U);
    QCOMPARE(all[0].correlation, 5U);
    QCOMPARE(content.text(0, all[0].origin), std::string("liba.so"));
    QCOMPARE(all[1].pool, 0x8000U);
    QCOMPARE(all[1].poolThreshold, 11U);
    QCOMPARE(all[1].poolSize, 12U);
    QCOMPARE(all[1].poolUsed, 13U);
    QCOMPARE(all[2].poolSize, 0U);
    QCOMPARE(int(all[2].action), int(MemoryAction::Free));
    QCOMPARE(all[3].origin, 0U);
    // Where the version does not say who asked, its place holds anything.
    Bench without({kCupti130, false});
    from.source = reinterpret_cast<const char*>(1);
    without.decode(cuptiRecord(from, kCupti130));
    QCOMPARE(without.only<MemoryRecord>().origin, 0U);
}

void TestActivityDecoder::pools() {
    Bench bench;
    auto from = ofKind<layout::MemoryPool>(layout::kMemoryPool);
    from.operation = 3;
    from.poolType = 1;
    from.deviceId = 2;
    from.minBytesToKeep = 10;
    from.address = 0x9000;
    from.size = 20;
    from.threshold = 30;
    from.timestamp = 40;
    from.used = 50;
    bench.decode(cuptiRecord(from, kCupti118));
    const auto to = bench.only<PoolRecord>();
    QCOMPARE(to.action, 3U);
    QCOMPARE(to.kind, 1U);
    QCOMPARE(to.device, 2U);
    QCOMPARE(to.keepAtLeast, 10U);
    QCOMPARE(to.address, 0x9000U);
    QCOMPARE(to.size, 20U);
    QCOMPARE(to.threshold, 30U);
    QCOMPARE(to.time, 40);
    QCOMPARE(to.used, 50U);
}

void TestActivityDecoder::facts() {
    Bench bench;
    auto device = ofKind<layout::Device>(layout::kDevice);
    device.memoryBandwidth = 4'800'000'000;  // kbytes
    device.memoryBytes = uint64_t{141} << 30;
    device.l2Bytes = 60 << 20;
    device.warpSize = 32;
    device.coreClockKhz = 1'980'000;
    device.smCount = 132;
    device.maxWarpsPerSm = 64;
    device.maxBlocksPerSm = 32;
    device.sharedPerSm = 233'472;
    device.registersPerSm = 65'536;
    device.registersPerBlock = 65'535;
    device.sharedPerBlock = 49'152;
    device.maxThreadsPerBlock = 1024;
    device.computeMajor = 9;
    device.computeMinor = 1;
    device.id = 5;
    device.uuid[0] = 0x11;
    device.uuid[15] = 0x22;
    device.name = "GPU";
    bench.decode(cuptiRecord(device, kCupti118));
    const auto to = bench.only<DeviceRecord>();
    QCOMPARE(to.memoryBandwidth, 4'800'000'000'000U);
    QCOMPARE(to.memoryBytes, uint64_t{141} << 30);
    QCOMPARE(to.l2Bytes, 60U << 20);
    QCOMPARE(to.warpSize, 32U);
    QCOMPARE(to.coreClockKhz, 1'980'000U);
    QCOMPARE(to.smCount, 132U);
    QCOMPARE(to.maxWarpsPerSm, 64U);
    QCOMPARE(to.maxThreadsPerSm, 2048U);
    QCOMPARE(to.maxBlocksPerSm, 32U);
    QCOMPARE(to.sharedPerSm, 233'472U);
    QCOMPARE(to.registersPerSm, 65'536U);
    QCOMPARE(to.registersPerBlock, 65'535U);
    QCOMPARE(to.sharedPerBlock, 49'152U);
    QCOMPARE(to.maxThreadsPerBlock, 1024U);
    QCOMPARE(to.computeMajor, 9U);
    QCOMPARE(to.computeMinor, 1U);
    QCOMPARE(to.device, 5U);
    QCOMPARE(to.uuid[0], uint8_t{0x11});
    QCOMPARE(to.uuid[15], uint8_t{0x22});

    auto context = ofKind<layout::Context>(layout::kContext);
    context.contextId = 1;
    context.deviceId = 2;
    context.api = 3;
    context.nullStreamId = 7;
    bench.decode(cuptiRecord(context, kCupti118));
    QCOMPARE(bench.only<ContextRecord>().nullStream, 7U);
    QCOMPARE(bench.only<ContextRecord>().device, 2U);
    auto stream = ofKind<layout::Stream>(layout::kStream);
    stream.contextId = 1;
    stream.streamId = 9;
    stream.priority = static_cast<uint32_t>(-5);
    stream.flag = 2;
    bench.decode(cuptiRecord(stream, kCupti118));
    QCOMPARE(bench.only<StreamRecord>().stream, 9U);
    QCOMPARE(bench.only<StreamRecord>().priority, -5);
    QCOMPARE(bench.only<StreamRecord>().flags, 2U);
}

void TestActivityDecoder::ranges() {
    Bench bench;
    auto marker = ofKind<layout::Marker>(layout::kMarker);
    marker.timestamp = 10;
    marker.id = 3;
    marker.objectKind = 2;
    marker.object.threadOrContext = 0xfffffffeU;
    marker.name = "step";
    marker.domain = "mine";
    for (const uint32_t flag : {layout::kMarkerStart, layout::kMarkerEnd, layout::kMarkerInstant}) {
        marker.flags = flag;
        bench.decode(cuptiRecord(marker, kCupti130));
        marker.name = nullptr;
    }
    const CaptureContent content = bench.content();
    const auto all = content.records<RangeRecord>();
    QCOMPARE(all.size(), 3U);
    QCOMPARE(int(all[0].action), int(RangeAction::Push));
    QCOMPARE(int(all[1].action), int(RangeAction::Pop));
    QCOMPARE(int(all[2].action), int(RangeAction::Mark));
    QCOMPARE(content.text(0, all[0].name), std::string("step"));
    QCOMPARE(content.text(0, all[0].domain), std::string("mine"));
    QCOMPARE(all[1].name, 0U);
    QCOMPARE(all[0].id, 3U);
    QCOMPARE(all[0].time, 10);
    QCOMPARE(all[0].thread, 0xfffffffeU);
}

void TestActivityDecoder::otherWork() {
    Bench bench;
    auto sync = ofKind<layout::Synchronization>(layout::kSynchronization);
    sync.type = 3;
    sync.start = 1;
    sync.end = 2;
    sync.correlationId = 4;
    sync.contextId = 5;
    sync.streamId = 0;
    sync.eventId = 0xffffffffU;
    bench.decode(cuptiRecord(sync, kCupti118));
    QCOMPARE(bench.only<SyncRecord>().stream, 1U);
    QCOMPARE(bench.only<SyncRecord>().event, 0U);
    QCOMPARE(bench.only<SyncRecord>().kind, 3U);
    QCOMPARE(bench.only<SyncRecord>().context, 5U);

    auto overhead = ofKind<layout::Overhead>(layout::kOverhead);
    overhead.overheadKind = 1U << 16;
    overhead.objectKind = 2;
    overhead.object = {10, 11, 12};
    overhead.start = 3;
    overhead.end = 4;
    bench.decode(cuptiRecord(overhead, kCupti118));
    overhead.objectKind = 3;  // of a device
    bench.decode(cuptiRecord(overhead, kCupti118));
    const auto overheads = bench.content().records<OverheadRecord>();
    QCOMPARE(overheads.size(), 2U);
    QCOMPARE(overheads[0].thread, 11U);
    QCOMPARE(overheads[0].kind, 1U << 16);
    QCOMPARE(overheads[0].device, 0U);
    QCOMPARE(overheads[1].thread, 0U);
    QCOMPARE(overheads[1].device, 11U);
    QCOMPARE(overheads[1].stream, 13U);

    auto compilation = ofKind<layout::Jit>(layout::kJit);
    compilation.entryType = 1;
    compilation.operation = 2;
    compilation.deviceId = 3;
    compilation.start = 10;
    compilation.end = 20;
    compilation.correlationId = 4;
    compilation.cacheBytes = 5;
    compilation.cachePath = "/cache";
    compilation.threadId = 6;
    bench.decode(cuptiRecord(compilation, kCupti118));
    bench.decode(cuptiRecord(compilation, kCupti130));
    const auto compilations = bench.content().records<CompilationRecord>();
    QCOMPARE(compilations.size(), 2U);
    QCOMPARE(compilations[0].thread, 0U);
    QCOMPARE(compilations[1].thread, 6U);
    QCOMPARE(compilations[0].cacheBytes, 5U);
    QCOMPARE(compilations[0].operation, 2U);

    auto graph = ofKind<layout::GraphTrace>(layout::kGraphTrace);
    graph.correlationId = 1;
    graph.graphId = 2;
    graph.deviceId = 3;
    graph.contextId = 4;
    graph.streamId = 5;
    bench.decode(cuptiRecord(graph, kCupti118));
    QCOMPARE(bench.only<GraphRecord>().graph, 2U);
    QCOMPARE(bench.only<GraphRecord>().stream, 5U);
    QCOMPARE(bench.only<GraphRecord>().flags, uint32_t(kNoTimes));
}

void TestActivityDecoder::lengths_data() {
    QTest::addColumn<uint>("kind");
    QTest::addColumn<uint>("least");
    using namespace layout;
    QTest::newRow("kernel") << uint(kConcurrentKernel) << 200U;
    QTest::newRow("kernel, serialised") << uint(kKernel) << 200U;
    QTest::newRow("copy") << uint(kMemcpy) << 88U;
    QTest::newRow("peer copy") << uint(kPeerMemcpy) << 96U;
    QTest::newRow("set") << uint(kMemset) << 88U;
    QTest::newRow("runtime") << uint(kRuntime) << 40U;
    QTest::newRow("driver") << uint(kDriver) << 40U;
    QTest::newRow("internal launch") << uint(kInternalLaunchApi) << 40U;
    QTest::newRow("memory") << uint(kMemory2) << 120U;
    QTest::newRow("pool") << uint(kMemoryPool) << 72U;
    QTest::newRow("device") << uint(kDevice) << 144U;
    QTest::newRow("context") << uint(kContext) << 16U;
    QTest::newRow("stream") << uint(kStream) << 24U;
    QTest::newRow("name") << uint(kName) << 32U;
    QTest::newRow("marker") << uint(kMarker) << 56U;
    QTest::newRow("overhead") << uint(kOverhead) << 40U;
    QTest::newRow("synchronisation") << uint(kSynchronization) << 40U;
    QTest::newRow("compilation") << uint(kJit) << 64U;
    QTest::newRow("graph") << uint(kGraphTrace) << 48U;
}

/// Too short is counted and nothing behind it is read; longer is fine.
void TestActivityDecoder::lengths() {
    QFETCH(uint, kind);
    QFETCH(uint, least);
    for (size_t bytes = 0; bytes < 300; ++bytes) {
        Bench bench({kCupti131, true});
        std::string record(bytes, '\0');
        std::memcpy(record.data(), &kind, std::min(bytes, sizeof kind));
        bench.decode(record);
        const ActivityDecoder::Counts& counts = bench.decoder.counts();
        QCOMPARE(counts.records, 1U);
        if (bytes < least) {
            // Without its kind it is of none.
            QCOMPARE(counts.unreadable, 1U);
            QCOMPARE(bench.content().frames.size(), 0U);
        } else {
            QCOMPARE(counts.unreadable, 0U);
            QVERIFY(kind == layout::kName || bench.content().frames.size() >= 1U);
        }
    }
}

void TestActivityDecoder::unknownKinds() {
    Bench bench;
    for (const uint32_t kind : {0U, 6U, 36U, 46U, 1000U, 0xffffffffU}) {
        auto record = ofKind<layout::Api>(kind);
        bench.decode(cuptiRecordOf(record, 40));
    }
    QCOMPARE(bench.decoder.counts().unknownKinds, 6U);
    // What belongs to a range is no loss.
    bench.decode(cuptiRecord(ofKind<layout::Api>(layout::kMarkerData), kCupti130));
    QCOMPARE(bench.decoder.counts().unknownKinds, 6U);
    QCOMPARE(bench.decoder.counts().unreadable, 0U);
    QCOMPARE(bench.content().frames.size(), 0U);
}

/// Keeps odd correlation numbers.
struct OddOnes final : RecordFilter {
    std::vector<std::pair<FrameType, std::optional<uint32_t>>> asked;

    bool keepsKernel(uint32_t correlation, std::string_view, const KernelRecord&) override {
        return correlation % 2 == 1;
    }
    bool keepsWork(uint32_t correlation, FrameType type, int64_t, std::optional<uint32_t> device) override {
        asked.emplace_back(type, device);
        return correlation % 2 == 1;
    }
};

void TestActivityDecoder::filter() {
    Bench bench;
    OddOnes odd;
    bench.decoder.setFilter(&odd);
    for (uint32_t correlation = 1; correlation <= 4; ++correlation) {
        auto kernel = someKernel();
        kernel.correlationId = correlation;
        bench.decode(cuptiRecord(kernel, kCupti130));
        auto copy = ofKind<layout::Memcpy>(layout::kMemcpy);
        copy.correlationId = correlation;
        copy.deviceId = 3;
        bench.decode(cuptiRecord(copy, kCupti130));
        auto call = ofKind<layout::Api>(layout::kRuntime);
        call.correlationId = correlation;
        bench.decode(cuptiRecord(call, kCupti130));
    }
    const CaptureContent content = bench.content();
    QCOMPARE(content.records<KernelRecord>().size(), 2U);
    QCOMPARE(content.records<CopyRecord>().size(), 2U);
    QCOMPARE(content.records<CallRecord>().size(), 2U);
    QCOMPARE(bench.decoder.counts().filtered, 6U);
    QCOMPARE(bench.decoder.counts().kernels, 2U);
    QCOMPARE(int(odd.asked[0].first), int(FrameType::Copies));
    QCOMPARE(odd.asked[0].second, std::optional<uint32_t>(3));
    QCOMPARE(odd.asked[1].second, std::optional<uint32_t>());
}

/// Threads of this process are named by the system, once; others by the program.
void TestActivityDecoder::threadNames() {
    Bench bench;
    auto call = ofKind<layout::Api>(layout::kRuntime);
    call.threadId = static_cast<uint32_t>(getpid());
    bench.decode(cuptiRecord(call, kCupti130));
    bench.decode(cuptiRecord(call, kCupti130));
    auto name = ofKind<layout::Name>(layout::kName);
    name.objectKind = 2;
    name.object.threadOrContext = 4;
    name.name = "worker";
    bench.decode(cuptiRecord(name, kCupti130));
    name.objectKind = 3;  // of a device
    bench.decode(cuptiRecord(name, kCupti130));
    const CaptureContent content = bench.content();
    const auto all = content.records<ThreadRecord>();
    QCOMPARE(all.size(), 2U);
    QCOMPARE(all[0].thread, static_cast<uint32_t>(getpid()));
    QFile comm("/proc/self/comm");
    QVERIFY(comm.open(QIODevice::ReadOnly));
    QCOMPARE(content.text(0, all[0].name), comm.readAll().trimmed().toStdString());
    QCOMPARE(content.text(0, all[1].name), std::string("worker"));
}

QTEST_GUILESS_MAIN(TestActivityDecoder)
#include "tst_activity_decoder.moc"
