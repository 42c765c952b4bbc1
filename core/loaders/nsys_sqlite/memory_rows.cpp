// SPDX-License-Identifier: MIT
// Memory that was taken and given back: as Kineto's marks on the thread of the call, and as levels over time.
#include <algorithm>
#include <map>
#include <tuple>

#include "core/loaders/nsys_sqlite/export_reader.h"

namespace warpline::loaders::nsys_sqlite {

bool ExportReader::readMemory() {
    enum : size_t { kStart, kPid, kDevice, kAddress, kBytes, kOperation, kMemory, kCorrelation };
    return scanEvents(
        EventTable::Memory,
        {"start", "globalPid", "deviceId", "address", "bytes", "memoryOperationType", "memKind", "correlationId"},
        kCorrelation, [this](TableScan& row) {
            const auto time = row.integer(kStart);
            if (!time) {
                note("bad_timestamp", Severity::DataLoss, tableName(EventTable::Memory));
                return;
            }
            PendingMemory memory;
            memory.globalPid = row.integer(kPid);
            const auto kind = row.integer(kMemory);
            const auto mark = memoryMark(m_identities, memory.globalPid, row.integer(kDevice), row.integer(kBytes),
                                         row.integer(kOperation), kind);
            if (!mark) {
                note("odd_record", Severity::DataLoss, tableName(EventTable::Memory));
                return;
            }
            memory.source = rowReference(EventTable::Memory, m_database.bytes().lastOffset(), row.rowid());
            MemoryEvent& event = memory.event;
            event.time = *time;
            event.file = m_file;
            event.address = static_cast<uint64_t>(row.integer(kAddress).value_or(0));
            event.bytes = mark->bytes;
            event.order = m_memoryOrder++;
            event.deviceType = mark->isHost ? MemoryDeviceType::Cpu : MemoryDeviceType::Cuda;
            event.rawDeviceType = mark->isHost ? 0 : 1;
            event.device = mark->device;
            m_identities.processNumber(memory.globalPid);
            const std::string label = nameOf(m_memoryKinds, kind);
            m_memoryChanges.push_back({*time, event.order, hostProcess(memory.globalPid), event.device,
                                       m_builder.intern(label.empty() ? "Unknown" : label), event.address,
                                       event.bytes});
            const uint64_t key = m_identities.correlation(memory.globalPid, row.integer(kCorrelation));
            m_memory.emplace(key, memory);
        });
}

void ExportReader::addMemory(PendingMemory& memory, TrackId track) {
    memory.event.track = track;
    m_builder.addMemory(memory.event);
    Instant mark;
    mark.time = memory.event.time;
    mark.name = m_builder.intern("[memory]");
    mark.category = m_builder.intern("cpu_instant_event");
    mark.track = track;
    mark.source = memory.source;
    m_builder.addInstant(mark);
}

void ExportReader::addUnplacedMemory() {
    std::vector<PendingMemory> rest;
    for (const auto& [key, memory] : m_memory) {
        rest.push_back(memory);
    }
    std::ranges::sort(rest, {}, [](const PendingMemory& memory) { return memory.event.order; });
    for (PendingMemory& memory : rest) {
        addMemory(memory, m_builder.track(hostProcess(memory.globalPid), std::nullopt));
    }
    m_memory.clear();
}

/// The export gives changes and no levels. What was there before the recording is in none of its rows, so the counter
/// is of what was taken since, and says so; giving back what was taken before changes nothing in it.
void ExportReader::addMemoryLevels() {
    std::ranges::sort(m_memoryChanges, {}, [](const MemoryChange& c) { return std::tuple(c.time, c.order); });
    std::map<std::tuple<ProcessId, int64_t, StringId, uint64_t>, int64_t> taken;
    std::map<std::tuple<ProcessId, int64_t, StringId>, int64_t> levels;
    for (const MemoryChange& change : m_memoryChanges) {
        const auto place = std::tuple(change.process, change.device, change.kind);
        int64_t& level = levels[place];
        int64_t& block = taken[std::tuple_cat(place, std::tuple(change.address))];
        const int64_t given = std::min(block, -change.bytes);
        if (change.bytes < 0 && given < -change.bytes) {
            m_builder.report().add(m_file, "memory_before", Severity::Info, std::nullopt, m_space);
        }
        const int64_t step = change.bytes < 0 ? -given : change.bytes;
        if (__builtin_add_overflow(level, step, &level)) {
            m_builder.report().add(m_file, "bad_level", Severity::Warning, std::nullopt, m_space,
                                   "more bytes than 64 bits hold");
            break;
        }
        block += step;
        CounterRecord record;
        record.time = change.time;
        record.process = change.process;
        const std::string device = change.device < 0 ? "Host" : "GPU " + std::to_string(change.device);
        record.name = m_builder.intern(device + " memory taken in the recording (bytes)");
        record.series = change.kind;
        record.whole = level;
        record.value = static_cast<double>(level);
        m_builder.addCounter(record);
        m_builder.countCounterEvents();
    }
    m_memoryChanges.clear();
}

}  // namespace warpline::loaders::nsys_sqlite
