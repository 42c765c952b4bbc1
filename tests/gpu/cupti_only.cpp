// SPDX-License-Identifier: MIT
// What CUPTI itself costs at the recorder's default level: the same kinds and calls are enabled and the buffers flushed
// as often, but nothing is read of them or written. Loaded as the recorder is, by CUDA_INJECTION64_PATH; tests/gpu/
// record_overhead.py holds the recorder against it.
//
//   g++ -O2 -std=c++20 -shared -fPIC -I$CUDA/include tests/gpu/cupti_only.cpp -o libcupti_only.so -L$CUDA/lib64 -lcupti
#include <cupti.h>

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <string_view>
#include <thread>
#include <vector>

namespace {

constexpr size_t kBytes = size_t{64} << 10;

struct Buffers {
    std::mutex mutex;
    std::vector<uint8_t*> unused;
};

Buffers& buffers() {
    static auto* const all = new Buffers;
    return *all;
}

void CUPTIAPI request(uint8_t** buffer, size_t* size, size_t* most) {
    const std::scoped_lock lock(buffers().mutex);
    if (buffers().unused.empty()) {
        auto* fresh = static_cast<uint8_t*>(std::aligned_alloc(4096, kBytes));
        std::memset(fresh, 0, kBytes);
        buffers().unused.push_back(fresh);
    }
    *buffer = buffers().unused.back();
    buffers().unused.pop_back();
    *size = kBytes;
    *most = 0;
}

void CUPTIAPI complete(CUcontext, uint32_t, uint8_t* buffer, size_t, size_t) {
    const std::scoped_lock lock(buffers().mutex);
    buffers().unused.push_back(buffer);
}

void enableCalls(CUpti_CallbackDomain domain, CUptiResult (*enable)(CUpti_CallbackId, uint8_t), size_t prefix) {
    const char* name = nullptr;
    for (uint32_t id = 1; cuptiGetCallbackName(domain, id, &name) == CUPTI_SUCCESS; ++id) {
        const std::string_view bare = std::string_view(name).substr(prefix);
        if (bare.starts_with("Launch") || bare.starts_with("GraphLaunch") || bare.starts_with("Memcpy") ||
            bare.starts_with("Memset")) {
            enable(id, 1);
        }
    }
}

}  // namespace

extern "C" int InitializeInjection() {
    CUpti_SubscriberHandle subscriber{};
    if (cuptiSubscribe(
            &subscriber, [](void*, CUpti_CallbackDomain, CUpti_CallbackId, const void*) {}, nullptr) != CUPTI_SUCCESS) {
        return 0;
    }
    cuptiActivityRegisterCallbacks(request, complete);
    const bool isKernelsOnly = std::getenv("CUPTI_ONLY_KERNELS") != nullptr;
    std::vector<CUpti_ActivityKind> kinds = {CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL};
    if (!isKernelsOnly) {
        kinds.insert(kinds.end(), {CUPTI_ACTIVITY_KIND_DEVICE, CUPTI_ACTIVITY_KIND_CONTEXT, CUPTI_ACTIVITY_KIND_STREAM,
                                   CUPTI_ACTIVITY_KIND_MEMCPY, CUPTI_ACTIVITY_KIND_MEMCPY2, CUPTI_ACTIVITY_KIND_MEMSET,
                                   CUPTI_ACTIVITY_KIND_MEMORY2, CUPTI_ACTIVITY_KIND_MEMORY_POOL,
                                   CUPTI_ACTIVITY_KIND_SYNCHRONIZATION, CUPTI_ACTIVITY_KIND_OVERHEAD,
                                   CUPTI_ACTIVITY_KIND_JIT, CUPTI_ACTIVITY_KIND_MARKER, CUPTI_ACTIVITY_KIND_NAME});
    }
    for (const CUpti_ActivityKind kind : kinds) {
        cuptiActivityEnable(kind);
    }
    if (!isKernelsOnly) {
        enableCalls(CUPTI_CB_DOMAIN_RUNTIME_API, cuptiActivityEnableRuntimeApi, 4);
        enableCalls(CUPTI_CB_DOMAIN_DRIVER_API, cuptiActivityEnableDriverApi, 2);
    }
    std::thread([] {
        for (;;) {
            std::this_thread::sleep_for(std::chrono::milliseconds(50));
            cuptiActivityFlushAll(0);
        }
    }).detach();
    return 1;
}
