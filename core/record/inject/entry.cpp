// SPDX-License-Identifier: MIT
// Where the CUDA driver and NVTX enter. The driver loads this library in cuInit() because CUDA_INJECTION64_PATH names
// it, and calls InitializeInjection(); NVTX likewise by NVTX_INJECTION64_PATH.

#include <pthread.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <mutex>

#include "core/capture/texts.h"
#include "core/record/inject/agent_lock.h"
#include "core/record/inject/process_recorder.h"

namespace warpline::record {

namespace {

/// All that there is in a process. Never destroyed: threads look at it until the process ends.
struct Injection {
    std::mutex mutex;
    std::atomic<ProcessRecorder*> recorder{nullptr};
    pid_t owner = 0;  ///< the process that the recorder records; another one after a fork
    CUpti_SubscriberHandle inherited = nullptr;
};

Injection& injection() {
    static auto* const instance = new Injection;
    return *instance;
}

Result<RecordOptions> readOptions(const std::string& folder) {
    const auto text = readSmallFile(folder + "/" + kOptionsFile);
    return text ? optionsOf(*text) : Error::failed(folder + ": there are no options of a recording");
}

std::string wantedCupti(const RecordOptions& options) {
    const char* wanted = std::getenv("WARPLINE_CUPTI");
    return wanted != nullptr && *wanted != '\0' ? wanted : options.cuptiPath;
}

void complain(const std::string& what) {
    std::fprintf(stderr, "warpline: process %d is not recorded: %s\n", getpid(), what.c_str());
}

/// In a forked child: its parent goes on recording, this one has neither its threads nor its CUPTI.
void forgetParent() {
    Injection& all = injection();
    if (ProcessRecorder* recorder = all.recorder.exchange(nullptr)) {
        all.inherited = recorder->subscriber();
        recorder->leaveToParent();
    }
}

void atExit() {
    Injection& all = injection();
    if (all.owner == getpid()) {
        if (ProcessRecorder* recorder = all.recorder) {
            recorder->finish("the program ended");
        }
    }
}

void start() {
    Injection& all = injection();
    const std::scoped_lock lock(all.mutex);
    const char* folder = std::getenv(kFolderVariable);
    if (folder == nullptr || all.recorder != nullptr) {
        return;
    }
    AgentLock agent(folder);
    if (agent.isGone()) {
        return;  // the recording is over; what a program leaves behind may live on
    }
    Result<RecordOptions> options = readOptions(folder);
    if (!options) {
        return complain(options.error().message);
    }
    std::string error;
    ControlBlock* control = mapControl(folder, false, error);
    uint32_t first = 0;
    if (control != nullptr && !options.value().followsChildren &&
        !control->firstProcess.compare_exchange_strong(first, static_cast<uint32_t>(getpid())) &&
        first != static_cast<uint32_t>(getpid())) {
        return;
    }
    Result<CaptureFile> file = CaptureFile::create(folder, getpid(), options.value().mostBytes);
    if (!file) {
        return complain(file.error().message);
    }
    const std::string wanted = wantedCupti(options.value());
    auto* recorder =
        new ProcessRecorder({folder, std::move(options).value(), control}, std::move(file).value(), std::move(agent));
    if (!recorder->start(bindCupti(wanted), all.inherited)) {
        return;  // it has written why; CUPTI may still know it
    }
    const bool isFirst = all.owner == 0;
    all.owner = getpid();
    all.recorder = recorder;
    if (isFirst) {
        pthread_atfork(nullptr, nullptr, forgetParent);
        std::atexit(atExit);
    }
}

}  // namespace

}  // namespace warpline::record

extern "C" {

__attribute__((visibility("default"))) int InitializeInjection() {
    warpline::record::start();
    return 1;
}

/// NVTX asks for its own tables to be filled; CUPTI does that, and makes records of the ranges.
__attribute__((visibility("default"))) int InitializeInjectionNvtx2(void* getExportTable) {
    using namespace warpline::record;
    const char* folder = std::getenv(kFolderVariable);
    if (folder == nullptr) {
        return 0;
    }
    const auto options = readOptions(folder);
    if (!options || !options.value().hasRanges) {
        return 0;
    }
    const auto cupti = bindCupti(wantedCupti(options.value()));
    return cupti && cupti.value().nvtxInitialize2 != nullptr &&
                   cupti.value().nvtxInitialize2(getExportTable) == CUPTI_SUCCESS
               ? 1
               : 0;
}

/// For helpers within the program. 0: this process is not recorded. Any thread.
__attribute__((visibility("default"))) int warpline_note_fact(const char* key, const char* value) {
    using namespace warpline;
    record::ProcessRecorder* recorder = record::injection().recorder;
    if (recorder == nullptr || key == nullptr || value == nullptr) {
        return 0;
    }
    recorder->post([key = std::string(key), value = std::string(value)](capture::CaptureWriter& writer) {
        std::string facts;
        capture::appendFact(facts, key, value);
        writer.writeFacts(facts);
    });
    return 1;
}

/// What the allocator of a framework did: see capture::AllocationRecord. `stack` may be nullptr.
__attribute__((visibility("default"))) int warpline_note_allocation(int64_t timeNs, uint64_t address, uint64_t bytes,
                                                                    uint64_t stream, uint32_t action, uint32_t device,
                                                                    const char* stack) {
    using namespace warpline;
    record::ProcessRecorder* recorder = record::injection().recorder;
    if (recorder == nullptr) {
        return 0;
    }
    capture::AllocationRecord record;
    record.time = timeNs;
    record.address = address;
    record.bytes = bytes;
    record.stream = stream;
    record.action = static_cast<capture::AllocationAction>(action);
    record.device = device;
    return recorder->postWithRoom(
               [record, stack = std::string(stack != nullptr ? stack : "")](capture::CaptureWriter& writer) mutable {
                   record.stack = writer.number(stack);
                   writer.add(record);
               })
               ? 1
               : 0;
}

}  // extern "C"
