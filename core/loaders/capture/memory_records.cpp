// SPDX-License-Identifier: MIT
// Memory that was taken and given back: of CUDA, of its pools, and of a framework's allocator that holds memory of its
// own. Records of several threads come out of order, so levels are made once all are there.
#include <algorithm>
#include <limits>
#include <map>
#include <numeric>

#include "core/loaders/capture/capture_appender.h"
#include "core/loaders/capture/names.h"

namespace warpline::loaders::capture {

namespace {

constexpr uint64_t kMostBytes = std::numeric_limits<int64_t>::max();

std::string deviceName(int32_t gpu) {
    return gpu < 0 ? "Host" : "GPU " + std::to_string(gpu);
}

/// What is held, and the blocks that it is made of: a block that was there before takes nothing off by going.
struct Level {
    int64_t bytes = 0;
    std::unordered_map<uint64_t, int64_t> blocks;

    /// The change of the level; false: it does not fit in 64 bits.
    bool take(uint64_t address, int64_t count) {
        int64_t sum = 0;
        if (__builtin_add_overflow(bytes, count, &sum)) {
            return false;
        }
        bytes = sum;
        blocks[address] += count;
        return true;
    }
    /// How much was given back; 0 of what is not known.
    int64_t give(uint64_t address) {
        const auto block = blocks.find(address);
        const int64_t given = block == blocks.end() ? 0 : block->second;
        bytes -= given;
        if (block != blocks.end()) {
            blocks.erase(block);
        }
        return given;
    }
    /// Of a range within blocks, as mapped memory is given back.
    int64_t givePart(int64_t count) {
        const int64_t given = std::min(bytes, count);
        bytes -= given;
        return given;
    }
};

template <class Event>
std::vector<uint32_t> orderByTime(const std::vector<Event>& events) {
    std::vector<uint32_t> order(events.size());
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::stable_sort(order, {}, [&](uint32_t i) { return events[i].time; });
    return order;
}

}  // namespace

void CaptureAppender::takeMemory(SourceState& source, const wire::MemoryRecord& record) {
    const bool isTaken = record.action == wire::MemoryAction::Allocate;
    if (!timeOf(record.time, "a memory event")) {
        return;
    }
    if ((!isTaken && record.action != wire::MemoryAction::Free) || record.bytes > kMostBytes) {
        note("odd_record", Severity::DataLoss, "a memory event");
        return;
    }
    want(source, record.name);
    want(source, record.origin);
    MemoryChange change;
    change.time = record.time;
    change.source = source.index;
    const bool isHost = isHostMemory(record.kind);
    change.gpu = isHost ? -1 : static_cast<int32_t>(gpuOf(source, record.device).number);
    change.kind = record.kind;
    change.address = record.address;
    change.bytes = isTaken ? static_cast<int64_t>(record.bytes) : -static_cast<int64_t>(record.bytes);
    change.place = m_place;
    m_memory.push_back(change);
    if (record.pool != 0) {
        addPool(source, record.time, record.device, record.pool, record.poolUsed, record.poolSize);
    }
}

void CaptureAppender::takePool(SourceState& source, const wire::PoolRecord& record) {
    if (timeOf(record.time, "a memory pool")) {
        addPool(source, record.time, record.device, record.address, record.used, record.size);
    }
}

void CaptureAppender::addPool(SourceState& source, int64_t time, uint32_t device, uint64_t address, uint64_t used,
                              uint64_t size) {
    if (used > kMostBytes || size > kMostBytes) {
        note("odd_record", Severity::DataLoss, "a memory pool");
        return;
    }
    const int64_t gpu = gpuOf(source, device).number;
    const StringId name =
        m_builder.intern("GPU " + std::to_string(gpu) + " memory pool " + hexText(address) + " [bytes]");
    const TimeNs own = ownTime(time);
    addLevel(processOf(source), own, name, "used", static_cast<int64_t>(used));
    addLevel(processOf(source), own, name, "reserved", static_cast<int64_t>(size));
    m_builder.countCounterEvents();
}

void CaptureAppender::takeAllocation(SourceState& source, const wire::AllocationRecord& record) {
    using wire::AllocationAction;
    if (!timeOf(record.time, "an allocator event")) {
        return;
    }
    if (record.bytes > kMostBytes || record.action < AllocationAction::Allocate ||
        record.action > AllocationAction::Other) {
        note("odd_record", Severity::DataLoss, "an allocator event");
        return;
    }
    want(source, record.stack);
    source.hasAllocator = true;
    m_allocations.push_back({record.time, source.index, static_cast<int32_t>(gpuOf(source, record.device).number),
                             record.action, record.address, record.bytes, m_place});
}

void CaptureAppender::addLevel(ProcessId process, TimeNs time, StringId name, std::string_view series, int64_t value) {
    CounterRecord record;
    record.time = time;
    record.process = process;
    record.name = name;
    record.series = m_builder.intern(series);
    record.value = static_cast<double>(value);
    record.whole = value;
    m_builder.addCounter(record);
}

void CaptureAppender::addMemory(SourceState& source, MemoryEvent event, std::string_view track, std::string_view name,
                                SourceRef place) {
    event.file = m_file;
    event.track = namedTrack(source, track);
    event.deviceType = event.device < 0 ? MemoryDeviceType::Cpu : MemoryDeviceType::Cuda;
    event.rawDeviceType = event.device < 0 ? 0 : 1;
    Instant mark;
    mark.time = event.time;
    mark.name = m_builder.intern(name);
    mark.category = m_words.instant;
    mark.track = event.track;
    mark.source = place;
    m_builder.addInstant(mark);
    // A mark of another name is none of Kineto's: it stands beside the allocator's, which hold the same memory.
    if (name.front() == '[') {
        m_builder.addMemory(event);
    }
}

void CaptureAppender::closeMemory() {
    struct Group {
        Level level;
        StringId counter;
    };
    std::map<std::tuple<uint32_t, int32_t, uint32_t>, Group> kinds;
    std::map<std::pair<uint32_t, int32_t>, int64_t> totals;
    uint32_t number = 0;
    for (const uint32_t i : orderByTime(m_memory)) {
        const MemoryChange& change = m_memory[i];
        m_place = change.place;
        SourceState& source = *m_inOrder[change.source];
        Group& group = kinds[{change.source, change.gpu, change.kind}];
        const int64_t before = group.level.bytes;
        if (change.bytes >= 0) {
            if (!group.level.take(change.address, change.bytes)) {
                note("bad_level", Severity::Warning, "more bytes than 64 bits hold");
                continue;
            }
        } else if (group.level.give(change.address) == 0) {
            note("memory_before", Severity::Info);
        }
        if (group.counter.empty()) {
            group.counter = m_builder.intern(deviceName(change.gpu) + " memory taken in the recording (bytes)");
        }
        int64_t& total = totals[{change.source, change.gpu}];
        total = addSaturated(total, group.level.bytes - before);
        const TimeNs time = ownTime(change.time);
        addLevel(processOf(source), time, group.counter, memoryKindName(change.kind), group.level.bytes);
        m_builder.countCounterEvents();
        MemoryEvent event;
        event.time = time;
        event.device = change.gpu;
        event.address = change.address;
        event.bytes = change.bytes;
        event.totalAllocated = total;
        event.order = number++;
        // Where an allocator tells what it does with this memory, its events are those of the analyses.
        addMemory(source, event, "CUDA memory", source.hasAllocator ? "CUDA memory" : "[memory]", change.place);
    }
}

void CaptureAppender::closeAllocations() {
    using wire::AllocationAction;
    struct Allocator {
        Level allocated, reserved;
    };
    std::map<std::pair<uint32_t, int32_t>, Allocator> allocators;
    auto number = static_cast<uint32_t>(m_memory.size());
    for (const uint32_t i : orderByTime(m_allocations)) {
        const Allocation& allocation = m_allocations[i];
        m_place = allocation.place;
        SourceState& source = *m_inOrder[allocation.source];
        Allocator& allocator = allocators[{allocation.source, allocation.gpu}];
        const auto bytes = static_cast<int64_t>(allocation.bytes);
        MemoryEvent event;
        event.time = ownTime(allocation.time);
        event.device = allocation.gpu;
        event.address = allocation.address;
        bool isMark = false;
        bool isKnown = true;
        bool fits = true;
        switch (allocation.action) {
            case AllocationAction::Allocate:
                fits = allocator.allocated.take(allocation.address, bytes);
                event.bytes = bytes;
                isMark = true;
                break;
            case AllocationAction::FreeCompleted:
                isKnown = allocator.allocated.give(allocation.address) != 0 || bytes == 0;
                event.bytes = -bytes;
                isMark = true;
                break;
            case AllocationAction::SegmentAllocate:
            case AllocationAction::SegmentMap:
                fits = allocator.reserved.take(allocation.address, bytes);
                break;
            case AllocationAction::SegmentFree:
            case AllocationAction::SegmentUnmap:
                isKnown = allocator.reserved.givePart(bytes) == bytes;
                break;
            case AllocationAction::OutOfMemory:
                event.bytes = bytes;
                event.outOfMemory = true;
                isMark = true;
                break;
            default:
                m_builder.countMetadata();
                continue;
        }
        if (!fits) {
            note("bad_level", Severity::Warning, "more bytes than 64 bits hold");
            continue;
        }
        if (!isKnown) {
            note("memory_before", Severity::Info);
        }
        if (!event.outOfMemory) {
            const StringId counter = m_builder.intern(deviceName(allocation.gpu) + " PyTorch allocator (bytes)");
            addLevel(processOf(source), event.time, counter, "allocated", allocator.allocated.bytes);
            addLevel(processOf(source), event.time, counter, "reserved", allocator.reserved.bytes);
            m_builder.countCounterEvents();
        }
        if (isMark) {
            event.totalAllocated = allocator.allocated.bytes;
            event.totalReserved = allocator.reserved.bytes;
            event.order = number++;
            addMemory(source, event, "PyTorch allocator", event.outOfMemory ? "[OutOfMemory]" : "[memory]",
                      allocation.place);
        }
    }
}

}  // namespace warpline::loaders::capture
