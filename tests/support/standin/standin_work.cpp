// SPDX-License-Identifier: MIT
// The work that a program asks of the stand-in, as records and callbacks.
#include <generated_nvtx_meta.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstring>

#include "tests/support/standin/cupti_records.h"
#include "tests/support/standin/standin.h"
#include "tests/support/standin/standin_state.h"

using namespace warpline::test;
namespace layout = warpline::record::layout;

namespace {

constexpr uint64_t kKernelNs = 1000;

uint32_t threadNumber() {
    return static_cast<uint32_t>(syscall(SYS_gettid));
}

template <class Layout>
uint8_t* write(const Layout& record, bool isRunning = false) {
    return isEnabled(static_cast<int>(record.kind)) ? append(cuptiRecord(record, state().version), isRunning) : nullptr;
}

template <class Layout>
Layout ofKind(uint32_t kind) {
    Layout record{};
    record.kind = kind;
    return record;
}

/// A call of the runtime that goes through one of the driver: `work` makes the records of what it puts on the device.
template <class Work>
void call(uint32_t runtimeId, uint32_t driverId, const char* symbol, Work work) {
    const uint32_t correlation = ++state().lastCorrelation;
    CUpti_CallbackData data{};
    uint64_t note = 0;
    data.functionName = "cuCall";
    data.symbolName = symbol;
    data.correlationId = correlation;
    data.correlationData = &note;
    data.contextUid = 1;
    auto api = ofKind<layout::Api>(layout::kRuntime);
    api.cbid = runtimeId;
    api.start = standinTime();
    data.callbackSite = CUPTI_API_ENTER;
    callBack(CUPTI_CB_DOMAIN_DRIVER_API, driverId, &data);
    work(correlation);
    data.callbackSite = CUPTI_API_EXIT;
    callBack(CUPTI_CB_DOMAIN_DRIVER_API, driverId, &data);
    api.end = standinTime();
    api.processId = static_cast<uint32_t>(getpid());
    api.threadId = threadNumber();
    api.correlationId = correlation;
    if (isCallEnabled(CUPTI_CB_DOMAIN_RUNTIME_API, CUPTI_ACTIVITY_KIND_RUNTIME, runtimeId)) {
        append(cuptiRecord(api, state().version));
    }
}

layout::Kernel kernelOf(const char* name, uint32_t correlation) {
    auto kernel = ofKind<layout::Kernel>(layout::kConcurrentKernel);
    kernel.start = standinTime();
    kernel.end = kernel.start + kKernelNs;
    kernel.contextId = 1;
    kernel.streamId = 7;
    kernel.correlationId = correlation;
    kernel.name = name;
    kernel.registersPerThread = 32;
    for (int axis = 0; axis < 3; ++axis) {
        kernel.grid[axis] = kernel.block[axis] = kernel.cluster[axis] = 1;
    }
    kernel.block[0] = 128;
    return kernel;
}

constexpr uint32_t kLaunch = CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernel_v7000;
constexpr uint32_t kDriverLaunch = CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel;

void announce() {
    auto device = ofKind<layout::Device>(layout::kDevice);
    device.memoryBytes = uint64_t{80} << 30;
    device.smCount = 132;
    device.computeMajor = 9;
    device.name = "Stand-in GPU";
    write(device);
    auto context = ofKind<layout::Context>(layout::kContext);
    context.contextId = 1;
    context.nullStreamId = 7;
    write(context);
    auto stream = ofKind<layout::Stream>(layout::kStream);
    stream.contextId = 1;
    stream.streamId = 7;
    write(stream);
}

void launchKernel(const char* name, uint32_t device, uint32_t stream) {
    call(kLaunch, kDriverLaunch, name, [&](uint32_t correlation) {
        auto kernel = kernelOf(name, correlation);
        kernel.deviceId = device;
        kernel.streamId = stream;
        write(kernel);
    });
}

void launchUntimed(const char* name) {
    call(kLaunch, kDriverLaunch, name, [&](uint32_t correlation) {
        auto kernel = kernelOf(name, correlation);
        kernel.start = kernel.end = 0;
        write(kernel);
    });
}

void beginKernel(const char* name) {
    call(kLaunch, kDriverLaunch, name, [&](uint32_t correlation) {
        auto kernel = kernelOf(name, correlation);
        kernel.end = 0;
        write(kernel, true);
    });
}

void endKernel() {
    Lane& of = lane();
    const std::scoped_lock lock(of.mutex);
    if (of.running != nullptr) {
        const uint64_t end = standinTime();
        std::memcpy(of.running + offsetof(layout::Kernel, end), &end, sizeof end);
        of.running = nullptr;
        for (const Buffer& buffer : of.heldBack) {
            hand(buffer);
        }
        of.heldBack.clear();
    }
}

void launchGraph(const char* name, uint32_t kernels) {
    call(CUPTI_RUNTIME_TRACE_CBID_cudaGraphLaunch_v10000, CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch, nullptr,
         [&](uint32_t correlation) {
             if (isEnabled(layout::kGraphTrace)) {
                 auto graph = ofKind<layout::GraphTrace>(layout::kGraphTrace);
                 graph.correlationId = correlation;
                 graph.graphId = 3;
                 graph.start = standinTime();
                 graph.end = graph.start + kernels * kKernelNs;
                 write(graph);
                 return;  // then there are no records of its kernels
             }
             for (uint32_t node = 1; node <= kernels; ++node) {
                 auto kernel = kernelOf(name, correlation);
                 kernel.graphId = 3;
                 kernel.graphNodeId = node;
                 write(kernel);
             }
         });
}

void copy(uint64_t bytes) {
    call(CUPTI_RUNTIME_TRACE_CBID_cudaMemcpyAsync_v3020, CUPTI_DRIVER_TRACE_CBID_cuMemcpyHtoDAsync_v2, nullptr,
         [&](uint32_t correlation) {
             auto record = ofKind<layout::Memcpy>(layout::kMemcpy);
             record.copyKind = 1;
             record.bytes = bytes;
             record.start = standinTime();
             record.end = record.start + kKernelNs;
             record.contextId = 1;
             record.streamId = 7;
             record.correlationId = correlation;
             write(record);
         });
}

void set(uint64_t bytes) {
    call(CUPTI_RUNTIME_TRACE_CBID_cudaMemsetAsync_v3020, CUPTI_DRIVER_TRACE_CBID_cuMemsetD8Async, nullptr,
         [&](uint32_t correlation) {
             auto record = ofKind<layout::Memset>(layout::kMemset);
             record.bytes = bytes;
             record.start = standinTime();
             record.end = record.start + kKernelNs;
             record.contextId = 1;
             record.streamId = 7;
             record.correlationId = correlation;
             write(record);
         });
}

void allocate(uint64_t bytes) {
    auto record = ofKind<layout::Memory2>(layout::kMemory2);
    record.operation = 1;
    record.memoryKind = 4;
    record.address = 0x7f0000000000;
    record.bytes = bytes;
    record.timestamp = standinTime();
    record.source = "libstandin.so";
    write(record);
}

void changePool() {
    auto record = ofKind<layout::MemoryPool>(layout::kMemoryPool);
    record.operation = record.poolType = 1;
    record.timestamp = standinTime();
    write(record);
}

void synchronise() {
    auto record = ofKind<layout::Synchronization>(layout::kSynchronization);
    record.type = 4;
    record.start = standinTime();
    record.end = record.start + kKernelNs;
    record.contextId = 1;
    record.correlationId = ++state().lastCorrelation;
    record.streamId = record.eventId = 0xffffffffU;
    write(record);
}

void compile() {
    auto record = ofKind<layout::Jit>(layout::kJit);
    record.entryType = record.operation = 1;
    record.start = standinTime();
    record.end = record.start + kKernelNs;
    record.cachePath = "/tmp/cache";
    write(record);
}

void overhead() {
    auto record = ofKind<layout::Overhead>(layout::kOverhead);
    record.overheadKind = 1U << 16;
    record.objectKind = 2;
    record.object.threadOrContext = threadNumber();
    record.start = standinTime();
    record.end = record.start + kKernelNs;
    write(record);
}

void nameThread(const char* name) {
    auto record = ofKind<layout::Name>(layout::kName);
    record.objectKind = 2;
    record.object.threadOrContext = threadNumber();
    record.name = name;
    write(record);
}

void writeUnknown() {
    layout::Api record{};
    record.kind = CUPTI_ACTIVITY_KIND_CUDA_EVENT;
    append(cuptiRecord(record, state().version));
}

void loadModule(uint64_t bytes, uint32_t seed) {
    std::string code(bytes, '\0');
    uint32_t value = seed;
    for (char& byte : code) {
        value = value * 1664525U + 1013904223U;
        byte = static_cast<char>(value >> 24);
    }
    CUpti_ModuleResourceData module{};
    module.moduleId = seed;
    module.cubinSize = code.size();
    module.pCubin = code.data();
    CUpti_ResourceData data{};
    data.resourceDescriptor = &module;
    callBack(CUPTI_CB_DOMAIN_RESOURCE, CUPTI_CBID_RESOURCE_MODULE_LOADED, &data);
}

void writeMarker(uint32_t flags, uint32_t id, const char* name) {
    auto record = ofKind<layout::Marker>(layout::kMarker);
    record.flags = flags;
    record.timestamp = standinTime();
    record.id = id;
    record.objectKind = 2;
    record.object.threadOrContext = threadNumber();
    record.name = name;
    write(record);
}

thread_local std::vector<uint32_t> t_ranges;

void pushRange(const char* name) {
    if (!state().hasNvtx) {
        return;
    }
    nvtxRangePushA_params parameters{name};
    const CUpti_NvtxData data{"nvtxRangePushA", &parameters, nullptr};
    callBack(CUPTI_CB_DOMAIN_NVTX, CUPTI_CBID_NVTX_nvtxRangePushA, &data);
    t_ranges.push_back(++state().lastRange);
    writeMarker(layout::kMarkerStart, t_ranges.back(), name);
}

void popRange() {
    if (!state().hasNvtx || t_ranges.empty()) {
        return;
    }
    // Some parameters always come, though this call has none.
    const int none = 0;
    const CUpti_NvtxData data{"nvtxRangePop", &none, nullptr};
    callBack(CUPTI_CB_DOMAIN_NVTX, CUPTI_CBID_NVTX_nvtxRangePop, &data);
    writeMarker(layout::kMarkerEnd, t_ranges.back(), nullptr);
    t_ranges.pop_back();
}

void mark(const char* name) {
    if (state().hasNvtx) {
        writeMarker(layout::kMarkerInstant, ++state().lastRange, name);
    }
}

void drop(uint64_t records) {
    state().dropped += records;
}

void giveForeignBuffer() {
    alignas(8) static uint8_t bytes[4096];
    hand({bytes, sizeof bytes, 40});
}

void takeOver(bool isTaken) {
    state().isTaken = isTaken;
}

void holdReading(bool isHeld) {
    state().isReadingHeld = isHeld;
}

bool await(const std::atomic<uint64_t>& counter, uint64_t count) {
    constexpr int kMostNaps = 30000;
    const uint64_t from = counter;
    for (int nap = 0; nap < kMostNaps && counter - from < count; ++nap) {
        standinPause(2);
    }
    return counter - from >= count;
}

bool awaitFlushes(uint64_t count) {
    return await(state().flushes, count);
}

bool awaitClocks(uint64_t count) {
    return await(state().clocks, count);
}

bool isRecording() {
    State& all = state();
    const std::scoped_lock lock(all.mutex);
    return all.kinds.contains(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
}

bool isSubscribed() {
    State& all = state();
    const std::scoped_lock lock(all.mutex);
    return all.function != nullptr;
}

}  // namespace

extern "C" const Standin* warplineStandin() {
    static const Standin standin{announce,    launchKernel, launchUntimed,     beginKernel, endKernel,   launchGraph,
                                 copy,        set,          allocate,          changePool,  synchronise, compile,
                                 overhead,    nameThread,   writeUnknown,      loadModule,  pushRange,   popRange,
                                 mark,        drop,         giveForeignBuffer, takeOver,    holdReading, awaitFlushes,
                                 awaitClocks, isRecording,  isSubscribed};
    return &standin;
}
