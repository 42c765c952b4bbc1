// SPDX-License-Identifier: MIT
#pragma once
// Puts the records of a capture into a TraceBuilder, a frame at a time, under the names, categories and tracks that
// Kineto gives the same work.
//
// A builder is sealed once, so a view of a capture that grows feeds a new builder each time, through a new appender:
// the frames lie in the page cache (or in what the view keeps of a pipe), and reading them costs less than sealing what
// they hold. A view that shows only the last seconds feeds the frames that isContext() tells of from the begin on,
// which are few and small, and of the others those of these seconds. Ranges that began before, and levels of memory,
// are then those of the stretch.

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/base/job_control.h"
#include "core/loaders/capture/capture_facts.h"
#include "core/loaders/capture/capture_reader.h"
#include "core/loaders/capture/source_state.h"
#include "core/trace/trace_builder.h"

namespace warpline::loaders::capture {

/// One thread, one use.
class CaptureAppender {
public:
    /// `builder` and `job` (may be null: never stopped) outlive this. Within a large frame it stops early once `job` is
    /// stopped, as the builder's limit does.
    CaptureAppender(TraceBuilder& builder, FileId file, const JobControl* job = nullptr);

    /// Whether what comes later leans on frames of this type.
    static bool isContext(wire::FrameType type);
    /// Takes a frame in. `bytesOfReader` counts for the builder's limit.
    void add(const CaptureFrame& frame, uint64_t bytesOfReader = 0);
    enum class Growth : uint8_t {
        Ended,   ///< all that there will be has been read
        Growing  ///< more may come: that no end was seen, or half a frame, is nothing to report
    };
    /// Closes what is open, names processes and tracks, reports what is missing. `frames` is where they came from.
    /// Returns what readers of args need.
    std::shared_ptr<const CaptureFacts> finish(const wire::FrameReader& frames, Growth growth);
    uint64_t frameCount() const { return m_frames; }

private:
    /// A GPU, whichever numbers the processes have for it.
    struct Gpu {
        int64_t number = 0;
        DeviceInfo info;
        std::optional<std::array<uint8_t, 16>> uuid;
        std::optional<ProcessId> process;
        std::string pid;                                           ///< once it has a process
        std::map<uint64_t, std::pair<uint32_t, uint32_t>> owners;  ///< by stream: source and context that came first
        TrackId limits;                                            ///< the track of what holds its clocks back
        struct Reasons {
            int64_t since = 0, last = 0;
            uint64_t bits = 0;
            SourceRef place;
        };
        std::optional<Reasons> reasons;
    };
    struct MemoryChange {
        int64_t time = 0;
        uint32_t source = 0;  ///< index
        int32_t gpu = -1;     ///< -1: the host
        uint32_t kind = 0;    ///< CUPTI's
        uint64_t address = 0;
        int64_t bytes = 0;
        SourceRef place;
    };
    struct Allocation {
        int64_t time = 0;
        uint32_t source = 0;  ///< index
        int32_t gpu = 0;
        wire::AllocationAction action = wire::AllocationAction::Other;
        uint64_t address = 0;
        uint64_t bytes = 0;
        SourceRef place;
    };
    struct Missing {
        uint32_t source = 0;  ///< index
        int64_t begin = 0, end = 0;
        StringId name;
        SourceRef place;
    };
    struct StreamKey {
        uint64_t sourceAndGpu = 0;
        uint64_t contextAndStream = 0;
        bool operator==(const StreamKey&) const = default;
    };
    struct StreamHash {
        size_t operator()(const StreamKey& key) const;
    };

    // capture_appender.cpp: frames, texts, times
    SourceState& sourceOf(const CaptureFrame& frame);
    void takeFacts(SourceState& source, std::string_view payload);
    void takeTexts(SourceState& source, const CaptureFrame& frame);
    void takeModule(SourceState& source, const CaptureFrame& frame);
    template <class Record>
    using Take = void (CaptureAppender::*)(SourceState&, const Record&);
    template <class Record, Take<Record> take>
    void takeEach(SourceState& source, const CaptureFrame& frame);
    void takeRecords(SourceState& source, const CaptureFrame& frame);
    void note(std::string_view code, Severity severity, std::string_view detail = {}, uint64_t count = 1);
    /// On the file's own clock; nullopt and reported if `epoch` is none.
    std::optional<TimeNs> timeOf(int64_t epoch, std::string_view what);
    std::optional<SliceRecord> sliceOf(int64_t begin, int64_t end, std::string_view what);
    TimeNs ownTime(int64_t epoch);
    StringId textOf(SourceState& source, uint32_t number);
    StringId internValid(std::string_view text);
    void want(SourceState& source, uint32_t number);

    // identities.cpp: processes, GPUs, tracks
    ProcessId processOf(SourceState& source);
    TrackId threadTrack(SourceState& source, uint32_t thread);
    TrackId namedTrack(SourceState& source, std::string_view name);
    Gpu& gpuOf(SourceState& source, uint32_t device);
    Gpu& gpuOf(int64_t number);
    ProcessId processOf(Gpu& gpu);
    TrackId streamTrack(SourceState& source, Gpu& gpu, uint32_t context, std::optional<uint32_t> stream);
    void takeDevice(SourceState& source, const wire::DeviceRecord& record);
    void takeContext(SourceState& source, const wire::ContextRecord& record);
    void takeStream(SourceState& source, const wire::StreamRecord& record);
    void takeThread(SourceState& source, const wire::ThreadRecord& record);
    void nameAll();

    // device_records.cpp
    /// nullopt: without times, and reported.
    std::optional<SliceRecord> workOf(int64_t begin, int64_t end, uint32_t flags, std::string_view what);
    uint32_t addWork(const SliceRecord& slice, bool isRunning);
    void takeKernel(SourceState& source, const wire::KernelRecord& record);
    void takeCopy(SourceState& source, const wire::CopyRecord& record);
    void takeSet(SourceState& source, const wire::SetRecord& record);
    void takeGraph(SourceState& source, const wire::GraphRecord& record);
    void takeSync(SourceState& source, const wire::SyncRecord& record);

    // host_records.cpp
    void takeCall(SourceState& source, const wire::CallRecord& record);
    void takeLaunch(SourceState& source, const wire::LaunchRecord& record);
    void takeOverhead(SourceState& source, const wire::OverheadRecord& record);
    void takeCompilation(SourceState& source, const wire::CompilationRecord& record);
    void takeRange(SourceState& source, const wire::RangeRecord& record);
    void addAsyncRange(SourceState& source, uint64_t id, const OpenRange& range, std::optional<int64_t> end);
    void openRange(SourceState& source, uint64_t id, const OpenRange& range, bool isPush);
    void addOpenRange(SourceState& source, uint64_t id, const OpenRange& range, bool isPush);
    void closeHost(SourceState& source, Growth growth);

    // memory_records.cpp
    void takeMemory(SourceState& source, const wire::MemoryRecord& record);
    void takePool(SourceState& source, const wire::PoolRecord& record);
    void takeAllocation(SourceState& source, const wire::AllocationRecord& record);
    void addPool(SourceState& source, int64_t time, uint32_t device, uint64_t address, uint64_t used, uint64_t size);
    void addLevel(ProcessId process, TimeNs time, StringId name, std::string_view series, int64_t value);
    void addMemory(SourceState& source, MemoryEvent event, std::string_view track, std::string_view name,
                   SourceRef place);
    void closeMemory();
    void closeAllocations();

    // state_records.cpp: samples, clocks, losses
    void takeSample(SourceState& source, const wire::SampleRecord& record);
    void takeReasons(Gpu& gpu, int64_t time, uint64_t bits);
    void closeReasons(Gpu& gpu, int64_t end);
    void takeClock(SourceState& source, const wire::ClockRecord& record);
    void takeLoss(SourceState& source, const wire::LossRecord& record);
    void closeLosses();
    void reportStream(const wire::FrameReader& frames, Growth growth);
    void writeProperties();

    uint64_t correlationOf(const SourceState& source, uint32_t correlation) const {
        return CaptureFacts::correlation(source.processNumber, correlation);
    }
    void countBytes(SourceState& source, uint64_t bytesOfReader);

    TraceBuilder& m_builder;
    FileId m_file;
    const JobControl* m_job;
    OffsetSpace m_space;
    uint64_t m_frames = 0;
    uint64_t m_sourceBytes = 0;                                  ///< held for all sources
    std::map<uint32_t, std::unique_ptr<SourceState>> m_sources;  ///< by number
    uint32_t m_processes = 0;
    std::vector<SourceState*> m_inOrder;  ///< by index
    std::map<int64_t, Gpu> m_gpus;        ///< by number
    std::pair<const SourceState*, uint32_t> m_lastDevice;
    Gpu* m_lastGpu = nullptr;
    std::unordered_map<StreamKey, TrackId, StreamHash> m_streams;
    StreamKey m_lastStream;
    TrackId m_lastStreamTrack;
    CaptureFacts m_facts;

    struct Words {
        StringId kernel, memcpy, memset, sync, runtime, driver, overhead, annotation, instant, value;
    };
    Words m_words;                    ///< of every other record
    std::optional<int64_t> m_origin;  ///< of the file's own clock, since 1970
    int64_t m_lastTime = 0;           ///< since 1970, of any event
    SourceRef m_place;                ///< of the record that is being taken in
    std::unordered_map<uint32_t, StringId> m_copyNames;
    std::vector<MemoryChange> m_memory;
    std::vector<Allocation> m_allocations;
    std::vector<Missing> m_missing;
    std::string m_buffer;
};

}  // namespace warpline::loaders::capture
