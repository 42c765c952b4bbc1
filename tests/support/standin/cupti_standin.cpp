// SPDX-License-Identifier: MIT
// A library that answers as CUPTI does, without a GPU; see standin.h. Built a second time as an old one, which lacks
// what not every version has (WARPLINE_STANDIN_OLD).
#include <cupti.h>
#include <generated_nvtx_meta.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "tests/support/standin/cupti_records.h"
#include "tests/support/standin/standin.h"

namespace {

using namespace warpline::test;
namespace layout = warpline::record::layout;

constexpr uint64_t kKernelNs = 1000;

uint64_t number(const char* variable, uint64_t otherwise) {
    const char* text = std::getenv(variable);
    return text != nullptr ? std::strtoull(text, nullptr, 10) : otherwise;
}

uint64_t realtime() {
    timespec time{};
    clock_gettime(CLOCK_REALTIME, &time);
    return static_cast<uint64_t>(time.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(time.tv_nsec);
}

uint32_t threadNumber() {
    return static_cast<uint32_t>(syscall(SYS_gettid));
}

void pause(uint64_t milliseconds) {
    if (milliseconds != 0) {
        std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
    }
}

struct Buffer {
    uint8_t* bytes = nullptr;
    size_t size = 0, valid = 0;
};

/// The buffers of one thread, or of all.
struct Lane {
    std::mutex mutex;
    Buffer current;
    std::vector<Buffer> heldBack;  ///< full, but behind a kernel that runs
    uint8_t* running = nullptr;    ///< the record of that kernel
};

/// All that there is. Never destroyed: threads look at it until the process ends.
struct State {
    const uint32_t version = static_cast<uint32_t>(number("STANDIN_VERSION", 130001));
    const uint64_t flushMs = number("STANDIN_FLUSH_MS", 0);
    const pid_t owner = getpid();

    std::mutex mutex;
    CUpti_CallbackFunc function = nullptr;
    void* userData = nullptr;
    std::set<int> kinds;
    std::map<std::pair<int, uint32_t>, bool> calls;  ///< those that were enabled or disabled one by one
    std::set<std::pair<int, uint32_t>> callbacks;
    std::set<int> domains;
    bool buffersPerThread = false, hasNvtx = false;
    CUpti_BuffersCallbackRequestFunc request = nullptr;
    CUpti_BuffersCallbackCompleteFunc complete = nullptr;
    std::vector<Lane*> lanes{new Lane};  ///< the first serves all threads that have none of their own

    std::atomic<uint32_t> lastCorrelation{0}, lastRange{0};
    std::atomic<uint64_t> dropped{0}, flushes{0}, clocks{0};
    std::atomic<bool> isTaken{false}, isReadingHeld{false};
};

State& state() {
    static auto* const instance = [] {
        static auto* const made = new State;
        // A child of threads that launch can go on with it.
        pthread_atfork([] { made->mutex.lock(); }, [] { made->mutex.unlock(); }, [] { made->mutex.unlock(); });
        return made;
    }();
    return *instance;
}

Lane& lane() {
    thread_local Lane* own = nullptr;
    State& all = state();
    const std::scoped_lock lock(all.mutex);
    if (!all.buffersPerThread) {
        return *all.lanes.front();
    }
    if (own == nullptr) {
        own = new Lane;
        all.lanes.push_back(own);
    }
    return *own;
}

void hand(const Buffer& buffer) {
    if (buffer.bytes != nullptr && state().complete != nullptr) {
        state().complete(nullptr, 0, buffer.bytes, buffer.size, buffer.valid);
    }
}

bool isEnabled(int kind) {
    State& all = state();
    const std::scoped_lock lock(all.mutex);
    return all.owner == getpid() && !all.isTaken && all.kinds.contains(kind);
}

bool isCallEnabled(int domain, int kind, uint32_t id) {
    State& all = state();
    const std::scoped_lock lock(all.mutex);
    const auto single = all.calls.find({domain, id});
    return all.owner == getpid() && !all.isTaken &&
           (single != all.calls.end() ? single->second : all.kinds.contains(kind));
}

/// Puts a record into the lane of this thread. Returns where it lies; nullptr: there was no buffer.
uint8_t* append(const std::string& record, bool isRunning = false) {
    State& all = state();
    Lane& into = lane();
    std::unique_lock lock(into.mutex);
    if (into.current.bytes == nullptr || into.current.size - into.current.valid < record.size()) {
        const Buffer full = into.current;
        into.current = {};
        if (into.running != nullptr && full.bytes != nullptr) {
            into.heldBack.push_back(full);
        } else {
            hand(full);
        }
        size_t most = 0;
        if (all.request != nullptr) {
            all.request(&into.current.bytes, &into.current.size, &most);
        }
        if (into.current.bytes == nullptr) {
            ++all.dropped;
            return nullptr;
        }
    }
    uint8_t* const at = into.current.bytes + into.current.valid;
    std::memcpy(at, record.data(), record.size());
    into.current.valid += record.size();
    into.running = isRunning ? at : into.running;
    return at;
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

void callBack(CUpti_CallbackDomain domain, CUpti_CallbackId id, const void* data) {
    State& all = state();
    CUpti_CallbackFunc function = nullptr;
    {
        const std::scoped_lock lock(all.mutex);
        if (all.domains.contains(domain) || all.callbacks.contains({domain, id})) {
            function = all.function;
        }
    }
    if (function != nullptr) {
        function(all.userData, domain, id, data);
    }
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
    api.start = realtime();
    data.callbackSite = CUPTI_API_ENTER;
    callBack(CUPTI_CB_DOMAIN_DRIVER_API, driverId, &data);
    work(correlation);
    data.callbackSite = CUPTI_API_EXIT;
    callBack(CUPTI_CB_DOMAIN_DRIVER_API, driverId, &data);
    api.end = realtime();
    api.processId = static_cast<uint32_t>(getpid());
    api.threadId = threadNumber();
    api.correlationId = correlation;
    if (isCallEnabled(CUPTI_CB_DOMAIN_RUNTIME_API, CUPTI_ACTIVITY_KIND_RUNTIME, runtimeId)) {
        append(cuptiRecord(api, state().version));
    }
}

layout::Kernel kernelOf(const char* name, uint32_t correlation) {
    auto kernel = ofKind<layout::Kernel>(layout::kConcurrentKernel);
    kernel.start = realtime();
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
        const uint64_t end = realtime();
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
                 graph.start = realtime();
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
             record.start = realtime();
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
             record.start = realtime();
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
    record.timestamp = realtime();
    record.source = "libstandin.so";
    write(record);
}

void changePool() {
    auto record = ofKind<layout::MemoryPool>(layout::kMemoryPool);
    record.operation = record.poolType = 1;
    record.timestamp = realtime();
    write(record);
}

void synchronise() {
    auto record = ofKind<layout::Synchronization>(layout::kSynchronization);
    record.type = 4;
    record.start = realtime();
    record.end = record.start + kKernelNs;
    record.contextId = 1;
    record.correlationId = ++state().lastCorrelation;
    record.streamId = record.eventId = 0xffffffffU;
    write(record);
}

void compile() {
    auto record = ofKind<layout::Jit>(layout::kJit);
    record.entryType = record.operation = 1;
    record.start = realtime();
    record.end = record.start + kKernelNs;
    record.cachePath = "/tmp/cache";
    write(record);
}

void overhead() {
    auto record = ofKind<layout::Overhead>(layout::kOverhead);
    record.overheadKind = 1U << 16;
    record.objectKind = 2;
    record.object.threadOrContext = threadNumber();
    record.start = realtime();
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
    record.timestamp = realtime();
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
        pause(2);
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

CUptiResult subscribe(CUpti_SubscriberHandle* subscriber, CUpti_CallbackFunc function, void* userData) {
    State& all = state();
    const auto refused = static_cast<CUptiResult>(number("STANDIN_SUBSCRIBE", 0));
    if (refused != CUPTI_SUCCESS) {
        return refused;
    }
    const std::scoped_lock lock(all.mutex);
    if (all.function != nullptr) {
        return CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED;
    }
    all.function = function;
    all.userData = userData;
    *subscriber = reinterpret_cast<CUpti_SubscriberHandle>(&all);
    return CUPTI_SUCCESS;
}

std::string nameOfCall(CUpti_CallbackDomain domain, uint32_t id) {
    const bool isRuntime = domain == CUPTI_CB_DOMAIN_RUNTIME_API;
    static const std::map<std::pair<bool, uint32_t>, std::string> known{
        {{true, kLaunch}, "cudaLaunchKernel_v7000"},
        {{true, CUPTI_RUNTIME_TRACE_CBID_cudaGraphLaunch_v10000}, "cudaGraphLaunch_v10000"},
        {{true, CUPTI_RUNTIME_TRACE_CBID_cudaMemcpyAsync_v3020}, "cudaMemcpyAsync_v3020"},
        {{true, CUPTI_RUNTIME_TRACE_CBID_cudaMemsetAsync_v3020}, "cudaMemsetAsync_v3020"},
        {{false, kDriverLaunch}, "cuLaunchKernel"},
        {{false, CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch}, "cuGraphLaunch"},
        {{false, CUPTI_DRIVER_TRACE_CBID_cuMemcpyHtoDAsync_v2}, "cuMemcpyHtoDAsync_v2"},
        {{false, CUPTI_DRIVER_TRACE_CBID_cuMemsetD8Async}, "cuMemsetD8Async"}};
    const auto found = known.find({isRuntime, id});
    // Some have no name to speak of.
    return found != known.end() ? found->second
           : id == 2            ? ""
                                : (isRuntime ? "cudaCall" : "cuCall") + std::to_string(id);
}

}  // namespace

extern "C" {

const Standin* warplineStandin() {
    static const Standin standin{announce,    launchKernel, launchUntimed,     beginKernel, endKernel,   launchGraph,
                                 copy,        set,          allocate,          changePool,  synchronise, compile,
                                 overhead,    nameThread,   writeUnknown,      loadModule,  pushRange,   popRange,
                                 mark,        drop,         giveForeignBuffer, takeOver,    holdReading, awaitFlushes,
                                 awaitClocks, isRecording,  isSubscribed};
    return &standin;
}

CUptiResult cuptiGetVersion(uint32_t* version) {
    *version = state().version;
    return CUPTI_SUCCESS;
}

CUptiResult cuptiGetResultString(CUptiResult, const char** text) {
    *text = "CUPTI_ERROR_OF_THE_STANDIN";
    return CUPTI_SUCCESS;
}

CUptiResult cuptiSubscribe(CUpti_SubscriberHandle* subscriber, CUpti_CallbackFunc function, void* userData) {
    return subscribe(subscriber, function, userData);
}

CUptiResult cuptiUnsubscribe(CUpti_SubscriberHandle) {
    State& all = state();
    const std::scoped_lock lock(all.mutex);
    all.function = nullptr;
    all.callbacks.clear();
    all.domains.clear();
    return CUPTI_SUCCESS;
}

CUptiResult cuptiEnableCallback(uint32_t enable, CUpti_SubscriberHandle, CUpti_CallbackDomain domain,
                                CUpti_CallbackId id) {
    State& all = state();
    const std::scoped_lock lock(all.mutex);
    if (enable != 0) {
        all.callbacks.insert({domain, id});
    } else {
        all.callbacks.erase({domain, id});
    }
    return CUPTI_SUCCESS;
}

CUptiResult cuptiEnableDomain(uint32_t enable, CUpti_SubscriberHandle, CUpti_CallbackDomain domain) {
    State& all = state();
    const std::scoped_lock lock(all.mutex);
    if (enable != 0) {
        all.domains.insert(domain);
    } else {
        all.domains.erase(domain);
    }
    return CUPTI_SUCCESS;
}

CUptiResult cuptiGetCallbackName(CUpti_CallbackDomain domain, uint32_t id, const char** name) {
    constexpr uint32_t kCalls = 700;
    static const auto* const names = [] {
        auto* made = new std::vector<std::string>[2];
        for (uint32_t i = 0; i < kCalls; ++i) {
            made[0].push_back(nameOfCall(CUPTI_CB_DOMAIN_RUNTIME_API, i));
            made[1].push_back(nameOfCall(CUPTI_CB_DOMAIN_DRIVER_API, i));
        }
        return made;
    }();
    if (id == 0 || id >= kCalls) {
        return CUPTI_ERROR_INVALID_PARAMETER;
    }
    *name = names[domain == CUPTI_CB_DOMAIN_RUNTIME_API ? 0 : 1][id].c_str();
    return CUPTI_SUCCESS;
}

CUptiResult cuptiActivityEnable(CUpti_ActivityKind kind) {
    State& all = state();
    const std::scoped_lock lock(all.mutex);
    all.kinds.insert(kind);
    return CUPTI_SUCCESS;
}

CUptiResult cuptiActivityDisable(CUpti_ActivityKind kind) {
    State& all = state();
    const std::scoped_lock lock(all.mutex);
    all.kinds.erase(kind);
    return CUPTI_SUCCESS;
}

CUptiResult cuptiActivityRegisterCallbacks(CUpti_BuffersCallbackRequestFunc request,
                                           CUpti_BuffersCallbackCompleteFunc complete) {
    State& all = state();
    const std::scoped_lock lock(all.mutex);
    all.request = request;
    all.complete = complete;
    return CUPTI_SUCCESS;
}

CUptiResult cuptiActivityFlushAll(uint32_t flags) {
    State& all = state();
    pause(all.flushMs);
    std::vector<Lane*> lanes;
    {
        const std::scoped_lock lock(all.mutex);
        lanes = all.lanes;
    }
    for (Lane* of : lanes) {
        const std::scoped_lock lock(of->mutex);
        if (of->running != nullptr && (flags & CUPTI_ACTIVITY_FLAG_FLUSH_FORCED) == 0) {
            continue;
        }
        // A kernel that is torn so never comes again.
        of->running = nullptr;
        for (const Buffer& buffer : of->heldBack) {
            hand(buffer);
        }
        of->heldBack.clear();
        hand(std::exchange(of->current, {}));
    }
    ++all.flushes;
    return CUPTI_SUCCESS;
}

CUptiResult cuptiActivityGetNextRecord(uint8_t* buffer, size_t validBytes, CUpti_Activity** record) {
    auto* at = reinterpret_cast<uint8_t*>(*record);
    const auto bytesOf = [](const uint8_t* from) {
        uint32_t kind = 0;
        std::memcpy(&kind, from, sizeof kind);
        return cuptiRecordBytes(kind, state().version);
    };
    if (at == nullptr) {
        while (state().isReadingHeld) {
            pause(2);
        }
        at = buffer;
    } else {
        at += bytesOf(at);
    }
    const auto offset = static_cast<size_t>(at - buffer);
    if (offset >= validBytes || bytesOf(at) == 0 || bytesOf(at) > validBytes - offset) {
        return CUPTI_ERROR_MAX_LIMIT_REACHED;
    }
    *record = reinterpret_cast<CUpti_Activity*>(at);
    return CUPTI_SUCCESS;
}

CUptiResult cuptiActivityGetNumDroppedRecords(CUcontext, uint32_t, size_t* dropped) {
    *dropped = state().dropped.exchange(0);
    return CUPTI_SUCCESS;
}

CUptiResult cuptiGetTimestamp(uint64_t* timestamp) {
    constexpr uint64_t kOfTheOther = 1'800'000'000'000'000'000;
    ++state().clocks;
    *timestamp = realtime() - (state().isTaken ? kOfTheOther : 0);
    return CUPTI_SUCCESS;
}

#ifndef WARPLINE_STANDIN_OLD

CUptiResult cuptiSubscribe_v2(CUpti_SubscriberHandle* subscriber, CUpti_CallbackFunc function, void* userData,
                              CUpti_SubscriberParams* parameters) {
    const CUptiResult result = subscribe(subscriber, function, userData);
    if (result != CUPTI_SUCCESS && parameters->oldSubscriberName != nullptr) {
        const char* holder = std::getenv("STANDIN_HOLDER");
        std::snprintf(parameters->oldSubscriberName, parameters->oldSubscriberSize, "%s",
                      holder != nullptr ? holder : "<not provided>");
    }
    return result;
}

CUptiResult cuptiSetThreadIdType(CUpti_ActivityThreadIdType) {
    return CUPTI_SUCCESS;
}

CUptiResult cuptiActivitySetAttribute(CUpti_ActivityAttribute attribute, size_t*, void* value) {
    State& all = state();
    const std::scoped_lock lock(all.mutex);
    if (attribute == CUPTI_ACTIVITY_ATTR_PER_THREAD_ACTIVITY_BUFFER) {
        all.buffersPerThread = *static_cast<uint8_t*>(value) != 0;
    }
    return CUPTI_SUCCESS;
}

CUptiResult cuptiActivityEnableRuntimeApi(CUpti_CallbackId id, uint8_t enable) {
    State& all = state();
    const std::scoped_lock lock(all.mutex);
    all.calls[{CUPTI_CB_DOMAIN_RUNTIME_API, id}] = enable != 0;
    return CUPTI_SUCCESS;
}

CUptiResult cuptiActivityEnableDriverApi(CUpti_CallbackId id, uint8_t enable) {
    State& all = state();
    const std::scoped_lock lock(all.mutex);
    all.calls[{CUPTI_CB_DOMAIN_DRIVER_API, id}] = enable != 0;
    return CUPTI_SUCCESS;
}

CUptiResult cuptiActivityEnableAllocationSource(uint8_t) {
    return CUPTI_SUCCESS;
}

CUptiResult cuptiNvtxInitialize2(void*) {
    state().hasNvtx = true;
    return CUPTI_SUCCESS;
}

#endif

}  // extern "C"
