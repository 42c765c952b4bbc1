// SPDX-License-Identifier: MIT
#include "tests/support/capture_maker.h"

#include <zstd.h>

#include <algorithm>
#include <cstring>

#include "core/capture/frame.h"
#include "core/capture/frame_reader.h"
#include "core/capture/texts.h"

namespace warpline::test {

using namespace capture;

CaptureMaker::CaptureMaker(std::string& stream, uint32_t source)
    : m_writer(
          [&stream](std::span<const char> header, std::span<const char> payload) {
              stream.append(header.data(), header.size());
              stream.append(payload.data(), payload.size());
              return true;
          },
          source) {}

void CaptureMaker::begin(std::string_view pid, std::string_view program) {
    std::string facts;
    appendFact(facts, fact::kFormat, kFormatName);
    appendFact(facts, fact::kPid, pid);
    appendFact(facts, fact::kProgram, program);
    m_writer.writeFacts(facts);
    add(ClockRecord{kCaptureStart, 5'000'000'000, kCaptureStart + 300, 600});
    flush();
}

void CaptureMaker::end() {
    std::string facts;
    appendFact(facts, fact::kReason, "exit");
    m_writer.writeEnd(facts);
}

void CaptureMaker::addDevice(uint32_t context) {
    DeviceRecord device;
    device.memoryBytes = 150'109'880'320;
    device.memoryBandwidth = 4'800'000'000'000;
    device.uuid[0] = 0x1f;
    device.name = text("NVIDIA H200");
    device.computeMajor = 9;
    device.smCount = 132;
    device.warpSize = 32;
    device.maxThreadsPerBlock = 1024;
    device.maxThreadsPerSm = 2048;
    device.maxBlocksPerSm = 32;
    device.maxWarpsPerSm = 64;
    device.registersPerBlock = 65536;
    device.registersPerSm = 65536;
    device.sharedPerBlock = 49152;
    device.sharedPerBlockOptIn = 232448;
    device.sharedPerSm = 233472;
    device.sharedReservedPerBlock = 1024;
    add(device);
    add(ContextRecord{context, 0, 7, 1});
    add(StreamRecord{context, 7, 0, 0});
    flush();
}

KernelRecord CaptureMaker::kernel(std::string_view name, int64_t at, uint32_t correlation) {
    KernelRecord record;
    record.begin = kCaptureStart + at;
    record.end = record.begin + 100;
    record.correlation = correlation;
    record.context = 1;
    record.stream = 7;
    record.name = text(name);
    record.grid[0] = 264;
    record.grid[1] = record.grid[2] = 1;
    record.block[0] = 256;
    record.block[1] = record.block[2] = 1;
    record.registers = 32;
    record.staticShared = 1024;
    record.dynamicShared = 2048;
    return record;
}

void CaptureMaker::addLaunch(std::string_view name, int64_t at, uint32_t correlation, uint32_t thread) {
    constexpr int64_t kCallToKernel = 5000;
    KernelRecord record = kernel(name, at + kCallToKernel, correlation);
    record.end = record.begin + 10'000;
    add(record);
    const int64_t begin = kCaptureStart + at;
    add(CallRecord{begin, begin + 2000, thread, correlation, text("cudaLaunchKernel_v7000"), CallDomain::Runtime, 0,
                   0});
}

namespace {

void addHostRecords(CaptureMaker& maker) {
    const int64_t t = kCaptureStart;
    maker.add(ThreadRecord{4242, maker.text("main")});
    maker.add(RangeRecord{t + 500, 1, 4242, maker.text("step"), 0, RangeAction::Push});
    maker.add(RangeRecord{t + 600, 2, 4242, maker.text("request"), maker.text("server"), RangeAction::Start});
    maker.add(RangeRecord{t + 700, 0, 4242, maker.text("here"), 0, RangeAction::Mark});
    maker.add(RangeRecord{t + 90'000, 1, 4242, 0, 0, RangeAction::Pop});
    maker.add(RangeRecord{t + 95'000, 2, 4243, 0, 0, RangeAction::End});
    maker.add(OverheadRecord{t + 1100, t + 1400, 7U << 16, 4242, 0, 0});
    maker.add(CompilationRecord{t + 40'000, t + 48'000, 4096, 1, 3, 0, 4242, 77, maker.text("/home/me/.nv")});
    maker.add(CallRecord{t + 60'000, t + 70'000, 4242, 900, maker.text("cudaStreamSynchronize_v3020"),
                         CallDomain::Runtime, 0, 0});
    maker.add(CallRecord{t + 71'000, t + 71'500, 4242, 901, maker.text("cuMemAlloc_v2"), CallDomain::Driver, 2, 0});
    // The first has a call of that number, the other none.
    maker.add(LaunchRecord{t + 1001, 4242, 100, 1, 7, maker.text("_Z3addPfS_i"), 0});
    maker.add(LaunchRecord{t + 80'000, 4242, 950, 1, 7, maker.text("_Z3addPfS_i"), 0});
    maker.flush();
}

void addDeviceRecords(CaptureMaker& maker) {
    const int64_t t = kCaptureStart;
    CopyRecord copy;
    copy.begin = t + 30'000;
    copy.end = t + 34'000;
    copy.bytes = 1'000'000;
    copy.correlation = 902;
    copy.context = 1;
    copy.stream = 13;
    copy.kind = 1;
    copy.sourceKind = 2;
    copy.targetKind = 3;
    copy.isAsync = 1;
    maker.add(copy);
    SetRecord set;
    set.begin = t + 35'000;
    set.end = t + 36'000;
    set.bytes = 512;
    set.correlation = 903;
    set.context = 1;
    set.stream = 13;
    set.memoryKind = 3;
    maker.add(set);
    maker.add(SyncRecord{t + 60'100, t + 69'900, 3, 900, 1, 8, 0, 0});
    maker.add(SyncRecord{t + 60'200, t + 60'300, 2, 904, 1, 14, 6, 0});
    maker.add(GraphRecord{t + 50'000, t + 55'000, 3, 905, 0, 1, 13, 0});
    KernelRecord node = maker.kernel("_Z3addPfS_i", 56'000, 906);
    node.graphNode = 11;
    node.localPerThread = 416;
    maker.add(node);
    KernelRecord replayed = maker.kernel("_Z3addPfS_i", 57'000, 907);
    replayed.flags = kReplayed;
    maker.add(replayed);
    KernelRecord timeless = maker.kernel("_Z3addPfS_i", 0, 908);
    timeless.begin = timeless.end = 0;
    maker.add(timeless);
    KernelRecord inferred = maker.kernel("_Z4waitv", 58'000, 909);
    inferred.flags = kEndInferred;
    maker.add(inferred);
    maker.flush();
}

void addMemoryRecords(CaptureMaker& maker) {
    const int64_t t = kCaptureStart;
    MemoryRecord memory;
    memory.time = t + 71'200;
    memory.address = 0x7f0000000000;
    memory.bytes = 4096;
    memory.kind = 3;
    memory.correlation = 901;
    memory.origin = maker.text("libcudart.so.13");
    maker.add(memory);
    MemoryRecord pooled = memory;
    pooled.time = t + 72'000;
    pooled.address = 0x7f0000100000;
    pooled.bytes = 1000;
    pooled.pool = 0x5000;
    pooled.poolSize = 2'000'000;
    pooled.poolUsed = 1000;
    maker.add(pooled);
    memory.time = t + 73'000;
    memory.action = MemoryAction::Free;
    maker.add(memory);
    PoolRecord pool;
    pool.time = t + 74'000;
    pool.address = 0x5000;
    pool.size = 1'000'000;
    pool.used = 1000;
    pool.action = 3;
    maker.add(pool);
    maker.flush();
}

void addAllocatorRecords(CaptureMaker& maker) {
    const int64_t t = kCaptureStart;
    const uint32_t stack = maker.text("train.py:10 forward\ntrain.py:20 main");
    const auto add = [&](int64_t at, uint64_t address, uint64_t bytes, AllocationAction action) {
        maker.add(AllocationRecord{t + at, address, bytes, 0, action, 0, stack, 0});
    };
    add(1000, 0x1000, 2'097'152, AllocationAction::SegmentAllocate);
    add(1001, 0x1000, 512, AllocationAction::Allocate);
    add(1002, 0x1200, 1024, AllocationAction::Allocate);
    add(1003, 0x1000, 512, AllocationAction::FreeRequested);
    add(1004, 0x1000, 512, AllocationAction::FreeCompleted);
    add(1005, 0, 1U << 30, AllocationAction::OutOfMemory);
    add(1006, 0x1000, 2'097'152, AllocationAction::SegmentFree);
    maker.flush();
}

void addStateRecords(CaptureMaker& maker) {
    const int64_t t = kCaptureStart;
    const auto sample = [&](int64_t at, SampleKind kind, double value) {
        maker.add(SampleRecord{t + at, value, 0, kind});
    };
    sample(10'000, SampleKind::SmClockMhz, 1980);
    sample(10'000, SampleKind::PowerWatts, 512.5);
    sample(10'000, SampleKind::TemperatureC, 61);
    sample(10'000, SampleKind::UsedBytes, 1'073'741'824);
    sample(10'000, SampleKind::ThrottleReasons, 0);
    sample(20'000, SampleKind::ThrottleReasons, 4);
    sample(30'000, SampleKind::ThrottleReasons, 4);
    sample(40'000, SampleKind::ThrottleReasons, 0x24);
    sample(50'000, SampleKind::ThrottleReasons, 0);
    sample(50'000, SampleKind::SmClockMhz, 1500);
    maker.flush();
    ModuleHead head;
    head.time = t + 100;
    head.hash = 0xabc;
    head.bytes = 4;
    head.module = head.context = 1;
    maker.writer().writeModule(head, "code");
    maker.writer().writeFrame(FrameType::Output, std::string("\1\0\0\0", 4) + "hello\n");
}

/// `take` sees each frame of a stream that is sound.
void forEachFrame(std::string_view stream, const std::function<void(const Frame&)>& take) {
    FrameReader reader;
    reader.add(stream);
    while (const auto frame = reader.next()) {
        take(*frame);
    }
}

}  // namespace

std::string sampleCapture(int repeats) {
    std::string stream;
    CaptureMaker first(stream, 1);
    CaptureMaker second(stream, 2);
    first.begin("4242", "/usr/bin/python3");
    second.begin("5353", "/opt/app");
    first.addDevice();
    second.addDevice();
    addHostRecords(first);
    for (int i = 0; i < repeats; ++i) {
        constexpr int64_t kApart = 100'000;
        first.addLaunch("_Z3addPfS_i", 1000 + i * kApart, static_cast<uint32_t>(100 + i));
        second.addLaunch("_Z3addPfS_i", 2000 + i * kApart, static_cast<uint32_t>(100 + i), 5353);
    }
    first.flush();
    second.flush();
    addDeviceRecords(first);
    addMemoryRecords(first);
    addAllocatorRecords(second);
    addStateRecords(first);
    first.end();
    second.end();
    return stream;
}

std::string withPackedFrames(std::string_view stream) {
    std::string out;
    forEachFrame(stream, [&](const Frame& frame) {
        std::string packed(ZSTD_compressBound(frame.payload.size()), '\0');
        packed.resize(ZSTD_compress(packed.data(), packed.size(), frame.payload.data(), frame.payload.size(),
                                    ZSTD_CLEVEL_DEFAULT));
        const FrameHeader header =
            makeHeader(frame.type(), frame.header.source, frame.header.sequence, packed, kPackedByZstd);
        out.append(reinterpret_cast<const char*>(&header), sizeof header);
        out += packed;
    });
    return out;
}

std::vector<size_t> frameBorders(std::string_view stream) {
    std::vector<size_t> borders;
    forEachFrame(stream, [&](const Frame& frame) { borders.push_back(frame.offset); });
    borders.push_back(stream.size());
    return borders;
}

std::string framesThat(std::string_view stream, const std::function<bool(const FrameHeader&)>& takes) {
    std::string out;
    forEachFrame(stream, [&](const Frame& frame) {
        if (takes(frame.header)) {
            out += stream.substr(frame.offset, sizeof(FrameHeader) + frame.payload.size());
        }
    });
    return out;
}

}  // namespace warpline::test
