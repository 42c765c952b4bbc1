// SPDX-License-Identifier: MIT
// What ran on the host: API calls, ranges and marks, calls of the operating system.
#include <algorithm>
#include <charconv>

#include "core/loaders/nsys_sqlite/export_reader.h"

namespace warpline::loaders::nsys_sqlite {

namespace {

enum NvtxType : int64_t {
    kNvtxCategory = 33,
    kNvtxMark = 34,
    kNvtxThread = 39,  ///< names its thread
    kNvtxPushPop = 59,
    kNvtxStartEnd = 60,
    kNvtxtPushPop = 70,  ///< the same, imported from text
    kNvtxtStartEnd = 71,
    kNvtxDomainCreate = 75,
    kNvtxDomainDestroy = 76,
};

EventId eventId(TraceBuilder& builder, int64_t number) {
    const auto bits = static_cast<uint64_t>(number);
    return bits <= EventId::kMaxNumber ? EventId::ofNumber(bits) : EventId(builder.intern(std::to_string(bits)));
}

}  // namespace

ProcessId ExportReader::hostProcess(std::optional<int64_t> globalId) {
    if (!globalId) {
        return m_builder.process(m_file, std::nullopt);
    }
    const int64_t key = processKey(*globalId);
    const auto [it, isNew] = m_hostProcesses.try_emplace(key);
    if (isNew) {
        std::string pid = std::to_string(processOf(*globalId));
        // Process ids of two machines may be equal.
        constexpr int kProcessBits = 24;
        const bool isTaken = std::ranges::any_of(m_hostProcesses, [&](const auto& other) {
            return other.first != key && (other.first & 0xffffff) == (key & 0xffffff);
        });
        pid += isTaken ? "@" + std::to_string(key >> kProcessBits) : "";
        it->second = m_builder.process(m_file, pid);
    }
    return it->second;
}

TrackId ExportReader::hostTrack(std::optional<int64_t> globalTid) {
    if (!globalTid) {
        return m_builder.track(hostProcess(globalTid), std::nullopt);
    }
    const auto [it, isNew] = m_hostTracks.try_emplace(*globalTid);
    if (isNew) {
        it->second = m_builder.track(hostProcess(globalTid), std::to_string(threadOf(*globalTid)));
    }
    return it->second;
}

bool ExportReader::readApi(EventTable table) {
    enum : size_t { kStart, kEnd, kName, kTid, kCorrelation };
    const StringId runtime = m_builder.intern("cuda_runtime");
    const StringId driver = m_builder.intern("cuda_driver");
    std::unordered_map<uint32_t, StringId> shortened;
    return scanEvents(
        table, {"start", "end", "nameId", "globalTid", "correlationId"}, kCorrelation + 1, [&](TableScan& row) {
            auto slice = sliceOf(row, table);
            if (!slice) {
                return;
            }
            const auto tid = row.integer(kTid);
            m_identities.processNumber(tid);
            const StringId full = stringOf(row.integer(kName), tableName(table));
            const auto [it, isNew] = shortened.try_emplace(full.value);
            if (isNew) {
                it->second = m_builder.intern(std::string(apiName(m_builder.string(full))));
            }
            slice->name = it->second;
            const EventKind byName = apiKind(m_builder.string(slice->name));
            const EventKind byTable = table == EventTable::Driver ? EventKind::Driver : EventKind::Runtime;
            slice->kind = byName == EventKind::Other ? byTable : byName;
            slice->category = slice->kind == EventKind::Driver ? driver : runtime;
            slice->track = hostTrack(tid);
            slice->correlation = m_identities.correlation(tid, row.integer(kCorrelation));
            m_builder.addSlice(*slice);
            const auto [first, last] = m_memory.equal_range(slice->correlation);
            if (slice->correlation != kNoCorrelation && first != last) {
                for (auto memory = first; memory != last; ++memory) {
                    addMemory(memory->second, slice->track);
                }
                m_memory.erase(first, last);
            }
        });
}

bool ExportReader::readNvtx() {
    enum : size_t { kStart, kEnd, kType, kText, kTextId, kTid, kRange };
    const StringId category = m_builder.intern("user_annotation");
    return scanEvents(
        EventTable::Nvtx, {"start", "end", "eventType", "text", "textId", "globalTid", "rangeId"}, kRange + 1,
        [&](TableScan& row) {
            const bool hasEnd = !row.isNull(kEnd);
            const int64_t type = row.has(kType) ? row.integer(kType).value_or(-1)
                                 : hasEnd       ? int64_t{kNvtxPushPop}
                                                : int64_t{kNvtxMark};
            if (type == kNvtxCategory || type == kNvtxDomainCreate || type == kNvtxDomainDestroy) {
                m_builder.countMetadata();
                return;
            }
            const bool isRange = type == kNvtxPushPop || type == kNvtxtPushPop;
            const bool isStartEnd = type == kNvtxStartEnd || type == kNvtxtStartEnd;
            if (!isRange && !isStartEnd && type != kNvtxMark && type != kNvtxThread) {
                note("unknown_phase", Severity::DataLoss, "NVTX_EVENTS.eventType " + std::to_string(type));
                return;
            }
            const auto tid = row.integer(kTid);
            const auto name = [&] {
                return row.isNull(kText) ? stringOf(row.integer(kTextId), "NVTX_EVENTS")
                                         : m_builder.intern(row.text(kText));
            };
            if (type == kNvtxThread) {
                m_builder.nameTrack(hostTrack(tid), name());
                m_builder.countMetadata();
                return;
            }
            if (type == kNvtxMark) {
                const auto time = row.integer(kStart);
                if (!time) {
                    note("bad_timestamp", Severity::DataLoss, "NVTX_EVENTS");
                    return;
                }
                Instant mark;
                mark.time = *time;
                mark.name = name();
                mark.category = category;
                mark.track = hostTrack(tid);
                mark.source = rowReference(EventTable::Nvtx, m_database.bytes().lastOffset(), row.rowid());
                m_builder.addInstant(mark);
                return;
            }
            const auto slice = sliceOf(row, EventTable::Nvtx);
            if (!slice) {
                return;
            }
            if (isRange) {
                SliceRecord range = *slice;
                range.name = name();
                range.category = category;
                range.kind = EventKind::Annotation;
                range.track = hostTrack(tid);
                m_builder.addSlice(range);
                return;
            }
            // Started and ended anywhere, so it nests with nothing. Its row has both, and ids need not be its own.
            AsyncRecord begin;
            begin.time = slice->begin;
            begin.name = name();
            begin.category = category;
            begin.id = row.integer(kRange) ? std::optional(eventId(m_builder, *row.integer(kRange))) : std::nullopt;
            begin.track = hostTrack(tid);
            begin.idScope = m_builder.processOf(begin.track);
            begin.source = slice->source;
            begin.duration = slice->duration;
            m_builder.addAsync(begin);
        });
}

bool ExportReader::readOsRuntime() {
    enum : size_t { kStart, kEnd, kName, kTid };
    const StringId category = m_builder.intern("os_runtime");
    return scanEvents(EventTable::OsRuntime, {"start", "end", "nameId", "globalTid"}, kTid + 1, [&](TableScan& row) {
        auto slice = sliceOf(row, EventTable::OsRuntime);
        if (!slice) {
            return;
        }
        slice->name = stringOf(row.integer(kName), "OSRT_API");
        slice->category = category;
        slice->track = hostTrack(row.integer(kTid));
        m_builder.addSlice(*slice);
    });
}

}  // namespace warpline::loaders::nsys_sqlite
