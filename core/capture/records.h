// SPDX-License-Identifier: MIT
#pragma once
// What the frames of a capture hold. A payload is {bytes of one record, how many} and then the records. Later versions
// only append members: a reader takes what it knows of each, and members that the writer did not know read as zero. So
// zero means "not said" throughout, and what counts from zero is stored with one added where that matters.
//
// Times are nanoseconds of the epoch (CLOCK_REALTIME), as CUPTI gives them. Texts are numbers of the source's strings;
// 0 is none. Correlation numbers, contexts and streams are those of CUDA in that process.

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "core/capture/frame.h"

namespace warpline::capture {

/// Flags of work on a device.
enum WorkFlags : uint32_t {
    kReplayed = 1,     ///< run again and again to count: its times are none
    kEndInferred = 2,  ///< a flush cut its record; the end is that of what proves it
    kNoTimes = 4,      ///< begin and end were not recorded, though it was not replayed
};

struct KernelRecord {
    int64_t begin = 0, end = 0;
    int64_t queued = 0, submitted = 0;  ///< 0: unknown
    uint64_t graphNode = 0;             ///< 0: not of a graph
    uint32_t graph = 0;
    uint32_t correlation = 0;
    uint32_t device = 0, context = 0, stream = 0;
    uint32_t name = 0;  ///< as the compiler mangled it
    int32_t grid[3] = {};
    int32_t block[3] = {};
    int32_t cluster[3] = {};
    uint32_t registers = 0;  ///< a thread's
    uint32_t staticShared = 0, dynamicShared = 0;
    uint32_t sharedExecuted = 0;  ///< what the device set apart a block
    uint32_t localPerThread = 0;
    uint64_t localTotal = 0;
    uint32_t flags = 0;  ///< WorkFlags
    uint32_t channel = 0;
};
static_assert(sizeof(KernelRecord) == 136);

enum class CallDomain : uint32_t { Runtime = 1, Driver = 2 };

struct CallRecord {
    int64_t begin = 0, end = 0;
    uint32_t thread = 0;
    uint32_t correlation = 0;
    uint32_t name = 0;
    CallDomain domain = CallDomain::Runtime;
    int32_t result = 0;  ///< as the call returned it
    uint32_t flags = 0;
};
static_assert(sizeof(CallRecord) == 40);

/// Our own note of a launch, made as it happens: it comes even while CUPTI holds its records back.
struct LaunchRecord {
    int64_t time = 0;
    uint32_t thread = 0;
    uint32_t correlation = 0;
    uint32_t context = 0, stream = 0;
    uint32_t name = 0;
    uint32_t flags = 0;
};
static_assert(sizeof(LaunchRecord) == 32);

/// CUPTI's numbers: of the kind of a copy, and of the kinds of memory at its ends.
struct CopyRecord {
    int64_t begin = 0, end = 0;
    uint64_t bytes = 0;
    uint64_t graphNode = 0;
    uint32_t graph = 0;
    uint32_t correlation = 0;
    uint32_t device = 0, context = 0, stream = 0;
    uint32_t sourceDevice = 0, targetDevice = 0;  ///< with one added; 0: the device above
    uint8_t kind = 0, sourceKind = 0, targetKind = 0, isAsync = 0;
    uint32_t flags = 0;  ///< WorkFlags
    uint32_t channel = 0;
};
static_assert(sizeof(CopyRecord) == 72);

struct SetRecord {
    int64_t begin = 0, end = 0;
    uint64_t bytes = 0;
    uint64_t graphNode = 0;
    uint32_t graph = 0;
    uint32_t correlation = 0;
    uint32_t device = 0, context = 0, stream = 0;
    uint32_t value = 0;
    uint32_t memoryKind = 0;
    uint32_t flags = 0;  ///< WorkFlags
};
static_assert(sizeof(SetRecord) == 64);

enum class MemoryAction : uint32_t { Allocate = 1, Free = 2 };

struct MemoryRecord {
    int64_t time = 0;
    uint64_t address = 0;
    uint64_t bytes = 0;
    uint64_t pool = 0;                    ///< its address; 0: from no pool
    uint64_t poolSize = 0, poolUsed = 0;  ///< bytes, after the action
    uint64_t poolThreshold = 0;           ///< bytes that it keeps
    MemoryAction action = MemoryAction::Allocate;
    uint32_t kind = 0;  ///< CUPTI's number of the kind of memory
    uint32_t device = 0, context = 0, stream = 0;
    uint32_t correlation = 0;
    uint32_t name = 0;    ///< of a static variable
    uint32_t origin = 0;  ///< the shared object that asked for it
};
static_assert(sizeof(MemoryRecord) == 88);

struct PoolRecord {
    int64_t time = 0;
    uint64_t address = 0;
    uint64_t size = 0, used = 0, threshold = 0;  ///< bytes
    uint64_t keepAtLeast = 0;                    ///< of a trim
    uint32_t action = 0;                         ///< CUPTI's number: created, destroyed, trimmed
    uint32_t kind = 0;                           ///< CUPTI's number: local, imported
    uint32_t device = 0;
    uint32_t flags = 0;
};
static_assert(sizeof(PoolRecord) == 64);

struct SyncRecord {
    int64_t begin = 0, end = 0;
    uint32_t kind = 0;  ///< CUPTI's number: event, stream wait, stream, context
    uint32_t correlation = 0;
    uint32_t context = 0;
    uint32_t stream = 0;  ///< with one added; 0: of no stream
    uint32_t event = 0;   ///< with one added; 0: of no event
    uint32_t flags = 0;
};
static_assert(sizeof(SyncRecord) == 40);

struct OverheadRecord {
    int64_t begin = 0, end = 0;
    uint32_t kind = 0;  ///< CUPTI's number
    uint32_t thread = 0;
    uint32_t device = 0, stream = 0;  ///< with one added; 0: of a thread
};
static_assert(sizeof(OverheadRecord) == 32);

/// Code that was compiled, or found in or put into the cache of compiled code, while the program ran.
struct CompilationRecord {
    int64_t begin = 0, end = 0;
    uint64_t cacheBytes = 0;
    uint32_t entry = 0, operation = 0;  ///< CUPTI's numbers
    uint32_t device = 0;
    uint32_t thread = 0;
    uint32_t correlation = 0;
    uint32_t cachePath = 0;
};
static_assert(sizeof(CompilationRecord) == 48);

enum class RangeAction : uint32_t { Push = 1, Pop = 2, Start = 3, End = 4, Mark = 5 };

/// One end of a range that the program has named (NVTX), as it happens: who reads joins them, so that one that has not
/// ended is seen too.
struct RangeRecord {
    int64_t time = 0;
    uint64_t id = 0;  ///< joins the two ends within the source
    uint32_t thread = 0;
    uint32_t name = 0;    ///< of a begin
    uint32_t domain = 0;  ///< 0: the program's own
    RangeAction action = RangeAction::Push;
};
static_assert(sizeof(RangeRecord) == 32);

struct ThreadRecord {
    uint32_t thread = 0;  ///< the system's number
    uint32_t name = 0;
};
static_assert(sizeof(ThreadRecord) == 8);

enum class AllocationAction : uint32_t {
    Allocate = 1,
    FreeRequested = 2,
    FreeCompleted = 3,
    SegmentAllocate = 4,
    SegmentFree = 5,
    SegmentMap = 6,
    SegmentUnmap = 7,
    OutOfMemory = 8,
    Snapshot = 9,
    Other = 10,
};

/// What the allocator of a framework did with memory that it holds: no work of CUDA.
struct AllocationRecord {
    int64_t time = 0;
    uint64_t address = 0;
    uint64_t bytes = 0;
    uint64_t stream = 0;  ///< the allocator's: an address
    AllocationAction action = AllocationAction::Other;
    uint32_t device = 0;
    uint32_t stack = 0;  ///< a text, a frame a line, innermost first; 0: not recorded
    uint32_t flags = 0;
};
static_assert(sizeof(AllocationRecord) == 48);

/// From here on what is recorded belongs to a turn of a schedule.
struct CycleRecord {
    int64_t begin = 0;
    uint32_t firstCorrelation = 0;  ///< what has a smaller one is before it; 0: times tell
    uint32_t cycle = 0;             ///< from 1; 0: none
};
static_assert(sizeof(CycleRecord) == 16);

struct ContextRecord {
    uint32_t context = 0;
    uint32_t device = 0;
    uint32_t nullStream = 0;
    uint32_t api = 0;  ///< CUPTI's number
};
static_assert(sizeof(ContextRecord) == 16);

struct StreamRecord {
    uint32_t context = 0;
    uint32_t stream = 0;
    int32_t priority = 0;
    uint32_t flags = 0;  ///< CUPTI's
};
static_assert(sizeof(StreamRecord) == 16);

/// Zero: not known.
struct DeviceRecord {
    uint64_t memoryBytes = 0;
    uint64_t memoryBandwidth = 0;  ///< bytes a second, as the driver gives it
    uint8_t uuid[16] = {};
    uint32_t device = 0;
    uint32_t name = 0;
    uint32_t computeMajor = 0, computeMinor = 0;
    uint32_t smCount = 0;
    uint32_t coreClockKhz = 0, memoryClockKhz = 0;
    uint32_t l2Bytes = 0;
    uint32_t warpSize = 0;
    uint32_t maxThreadsPerBlock = 0, maxThreadsPerSm = 0;
    uint32_t maxBlocksPerSm = 0, maxWarpsPerSm = 0;
    uint32_t registersPerBlock = 0, registersPerSm = 0;
    uint32_t sharedPerBlock = 0, sharedPerBlockOptIn = 0, sharedPerSm = 0, sharedReservedPerBlock = 0;
    uint32_t busWidth = 0;  ///< bits
};
static_assert(sizeof(DeviceRecord) == 112);

/// A graph that was recorded as a whole: no record of its nodes was made.
struct GraphRecord {
    int64_t begin = 0, end = 0;
    uint32_t graph = 0;
    uint32_t correlation = 0;
    uint32_t device = 0, context = 0, stream = 0;
    uint32_t flags = 0;  ///< WorkFlags
};
static_assert(sizeof(GraphRecord) == 40);

/// The clocks, read one after the other.
struct ClockRecord {
    int64_t realtime = 0;
    int64_t monotonicRaw = 0;
    int64_t cupti = 0;   ///< 0: could not be read
    int64_t readNs = 0;  ///< how long the reading took
};
static_assert(sizeof(ClockRecord) == 32);

/// What is sampled of a device, by its number.
enum class SampleKind : uint32_t {
    SmClockMhz = 1,
    MemoryClockMhz = 2,
    PowerWatts = 3,
    TemperatureC = 4,
    ThrottleReasons = 5,  ///< the driver's bits
    UsedBytes = 6,        ///< of the device's memory, by all processes
    GpuBusyPercent = 7,
    ProcessUsedBytes = 8,
};

struct SampleRecord {
    int64_t time = 0;
    double value = 0;
    uint32_t device = 0;
    SampleKind kind = SampleKind::SmClockMhz;
};
static_assert(sizeof(SampleRecord) == 24);

enum class LossKind : uint32_t {
    CuptiDropped = 1,     ///< CUPTI says that it dropped records
    NoBuffer = 2,         ///< records that came while no buffer was free
    Unreadable = 3,       ///< of a kind or size that this recorder cannot decode
    QueueFull = 4,        ///< the writer could not keep up
    TakenOver = 5,        ///< another client took CUPTI: from then on nothing came
    SizeLimit = 6,        ///< the capture has reached the size that was granted
    WriteFailed = 7,      ///< the disk is full, or the reader is gone
    LaunchQueueFull = 8,  ///< of our own notes of launches
    Filtered = 9,         ///< no loss: what was asked to be left out
};

struct LossRecord {
    int64_t begin = 0, end = 0;  ///< when; 0: unknown
    uint64_t count = 0;          ///< records; 0: cannot be told
    LossKind kind = LossKind::CuptiDropped;
    uint32_t of = 0;  ///< FrameType of what is missing; 0: of any sort
    uint32_t detail = 0;
    uint32_t flags = 0;
};
static_assert(sizeof(LossRecord) == 40);

/// Which frame holds which record.
template <class Record>
inline constexpr FrameType kFrameOf = FrameType::Begin;
template <>
inline constexpr FrameType kFrameOf<KernelRecord> = FrameType::Kernels;
template <>
inline constexpr FrameType kFrameOf<CallRecord> = FrameType::Calls;
template <>
inline constexpr FrameType kFrameOf<LaunchRecord> = FrameType::Launches;
template <>
inline constexpr FrameType kFrameOf<CopyRecord> = FrameType::Copies;
template <>
inline constexpr FrameType kFrameOf<SetRecord> = FrameType::Sets;
template <>
inline constexpr FrameType kFrameOf<MemoryRecord> = FrameType::Memory;
template <>
inline constexpr FrameType kFrameOf<PoolRecord> = FrameType::Pools;
template <>
inline constexpr FrameType kFrameOf<SyncRecord> = FrameType::Syncs;
template <>
inline constexpr FrameType kFrameOf<OverheadRecord> = FrameType::Overheads;
template <>
inline constexpr FrameType kFrameOf<CompilationRecord> = FrameType::Compilations;
template <>
inline constexpr FrameType kFrameOf<RangeRecord> = FrameType::Ranges;
template <>
inline constexpr FrameType kFrameOf<ContextRecord> = FrameType::Contexts;
template <>
inline constexpr FrameType kFrameOf<StreamRecord> = FrameType::Streams;
template <>
inline constexpr FrameType kFrameOf<DeviceRecord> = FrameType::Devices;
template <>
inline constexpr FrameType kFrameOf<GraphRecord> = FrameType::Graphs;
template <>
inline constexpr FrameType kFrameOf<ClockRecord> = FrameType::Clocks;
template <>
inline constexpr FrameType kFrameOf<SampleRecord> = FrameType::Samples;
template <>
inline constexpr FrameType kFrameOf<LossRecord> = FrameType::Losses;
template <>
inline constexpr FrameType kFrameOf<ThreadRecord> = FrameType::Threads;
template <>
inline constexpr FrameType kFrameOf<AllocationRecord> = FrameType::Allocations;

template <>
inline constexpr FrameType kFrameOf<CycleRecord> = FrameType::Cycles;

/// What a Module frame begins with; a part of its code follows. Code that came before, by its hash, does not come
/// again: then nothing follows.
struct ModuleHead {
    int64_t time = 0;     ///< when it was loaded
    uint64_t hash = 0;    ///< XXH3 of the whole code
    uint64_t bytes = 0;   ///< of the whole code
    uint64_t offset = 0;  ///< of this part in it
    uint32_t module = 0;
    uint32_t context = 0;
};
static_assert(sizeof(ModuleHead) == 40);

/// A batch of records as a payload. Kept and cleared, so that filling it takes no memory anew.
template <class Record>
class RecordBatch {
    static_assert(std::is_trivially_copyable_v<Record> && kFrameOf<Record> != FrameType::Begin);

public:
    void add(const Record& record) { m_records.push_back(record); }
    size_t size() const { return m_records.size(); }
    void clear() { m_records.clear(); }
    void reserve(size_t count) { m_records.reserve(count); }
    /// Appends the payload.
    void writeTo(std::string& out) const {
        const uint32_t head[2] = {sizeof(Record), static_cast<uint32_t>(m_records.size())};
        out.append(reinterpret_cast<const char*>(head), sizeof head);
        out.append(reinterpret_cast<const char*>(m_records.data()), m_records.size() * sizeof(Record));
    }

private:
    std::vector<Record> m_records;
};

/// The records of a payload, one after the other.
template <class Record>
class RecordView {
public:
    /// nullopt: the payload is not as its head says.
    static std::optional<RecordView> of(std::string_view payload) {
        uint32_t head[2] = {};
        if (payload.size() < sizeof head) {
            return std::nullopt;
        }
        std::memcpy(head, payload.data(), sizeof head);
        payload.remove_prefix(sizeof head);
        if (head[0] == 0 || uint64_t{head[0]} * head[1] != payload.size()) {
            return std::nullopt;
        }
        return RecordView(payload, head[0], head[1]);
    }

    size_t size() const { return m_count; }
    Record operator[](size_t i) const {
        Record record{};
        std::memcpy(&record, m_bytes.data() + i * m_recordBytes, std::min<size_t>(m_recordBytes, sizeof record));
        return record;
    }

private:
    RecordView(std::string_view bytes, size_t recordBytes, size_t count)
        : m_bytes(bytes), m_recordBytes(recordBytes), m_count(count) {}

    std::string_view m_bytes;
    size_t m_recordBytes;
    size_t m_count;
};

}  // namespace warpline::capture
