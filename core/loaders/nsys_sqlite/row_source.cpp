// SPDX-License-Identifier: MIT
#include "core/loaders/nsys_sqlite/row_source.h"

#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <mutex>
#include <string>
#include <utility>

#include "core/base/json_writer.h"
#include "core/base/packed.h"
#include "core/loaders/nsys_sqlite/database.h"
#include "core/loaders/nsys_sqlite/names.h"

namespace warpline::loaders::nsys_sqlite {

namespace {

constexpr uint64_t kSmallestPage = 512;
constexpr std::array<std::string_view, kEventTables> kTables = {
    "CUPTI_ACTIVITY_KIND_KERNEL",
    "CUPTI_ACTIVITY_KIND_MEMCPY",
    "CUPTI_ACTIVITY_KIND_MEMSET",
    "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION",
    "CUPTI_ACTIVITY_KIND_RUNTIME",
    "CUPTI_ACTIVITY_KIND_DRIVER",
    "NVTX_EVENTS",
    "OSRT_API",
    "CUPTI_ACTIVITY_KIND_GRAPH_TRACE",
    "CUDA_GPU_MEMORY_USAGE_EVENTS",
};

struct KeyName {
    std::string_view column;
    std::string_view key;
};
constexpr std::array kKinetoKeys = {
    KeyName{"contextId", "context"},
    KeyName{"streamId", "stream"},
    KeyName{"registersPerThread", "registers per thread"},
    KeyName{"graphNodeId", "graph node id"},
};

/// Columns that hold the number of a text.
bool isTextId(std::string_view column) {
    constexpr std::array<std::string_view, 6> kNames = {"demangledName", "shortName", "mangledName",
                                                        "nameId",        "textId",    "jsonTextId"};
    return std::ranges::find(kNames, column) != kNames.end();
}

/// One row with all its columns, texts looked up.
class RowArgs {
public:
    RowArgs(Database& database, const Identities& identities, sqlite3_stmt* row)
        : m_database(database), m_identities(identities), m_row(row) {
        for (int i = 0; i < sqlite3_column_count(row); ++i) {
            m_places.emplace(sqlite3_column_name(row, i), i);
        }
    }

    std::string json() {
        std::string out;
        JsonWriter json(out);
        json.beginObject();
        const auto process = whole("globalPid") ? whole("globalPid") : whole("globalTid");
        const bool isMemory = m_places.contains("memoryOperationType");
        if (const auto mark = isMemory ? memoryMark(m_identities, process, whole("deviceId"), whole("bytes"),
                                                    whole("memoryOperationType"), whole("memKind"))
                                       : std::nullopt) {
            json.key("Device Type").integer(mark->isHost ? 0 : 1).key("Device Id").integer(mark->device);
            json.key("Bytes").integer(mark->bytes);
            if (const auto address = whole("address")) {
                json.key("Addr").unsignedInteger(static_cast<uint64_t>(*address));
            }
        } else if (const auto device = whole("deviceId")) {
            json.key("device").integer(m_identities.device(process, device));
        }
        if (const auto correlation = whole("correlationId")) {
            json.key("correlation").unsignedInteger(m_identities.correlation(process, correlation));
        }
        writeSides(json, "grid", {"gridX", "gridY", "gridZ"});
        writeSides(json, "block", {"blockX", "blockY", "blockZ"});
        const auto fixed = whole("staticSharedMemory");
        const auto dynamic = whole("dynamicSharedMemory");
        int64_t shared = 0;
        if (fixed && dynamic && !__builtin_add_overflow(*fixed, *dynamic, &shared)) {
            json.key("shared memory").integer(shared);
        }
        constexpr std::array<std::string_view, 10> kWritten = {"start", "end",   "deviceId", "correlationId", "gridX",
                                                               "gridY", "gridZ", "blockX",   "blockY",        "blockZ"};
        constexpr std::array<std::string_view, 2> kWrittenOfMemory = {"bytes", "address"};
        for (int i = 0; i < sqlite3_column_count(m_row); ++i) {
            const std::string_view column = sqlite3_column_name(m_row, i);
            const bool isWritten = std::ranges::find(kWritten, column) != kWritten.end() ||
                                   (isMemory && std::ranges::find(kWrittenOfMemory, column) != kWrittenOfMemory.end());
            if (sqlite3_column_type(m_row, i) != SQLITE_NULL && !isWritten) {
                writeColumn(json, column, i);
            }
        }
        json.endObject();
        return out;
    }

private:
    std::optional<int64_t> whole(std::string_view column) const {
        const auto it = m_places.find(column);
        return it != m_places.end() && sqlite3_column_type(m_row, it->second) == SQLITE_INTEGER
                   ? std::optional<int64_t>(sqlite3_column_int64(m_row, it->second))
                   : std::nullopt;
    }

    void writeSides(JsonWriter& json, std::string_view key, const std::array<std::string_view, 3>& columns) const {
        if (!whole(columns[0]) || !whole(columns[1]) || !whole(columns[2])) {
            return;
        }
        json.key(key).beginArray();
        for (const std::string_view column : columns) {
            json.integer(*whole(column));
        }
        json.endArray();
    }

    void writeColumn(JsonWriter& json, std::string_view column, int place) const {
        const auto* known = std::ranges::find(kKinetoKeys, column, &KeyName::column);
        json.key(known == kKinetoKeys.end() ? column : known->key);
        switch (sqlite3_column_type(m_row, place)) {
            case SQLITE_INTEGER: {
                const int64_t value = sqlite3_column_int64(m_row, place);
                const auto text = isTextId(column) ? textOf(value) : std::nullopt;
                text ? json.text(*text) : json.integer(value);
                break;
            }
            case SQLITE_FLOAT:
                json.real(sqlite3_column_double(m_row, place));
                break;
            case SQLITE_TEXT: {
                const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(m_row, place));
                json.text({text, static_cast<size_t>(sqlite3_column_bytes(m_row, place))});
                break;
            }
            default:
                json.text(std::to_string(sqlite3_column_bytes(m_row, place)) + " bytes");
                break;
        }
    }

    std::optional<std::string> textOf(int64_t id) const {
        if (!m_database.hasTable("StringIds")) {
            return std::nullopt;
        }
        sqlite3_stmt* statement = nullptr;
        std::optional<std::string> text;
        if (sqlite3_prepare_v2(m_database.handle(), "SELECT value FROM StringIds WHERE id=?", -1, &statement,
                               nullptr) == SQLITE_OK &&
            sqlite3_bind_int64(statement, 1, id) == SQLITE_OK && sqlite3_step(statement) == SQLITE_ROW &&
            sqlite3_column_type(statement, 0) == SQLITE_TEXT) {
            const auto* characters = reinterpret_cast<const char*>(sqlite3_column_text(statement, 0));
            text.emplace(characters, static_cast<size_t>(sqlite3_column_bytes(statement, 0)));
        }
        sqlite3_finalize(statement);
        return text;
    }

    Database& m_database;
    const Identities& m_identities;
    sqlite3_stmt* m_row;
    std::map<std::string_view, int> m_places;
};

class RowSource final : public EventSource {
public:
    RowSource(std::shared_ptr<const TextSource> text, uint64_t textBytes, uint64_t maxValueBytes, Identities identities,
              bool hasRecipe)
        : m_text(std::move(text)),
          m_textBytes(textBytes),
          m_maxValueBytes(maxValueBytes),
          m_identities(std::move(identities)),
          m_hasRecipe(hasRecipe) {}

    Result<std::string> argsJson(SourceRef event, SourceRef /*end*/) const override {
        const size_t table = event.offset % kSmallestPage;
        if (!event.valid() || table >= kTables.size()) {
            return std::string("null");
        }
        const std::scoped_lock lock(m_mutex);
        if (const Status unchanged = m_text->checkUnchanged(); !unchanged) {
            return unchanged.error();
        }
        if (m_database == nullptr) {
            auto database = Database::open(cachedBytes(m_text, m_textBytes), m_maxValueBytes, nullptr);
            if (!database) {
                return Error::failed("the database cannot be read again: " + database.error().message);
            }
            m_database = std::move(database.value());
        }
        return readRow(kTables[table], event.length);
    }

    std::optional<SourceRecipe> recipe() const override {
        if (!m_hasRecipe) {
            return std::nullopt;
        }
        PackedWriter facts;
        facts.number(m_textBytes);
        facts.text(m_identities.stored());
        return SourceRecipe{"nsys_sqlite", facts.take()};
    }

private:
    Result<std::string> readRow(std::string_view table, int64_t rowid) const {
        sqlite3_stmt* statement = nullptr;
        const std::string sql = "SELECT * FROM " + quotedName(table) + " WHERE rowid=?";
        int code = sqlite3_prepare_v2(m_database->handle(), sql.c_str(), -1, &statement, nullptr);
        if (code == SQLITE_OK) {
            sqlite3_bind_int64(statement, 1, rowid);
            code = sqlite3_step(statement);
        }
        Result<std::string> args = std::string("null");
        const int primary = code & 0xff;
        if (code == SQLITE_ROW) {
            args = RowArgs(*m_database, m_identities, statement).json();
        } else if (primary == SQLITE_IOERR || primary == SQLITE_NOMEM) {
            args = Error::failed(std::string("the database cannot be read: ") + sqlite3_errmsg(m_database->handle()));
        } else {
            // Walking a table reaches rows that a damaged page above them leads no search to.
            const char* const why = code == SQLITE_DONE ? "no page leads to it" : sqlite3_errmsg(m_database->handle());
            args = Error::failed(std::string(table) + ": its row cannot be read: " + why, std::string(kUnreadableArgs));
        }
        sqlite3_finalize(statement);
        return args;
    }

    std::shared_ptr<const TextSource> m_text;
    uint64_t m_textBytes;
    uint64_t m_maxValueBytes;
    Identities m_identities;
    bool m_hasRecipe;
    mutable std::mutex m_mutex;
    mutable std::unique_ptr<Database> m_database;  ///< opened by the first question
};

}  // namespace

std::string_view tableName(EventTable table) {
    return kTables[static_cast<size_t>(table)];
}

std::optional<MemoryMark> memoryMark(const Identities& identities, std::optional<int64_t> globalPid,
                                     std::optional<int64_t> device, std::optional<int64_t> bytes,
                                     std::optional<int64_t> operation, std::optional<int64_t> kind) {
    constexpr int64_t kTaken = 0;
    constexpr int64_t kGiven = 1;
    if (!bytes || *bytes < 0 || (operation != kTaken && operation != kGiven)) {
        return std::nullopt;
    }
    MemoryMark mark;
    // Host memory has no device of its own; without a kind it is the device's, as the table's name says.
    constexpr int64_t kPageable = 0;
    constexpr int64_t kPinned = 1;
    mark.isHost = kind == kPageable || kind == kPinned;
    mark.device = mark.isHost ? -1 : identities.device(globalPid, device);
    mark.bytes = operation == kGiven ? -*bytes : *bytes;
    return mark;
}

SourceRef rowReference(EventTable table, uint64_t pageOffset, std::optional<int64_t> rowid) {
    SourceRef reference{pageOffset / kSmallestPage * kSmallestPage + static_cast<uint64_t>(table), 0};
    if (rowid && *rowid > 0 && *rowid <= std::numeric_limits<uint32_t>::max()) {
        reference.length = static_cast<uint32_t>(*rowid);
    }
    return reference;
}

std::shared_ptr<const EventSource> makeRowSource(std::shared_ptr<const TextSource> text, uint64_t textBytes,
                                                 uint64_t maxValueBytes, Identities identities, bool hasRecipe) {
    return std::make_shared<RowSource>(std::move(text), textBytes, maxValueBytes, std::move(identities), hasRecipe);
}

Result<std::shared_ptr<const EventSource>> reopenRowSource(std::shared_ptr<const TextSource> text,
                                                           std::string_view facts, uint64_t maxValueBytes) {
    PackedReader in(facts);
    const uint64_t textBytes = in.number();
    auto identities = Identities::fromStored(in.text());
    if (!in.ok() || !identities) {
        return Error::failed("what is kept of the export is damaged");
    }
    return makeRowSource(std::move(text), textBytes, maxValueBytes, std::move(*identities), true);
}

}  // namespace warpline::loaders::nsys_sqlite
