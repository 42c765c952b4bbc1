// SPDX-License-Identifier: MIT
#pragma once
// Records the process that it is loaded into: subscribes to CUPTI, takes the buffers that it fills, decodes them on a
// thread of its own and writes them to a capture. It never ends before the process does.

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "core/capture/capture_writer.h"
#include "core/record/decode/activity_decoder.h"
#include "core/record/inject/agent_lock.h"
#include "core/record/inject/buffer_pool.h"
#include "core/record/inject/capture_file.h"
#include "core/record/inject/cupti_api.h"
#include "core/record/inject/launch_notes.h"
#include "core/record/inject/module_queue.h"
#include "core/record/options/record_folder.h"
#include "core/record/options/record_options.h"
#include "core/record/select/selection_filter.h"

namespace warpline::record {

/// Threads: start() and finish() the process's; buffers and callbacks any thread of it; one thread flushes and watches,
/// one decodes and writes. Only the latter two call CUPTI once it is started.
class ProcessRecorder {
public:
    /// What one process is given.
    struct Setting {
        std::string folder;
        RecordOptions options;
        ControlBlock* control = nullptr;  ///< nullptr: nobody says anything
    };

    ProcessRecorder(Setting setting, CaptureFile file, AgentLock agent);

    /// Begins, or writes why not and returns false. `cupti` failed: that is why. `inherited` is the subscription of the
    /// process that this one was forked from.
    bool start(Result<CuptiApi> cupti, CUpti_SubscriberHandle inherited);
    /// Takes what CUPTI still holds, writes all and the end. Returns within a few seconds, done or not.
    void finish(std::string_view reason);

    void bufferRequested(uint8_t** buffer, size_t* size, size_t* mostRecords);
    void bufferCompleted(uint8_t* buffer, size_t validBytes) { m_buffers.takeFilled(buffer, validBytes); }
    void callback(CUpti_CallbackDomain domain, CUpti_CallbackId id, const void* data);
    /// Has `write` called on the thread that writes. Any thread.
    void post(std::function<void(capture::CaptureWriter&)> write);
    /// Of helpers in the program, who may have very much to say: waits until there is room. False: there came none.
    bool postWithRoom(std::function<void(capture::CaptureWriter&)> write);

    CUpti_SubscriberHandle subscriber() const { return m_subscriber; }
    /// In a forked child, in which none of this runs: it lets go of what it inherited.
    void leaveToParent();

private:
    bool writeFrame(std::span<const char> header, std::span<const char> payload);
    void writeBegin();
    void writeRefusal(const std::string& why);

    // In process_setup.cpp.
    std::string subscribe();
    void setUpActivities();
    void enableKinds(bool enable);
    void selectCalls();
    std::string setUpSelection();
    void enableLaunchCallbacks();

    void moduleLoaded(const CUpti_ResourceData& data);

    // In process_watcher.cpp.
    void watch();
    void watchTick(uint64_t tick);
    void readClocks();
    void readDropped();
    void obeyControl();
    void noteCycle();
    bool isTimeOver() const;
    bool isInTime() const;
    void endWatch();
    void requestEnd(std::string_view reason);

    // In process_writer.cpp.
    void write();
    bool writePass(std::chrono::milliseconds wait);
    void decode(const FilledBuffer& buffer);
    void takeNotes();
    void takePosts();
    void reportLosses();
    void writeEnd();
    void giveUp();

    static std::atomic<ProcessRecorder*> s_current;  ///< CUPTI knows one recorder in a process

    Setting m_setting;
    CuptiApi m_cupti;
    CUpti_SubscriberHandle m_subscriber = nullptr;
    CaptureFile m_file;
    capture::CaptureWriter m_writer;
    std::unique_ptr<ActivityDecoder> m_decoder;
    BufferPool m_buffers;
    ModuleQueue m_modules;
    std::unique_ptr<LaunchSelector> m_selector;
    std::unique_ptr<SelectionFilter> m_filter;
    std::unique_ptr<LaunchNotes> m_notes;  ///< nullptr: launches are not noted
    enum class DriverCall : uint8_t { Other, Kernel, Graph, ProfilerStart, ProfilerStop };
    std::vector<DriverCall> m_driverCalls;  ///< by their numbers
    std::vector<CUpti_ActivityKind> m_kinds;
    bool m_isRecording = false;  ///< kinds are enabled; the watching thread's, once started

    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::vector<std::function<void(capture::CaptureWriter&)>> m_posts;
    bool m_isToEnd = false, m_isFlushed = false, m_hasEnded = false;
    bool m_isProgramEnding = false;
    std::string m_endReason, m_endError;

    std::atomic<uint64_t> m_lostModules{0}, m_lostPosts{0}, m_noBuffer{0}, m_dropped{0};
    std::atomic<bool> m_isClosed{false};  ///< nothing is taken any more

    // The watching thread's.
    uint32_t m_cycle = 0;   ///< of a schedule in time
    int64_t m_startNs = 0;  ///< of the recording's time: delay and duration count from it
    int64_t m_lastGoodClockNs = 0;
    bool m_isTakenOver = false;
    AgentLock m_agent;

    // The writing thread's.
    uint64_t m_spareRecords = 0;
    uint32_t m_launchCycle = 0;  ///< of a schedule that counts
    struct Reported {
        uint64_t unreadable = 0, filtered = 0, unwritten = 0, spareRecords = 0, dropped = 0, modules = 0, posts = 0,
                 notes = 0;
    } m_reported;
};

}  // namespace warpline::record
