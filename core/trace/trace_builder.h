// SPDX-License-Identifier: MIT
#pragma once
// Collects what a loader reads, then seals it into a Trace. One thread, one use: fill, seal, throw away.
// Events may come in any order; names and sort indices may come after the events they belong to. An event with a time
// (or an end) that a trace does not hold (see kLatestTime) is dropped and reported as outlier.

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "core/base/ids.h"
#include "core/base/job_control.h"
#include "core/base/result.h"
#include "core/base/time.h"
#include "core/trace/event_facts.h"
#include "core/trace/file_info.h"
#include "core/trace/import_report.h"
#include "core/trace/point_events.h"
#include "core/trace/slices.h"
#include "core/trace/trace.h"

namespace warpline {

/// A slice as a loader hands it over. Times are on the file's own clock, as in all records.
struct SliceRecord {
    TimeNs begin = 0;
    DurationNs duration = 0;  ///< kUnknownDuration: the file gives no end
    StringId name;
    StringId category;
    EventKind kind = EventKind::Other;
    uint8_t flags = 0;
    TrackId track;
    uint64_t correlation = kNoCorrelation;
    uint64_t externalId = kNoExternalId;
    StringId shapes;
    SourceRef source;
};

/// Half of a slice that is given as begin and end. `record.duration` is ignored.
struct SliceEnd {
    TimeNs time = 0;
    StringId name;  ///< "": closes the innermost open slice of the track
    TrackId track;
    SourceRef source;
};

enum class AsyncPhase : uint8_t { Begin, End, Instant };
struct AsyncRecord {
    AsyncPhase phase = AsyncPhase::Begin;
    TimeNs time = 0;
    StringId name, category;
    std::optional<EventId> id;  ///< nullopt: the file gives none; joined with others of its process without one
    ProcessId idScope;          ///< the process that counts this id for itself; none: the id is the whole file's
    TrackId track;
    SourceRef source;
    StringId scope;  ///< a word within which, and the category, the id counts; "": none is said
    /// Of a begin whose end is known with it: it is joined with no other record.
    DurationNs duration = kUnknownDuration;
};

struct FlowRecord {
    FlowPhase phase = FlowPhase::Start;
    bool bindsToEnclosing = false;  ///< a finish without it binds to the next slice
    TimeNs time = 0;
    StringId category;
    std::optional<EventId> id;  ///< nullopt: the file gives none, so it joins nothing
    ProcessId idScope;          ///< as in AsyncRecord
    TrackId track;
    SourceRef source;
};

struct CounterRecord {
    TimeNs time = 0;
    ProcessId process;
    StringId name;
    std::optional<EventId> id;
    StringId series;
    double value = 0;              ///< NaN: a gap
    std::optional<int64_t> whole;  ///< the exact value if it is a whole number
};

class TraceBuilder {
public:
    TraceBuilder();
    ~TraceBuilder();

    FileId addFile(FileInfo info);
    FileInfo& file(FileId id);
    void addDevice(DeviceInfo device);
    StringId intern(std::string_view text);
    std::string_view string(StringId id) const;

    /// Finds or makes. nullopt (the file gives no pid or tid) is a process or track of its own.
    ProcessId process(FileId file, std::optional<std::string_view> pid);
    TrackId track(ProcessId process, std::optional<std::string_view> tid);
    ProcessId processOf(TrackId track) const;
    void nameProcess(ProcessId process, StringId name);
    void labelProcess(ProcessId process, StringId labels);
    void sortProcess(ProcessId process, int64_t index);
    void nameTrack(TrackId track, StringId name);
    void sortTrack(TrackId track, int64_t index);

    static constexpr uint32_t kNoSlice = 0xffffffffU;
    /// Returns the slice's number, to which facts can be attached; kNoSlice if it was dropped, then they are too.
    uint32_t addSlice(const SliceRecord& slice);
    uint32_t beginSlice(const SliceRecord& slice);
    void endSlice(const SliceEnd& end);
    void addKernelFacts(uint32_t slice, KernelFacts facts);
    void addCopyFacts(uint32_t slice, CopyFacts facts);
    void addInstant(const Instant& instant);
    void addAsync(const AsyncRecord& record);
    void addFlow(const FlowRecord& record);
    void addCounter(const CounterRecord& record);
    void addMemory(const MemoryEvent& event);
    void countMetadata(uint64_t events = 1);
    void countCounterEvents(uint64_t events = 1);

    /// For producers whose tracks tell what their slices are: called for every track with its process's and its own
    /// name once all is read; slices without category on it take the kind, and the track counts as a device's if told
    /// so.
    struct TrackRole {
        std::optional<EventKind> kind;
        bool isDevice = false;
        std::optional<int32_t> device;  ///< of the kernels on it that do not say theirs
        std::optional<int64_t> stream;
    };
    using TrackRoleFunction = TrackRole (*)(std::string_view processName, std::string_view trackName);
    void setTrackRoles(FileId file, TrackRoleFunction function);

    /// By file: first to last moment of what was added of it, on its own clock; nullopt: nothing of it has a time.
    /// Walks all that there is.
    std::vector<std::optional<TimeRange>> ownRanges() const;
    /// All slices of the file that were added so far are sums (kSliceIsSum).
    void markSums(FileId file);

    ImportReport& report();

    /// Asks `job`, which lives as long as this is filled, to stop once more than `bytes` are held; isFull() tells why.
    void limitBytes(uint64_t bytes, JobControl& job);
    bool isFull() const;
    /// About what all that was added takes, before it is sealed, and what the loader says that it holds beside it.
    uint64_t bytesHeld() const;
    void setBytesOfLoader(uint64_t bytes);  ///< of what it holds now; 0 once it is done

    /// Pairs, sorts, nests, links and counts, on up to `threads` threads (0: usableThreads()). Fails only when
    /// cancelled. Either way the builder is empty afterwards.
    Result<std::shared_ptr<const Trace>> seal(JobControl& job, unsigned threads = 0);

private:
    struct State;
    std::unique_ptr<State> m_state;
};

}  // namespace warpline
