// SPDX-License-Identifier: MIT
// What a ProcessRecorder asks of CUPTI: the subscription, the kinds of records, the calls, the selection.
#include <cupti_activity.h>

#include <algorithm>

#include "core/capture/texts.h"
#include "core/record/inject/clocks.h"
#include "core/record/inject/process_recorder.h"

namespace warpline::record {

using namespace capture;

namespace {

constexpr uint32_t kMostCallIds = 4096;  // beyond any version's; the list ends earlier, where a name is refused

/// Calls that put work on a device.
bool isLaunch(std::string_view name) {
    if (!name.starts_with("cu")) {
        return false;
    }
    const std::string_view bare = name.substr(name.starts_with("cuda") ? 4 : 2);
    return std::ranges::any_of(std::initializer_list<std::string_view>{"Launch", "GraphLaunch", "Memcpy", "Memset"},
                               [&](std::string_view begin) { return bare.starts_with(begin); });
}

/// Calls that only ask, by the hundred between two launches of a framework.
bool isNoise(std::string_view name) {
    return std::ranges::any_of(
        std::initializer_list<std::string_view>{"cudaGetDevice_", "cudaGetLastError", "cudaPeekAtLastError",
                                                "cudaStreamIsCapturing", "cudaStreamGetCaptureInfo", "cuCtxGetCurrent",
                                                "cuCtxGetDevice", "cudaDeviceGetAttribute", "cuDeviceGetAttribute"},
        [&](std::string_view begin) { return name.starts_with(begin); });
}

}  // namespace

/// Why it could not; "" if it could.
std::string ProcessRecorder::subscribe() {
    const CUpti_CallbackFunc function = [](void*, CUpti_CallbackDomain domain, CUpti_CallbackId id, const void* data) {
        if (ProcessRecorder* recorder = s_current) {
            recorder->callback(domain, id, data);
        }
    };
    CUptiResult result = CUPTI_ERROR_UNKNOWN;
    std::string holder;
#if CUPTI_API_VERSION >= 130000
    if (m_cupti.subscribeV2 != nullptr) {
        char name[256] = {};
        CUpti_SubscriberParams params{CUpti_SubscriberParams_STRUCT_SIZE, "Warpline", name, sizeof name};
        result = m_cupti.subscribeV2(&m_subscriber, function, nullptr, &params);
        holder = name;
    } else
#endif
    {
        result = m_cupti.subscribe(&m_subscriber, function, nullptr);
    }
    if (result == CUPTI_SUCCESS) {
        return {};
    }
    m_subscriber = nullptr;
    constexpr int kHeldByAnother = 39;
    if (result == kHeldByAnother) {
        return "another profiler holds CUPTI in this process" +
               (holder.empty() || holder.starts_with('<') ? std::string() : " (" + holder + ")") +
               ": one profiler at a time; end the other one (nsys, ncu, compute-sanitizer, cuda-gdb, or a "
               "torch.profiler "
               "that ran before) and record again";
    }
    constexpr int kNotInitialized = 15;
    if (result == kNotInitialized) {
        return "CUPTI " + m_cupti.path + " does not fit the driver (" + m_cupti.resultText(result) +
               "): use the CUPTI of the driver's generation, by WARPLINE_CUPTI";
    }
    return "CUPTI refuses to record: " + m_cupti.resultText(result);
}

/// Why it cannot be done; "" if it can.
std::string ProcessRecorder::setUpSelection() {
    const RecordOptions& options = m_setting.options;
    if (SelectionFilter::isNeeded(options)) {
        auto forLaunches = makeKernelNames(options.kernelPattern);
        auto forRecords = makeKernelNames(options.kernelPattern);
        if (!forLaunches || !forRecords) {
            return "--kernel: " + forLaunches.error().message;
        }
        m_filter =
            std::make_unique<SelectionFilter>(options, std::move(forRecords).value(), m_startNs + options.delayNs);
        if (options.selectsLaunches()) {
            m_selector = std::make_unique<LaunchSelector>(options, std::move(forLaunches).value());
        }
    }
    if (m_selector != nullptr || options.isLive) {
        m_notes = std::make_unique<LaunchNotes>(m_selector.get(), options.isLive);
    }
    return {};
}

/// Those of the driver: the runtime's launches go through it, under the same correlation number.
void ProcessRecorder::enableLaunchCallbacks() {
    if (m_notes == nullptr) {
        return;
    }
    const char* name = nullptr;
    for (uint32_t id = 1;
         id < kMostCallIds && m_cupti.getCallbackName(CUPTI_CB_DOMAIN_DRIVER_API, id, &name) == CUPTI_SUCCESS; ++id) {
        const std::string_view call = name != nullptr ? name : "";
        const DriverCall kind = isKernelLaunch(call)                  ? DriverCall::Kernel
                                : call.starts_with("cuGraphLaunch")   ? DriverCall::Graph
                                : call.starts_with("cuProfilerStart") ? DriverCall::ProfilerStart
                                : call.starts_with("cuProfilerStop")  ? DriverCall::ProfilerStop
                                                                      : DriverCall::Other;
        m_driverCalls.resize(id + 1);
        m_driverCalls[id] = kind;
        if (kind == DriverCall::Kernel ||
            (m_selector != nullptr && (kind != DriverCall::Other || isDriverLaunch(call)))) {
            m_cupti.enableCallback(1, m_subscriber, CUPTI_CB_DOMAIN_DRIVER_API, id);
        }
    }
    if (!m_setting.options.range.empty()) {
        m_cupti.enableDomain(1, m_subscriber, CUPTI_CB_DOMAIN_NVTX);
    }
}

void ProcessRecorder::setUpActivities() {
    const RecordOptions& options = m_setting.options;
    if (m_cupti.setThreadIdType != nullptr) {
        m_cupti.setThreadIdType(CUPTI_ACTIVITY_THREAD_ID_TYPE_SYSTEM);
    }
    // A kernel that runs long holds back what comes after it in its thread's buffers: each thread has its own.
    if (m_cupti.activitySetAttribute != nullptr) {
        uint8_t perThread = 1;
        size_t size = sizeof perThread;
        m_cupti.activitySetAttribute(CUPTI_ACTIVITY_ATTR_PER_THREAD_ACTIVITY_BUFFER, &size, &perThread);
    }
    m_cupti.activityRegisterCallbacks(
        [](uint8_t** buffer, size_t* size, size_t* mostRecords) {
            ProcessRecorder* recorder = s_current;
            *buffer = nullptr;
            *size = *mostRecords = 0;
            if (recorder != nullptr) {
                recorder->bufferRequested(buffer, size, mostRecords);
            }
        },
        [](CUcontext, uint32_t, uint8_t* buffer, size_t, size_t validBytes) {
            if (ProcessRecorder* recorder = s_current) {
                recorder->bufferCompleted(buffer, validBytes);
            }
        });
    m_kinds = {CUPTI_ACTIVITY_KIND_DEVICE, CUPTI_ACTIVITY_KIND_CONTEXT,
               CUPTI_ACTIVITY_KIND_STREAM, CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL,
               CUPTI_ACTIVITY_KIND_MEMCPY, CUPTI_ACTIVITY_KIND_MEMCPY2,
               CUPTI_ACTIVITY_KIND_MEMSET};
    const auto also = [&](bool isWanted, std::initializer_list<CUpti_ActivityKind> kinds) {
        if (isWanted) {
            m_kinds.insert(m_kinds.end(), kinds);
        }
    };
    also(options.hasMemory, {CUPTI_ACTIVITY_KIND_MEMORY2, CUPTI_ACTIVITY_KIND_MEMORY_POOL});
    also(options.hasSynchronization, {CUPTI_ACTIVITY_KIND_SYNCHRONIZATION});
    also(options.hasOverhead, {CUPTI_ACTIVITY_KIND_OVERHEAD, CUPTI_ACTIVITY_KIND_JIT});
    also(options.hasRanges, {CUPTI_ACTIVITY_KIND_MARKER, CUPTI_ACTIVITY_KIND_NAME});
    also(options.graph == GraphLevel::Launch, {CUPTI_ACTIVITY_KIND_GRAPH_TRACE});
    // A version that cannot choose among calls records all of them.
    const bool canChoose = m_cupti.activityEnableRuntimeApi != nullptr && m_cupti.activityEnableDriverApi != nullptr;
    also(options.api == ApiLevel::All || (options.api == ApiLevel::Launch && !canChoose),
         {CUPTI_ACTIVITY_KIND_RUNTIME, CUPTI_ACTIVITY_KIND_DRIVER});
    if (options.hasAllocationSource && m_cupti.activityEnableAllocationSource != nullptr) {
        m_cupti.activityEnableAllocationSource(1);
    }
    if (options.hasCode) {
        m_cupti.enableCallback(1, m_subscriber, CUPTI_CB_DOMAIN_RESOURCE, CUPTI_CBID_RESOURCE_MODULE_LOADED);
    }
}

void ProcessRecorder::enableKinds(bool enable) {
    if (m_isRecording == enable) {
        return;
    }
    m_isRecording = enable;
    std::string refused;
    for (const CUpti_ActivityKind kind : m_kinds) {
        const CUptiResult result = enable ? m_cupti.activityEnable(kind) : m_cupti.activityDisable(kind);
        if (enable && result != CUPTI_SUCCESS) {
            refused += (refused.empty() ? "" : ", ") + std::to_string(kind) + ": " + m_cupti.resultText(result);
        }
    }
    selectCalls();
    post([enable, refused, now = readRealtime()](CaptureWriter& writer) {
        std::string facts;
        appendFact(facts, enable ? "recording_since_ns" : "paused_since_ns", std::to_string(now));
        if (!refused.empty()) {
            appendFact(facts, "refused_kinds", refused);
        }
        writer.flush();
        writer.writeFacts(facts);
    });
}

void ProcessRecorder::selectCalls() {
    const ApiLevel level = m_setting.options.api;
    if (level == ApiLevel::None || m_cupti.activityEnableRuntimeApi == nullptr ||
        m_cupti.activityEnableDriverApi == nullptr) {
        return;
    }
    const auto select = [&](CUpti_CallbackDomain domain, CUptiResult (*enableApi)(CUpti_CallbackId, uint8_t)) {
        const char* name = nullptr;
        for (uint32_t id = 1; id < kMostCallIds && m_cupti.getCallbackName(domain, id, &name) == CUPTI_SUCCESS; ++id) {
            if (name == nullptr) {
                continue;
            }
            if (level == ApiLevel::Launch && isLaunch(name)) {
                enableApi(id, m_isRecording ? 1 : 0);
            } else if (level == ApiLevel::All && isNoise(name) && m_isRecording) {
                enableApi(id, 0);
            }
        }
    };
    select(CUPTI_CB_DOMAIN_RUNTIME_API, m_cupti.activityEnableRuntimeApi);
    select(CUPTI_CB_DOMAIN_DRIVER_API, m_cupti.activityEnableDriverApi);
}

}  // namespace warpline::record
