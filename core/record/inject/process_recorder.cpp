// SPDX-License-Identifier: MIT
#include "core/record/inject/process_recorder.h"

#include <cupti_activity.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstring>

#include "core/capture/texts.h"
#include "core/record/inject/clocks.h"

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

/// The program's arguments as a shell takes them.
std::string commandLine() {
    std::string line;
    std::string arguments = readSmallFile("/proc/self/cmdline").value_or("");
    for (size_t at = 0; at < arguments.size();) {
        const size_t end = std::min(arguments.find('\0', at), arguments.size());
        const std::string argument = arguments.substr(at, end - at);
        const bool isPlain =
            !argument.empty() && argument.find_first_of(" \t\n\"'\\$`&|;<>()*?[]{}~#!") == std::string::npos;
        line += line.empty() ? "" : " ";
        if (isPlain) {
            line += argument;
        } else {
            line += '\'';
            for (const char c : argument) {
                line += c == '\'' ? std::string("'\\''") : std::string(1, c);
            }
            line += '\'';
        }
        at = end + 1;
    }
    return line;
}

std::string programPath() {
    char path[4096];
    const ssize_t length = readlink("/proc/self/exe", path, sizeof path);
    return length > 0 ? std::string(path, static_cast<size_t>(length)) : std::string();
}

std::string hostName() {
    char name[256] = {};
    return gethostname(name, sizeof name - 1) == 0 ? name : "";
}

/// A thread that is never joined, and that no signal of the program reaches.
/// `onFailure`: it has run out of memory.
template <class Body, class OnFailure>
bool startThread(const char* name, Body body, OnFailure onFailure) {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    bool isStarted = true;
    try {
        std::thread thread([body, onFailure] {
            try {
                body();
            } catch (const std::exception&) {
                onFailure();
            }
        });
        pthread_setname_np(thread.native_handle(), name);
        thread.detach();
    } catch (const std::system_error&) {
        isStarted = false;
    }
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    return isStarted;
}

/// CUPTI knows one recorder in a process.
std::atomic<ProcessRecorder*> theRecorder{nullptr};

}  // namespace

ProcessRecorder::ProcessRecorder(Setting setting, CaptureFile file, AgentLock agent)
    : m_setting(std::move(setting)),
      m_file(std::move(file)),
      m_writer(
          [this](std::span<const char> header, std::span<const char> payload) { return writeFrame(header, payload); }),
      m_agent(std::move(agent)) {}

bool ProcessRecorder::writeFrame(std::span<const char> header, std::span<const char> payload) {
    if (m_file.write(header, payload)) {
        return true;
    }
    // A capture that cannot be written cannot say so.
    if (m_setting.control != nullptr && m_file.lastError() != 0) {
        m_setting.control->writeError = m_file.lastError();
    }
    return false;
}

void ProcessRecorder::writeBegin() {
    std::string facts;
    appendFact(facts, fact::kFormat, kFormatName);
    appendFact(facts, fact::kPid, std::to_string(getpid()));
    appendFact(facts, "parent_pid", std::to_string(getppid()));
    appendFact(facts, fact::kProgram, programPath());
    appendFact(facts, fact::kArguments, commandLine());
    appendFact(facts, fact::kHost, hostName());
    appendFact(facts, "begin_ns", std::to_string(readRealtime()));
    appendFact(facts, fact::kLevel, toText(m_setting.options));
    if (m_cupti.version != 0) {
        appendFact(facts, fact::kCuptiVersion, std::to_string(m_cupti.version));
        appendFact(facts, fact::kCuptiPath, m_cupti.path);
        appendFact(facts, fact::kDriverVersion, std::to_string(m_cupti.driverVersion));
    }
    m_writer.writeFacts(facts);
}

void ProcessRecorder::writeRefusal(const std::string& why) {
    std::string facts;
    appendFact(facts, fact::kReason, "refused");
    appendFact(facts, fact::kError, why);
    m_writer.writeEnd(facts);
}

bool ProcessRecorder::start(Result<CuptiApi> cupti, CUpti_SubscriberHandle inherited) {
    if (cupti) {
        m_cupti = cupti.value();
    }
    writeBegin();
    if (!cupti) {
        writeRefusal(cupti.error().message);
        return false;
    }
    if (inherited != nullptr) {
        m_cupti.unsubscribe(inherited);
    }
    m_startNs = m_setting.options.startedNs != 0 ? m_setting.options.startedNs : readRealtime();
    std::string why = setUpSelection();
    theRecorder = this;
    why = why.empty() ? subscribe() : why;
    if (!why.empty()) {
        theRecorder = nullptr;
        writeRefusal(why);
        return false;
    }
    m_decoder = std::make_unique<ActivityDecoder>(
        m_writer,
        CuptiTraits{m_cupti.version,
                    m_setting.options.hasAllocationSource && m_cupti.activityEnableAllocationSource != nullptr},
        [this](CallDomain domain, uint32_t id) -> std::string_view {
            const char* name = nullptr;
            const auto of = domain == CallDomain::Runtime ? CUPTI_CB_DOMAIN_RUNTIME_API : CUPTI_CB_DOMAIN_DRIVER_API;
            return m_cupti.getCallbackName(of, id, &name) == CUPTI_SUCCESS && name != nullptr ? name : "unknown call";
        });
    m_decoder->setFilter(m_filter.get());
    setUpActivities();
    enableLaunchCallbacks();
    obeyControl();
    const bool isWriting = startThread(
        "warpline-write", [this] { write(); }, [this] { giveUp(); });
    if (isWriting && startThread(
                         "warpline-watch", [this] { watch(); }, [this] { giveUp(); })) {
        return true;
    }
    const std::string noThread = "no thread could be started in the process";
    enableKinds(false);
    m_cupti.unsubscribe(m_subscriber);
    m_isClosed = true;
    if (!isWriting) {
        writeRefusal(noThread);
        return false;
    }
    // The one that was started ends the capture.
    std::unique_lock lock(m_mutex);
    m_endReason = "refused";
    m_endError = noThread;
    m_isFlushed = true;
    m_buffers.wake();
    m_changed.wait(lock, [this] { return m_hasEnded; });
    return false;
}

void ProcessRecorder::leaveToParent() {
    theRecorder = nullptr;
    m_file.close();
    m_agent.close();
}

/// Why it could not; "" if it could.
std::string ProcessRecorder::subscribe() {
    const CUpti_CallbackFunc function = [](void*, CUpti_CallbackDomain domain, CUpti_CallbackId id, const void* data) {
        if (ProcessRecorder* recorder = theRecorder) {
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
            ProcessRecorder* recorder = theRecorder;
            *buffer = nullptr;
            *size = *mostRecords = 0;
            if (recorder != nullptr) {
                recorder->bufferRequested(buffer, size, mostRecords);
            }
        },
        [](CUcontext, uint32_t, uint8_t* buffer, size_t, size_t validBytes) {
            if (ProcessRecorder* recorder = theRecorder) {
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

void ProcessRecorder::bufferRequested(uint8_t** buffer, size_t* size, size_t* mostRecords) {
    *buffer = m_isClosed ? nullptr : m_buffers.take();
    *size = *buffer == nullptr ? 0 : BufferPool::kBufferBytes;
    *mostRecords = 0;
    m_noBuffer += *buffer == nullptr ? 1 : 0;
}

void ProcessRecorder::callback(CUpti_CallbackDomain domain, CUpti_CallbackId id, const void* data) try {
    if (m_isClosed) {
        return;
    }
    if (domain == CUPTI_CB_DOMAIN_RESOURCE && id == CUPTI_CBID_RESOURCE_MODULE_LOADED) {
        moduleLoaded(*static_cast<const CUpti_ResourceData*>(data));
    } else if (domain == CUPTI_CB_DOMAIN_DRIVER_API && m_notes != nullptr) {
        const auto& call = *static_cast<const CUpti_CallbackData*>(data);
        const DriverCall kind = id < m_driverCalls.size() ? m_driverCalls[id] : DriverCall::Other;
        const bool isProfiler = kind == DriverCall::ProfilerStart || kind == DriverCall::ProfilerStop;
        if (isProfiler && m_selector != nullptr) {
            m_selector->onProfiler(kind == DriverCall::ProfilerStart);
        } else if (!isProfiler && call.callbackSite == CUPTI_API_ENTER) {
            m_notes->onLaunch(call, kind == DriverCall::Kernel  ? LaunchNotes::Work::Kernel
                                    : kind == DriverCall::Graph ? LaunchNotes::Work::Graph
                                                                : LaunchNotes::Work::Copy);
        }
    } else if (domain == CUPTI_CB_DOMAIN_NVTX && m_notes != nullptr) {
        m_notes->onRange(id, *static_cast<const CUpti_NvtxData*>(data));
    }
} catch (const std::exception&) {
    // Out of memory, in the program's own thread and below code that knows no exceptions.
    if (domain == CUPTI_CB_DOMAIN_RESOURCE) {
        ++m_lostModules;
    }
}

void ProcessRecorder::moduleLoaded(const CUpti_ResourceData& data) {
    const auto* module = static_cast<const CUpti_ModuleResourceData*>(data.resourceDescriptor);
    if (module == nullptr || module->pCubin == nullptr || module->cubinSize == 0) {
        return;
    }
    ModuleHead head;
    head.time = readRealtime();
    head.module = module->moduleId;
    if (!m_modules.put(head, {module->pCubin, module->cubinSize})) {
        ++m_lostModules;
    }
    m_buffers.wake();
}

void ProcessRecorder::post(std::function<void(CaptureWriter&)> write) {
    const std::scoped_lock lock(m_mutex);
    if (!m_hasEnded) {
        m_posts.push_back(std::move(write));
    }
}

void ProcessRecorder::finish(std::string_view reason) {
    std::unique_lock lock(m_mutex);
    m_isToEnd = m_isProgramEnding = true;
    m_endReason = m_endReason.empty() ? reason : m_endReason;
    m_changed.notify_all();
    // A driver that is compiling or loading can hold up a flush; a program that ends is not to hang for it.
    constexpr auto kPatience = std::chrono::seconds(10);
    m_changed.wait_for(lock, kPatience, [this] { return m_hasEnded; });
}

}  // namespace warpline::record
