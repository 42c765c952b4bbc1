// SPDX-License-Identifier: MIT
#include "core/record/decode/activity_decoder.h"

#include <algorithm>
#include <cstring>

#include "core/record/decode/activity_layout.h"
#include "core/record/options/record_folder.h"

namespace warpline::record {

using namespace capture;

namespace {

/// CUPTI's word for "none" where a number of a stream or an event would stand.
constexpr uint32_t kNone = 0xffffffffU;

template <class Layout>
Layout prefixOf(const void* record) {
    Layout layout;
    std::memcpy(&layout, record, sizeof layout);
    return layout;
}

/// 0 is none, and so is CUPTI's own word for that.
uint32_t onePast(uint32_t number) {
    return number == kNone ? 0 : number + 1;
}

int64_t time(uint64_t nanoseconds) {
    return static_cast<int64_t>(nanoseconds);
}

/// When and where work on a device ran, and what launched it: every kind of work says so by the same names.
template <class Record, class Layout>
void setPlace(Record& to, const Layout& from) {
    to.begin = time(from.start);
    to.end = time(from.end);
    to.graphNode = from.graphNodeId;
    to.graph = from.graphId;
    to.correlation = from.correlationId;
    to.device = from.deviceId;
    to.context = from.contextId;
    to.stream = from.streamId;
}

template <class Layout>
void setKinds(CopyRecord& to, const Layout& from) {
    to.kind = from.copyKind;
    to.sourceKind = from.sourceKind;
    to.targetKind = from.targetKind;
    to.isAsync = from.flags & 1;
    to.channel = from.channelId;
}

/// The least that a record of the kind takes; 0: it is not decoded.
size_t leastBytes(uint32_t kind) {
    using namespace layout;
    switch (kind) {
        case kKernel:
        case kConcurrentKernel:
            return sizeof(Kernel);
        case kMemcpy:
            return sizeof(Memcpy);
        case kPeerMemcpy:
            return sizeof(PeerMemcpy);
        case kMemset:
            return sizeof(Memset);
        case kDriver:
        case kRuntime:
        case kInternalLaunchApi:
            return sizeof(Api);
        case kMemory2:
            return offsetof(Memory2, source);
        case kMemoryPool:
            return sizeof(MemoryPool);
        case kDevice:
            return sizeof(Device);
        case kContext:
            return sizeof(Context);
        case kStream:
            return sizeof(Stream);
        case kName:
            return sizeof(Name);
        case kMarker:
            return sizeof(Marker);
        case kOverhead:
            return sizeof(Overhead);
        case kSynchronization:
            return sizeof(Synchronization);
        case kJit:
            return offsetof(Jit, processId);
        case kGraphTrace:
            return sizeof(GraphTrace);
        default:
            return 0;
    }
}

}  // namespace

void ActivityDecoder::decode(const void* record, size_t bytes) {
    ++m_counts.records;
    uint32_t kind = 0;
    if (bytes < sizeof kind) {
        ++m_counts.unreadable;
        return;
    }
    std::memcpy(&kind, record, sizeof kind);
    const size_t least = leastBytes(kind);
    if (least == 0) {
        m_counts.unknownKinds += kind != layout::kMarkerData ? 1 : 0;
        return;
    }
    if (bytes < least) {
        ++m_counts.unreadable;
        return;
    }
    switch (kind) {
        case layout::kKernel:
        case layout::kConcurrentKernel:
            return takeKernel(record);
        case layout::kMemcpy:
            return takeCopy(record);
        case layout::kPeerMemcpy:
            return takePeerCopy(record);
        case layout::kMemset:
            return takeSet(record);
        case layout::kRuntime:
            return takeCall(record, CallDomain::Runtime);
        case layout::kDriver:
        case layout::kInternalLaunchApi:
            return takeCall(record, CallDomain::Driver);
        case layout::kMemory2:
            return takeMemory(record, bytes);
        case layout::kMemoryPool:
            return takePool(record);
        case layout::kDevice:
            return takeDevice(record);
        case layout::kContext: {
            const auto from = prefixOf<layout::Context>(record);
            return m_writer.add(ContextRecord{from.contextId, from.deviceId, from.nullStreamId, from.api});
        }
        case layout::kStream: {
            const auto from = prefixOf<layout::Stream>(record);
            return m_writer.add(
                StreamRecord{from.contextId, from.streamId, static_cast<int32_t>(from.priority), from.flag});
        }
        case layout::kName:
            return takeName(record);
        case layout::kMarker:
            return takeMarker(record);
        case layout::kOverhead:
            return takeOverhead(record);
        case layout::kSynchronization: {
            const auto from = prefixOf<layout::Synchronization>(record);
            if (keeps(from.correlationId, FrameType::Syncs, time(from.start))) {
                m_writer.add(SyncRecord{time(from.start), time(from.end), from.type, from.correlationId, from.contextId,
                                        onePast(from.streamId), onePast(from.eventId)});
            }
            return;
        }
        case layout::kJit:
            return takeCompilation(record, bytes);
        case layout::kGraphTrace: {
            const auto from = prefixOf<layout::GraphTrace>(record);
            GraphRecord to{time(from.start), time(from.end), from.graphId, from.correlationId,
                           from.deviceId,    from.contextId, from.streamId};
            if (keeps(to.correlation, FrameType::Graphs, to.begin, to.device)) {
                addWork(to);
            }
            return;
        }
        default:
            return;
    }
}

/// Of work on a device: its times are checked.
template <class Record>
void ActivityDecoder::addWork(Record& record) {
    if (record.begin == 0 && record.end == 0) {
        record.flags |= m_replays ? kReplayed : kNoTimes;
        m_counts.withoutTimes += m_replays ? 0 : 1;
    }
    m_counts.lastEnd = std::max(m_counts.lastEnd, record.end);
    m_writer.add(record);
}

bool ActivityDecoder::keeps(uint32_t correlation, FrameType type, int64_t begin, std::optional<uint32_t> device) {
    const bool isKept = m_filter == nullptr || m_filter->keepsWork(correlation, type, begin, device);
    m_counts.filtered += isKept ? 0 : 1;
    return isKept;
}

void ActivityDecoder::takeKernel(const void* record) {
    const auto from = prefixOf<layout::Kernel>(record);
    KernelRecord to;
    setPlace(to, from);
    to.queued = time(from.queued);
    to.submitted = time(from.submitted);
    std::memcpy(to.grid, from.grid, sizeof to.grid);
    std::memcpy(to.block, from.block, sizeof to.block);
    std::memcpy(to.cluster, from.cluster, sizeof to.cluster);
    to.registers = from.registersPerThread;
    to.staticShared = static_cast<uint32_t>(std::max(from.staticShared, 0));
    to.dynamicShared = static_cast<uint32_t>(std::max(from.dynamicShared, 0));
    to.sharedExecuted = from.sharedExecuted;
    to.localPerThread = from.localPerThread;
    to.localTotal = from.localTotal;
    to.channel = from.channelId;
    if (m_filter != nullptr && !m_filter->keepsKernel(to.correlation, from.name == nullptr ? "" : from.name, to)) {
        ++m_counts.filtered;
        return;
    }
    to.name = number(from.name);
    ++m_counts.kernels;
    addWork(to);
}

void ActivityDecoder::takeCopy(const void* record) {
    const auto from = prefixOf<layout::Memcpy>(record);
    CopyRecord to;
    setPlace(to, from);
    to.bytes = from.bytes;
    setKinds(to, from);
    if (keeps(to.correlation, FrameType::Copies, to.begin, to.device)) {
        addWork(to);
    }
}

void ActivityDecoder::takePeerCopy(const void* record) {
    const auto from = prefixOf<layout::PeerMemcpy>(record);
    CopyRecord to;
    setPlace(to, from);
    to.bytes = from.bytes;
    to.sourceDevice = onePast(from.sourceDevice);
    to.targetDevice = onePast(from.targetDevice);
    setKinds(to, from);
    if (keeps(to.correlation, FrameType::Copies, to.begin, to.device)) {
        addWork(to);
    }
}

void ActivityDecoder::takeSet(const void* record) {
    const auto from = prefixOf<layout::Memset>(record);
    SetRecord to;
    setPlace(to, from);
    to.bytes = from.bytes;
    to.value = from.value;
    to.memoryKind = from.memoryKind;
    if (keeps(to.correlation, FrameType::Sets, to.begin, to.device)) {
        addWork(to);
    }
}

void ActivityDecoder::takeCall(const void* record, CallDomain domain) {
    const auto from = prefixOf<layout::Api>(record);
    CallRecord to;
    to.begin = time(from.start);
    to.end = time(from.end);
    to.thread = from.threadId;
    to.correlation = from.correlationId;
    to.domain = domain;
    to.result = static_cast<int32_t>(from.returnValue);
    if (keeps(to.correlation, FrameType::Calls, to.begin)) {
        to.name = m_writer.number(m_callName(domain, from.cbid));
        noteThread(to.thread);
        m_writer.add(to);
    }
}

void ActivityDecoder::takeMemory(const void* record, size_t bytes) {
    layout::Memory2 from{};
    std::memcpy(&from, record, std::min(bytes, sizeof from));
    MemoryRecord to;
    to.time = time(from.timestamp);
    to.address = from.address;
    to.bytes = from.bytes;
    if (from.poolType != 0) {
        to.pool = from.poolAddress;
        to.poolThreshold = from.poolThreshold;
        to.poolUsed = from.poolUsed;
        // Of a pool of another process the same place holds that process's number.
        constexpr uint32_t kLocalPool = 1;
        to.poolSize = from.poolType == kLocalPool ? from.poolSize : 0;
    }
    to.action = from.operation == 2 ? MemoryAction::Free : MemoryAction::Allocate;
    to.kind = from.memoryKind;
    to.device = from.deviceId;
    to.context = from.contextId;
    to.stream = from.streamId;
    to.correlation = from.correlationId;
    to.name = number(from.name);
    if (m_traits.hasAllocationSource && bytes >= sizeof from) {
        to.origin = number(from.source);
    }
    m_writer.add(to);
}

void ActivityDecoder::takePool(const void* record) {
    const auto from = prefixOf<layout::MemoryPool>(record);
    PoolRecord to;
    to.time = time(from.timestamp);
    to.address = from.address;
    to.size = from.size;
    to.used = from.used;
    to.threshold = from.threshold;
    to.keepAtLeast = from.minBytesToKeep;
    to.action = from.operation;
    to.kind = from.poolType;
    to.device = from.deviceId;
    m_writer.add(to);
}

void ActivityDecoder::takeDevice(const void* record) {
    const auto from = prefixOf<layout::Device>(record);
    constexpr uint64_t kKilo = 1000;
    DeviceRecord to;
    to.memoryBytes = from.memoryBytes;
    to.memoryBandwidth = from.memoryBandwidth * kKilo;
    std::memcpy(to.uuid, from.uuid, sizeof to.uuid);
    to.device = from.id;
    to.name = number(from.name);
    to.computeMajor = from.computeMajor;
    to.computeMinor = from.computeMinor;
    to.smCount = from.smCount;
    to.coreClockKhz = from.coreClockKhz;
    to.l2Bytes = from.l2Bytes;
    to.warpSize = from.warpSize;
    to.maxThreadsPerBlock = from.maxThreadsPerBlock;
    to.maxThreadsPerSm = from.maxWarpsPerSm * from.warpSize;
    to.maxBlocksPerSm = from.maxBlocksPerSm;
    to.maxWarpsPerSm = from.maxWarpsPerSm;
    to.registersPerBlock = from.registersPerBlock;
    to.registersPerSm = from.registersPerSm;
    to.sharedPerBlock = from.sharedPerBlock;
    to.sharedPerSm = from.sharedPerSm;
    m_writer.add(to);
}

void ActivityDecoder::takeMarker(const void* record) {
    const auto from = prefixOf<layout::Marker>(record);
    RangeRecord to;
    to.time = time(from.timestamp);
    to.id = from.id;
    to.thread = from.object.threadOrContext;
    to.name = number(from.name);
    to.domain = number(from.domain);
    // CUPTI has the two ends of what was pushed and of what was started alike; both are ranges of the thread.
    to.action = (from.flags & layout::kMarkerStart) != 0 ? RangeAction::Push
                : (from.flags & layout::kMarkerEnd) != 0 ? RangeAction::Pop
                                                         : RangeAction::Mark;
    noteThread(to.thread);
    m_writer.add(to);
}

void ActivityDecoder::takeName(const void* record) {
    const auto from = prefixOf<layout::Name>(record);
    constexpr uint32_t kThread = 2;
    if (from.objectKind == kThread && from.name != nullptr) {
        m_threads.insert(from.object.threadOrContext);
        m_writer.add(ThreadRecord{from.object.threadOrContext, number(from.name)});
    }
}

void ActivityDecoder::takeOverhead(const void* record) {
    const auto from = prefixOf<layout::Overhead>(record);
    constexpr uint32_t kProcess = 1, kThread = 2;
    OverheadRecord to{time(from.start), time(from.end), from.overheadKind};
    if (from.objectKind == kThread || from.objectKind == kProcess) {
        to.thread = from.object.threadOrContext;
        noteThread(to.thread);
    } else {
        to.device = onePast(from.object.processOrDevice);
        to.stream = onePast(from.object.stream);
    }
    m_writer.add(to);
}

void ActivityDecoder::takeCompilation(const void* record, size_t bytes) {
    layout::Jit from{};
    std::memcpy(&from, record, std::min(bytes, sizeof from));
    CompilationRecord to;
    to.begin = time(from.start);
    to.end = time(from.end);
    to.cacheBytes = from.cacheBytes;
    to.entry = from.entryType;
    to.operation = from.operation;
    to.device = from.deviceId;
    to.thread = from.threadId;
    to.correlation = from.correlationId;
    to.cachePath = number(from.cachePath);
    m_writer.add(to);
}

/// The system knows how a thread is called while it lives.
void ActivityDecoder::noteThread(uint32_t thread) {
    if (thread == 0 || !m_threads.insert(thread).second) {
        return;
    }
    if (const auto name = readSmallFile("/proc/self/task/" + std::to_string(thread) + "/comm")) {
        m_writer.add(ThreadRecord{thread, m_writer.number(std::string_view(*name).substr(0, name->find('\n')))});
    }
}

}  // namespace warpline::record
