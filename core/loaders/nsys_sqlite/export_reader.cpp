// SPDX-License-Identifier: MIT
// Reading tables in general, and what is known of the session.
#include "core/loaders/nsys_sqlite/export_reader.h"

#include <algorithm>
#include <array>
#include <limits>

#include "core/base/json_writer.h"

namespace warpline::loaders::nsys_sqlite {

namespace {

/// Read for their facts, or known to hold none that a timeline needs.
constexpr std::array<std::string_view, 13> kQuietTables = {
    "StringIds",        "PROCESSES",         "ThreadNames",         "TARGET_INFO_GPU",  "TARGET_INFO_CUDA_DEVICE",
    "META_DATA_EXPORT", "META_DATA_CAPTURE", "DIAGNOSTIC_EVENT",    "ANALYSIS_DETAILS", "ANALYSIS_FILE",
    "EXPORT_META_DATA", "ProcessStreams",    "UnknownDependencies",
};

bool isQuiet(const std::string& table) {
    return table.starts_with("ENUM_") || table.starts_with("TARGET_INFO_") || table.ends_with("_CALLCHAINS") ||
           std::ranges::find(kQuietTables, table) != kQuietTables.end();
}

/// The row id behind that one, if there can be one.
std::optional<int64_t> behind(std::optional<int64_t> rowid) {
    return rowid && *rowid < std::numeric_limits<int64_t>::max() ? std::optional(*rowid + 1) : std::nullopt;
}

}  // namespace

ExportReader::ExportReader(Database& database, FileId file, TraceBuilder& builder, JobControl& job,
                           uint64_t storedBytes)
    : m_database(database),
      m_file(file),
      m_builder(builder),
      m_job(job),
      m_space(builder.file(file).offsetSpace),
      m_storedBytes(storedBytes),
      m_doneBefore(job.done()) {}

void ExportReader::note(std::string_view code, Severity severity, std::string_view detail, bool hasPlace) {
    const auto place = hasPlace ? std::optional(m_database.bytes().lastOffset()) : std::nullopt;
    m_builder.report().add(m_file, code, severity, place, m_space, detail);
}

Status ExportReader::read() {
    const bool isDone = readEnum("ENUM_CUDA_MEMCPY_OPER", "name", knownCopyKinds(), m_copyKinds) &&
                        readEnum("ENUM_CUDA_MEM_KIND", "label", knownMemoryKinds(), m_memoryKinds) &&
                        readEnum("ENUM_CUPTI_SYNC_TYPE", "label", knownSyncTypes(), m_syncTypes) &&
                        readEnum("ENUM_DIAGNOSTIC_SEVERITY_LEVEL", "label", {}, m_severities) && readStrings() &&
                        readSession() && readDevices() && readProcesses() && readDiagnostics() && readMemory() &&
                        readApi(EventTable::Runtime) && readApi(EventTable::Driver) && readKernels() && readCopies() &&
                        readMemsets() && readGraphs() && readSyncs() && readNvtx() && readOsRuntime();
    if (!isDone) {
        return Error::cancelled();
    }
    addUnplacedMemory();
    addMemoryLevels();
    countOtherTables();
    noteDamage("the list of tables", m_database.schemaDamage());
    if (const auto offset = m_database.trailingOffset()) {
        m_builder.report().add(m_file, "trailing_data", Severity::Warning, offset, m_space);
    }
    if (m_database.isCut()) {
        m_builder.report().add(m_file, "truncated", Severity::DataLoss, m_database.bytes().size(), m_space,
                               "the database has fewer pages than its header says");
        m_builder.report().setIncomplete();
    }
    return Status::success();
}

bool ExportReader::scan(std::string_view table, Columns columns, size_t optionalFrom,
                        const std::function<void(TableScan&)>& take) {
    if (!m_database.hasTable(table)) {
        return !m_job.stopRequested();
    }
    const std::vector<std::string_view> list(columns);
    const TreeDamage damage = m_database.checkTable(table);
    std::vector<int64_t> badRows;
    for (const RowDamage& row : damage.rows) {
        badRows.push_back(row.rowid);
    }
    std::ranges::sort(badRows);
    std::optional<int64_t> from;
    uint64_t badTexts = 0;
    for (size_t parts = 0;; ++parts) {
        TableScan rows(m_database, table, list, from);
        for (size_t i = 0; parts == 0 && i < std::min(optionalFrom, list.size()); ++i) {
            if (!rows.has(i)) {
                note("missing_column", Severity::Info, std::string(table) + "." + std::string(list[i]), false);
            }
        }
        constexpr uint64_t kRowsBetween = 4096;
        while (rows.next()) {
            const auto rowid = rows.rowid();
            const bool isKnownBad = rowid && std::ranges::binary_search(badRows, *rowid);
            if (isKnownBad) {
                continue;  // said below
            }
            if (!rows.isSound()) {
                noteRow(table, rowid, m_database.bytes().lastOffset());
                continue;
            }
            take(rows);
            if (rows.rows() % kRowsBetween == 0) {
                showProgress();
            }
        }
        badTexts += rows.badTexts();
        if (rows.end() == TableScan::End::Stopped) {
            return false;
        }
        if (rows.end() == TableScan::End::Done) {
            break;
        }
        // SQLite ends at what it cannot read: go on behind the page, or behind the row.
        const uint64_t place = m_database.bytes().lastOffset();
        const auto last = rows.lastRowid();
        const auto page = std::ranges::find_if(
            damage.pages, [&](const PageDamage& p) { return !last || !p.upTo || *p.upTo > *last; });
        const bool isAtPage = page != damage.pages.end() &&
                              (page->offset == place || (last ? page->above && *last >= *page->above : !page->above));
        const auto row = std::ranges::find_if(damage.rows, [&](const RowDamage& r) {
            return (!last || r.rowid > *last) && r.offset >= place && r.offset - place < m_database.pageBytes();
        });
        if (isAtPage) {
            from = behind(page->upTo);
        } else if (row != damage.rows.end()) {
            from = behind(row->rowid);
        } else {
            if (parts == 0 || rows.rows() > 0) {
                m_builder.report().add(m_file, "invalid_sqlite", Severity::DataLoss, place, m_space,
                                       std::string(table) + ": " + rows.damage());
                m_builder.report().setIncomplete();
            }
            from = behind(behind(last));
        }
        constexpr size_t kMaxParts = 1000;
        if (!from || parts == kMaxParts || !rows.isByRowid()) {
            break;
        }
    }
    if (badTexts > 0) {
        m_builder.report().add(m_file, "invalid_utf8", Severity::Warning, std::nullopt, m_space, table, badTexts);
    }
    noteDamage(table, damage.pages);
    for (const RowDamage& row : damage.rows) {
        noteRow(table, row.rowid, row.offset);
    }
    showProgress();
    return !m_job.stopRequested();
}

void ExportReader::noteRow(std::string_view table, std::optional<int64_t> rowid, uint64_t place) {
    const std::string row = rowid ? "row " + std::to_string(*rowid) : "a row";
    m_builder.report().add(m_file, "invalid_sqlite", Severity::DataLoss, place, m_space,
                           std::string(table) + ", " + row + ": its record is damaged");
    m_builder.report().setIncomplete();
}

void ExportReader::showProgress() {
    // Each page is read twice: for its rows, and to check it.
    m_job.setProgress(m_doneBefore + std::min(m_database.bytes().bytesRead() / 2, m_storedBytes),
                      std::max(m_job.total(), m_doneBefore + m_storedBytes));
}

void ExportReader::noteDamage(std::string_view table, const std::vector<PageDamage>& pages) {
    for (const PageDamage& page : pages) {
        m_builder.report().add(m_file, "invalid_sqlite", Severity::DataLoss, page.offset, m_space,
                               std::string(table) + ", " + page.what);
        m_builder.report().setIncomplete();
    }
}

bool ExportReader::scanEvents(EventTable table, Columns columns, size_t optionalFrom,
                              const std::function<void(TableScan&)>& take) {
    m_foundEvents = m_foundEvents || m_database.hasTable(tableName(table));
    return scan(tableName(table), columns, optionalFrom, take);
}

bool ExportReader::readEnum(std::string_view table, std::string_view column, const EnumNames& known, EnumNames& names) {
    const bool isDone = scan(table, {"id", column}, 2, [&](TableScan& row) {
        if (const auto id = row.integer(0); id && !row.isNull(1)) {
            names.insert_or_assign(*id, std::string(row.text(1)));
        }
    });
    names.insert(known.begin(), known.end());
    return isDone;
}

std::string ExportReader::nameOf(const EnumNames& names, std::optional<int64_t> number) {
    const auto it = number ? names.find(*number) : names.end();
    return it == names.end() ? std::string() : it->second;
}

bool ExportReader::readStrings() {
    return scan("StringIds", {"id", "value"}, 2, [this](TableScan& row) {
        const auto id = row.integer(0);
        if (!id) {
            note("odd_record", Severity::DataLoss, "StringIds.id");
            return;
        }
        const std::string_view text = row.text(1);
        const auto [it, isNew] =
            m_texts.try_emplace(*id, Text{m_characters.size(), static_cast<uint32_t>(text.size()), {}});
        if (!isNew) {
            note("duplicate_key", Severity::Info, "StringIds.id " + std::to_string(*id));
            return;
        }
        m_characters += text;
    });
}

StringId ExportReader::stringOf(std::optional<int64_t> id, std::string_view table) {
    const auto it = id ? m_texts.find(*id) : m_texts.end();
    if (it == m_texts.end()) {
        note("missing_name", Severity::Warning, table);
        return {};
    }
    Text& text = it->second;
    if (!text.isInterned) {
        text.interned = m_builder.intern(std::string_view(m_characters).substr(text.offset, text.length));
        text.isInterned = true;
    }
    return text.interned;
}

bool ExportReader::readSession() {
    std::map<std::string, std::vector<std::string>> facts;
    for (const std::string_view table : {"META_DATA_EXPORT", "META_DATA_CAPTURE"}) {
        const bool isDone = scan(table, {"name", "value"}, 2, [&](TableScan& row) {
            std::string name(row.text(0));
            facts[std::move(name)].emplace_back(row.text(1));
            m_builder.countMetadata();
        });
        if (!isDone) {
            return false;
        }
    }
    FileInfo& info = m_builder.file(m_file);
    for (const auto& [name, values] : facts) {
        std::string json;
        JsonWriter writer(json);
        if (values.size() > 1) {
            writer.beginArray();
        }
        for (const std::string& value : values) {
            writer.text(value);
        }
        if (values.size() > 1) {
            writer.endArray();
        }
        info.properties.insert_or_assign(name, json);
    }
    return scan("TARGET_INFO_SESSION_START_TIME", {"utcEpochNs"}, 1, [&](TableScan& row) {
        if (const auto base = row.integer(0); base && !info.baseTimeNs) {
            info.baseTimeNs = base;
        }
    });
}

bool ExportReader::readDevices() {
    struct CudaDevice {
        int64_t gpu;
        std::optional<int64_t> smCount;
    };
    std::vector<CudaDevice> cudaDevices;
    const bool hasGpus = m_database.hasTable("TARGET_INFO_GPU");
    const bool isDone =
        scan("TARGET_INFO_CUDA_DEVICE", {"gpuId", "cudaId", "pid", "numMultiprocessors"}, 3, [&](TableScan& row) {
            const auto gpu = row.integer(0);
            const auto cuda = row.integer(1);
            const auto pid = row.integer(2);
            if (gpu && cuda && pid) {
                m_identities.addCudaDevice(*pid, *cuda, *gpu);
                cudaDevices.push_back({*gpu, row.integer(3)});
            } else {
                note("odd_record", Severity::DataLoss, "TARGET_INFO_CUDA_DEVICE");
            }
        });
    if (!isDone || !hasGpus) {
        return isDone;
    }
    return scan("TARGET_INFO_GPU",
                {"id", "name", "smCount", "computeMajor", "computeMinor", "totalMemory", "threadsPerWarp",
                 "maxThreadsPerBlock", "maxWarpsPerSm", "maxRegistersPerBlock", "maxRegistersPerSm", "maxShmemPerBlock",
                 "maxShmemPerBlockOptin", "maxShmemPerSm"},
                6, [&](TableScan& row) {
                    const auto id = row.integer(0);
                    if (!id) {
                        note("odd_record", Severity::DataLoss, "TARGET_INFO_GPU.id");
                        return;
                    }
                    DeviceInfo device;
                    device.file = m_file;
                    device.id = *id;
                    device.name = row.text(1);
                    device.smCount = row.integer(2);
                    for (const CudaDevice& cuda : cudaDevices) {
                        if (!device.smCount && cuda.gpu == *id) {
                            device.smCount = cuda.smCount;
                        }
                    }
                    device.computeMajor = row.integer(3);
                    device.computeMinor = row.integer(4);
                    device.memoryBytes = row.integer(5);
                    device.warpSize = row.integer(6);
                    device.maxThreadsPerBlock = row.integer(7);
                    int64_t threads = 0;
                    if (const auto warps = row.integer(8);
                        warps && device.warpSize && !__builtin_mul_overflow(*warps, *device.warpSize, &threads)) {
                        device.maxThreadsPerSm = threads;
                    }
                    device.registersPerBlock = row.integer(9);
                    device.registersPerSm = row.integer(10);
                    device.sharedBytesPerBlock = row.integer(11);
                    device.sharedBytesPerBlockOptin = row.integer(12);
                    device.sharedBytesPerSm = row.integer(13);
                    m_gpuNames.try_emplace(m_identities.device(std::nullopt, id), device.name);
                    m_builder.addDevice(std::move(device));
                });
}

bool ExportReader::readProcesses() {
    return scan("PROCESSES", {"globalPid", "name"}, 2,
                [this](TableScan& row) {
                    const auto id = row.integer(0);
                    if (id && !row.isNull(1)) {
                        m_builder.nameProcess(hostProcess(id), m_builder.intern(row.text(1)));
                        m_builder.countMetadata();
                    }
                }) &&
           scan("ThreadNames", {"globalTid", "nameId"}, 2, [this](TableScan& row) {
               const auto id = row.integer(0);
               const auto name = row.integer(1);
               if (id && name) {
                   m_builder.nameTrack(hostTrack(id), stringOf(name, "ThreadNames"));
                   m_builder.countMetadata();
               }
           });
}

bool ExportReader::readDiagnostics() {
    return scan("DIAGNOSTIC_EVENT", {"text", "severity"}, 2, [this](TableScan& row) {
        std::string severity = nameOf(m_severities, row.integer(1));
        std::ranges::transform(severity, severity.begin(),
                               [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; });
        const bool isBad = severity.find("warn") != std::string::npos || severity.find("err") != std::string::npos ||
                           severity.find("fatal") != std::string::npos;
        note("recorder_note", isBad ? Severity::Warning : Severity::Info, row.text(0), false);
    });
}

void ExportReader::countOtherTables() {
    std::string names;
    uint64_t count = 0;
    for (const std::string& table : m_database.tables()) {
        bool isRead = isQuiet(table);
        for (size_t i = 0; i < kEventTables; ++i) {
            isRead = isRead || tableName(static_cast<EventTable>(i)) == table;
        }
        if (isRead) {
            continue;
        }
        ++count;
        constexpr size_t kEnough = 400;
        if (names.size() < kEnough) {
            names += (names.empty() ? "" : ", ") + table;
        }
    }
    if (count > 0) {
        m_builder.report().add(m_file, "skipped_table", Severity::Info, std::nullopt, m_space, names, count);
    }
}

}  // namespace warpline::loaders::nsys_sqlite
