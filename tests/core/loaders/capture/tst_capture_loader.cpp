// SPDX-License-Identifier: MIT
// What each record of a capture becomes in a trace, by value.
#include "core/loaders/capture/capture_source.h"
#include "core/trace/device_work.h"
#include "tests/core/loaders/capture/capture_testing.h"

using namespace warpline;
using namespace warpline::test;
using namespace warpline::capture;

class tst_CaptureLoader : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void fileAndDevice();
    void sharedMemoryOfBlocks_data();
    void sharedMemoryOfBlocks();
    void kernels();
    void kernelArgs();
    void copiesAndSets();
    void waits();
    void graphs();
    void calls();
    void launchesWithoutCalls();
    void overheads();
    void ranges();
    void openRanges();
    void memory();
    void pools();
    void allocator();
    void allocatorHidesCudaMemory();
    void samples();
    void throttling();
    void modules();
    void processesAndTracks();
    void contextsAreKeptApart();
    void gpusAreKnownByUuid();
    void smallPidsAreNoGpus();
    void workWithoutTimes();
    void tornKernelRuns();
    void packedIsTheSame();
    void reopenedArgsAreTheSame();

private:
    std::shared_ptr<const Trace> m_trace;
};

void tst_CaptureLoader::initTestCase() {
    auto trace = loadCapture(sampleCapture(2));
    QVERIFY2(trace.ok(), trace.ok() ? "" : trace.error().message.c_str());
    m_trace = trace.value();
    QCOMPARE(issuesOf(*m_trace), QStringList({"end_inferred info 1", "graph_as_whole info 1",
                                              "missing_duration warning 1", "no_timestamp data_loss 1",
                                              "orphan_kernel info 5", "orphan_launch info 1", "replayed info 1"}));
}

void tst_CaptureLoader::fileAndDevice() {
    const FileInfo& file = m_trace->files()[0];
    QCOMPARE(file.format, std::string("capture"));
    QCOMPARE(file.baseTimeNs.value_or(0), kCaptureStart);
    QVERIFY(file.properties.at("recording").find("/usr/bin/python3") != std::string::npos);
    QCOMPARE(m_trace->devices().size(), size_t(1));
    const DeviceInfo& device = m_trace->devices()[0];
    QCOMPARE(device.name, std::string("NVIDIA H200"));
    QCOMPARE(device.id, int64_t(0));
    QCOMPARE(device.computeMajor.value_or(-1), int64_t(9));
    QCOMPARE(device.computeMinor.value_or(-1), int64_t(0));
    QCOMPARE(device.smCount.value_or(-1), int64_t(132));
    QCOMPARE(device.memoryBytes.value_or(-1), int64_t(150'109'880'320));
    QCOMPARE(device.maxThreadsPerSm.value_or(-1), int64_t(2048));
    QCOMPARE(device.registersPerSm.value_or(-1), int64_t(65536));
    QCOMPARE(device.sharedBytesPerBlockOptin.value_or(-1), int64_t(232448));
    QCOMPARE(device.sharedBytesPerSm.value_or(-1), int64_t(233472));
}

/// CUPTI does not say how much a block can have by opting in.
void tst_CaptureLoader::sharedMemoryOfBlocks_data() {
    QTest::addColumn<uint>("major");
    QTest::addColumn<uint>("minor");
    QTest::addColumn<uint>("perSm");
    QTest::addColumn<int>("perBlock");  ///< -1: not known
    QTest::newRow("GTX 1080") << 6U << 1U << 98304U << -1;
    QTest::newRow("V100") << 7U << 0U << 98304U << 98304;
    QTest::newRow("T4") << 7U << 5U << 65536U << 65536;
    QTest::newRow("A100") << 8U << 0U << 167936U << 166912;
    QTest::newRow("L40") << 8U << 9U << 102400U << 101376;
    QTest::newRow("H200") << 9U << 0U << 233472U << 232448;
    QTest::newRow("not said") << 9U << 0U << 0U << -1;
    QTest::newRow("odd") << 9U << 0U << 1024U << -1;
}

void tst_CaptureLoader::sharedMemoryOfBlocks() {
    QFETCH(uint, major);
    QFETCH(uint, minor);
    QFETCH(uint, perSm);
    QFETCH(int, perBlock);
    std::string stream;
    CaptureMaker maker(stream);
    maker.begin("1000", "a");
    DeviceRecord device;
    device.name = maker.text("GPU");
    device.computeMajor = major;
    device.computeMinor = minor;
    device.sharedPerSm = perSm;
    device.sharedPerBlock = 49152;
    maker.add(device);
    maker.end();
    const auto trace = loadCapture(stream);
    QCOMPARE(trace.value()->devices()[0].sharedBytesPerBlockOptin.value_or(-1), int64_t(perBlock));
}

void tst_CaptureLoader::kernels() {
    QCOMPARE(describeSlice(*m_trace, "add(float*, float*, int)"), "0/7 kernel 6000+10000");
    const EventRow row = findSlice(*m_trace, "add(float*, float*, int)");
    const EventRow call = m_trace->launchOf(row);
    QVERIFY(call.valid());
    QCOMPARE(m_trace->sliceName(call), std::string_view("cudaLaunchKernel"));
    QCOMPARE(launchDelayNs(*m_trace, row).value_or(0), DurationNs(5000));
    const KernelFacts* facts = m_trace->findKernelFacts(row);
    QVERIFY(facts != nullptr);
    QCOMPARE(facts->device, 0);
    QCOMPARE(facts->stream, int64_t(7));
    QCOMPARE(facts->context, int64_t(1));
    QCOMPARE(facts->grid[0], 264);
    QCOMPARE(facts->block[0], 256);
    QCOMPARE(facts->registersPerThread, 32);
    QCOMPARE(facts->sharedBytes, int64_t(3072));
    QCOMPARE(facts->staticSharedBytes, int64_t(1024));
    QCOMPARE(facts->dynamicSharedBytes, int64_t(2048));
    QCOMPARE(facts->localBytesPerThread, kUnknownFact);  // a 0 of CUPTI says nothing
    const KernelFacts* node = m_trace->findKernelFacts(findSlice(*m_trace, "add(float*, float*, int)", 56'000));
    QCOMPARE(node->graphNode, uint64_t(11));
    QCOMPARE(node->localBytesPerThread, int64_t(416));
}

void tst_CaptureLoader::kernelArgs() {
    QCOMPARE(
        argsOf(*m_trace, findSlice(*m_trace, "add(float*, float*, int)")),
        R"j({"queued": 0, "device": 0, "context": 1, "stream": 7, "correlation": 100, )j"
        R"j("registers per thread": 32, "shared memory": 3072, "blocks per SM": 2.0, "warps per SM": 16.0, )j"
        R"j("grid": [264, 1, 1], "block": [256, 1, 1], "staticSharedMemory": 1024, "dynamicSharedMemory": 2048})j");
}

void tst_CaptureLoader::copiesAndSets() {
    QCOMPARE(describeSlice(*m_trace, "Memcpy HtoD (Pinned -> Device)"), "0/13 gpu_memcpy 30000+4000");
    const EventRow copy = findSlice(*m_trace, "Memcpy HtoD (Pinned -> Device)");
    QCOMPARE(m_trace->findCopyFacts(copy)->bytes, int64_t(1'000'000));
    QCOMPARE(argsOf(*m_trace, copy),
             R"j({"device": 0, "context": 1, "stream": 13, "correlation": 902, "bytes": 1000000, )j"
             R"j("memory bandwidth (GB/s)": 250.0, "async": true})j");
    QCOMPARE(describeSlice(*m_trace, "Memset (Device)"), "0/13 gpu_memset 35000+1000");
}

void tst_CaptureLoader::waits() {
    QCOMPARE(describeSlice(*m_trace, "Stream Sync"), "0/7 cuda_sync 60100+9800");
    QCOMPARE(argsOf(*m_trace, findSlice(*m_trace, "Stream Sync")),
             R"j({"stream": 7, "correlation": 900, "context": 1})j");
    QCOMPARE(describeSlice(*m_trace, "Stream Wait Event"), "0/13 cuda_sync 60200+100");
    QCOMPARE(argsOf(*m_trace, findSlice(*m_trace, "Stream Wait Event")),
             R"j({"wait_on_cuda_event_id": 5, "stream": 13, "correlation": 904, "context": 1})j");
    std::string stream;
    CaptureMaker maker(stream);
    maker.begin("1000", "a");
    maker.addDevice();
    maker.add(SyncRecord{kCaptureStart + 10, kCaptureStart + 20, 4, 1, 1, 0, 0, 0});
    maker.end();
    const auto trace = loadCapture(stream);
    QCOMPARE(describeSlice(*trace.value(), "Context Sync"), "0/-1 cuda_sync 10+10");
}

void tst_CaptureLoader::graphs() {
    QCOMPARE(describeSlice(*m_trace, "CUDA graph 3 (whole)"), "0/13 kernel 50000+5000");
    QCOMPARE(argsOf(*m_trace, findSlice(*m_trace, "CUDA graph 3 (whole)")),
             R"j({"device": 0, "context": 1, "stream": 13, "correlation": 905, "graph id": 3})j");
}

void tst_CaptureLoader::calls() {
    QCOMPARE(describeSlice(*m_trace, "cudaLaunchKernel"), "4242/4242 cuda_runtime 1000+2000");
    QCOMPARE(describeSlice(*m_trace, "cudaStreamSynchronize"), "4242/4242 cuda_runtime 60000+10000");
    QCOMPARE(describeSlice(*m_trace, "cuMemAlloc"), "4242/4242 cuda_driver 71000+500");
    const EventRow row = findSlice(*m_trace, "cuMemAlloc");
    QCOMPARE(m_trace->slices().kind[row.value], EventKind::Driver);
    QCOMPARE(argsOf(*m_trace, row), R"j({"correlation": 901, "result": 2})j");
}

void tst_CaptureLoader::launchesWithoutCalls() {
    // Of the two notes, the one whose call came is not shown.
    QCOMPARE(describeSlice(*m_trace, "Launch (note)"), "4242/4242 cuda_driver 80000+-1");
    QVERIFY(!findSlice(*m_trace, "Launch (note)", 80'001).valid());
    // A note that comes behind its call is none either, and of many that wait none is lost.
    std::string stream;
    CaptureMaker maker(stream);
    maker.begin("1000", "a");
    const int64_t t = kCaptureStart;
    constexpr int kNotes = 20'000;
    maker.add(CallRecord{t, t + 1, 5, 7, maker.text("cudaLaunchKernel"), CallDomain::Runtime, 0, 0});
    maker.flush();
    for (uint32_t i = 0; i < kNotes; ++i) {
        maker.add(LaunchRecord{t + i, 5, i, 1, 7, 0, 0});
    }
    maker.end();
    const auto trace = loadCapture(stream);
    QCOMPARE(trace.value()->sliceCount(), uint32_t(kNotes));  // a call, and all notes but its own
    QCOMPARE(trace.value()->report().countOf("missing_duration"), uint64_t(kNotes - 1));
}

void tst_CaptureLoader::overheads() {
    QCOMPARE(describeSlice(*m_trace, "Activity Buffer Request"), "4242/4242 overhead 1100+300");
    QCOMPARE(describeSlice(*m_trace, "JIT compile PTX to cubin"), "4242/JIT overhead 40000+8000");
    QCOMPARE(
        argsOf(*m_trace, findSlice(*m_trace, "JIT compile PTX to cubin")),
        R"j({"device": 0, "correlation": 77, "thread": 4242, "cache bytes": 4096, "cache path": "/home/me/.nv"})j");
    const EventRow row = findSlice(*m_trace, "Activity Buffer Request");
    QCOMPARE(m_trace->slices().kind[row.value], EventKind::Overhead);
    QCOMPARE(m_trace->sliceName(m_trace->slices().parent[row.value]), std::string_view("cudaLaunchKernel"));
}

void tst_CaptureLoader::ranges() {
    QCOMPARE(describeSlice(*m_trace, "step"), "4242/4242 user_annotation 500+89500");
    QCOMPARE(m_trace->slices().kind[findSlice(*m_trace, "step").value], EventKind::Annotation);
    QCOMPARE(m_trace->asyncSlices().size(), size_t(1));
    const AsyncSlice& request = m_trace->asyncSlices()[0];
    QCOMPARE(stringOf(*m_trace, request.name), "request");
    QCOMPARE(request.begin, TimeNs(600));
    QCOMPARE(request.duration, DurationNs(94'400));
    QCOMPARE(m_trace->argsJson(request.track, request.source).value(), std::string(R"j({"domain": "server"})j"));
    const auto here =
        std::ranges::find_if(m_trace->instants(), [&](const Instant& i) { return m_trace->string(i.name) == "here"; });
    QVERIFY(here != m_trace->instants().end());
    QCOMPARE(here->time, TimeNs(700));
}

void tst_CaptureLoader::openRanges() {
    std::string stream;
    CaptureMaker maker(stream);
    maker.begin("1000", "a");
    const int64_t t = kCaptureStart;
    maker.add(RangeRecord{t + 10, 1, 5, maker.text("outer"), 0, RangeAction::Push});
    maker.add(RangeRecord{t + 20, 2, 5, maker.text("other domain"), maker.text("lib"), RangeAction::Push});
    maker.add(RangeRecord{t + 30, 3, 5, maker.text("started"), 0, RangeAction::Start});
    maker.add(RangeRecord{t + 40, 1, 5, 0, 0, RangeAction::Pop});  // not the innermost: of another domain
    maker.add(RangeRecord{t + 50, 9, 5, 0, 0, RangeAction::Pop});
    maker.add(CallRecord{t + 60, t + 100, 5, 1, maker.text("cudaFree"), CallDomain::Runtime, 0, 0});
    maker.end();
    const auto trace = loadCapture(stream);
    QCOMPARE(describeSlice(*trace.value(), "outer"), "1000/5 user_annotation 10+30");
    const EventRow open = findSlice(*trace.value(), "other domain");
    const SliceColumns& s = trace.value()->slices();
    QCOMPARE(s.begin[open.value], TimeNs(20));
    QCOMPARE(s.end(open.value), TimeNs(100));
    QCOMPARE(s.flags[open.value] & (kSliceUnfinished | kSliceNoEnd), kSliceUnfinished | kSliceNoEnd);
    QCOMPARE(argsOf(*trace.value(), open), R"j({"domain": "lib"})j");
    QVERIFY(trace.value()->asyncSlices()[0].unfinished);
    QCOMPARE(trace.value()->report().countOf("unmatched_end"), uint64_t(1));
    QCOMPARE(trace.value()->report().countOf("unmatched_begin"), uint64_t(2));
}

void tst_CaptureLoader::memory() {
    QCOMPARE(counterText(*m_trace, "GPU 0 memory taken in the recording (bytes)", "Device"),
             "71200=4096.0 72000=5096.0 73000=1000.0");
    QStringList lines;
    for (const MemoryEvent& event : m_trace->memoryEvents()) {
        if (trackText(*m_trace, event.track) == "4242/CUDA memory") {
            lines << QString("%1 %2 %3").arg(event.time).arg(event.bytes).arg(event.totalAllocated);
        }
    }
    QCOMPARE(lines, QStringList({"71200 4096 4096", "72000 1000 5096", "73000 -4096 1000"}));
    const auto mark = std::ranges::find_if(m_trace->instants(), [&](const Instant& i) { return i.time == 71'200; });
    QCOMPARE(QString::fromStdString(m_trace->argsJson(mark->track, mark->source).value()),
             R"j({"Addr": 139637976727552, "Bytes": 4096, "Device Type": 1, "Device Id": 0, "kind": "Device", )j"
             R"j("correlation": 901, "asked for by": "libcudart.so.13"})j");
}

void tst_CaptureLoader::pools() {
    QCOMPARE(counterText(*m_trace, "GPU 0 memory pool 0x5000 [bytes]", "used"), "72000=1000.0 74000=1000.0");
    QCOMPARE(counterText(*m_trace, "GPU 0 memory pool 0x5000 [bytes]", "reserved"), "72000=2000000.0 74000=1000000.0");
}

void tst_CaptureLoader::allocator() {
    QCOMPARE(counterText(*m_trace, "GPU 0 PyTorch allocator (bytes)", "allocated"),
             "1000=0.0 1001=512.0 1002=1536.0 1004=1024.0 1006=1024.0");
    QCOMPARE(counterText(*m_trace, "GPU 0 PyTorch allocator (bytes)", "reserved"),
             "1000=2097152.0 1001=2097152.0 1002=2097152.0 1004=2097152.0 1006=0.0");
    QStringList lines;
    for (const MemoryEvent& event : m_trace->memoryEvents()) {
        if (trackText(*m_trace, event.track) == "5353/PyTorch allocator") {
            lines << QString("%1 %2 %3 %4%5")
                         .arg(event.time)
                         .arg(event.bytes)
                         .arg(event.totalAllocated)
                         .arg(event.totalReserved)
                         .arg(event.outOfMemory ? " failed" : "");
        }
    }
    QCOMPARE(lines, QStringList({"1001 512 512 2097152", "1002 1024 1536 2097152", "1004 -512 1024 2097152",
                                 "1005 1073741824 1024 2097152 failed"}));
    const auto mark = std::ranges::find_if(m_trace->instants(), [&](const Instant& i) { return i.time == 1001; });
    QVERIFY(m_trace->argsJson(mark->track, mark->source).value().find("train.py:10 forward\\ntrain.py:20 main") !=
            std::string::npos);
}

void tst_CaptureLoader::allocatorHidesCudaMemory() {
    std::string stream;
    CaptureMaker maker(stream);
    maker.begin("1000", "a");
    MemoryRecord segment;
    segment.time = kCaptureStart + 10;
    segment.address = 0x1000;
    segment.bytes = 2'097'152;
    segment.kind = 3;
    maker.add(segment);
    AllocationRecord tensor;
    tensor.time = kCaptureStart + 20;
    tensor.address = 0x1000;
    tensor.bytes = 512;
    tensor.action = AllocationAction::Allocate;
    maker.add(tensor);
    maker.end();
    const auto trace = loadCapture(stream);
    QCOMPARE(trace.value()->memoryEvents().size(), size_t(1));  // the same memory is not counted twice
    QCOMPARE(trace.value()->memoryEvents()[0].bytes, int64_t(512));
    QCOMPARE(trace.value()->instants().size(), size_t(2));
    QCOMPARE(counterText(*trace.value(), "GPU 0 memory taken in the recording (bytes)", "Device"), "10=2097152.0");
}

void tst_CaptureLoader::samples() {
    QCOMPARE(counterText(*m_trace, "SM clock [MHz]", "value"), "10000=1980.0 50000=1500.0");
    QCOMPARE(counterText(*m_trace, "Power [W]", "value"), "10000=512.5");
    QCOMPARE(counterText(*m_trace, "Temperature [°C]", "value"), "10000=61.0");
    QCOMPARE(counterText(*m_trace, "Memory used [bytes]", "value"), "10000=1073741824.0");
}

void tst_CaptureLoader::throttling() {
    QCOMPARE(describeSlice(*m_trace, "power cap"), "0/clock limits clock_limit 20000+20000");
    QCOMPARE(describeSlice(*m_trace, "power cap, software thermal slowdown"), "0/clock limits clock_limit 40000+10000");
    QCOMPARE(argsOf(*m_trace, findSlice(*m_trace, "power cap")), R"j({"device": 0, "reasons": "0x4"})j");
}

void tst_CaptureLoader::modules() {
    const auto* source = dynamic_cast<const loaders::capture::CaptureSource*>(m_trace->files()[0].source.get());
    QVERIFY(source != nullptr);
    QCOMPARE(source->modules().size(), size_t(1));
    const loaders::capture::ModuleRef& whole = source->modules()[0];
    QCOMPARE(whole.hash, uint64_t(0xabc));
    QCOMPARE(whole.bytes, uint64_t(4));
    QCOMPARE(whole.partBytes, uint64_t(4));
    QCOMPARE(sampleCapture(2).substr(whole.frame + sizeof(FrameHeader) + sizeof(ModuleHead), 4), std::string("code"));
    QCOMPARE(m_trace->files()[0].properties.at("recordedModules"), std::string("1"));
    // In parts, once more without code, and a part that does not lie in its code.
    std::string stream;
    CaptureMaker maker(stream);
    maker.begin("1000", "a");
    const auto addPart = [&](uint64_t offset, std::string_view code) {
        ModuleHead head;
        head.hash = 7;
        head.bytes = 6;
        head.offset = offset;
        maker.writer().writeFrame(FrameType::Module,
                                  std::string(reinterpret_cast<const char*>(&head), sizeof head) + std::string(code));
    };
    addPart(0, "abc");
    addPart(3, "def");
    addPart(0, "");
    addPart(4, "def");
    maker.end();
    const auto trace = loadCapture(stream);
    const auto parts =
        dynamic_cast<const loaders::capture::CaptureSource*>(trace.value()->files()[0].source.get())->modules();
    QStringList lines;
    for (const auto& part : parts) {
        lines << QString("%1+%2 of %3").arg(part.offset).arg(part.partBytes).arg(part.bytes);
    }
    QCOMPARE(lines, QStringList({"0+3 of 6", "3+3 of 6", "0+0 of 6"}));
    QCOMPARE(trace.value()->files()[0].properties.at("recordedModules"), std::string("2"));
    QCOMPARE(trace.value()->report().countOf("odd_record"), uint64_t(1));
}

void tst_CaptureLoader::processesAndTracks() {
    QStringList lines;
    for (const ProcessId id : m_trace->processOrder()) {
        const Process& process = m_trace->process(id);
        lines << stringOf(*m_trace, *process.pid) + " " + stringOf(*m_trace, process.label) + ", " +
                     stringOf(*m_trace, process.labels);
        for (const TrackId track : process.tracks) {
            lines << "  " + trackText(*m_trace, track) + " " + stringOf(*m_trace, m_trace->track(track).label);
        }
    }
    QCOMPARE(lines, QStringList({"4242 python3, CPU", "  4242/CUDA memory CUDA memory", "  4242/JIT JIT",
                                 "  4242/4242 main", "5353 app, CPU", "  5353/5353 5353",
                                 "  5353/PyTorch allocator PyTorch allocator", "0 GPU 0 NVIDIA H200, GPU 0",
                                 "  0/7 stream 7", "  0/7 (process 5353, app) stream 7, process 5353, app",
                                 "  0/13 stream 13", "  0/clock limits clock limits"}));
    // The same stream and the same number of a call in two processes are two.
    const EventRow other = findSlice(*m_trace, "add(float*, float*, int)", 6001);
    QCOMPARE(trackText(*m_trace, m_trace->slices().track[other.value]), "0/7 (process 5353, app)");
    QCOMPARE(trackText(*m_trace, m_trace->slices().track[m_trace->launchOf(other).value]), "5353/5353");
    QVERIFY(argsOf(*m_trace, other).contains("\"correlation\": 4294967396"));
}

void tst_CaptureLoader::contextsAreKeptApart() {
    std::string stream;
    CaptureMaker maker(stream);
    maker.begin("1000", "a");
    maker.add(maker.kernel("k", 100, 1));
    KernelRecord other = maker.kernel("k", 100, 2);
    other.context = 2;
    maker.add(other);
    maker.end();
    const auto trace = loadCapture(stream);
    QCOMPARE(trace.value()->report().countOf("impossible_duration"), uint64_t(0));
    QStringList tracks;
    for (uint32_t row = 0; row < trace.value()->sliceCount(); ++row) {
        tracks << trackText(*trace.value(), trace.value()->slices().track[row]);
    }
    tracks.sort();
    QCOMPARE(tracks, QStringList({"0/7", "0/7 (context 2)"}));
}

void tst_CaptureLoader::gpusAreKnownByUuid() {
    // The second process sees the GPU 1 of the first one as its 0, and one more that the first did not see.
    std::string stream;
    CaptureMaker first(stream, 1);
    CaptureMaker second(stream, 2);
    first.begin("1000", "a");
    second.begin("1001", "b");
    const auto device = [](CaptureMaker& maker, uint32_t number, uint8_t uuid, const char* name) {
        DeviceRecord record;
        record.device = number;
        record.uuid[0] = uuid;
        record.name = maker.text(name);
        maker.add(record);
        KernelRecord kernel = maker.kernel(name, number * 1000, number + 1);
        kernel.device = number;
        maker.flush();
        maker.add(kernel);
        maker.flush();
    };
    device(first, 0, 10, "A");
    device(first, 1, 11, "B");
    device(second, 0, 11, "B");
    device(second, 1, 12, "C");
    first.end();
    second.end();
    const auto trace = loadCapture(stream);
    QStringList lines;
    for (const KernelFacts& facts : trace.value()->kernelFacts()) {
        lines << stringOf(*trace.value(), trace.value()->slices().name[facts.row.value]) +
                     QString(" on %1").arg(facts.device);
    }
    lines.sort();
    QCOMPARE(lines, QStringList({"A on 0", "B on 1", "B on 1", "C on 2"}));
    QCOMPARE(trace.value()->devices().size(), size_t(3));
    QVERIFY(argsOf(*trace.value(), findSlice(*trace.value(), "C")).contains("\"device\": 2,"));
}

void tst_CaptureLoader::smallPidsAreNoGpus() {
    std::string stream;
    CaptureMaker maker(stream);
    maker.begin("1", "init");
    maker.addLaunch("k", 1000, 1, 1);
    KernelRecord second = maker.kernel("k", 1000, 2);
    second.device = 1;
    maker.add(second);
    maker.end();
    const auto trace = loadCapture(stream);
    QCOMPARE(describeSlice(*trace.value(), "cudaLaunchKernel"), "1/1 cuda_runtime 1000+2000");
    QStringList tracks;
    for (const KernelFacts& facts : trace.value()->kernelFacts()) {
        tracks << trackText(*trace.value(), trace.value()->slices().track[facts.row.value]);
    }
    tracks.sort();
    QCOMPARE(tracks, QStringList({"0/7", "GPU 1/7"}));
}

void tst_CaptureLoader::workWithoutTimes() {
    // Of seven kernels of these names one was replayed and one has no times: neither is at time 0.
    uint32_t kernels = 0;
    for (uint32_t row = 0; row < m_trace->sliceCount(); ++row) {
        if (m_trace->slices().kind[row] == EventKind::Kernel) {
            ++kernels;
            QVERIFY(m_trace->slices().begin[row] > 0);
        }
    }
    QCOMPARE(kernels, 7U);  // four launches, a node, one whose end is inferred, a graph
    const EventRow inferred = findSlice(*m_trace, "wait()");
    QCOMPARE(m_trace->slices().duration[inferred.value], DurationNs(100));
    QCOMPARE(m_trace->slices().knownDuration(inferred.value), kUnknownDuration);
    QVERIFY(argsOf(*m_trace, inferred).contains("\"end inferred\": true"));
    // The call of a launch that was replayed took as long as the replay did: that is no time of a launch.
    std::string stream;
    CaptureMaker maker(stream);
    maker.begin("1000", "a");
    KernelRecord replayed = maker.kernel("k", 100, 7);
    replayed.begin = replayed.end = 0;
    replayed.flags = kReplayed;
    maker.add(CallRecord{kCaptureStart + 50, kCaptureStart + 16'000'050, 5, 7, maker.text("cuLaunchKernel"),
                         CallDomain::Driver, 0, 0});
    maker.add(CallRecord{kCaptureStart + 10, kCaptureStart + 20, 5, 6, maker.text("cuLaunchKernel"), CallDomain::Driver,
                         0, 0});
    maker.add(replayed);
    maker.end();
    const auto trace = loadCapture(stream);
    QCOMPARE(describeSlice(*trace.value(), "cuLaunchKernel"), "1000/5 cuda_driver 10+10");
    QCOMPARE(describeSlice(*trace.value(), "cuLaunchKernel", 50), "1000/5 cuda_driver 50+-1");
}

void tst_CaptureLoader::tornKernelRuns() {
    std::string stream;
    CaptureMaker maker(stream);
    maker.begin("1000", "a");
    KernelRecord running = maker.kernel("k", 100, 1);
    running.end = 0;
    maker.add(running);
    KernelRecord other = maker.kernel("other", 500, 2);
    other.stream = 8;
    maker.add(other);
    maker.end();
    const auto trace = loadCapture(stream);
    const EventRow row = findSlice(*trace.value(), "k");
    QCOMPARE(trace.value()->slices().end(row.value), TimeNs(600));
    QCOMPARE(trace.value()->slices().knownDuration(row.value), kUnknownDuration);
    QCOMPARE(trace.value()->findKernelFacts(row)->grid[0], 264);
}

void tst_CaptureLoader::packedIsTheSame() {
    const auto packed = loadCapture(withPackedFrames(sampleCapture(2)));
    QCOMPARE(digest(*packed.value(), false), digest(*m_trace, false));
    QCOMPARE(issuesOf(*packed.value()), issuesOf(*m_trace));
}

void tst_CaptureLoader::reopenedArgsAreTheSame() {
    const std::string stream = sampleCapture(2);
    const auto recipe = m_trace->files()[0].source->recipe();
    QVERIFY(recipe.has_value());
    QCOMPARE(recipe->loader, std::string("capture"));
    const loaders::capture::CaptureLoader loader;
    const auto again = loader.reopen(makeMemorySource(stream), recipe->facts, {});
    QVERIFY(again.ok());
    for (uint32_t row = 0; row < m_trace->sliceCount(); ++row) {
        QCOMPARE(again.value()->argsJson(m_trace->slices().source(row), {}).value(),
                 m_trace->argsJson(EventRow(row)).value());
    }
    QVERIFY(!loader.reopen(makeMemorySource(stream), recipe->facts.substr(1), {}).ok());
    const auto args = again.value()->argsJson({7, 1}, {});  // no frame begins there
    QCOMPARE(args.error().code, std::string(kUnreadableArgs));
    QVERIFY(!again.value()->argsJson({0, 1}, {}).ok());  // facts are no records
}

QTEST_APPLESS_MAIN(tst_CaptureLoader)
#include "tst_capture_loader.moc"
