// SPDX-License-Identifier: MIT
#pragma once
// The CUPTI of the process that is recorded, bound at run time: nothing here is linked to it, and a second copy of it
// in a process would destroy both recordings.

#include <cupti.h>

#include <string>

#include "core/base/result.h"

namespace warpline::record {

/// Functions that a version lacks are nullptr, and what needs them is not done; those without which nothing goes are
/// always there.
struct CuptiApi {
    std::string path;  ///< of the library that was bound
    uint32_t version = 0;
    int driverVersion = 0;  ///< as cuDriverGetVersion() gives it; 0: unknown

    // Needed.
    decltype(&cuptiGetVersion) getVersion = nullptr;
    decltype(&cuptiGetResultString) getResultString = nullptr;
    decltype(&cuptiSubscribe) subscribe = nullptr;
    decltype(&cuptiUnsubscribe) unsubscribe = nullptr;
    decltype(&cuptiEnableCallback) enableCallback = nullptr;
    decltype(&cuptiEnableDomain) enableDomain = nullptr;
    decltype(&cuptiGetCallbackName) getCallbackName = nullptr;
    decltype(&cuptiActivityEnable) activityEnable = nullptr;
    decltype(&cuptiActivityDisable) activityDisable = nullptr;
    decltype(&cuptiActivityRegisterCallbacks) activityRegisterCallbacks = nullptr;
    decltype(&cuptiActivityFlushAll) activityFlushAll = nullptr;
    decltype(&cuptiActivityGetNextRecord) activityGetNextRecord = nullptr;
    decltype(&cuptiActivityGetNumDroppedRecords) activityGetNumDroppedRecords = nullptr;
    decltype(&cuptiGetTimestamp) getTimestamp = nullptr;

    // Not in every version.
#if CUPTI_API_VERSION >= 130000
    decltype(&cuptiSubscribe_v2) subscribeV2 = nullptr;
#else
    void* subscribeV2 = nullptr;
#endif
    decltype(&cuptiSetThreadIdType) setThreadIdType = nullptr;
    decltype(&cuptiActivitySetAttribute) activitySetAttribute = nullptr;
    CUptiResult (*activityEnableRuntimeApi)(CUpti_CallbackId, uint8_t) = nullptr;
    CUptiResult (*activityEnableDriverApi)(CUpti_CallbackId, uint8_t) = nullptr;
    CUptiResult (*activityEnableAllocationSource)(uint8_t) = nullptr;
    decltype(&cuptiGetStreamIdEx) getStreamIdEx = nullptr;
    CUptiResult (*nvtxInitialize2)(void*) = nullptr;

    std::string resultText(CUptiResult result) const;
};

/// Finds the copy that this process is to use and binds it. In this order: `wanted` if it is given; a copy that is
/// mapped already; beside the process's CUDA runtime; libcupti.so of the driver's generation; the toolkit's folders.
/// Fails with all that was tried, or because the one found is older than 11.8.
Result<CuptiApi> bindCupti(const std::string& wanted);

}  // namespace warpline::record
