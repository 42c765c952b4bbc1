// SPDX-License-Identifier: MIT
#pragma once
// Reads an export's tables, one after the other, into a TraceBuilder. One thread, one use.

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/loaders/nsys_sqlite/database.h"
#include "core/loaders/nsys_sqlite/identities.h"
#include "core/loaders/nsys_sqlite/names.h"
#include "core/loaders/nsys_sqlite/row_source.h"
#include "core/trace/trace_builder.h"

namespace warpline::loaders::nsys_sqlite {

class ExportReader {
public:
    ExportReader(Database& database, FileId file, TraceBuilder& builder, JobControl& job, uint64_t storedBytes);

    /// Fails only when stopped. What cannot be read is in the builder's report.
    Status read();
    /// Whether there was any of the tables that hold events.
    bool foundEvents() const { return m_foundEvents; }
    const Identities& identities() const { return m_identities; }

private:
    using Columns = std::initializer_list<std::string_view>;
    /// Calls `take` for each row of a table, if the file has it. False when stopped. Columns that the table lacks are
    /// counted, those behind `optionalFrom` are not.
    bool scan(std::string_view table, Columns columns, size_t optionalFrom,
              const std::function<void(TableScan&)>& take);
    bool scanEvents(EventTable table, Columns columns, size_t optionalFrom,
                    const std::function<void(TableScan&)>& take);
    void showProgress();
    /// Says which pages of `table` are damaged.
    void noteDamage(std::string_view table, const std::vector<PageDamage>& pages);
    void noteRow(std::string_view table, std::optional<int64_t> rowid, uint64_t place);
    void note(std::string_view code, Severity severity, std::string_view detail, bool hasPlace = true);

    // export_reader.cpp: what is known of the session
    bool readStrings();
    bool readSession();
    bool readDevices();
    bool readProcesses();
    bool readDiagnostics();
    bool readEnum(std::string_view table, std::string_view column, const EnumNames& known, EnumNames& names);
    void countOtherTables();
    /// The text of a number in StringIds; "" and counted if there is none.
    StringId stringOf(std::optional<int64_t> id, std::string_view table);

    // memory_rows.cpp
    bool readMemory();
    void addUnplacedMemory();
    void addMemoryLevels();

    // host_rows.cpp
    bool readApi(EventTable table);
    bool readNvtx();
    bool readOsRuntime();
    TrackId hostTrack(std::optional<int64_t> globalTid);
    ProcessId hostProcess(std::optional<int64_t> globalId);

    // device_rows.cpp
    bool readKernels();
    bool readCopies();
    bool readMemsets();
    bool readGraphs();
    bool readSyncs();
    TrackId deviceTrack(std::optional<int64_t> globalPid, int32_t device, std::optional<int64_t> stream);
    /// What rows with start and end in their first two columns have in common; nullopt: dropped and counted.
    std::optional<SliceRecord> sliceOf(TableScan& row, EventTable table);

    static std::string nameOf(const EnumNames& names, std::optional<int64_t> number);

    struct Text {
        uint64_t offset;
        uint32_t length;
        StringId interned;  ///< once used
        bool isInterned = false;
    };
    struct PendingMemory {
        MemoryEvent event;
        std::optional<int64_t> globalPid;
        SourceRef source;
    };
    struct MemoryChange {
        TimeNs time;
        uint32_t order;
        ProcessId process;
        int64_t device;
        StringId kind;
        uint64_t address;
        int64_t bytes;
    };
    void addMemory(PendingMemory& memory, TrackId track);

    Database& m_database;
    FileId m_file;
    TraceBuilder& m_builder;
    JobControl& m_job;
    OffsetSpace m_space;
    uint64_t m_storedBytes;
    uint64_t m_doneBefore;
    bool m_foundEvents = false;

    std::string m_characters;  ///< all of StringIds; most of a large export's texts belong to tables that are not read
    std::unordered_map<int64_t, Text> m_texts;
    Identities m_identities;
    std::unordered_map<int64_t, TrackId> m_hostTracks;
    std::unordered_map<int64_t, ProcessId> m_hostProcesses;
    std::map<std::tuple<uint32_t, int32_t, int64_t>, TrackId> m_deviceTracks;
    std::map<int32_t, std::string> m_gpuNames;
    std::map<std::pair<int32_t, uint32_t>, ProcessId> m_deviceProcesses;
    std::map<int32_t, uint32_t> m_firstProcessOfDevice;
    std::unordered_multimap<uint64_t, PendingMemory> m_memory;  ///< by correlation, until its call is read
    uint32_t m_memoryOrder = 0;
    std::vector<MemoryChange> m_memoryChanges;
    EnumNames m_copyKinds, m_memoryKinds, m_syncTypes, m_severities;
    std::unordered_map<int64_t, StringId> m_domains;
};

}  // namespace warpline::loaders::nsys_sqlite
