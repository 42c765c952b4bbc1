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

}  // namespace

std::atomic<ProcessRecorder*> ProcessRecorder::s_current{nullptr};

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
    s_current = this;
    why = why.empty() ? subscribe() : why;
    if (!why.empty()) {
        s_current = nullptr;
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
    s_current = nullptr;
    m_file.close();
    m_agent.close();
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

bool ProcessRecorder::postWithRoom(std::function<void(CaptureWriter&)> write) {
    constexpr size_t kMostWaiting = 1000;
    constexpr int kMostNaps = 2000;
    for (int nap = 0; nap < kMostNaps; ++nap) {
        {
            const std::scoped_lock lock(m_mutex);
            if (m_hasEnded) {
                return false;
            }
            if (m_posts.size() < kMostWaiting) {
                m_posts.push_back(std::move(write));
                return true;
            }
        }
        m_buffers.wake();
        usleep(1000);
    }
    ++m_lostPosts;
    return false;
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
