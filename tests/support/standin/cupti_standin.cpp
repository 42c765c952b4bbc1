// SPDX-License-Identifier: MIT
// A library that answers as CUPTI does, without a GPU; see standin.h. Built a second time as an old one, which lacks
// what not every version has (WARPLINE_STANDIN_OLD).
#include <cupti.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>

#include "tests/support/standin/cupti_records.h"
#include "tests/support/standin/standin_state.h"

using namespace warpline::test;

namespace {

CUptiResult subscribe(CUpti_SubscriberHandle* subscriber, CUpti_CallbackFunc function, void* userData) {
    State& all = state();
    const auto refused = static_cast<CUptiResult>(standinNumber("STANDIN_SUBSCRIBE", 0));
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
        {{true, CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernel_v7000}, "cudaLaunchKernel_v7000"},
        {{true, CUPTI_RUNTIME_TRACE_CBID_cudaGraphLaunch_v10000}, "cudaGraphLaunch_v10000"},
        {{true, CUPTI_RUNTIME_TRACE_CBID_cudaMemcpyAsync_v3020}, "cudaMemcpyAsync_v3020"},
        {{true, CUPTI_RUNTIME_TRACE_CBID_cudaMemsetAsync_v3020}, "cudaMemsetAsync_v3020"},
        {{false, CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel}, "cuLaunchKernel"},
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
    standinPause(all.flushMs);
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
            standinPause(2);
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
    *timestamp = standinTime() - (state().isTaken ? kOfTheOther : 0);
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
