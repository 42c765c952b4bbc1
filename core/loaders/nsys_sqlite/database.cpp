// SPDX-License-Identifier: MIT
#include "core/loaders/nsys_sqlite/database.h"

#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "core/base/utf8.h"

namespace warpline::loaders::nsys_sqlite {

namespace {

constexpr size_t kHeaderBytes = 100;
constexpr std::string_view kMagic("SQLite format 3\0", 16);

int askJob(void* job) {
    return static_cast<const JobControl*>(job)->stopRequested() ? 1 : 0;
}

uint32_t bigEndian(const char* p, size_t count) {
    uint32_t value = 0;
    for (size_t i = 0; i < count; ++i) {
        value = value << 8 | static_cast<unsigned char>(p[i]);
    }
    return value;
}

bool equalsIgnoringCase(std::string_view a, std::string_view b) {
    return a.size() == b.size() && sqlite3_strnicmp(a.data(), b.data(), static_cast<int>(a.size())) == 0;
}

/// Of the column that a row of PRAGMA table_info tells of, by SQLite's rules of affinity.
ColumnType typeOf(sqlite3_stmt* row) {
    ColumnType type;
    const auto* const declared = reinterpret_cast<const char*>(sqlite3_column_text(row, 2));
    std::string words(declared == nullptr ? "" : declared);
    std::ranges::transform(words, words.begin(),
                           [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - ('a' - 'A')) : c; });
    const auto has = [&](std::string_view part) { return words.find(part) != std::string::npos; };
    if (has("INT")) {
        type.kind = ColumnType::Kind::Whole;
    } else if (has("CHAR") || has("CLOB") || has("TEXT")) {
        type.kind = ColumnType::Kind::Text;
    }
    // The key of a table may be its row id, which stands as null in the row.
    const bool isKey = sqlite3_column_int(row, 5) != 0;
    type.isNeverNull = sqlite3_column_int(row, 3) != 0 && !isKey;
    return type;
}

}  // namespace

std::string quotedName(std::string_view name) {
    std::string quoted = "\"";
    for (const char c : name) {
        quoted += c == '"' ? "\"\"" : std::string(1, c);
    }
    return quoted + '"';
}

Result<std::unique_ptr<Database>> Database::open(std::unique_ptr<SourceBytes> bytes, uint64_t maxValueBytes,
                                                 const JobControl* job) {
    std::array<char, kHeaderBytes> header{};
    const std::string_view text(header.data(), header.size());
    if (bytes->size() < kHeaderBytes || !bytes->read(0, header)) {
        const bool mayBe = bytes->size() > 0 && bytes->size() < kHeaderBytes &&
                           bytes->read(0, std::span(header).first(static_cast<size_t>(bytes->size()))) &&
                           text.substr(0, bytes->size()).starts_with(kMagic.substr(0, bytes->size()));
        return mayBe ? Error::failed("the SQLite database ends inside its header", "truncated")
                     : Error::failed("this is no SQLite database", "unsupported");
    }
    if (!text.starts_with(kMagic)) {
        return Error::failed("this is no SQLite database", "unsupported");
    }
    std::unique_ptr<Database> database(new Database());
    const uint32_t sizeField = bigEndian(header.data() + 16, 2);
    const uint64_t pageBytes = sizeField == 1 ? 65536 : sizeField;
    // The number of pages counts only if it was written together with the last change.
    const bool countIsValid = bigEndian(header.data() + 24, 4) == bigEndian(header.data() + 92, 4);
    const uint64_t counted = bigEndian(header.data() + 28, 4) * pageBytes;
    // A page is written whole, so a part of one is all that is left of it, unless it lies behind all that is counted.
    const bool hasPart = pageBytes != 0 && bytes->size() % pageBytes != 0;
    database->m_isCut = countIsValid ? counted > bytes->size() : hasPart;
    if (countIsValid && counted < bytes->size() && hasPart) {
        database->m_trailingOffset = counted;
    }
    database->m_mayHaveLog = header[18] == 2;
    database->m_bytes = std::move(bytes);
    database->m_vfs = std::make_unique<SourceVfs>(*database->m_bytes);
    database->m_job = job;
    const int opened = sqlite3_open_v2("database", &database->m_handle, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX,
                                       database->m_vfs->name());
    if (opened != SQLITE_OK) {
        return Error::failed(std::string("SQLite cannot open the database: ") + sqlite3_errstr(opened),
                             "invalid_sqlite");
    }
    sqlite3* handle = database->m_handle;
    sqlite3_extended_result_codes(handle, 1);
    // A file that is cut is refused unless its schema may be written, which this file system does not allow anyway.
    sqlite3_db_config(handle, SQLITE_DBCONFIG_WRITABLE_SCHEMA, 1, nullptr);
    sqlite3_db_config(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
    sqlite3_db_config(handle, SQLITE_DBCONFIG_ENABLE_VIEW, 0, nullptr);
    sqlite3_db_config(handle, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
    sqlite3_limit(handle, SQLITE_LIMIT_LENGTH,
                  static_cast<int>(std::min<uint64_t>(maxValueBytes, std::numeric_limits<int>::max())));
    sqlite3_limit(handle, SQLITE_LIMIT_EXPR_DEPTH, 50);
    sqlite3_limit(handle, SQLITE_LIMIT_ATTACHED, 0);
    if (job != nullptr) {
        constexpr int kStepsBetween = 20'000;
        sqlite3_progress_handler(handle, kStepsBetween, askJob, const_cast<JobControl*>(job));
    }
    sqlite3_exec(handle, "PRAGMA cell_size_check=ON; PRAGMA temp_store=MEMORY", nullptr, nullptr, nullptr);
    // SQLite has refused other sizes by now.
    const auto reserved = static_cast<unsigned char>(header[20]);
    database->m_layout = {static_cast<uint32_t>(pageBytes), static_cast<uint32_t>(pageBytes - reserved)};
    if (Status status = database->readTables(); !status) {
        return status.error();
    }
    return database;
}

Database::~Database() {
    sqlite3_close(m_handle);
}

Status Database::readTables() {
    sqlite3_stmt* statement = nullptr;
    int code =
        sqlite3_prepare_v2(m_handle,
                           "SELECT name,rootpage FROM sqlite_schema WHERE type='table' AND typeof(name)='text' AND "
                           "rootpage>0 AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'",
                           -1, &statement, nullptr);
    while (code == SQLITE_OK || code == SQLITE_ROW) {
        code = sqlite3_step(statement);
        if (code == SQLITE_ROW) {
            const auto* name = reinterpret_cast<const char*>(sqlite3_column_text(statement, 0));
            const auto root = static_cast<uint64_t>(sqlite3_column_int64(statement, 1));
            m_tables.emplace(name == nullptr ? "" : name, Table{root, std::nullopt});
        }
    }
    const std::string words = sqlite3_errmsg(m_handle);
    sqlite3_finalize(statement);
    if (stopRequested()) {
        return Error::cancelled();
    }
    if (code != SQLITE_DONE && m_tables.empty()) {
        return Error::failed("the database's list of tables cannot be read: " + words,
                             m_isCut ? "truncated" : "invalid_sqlite");
    }
    const TreeDamage damage = checkTree(*m_bytes, m_layout, 1, m_job);
    m_schemaDamage = damage.pages;
    for (const RowDamage& row : damage.rows) {
        m_schemaDamage.push_back({row.offset, std::nullopt, std::nullopt, "row " + std::to_string(row.rowid)});
    }
    // That the file is cut is said elsewhere.
    std::erase_if(m_schemaDamage, [this](const PageDamage& page) {
        return m_isCut && page.offset + m_layout.pageBytes > m_bytes->size();
    });
    if (code != SQLITE_DONE && m_schemaDamage.empty() && !m_isCut) {
        m_schemaDamage.push_back({0, std::nullopt, std::nullopt, words});
    }
    return Status::success();
}

std::vector<std::string> Database::tables() const {
    std::vector<std::string> names;
    for (const auto& [name, columns] : m_tables) {
        names.push_back(name);
    }
    return names;
}

const ColumnType* Database::findColumn(std::string_view table, std::string_view column) {
    const auto it = m_tables.find(table);
    if (it == m_tables.end()) {
        return nullptr;
    }
    auto& columns = it->second.columns;
    if (!columns) {
        columns.emplace();
        sqlite3_stmt* statement = nullptr;
        const std::string sql = "PRAGMA table_info(" + quotedName(table) + ")";
        if (sqlite3_prepare_v2(m_handle, sql.c_str(), -1, &statement, nullptr) == SQLITE_OK) {
            while (sqlite3_step(statement) == SQLITE_ROW) {
                const auto* name = reinterpret_cast<const char*>(sqlite3_column_text(statement, 1));
                columns->emplace_back(name == nullptr ? "" : name, typeOf(statement));
            }
        }
        sqlite3_finalize(statement);
    }
    const auto found =
        std::ranges::find_if(*columns, [&](const auto& known) { return equalsIgnoringCase(known.first, column); });
    return found == columns->end() ? nullptr : &found->second;
}

bool Database::hasColumn(std::string_view table, std::string_view column) {
    return findColumn(table, column) != nullptr;
}

ColumnType Database::columnType(std::string_view table, std::string_view column) {
    const ColumnType* const type = findColumn(table, column);
    return type == nullptr ? ColumnType() : *type;
}

TreeDamage Database::checkTable(std::string_view table) {
    const auto it = m_tables.find(table);
    return it == m_tables.end() ? TreeDamage() : checkTree(*m_bytes, m_layout, it->second.root, m_job);
}

TableScan::TableScan(Database& database, std::string_view table, std::span<const std::string_view> columns,
                     std::optional<int64_t> from)
    : m_database(database), m_lastRowid(from ? std::optional(*from - 1) : std::nullopt) {
    std::string list;
    for (const std::string_view column : columns) {
        // A quoted name that is no column would read as a text.
        m_has.push_back(database.hasColumn(table, column));
        m_types.push_back(database.columnType(table, column));
        list += "," + (m_has.back() ? quotedName(column) : "NULL");
    }
    const std::string source = list + " FROM " + quotedName(table) + (from ? " WHERE rowid>=?" : "");
    int code = sqlite3_prepare_v2(database.handle(), ("SELECT rowid" + source).c_str(), -1, &m_statement, nullptr);
    if (code != SQLITE_OK && !from && !database.stopRequested()) {
        m_hasRowid = false;
        code = sqlite3_prepare_v2(database.handle(), ("SELECT NULL" + source).c_str(), -1, &m_statement, nullptr);
    }
    if (code != SQLITE_OK) {
        fail(database.stopRequested() ? End::Stopped : End::Damaged, sqlite3_errmsg(database.handle()));
        return;
    }
    if (from) {
        sqlite3_bind_int64(m_statement, 1, *from);
    }
}

TableScan::~TableScan() {
    sqlite3_finalize(m_statement);
}

bool TableScan::fail(End end, std::string words) {
    m_isOver = true;
    m_end = end;
    m_damage = std::move(words);
    return false;
}

bool TableScan::next() {
    if (m_isOver) {
        return false;
    }
    if ((m_rows & 0xfffU) == 0 && m_database.stopRequested()) {
        return fail(End::Stopped, {});
    }
    const int code = sqlite3_step(m_statement);
    if (code == SQLITE_DONE) {
        return fail(End::Done, {});
    }
    if (code != SQLITE_ROW) {
        return fail(m_database.stopRequested() ? End::Stopped : End::Damaged, sqlite3_errmsg(m_database.handle()));
    }
    // A damaged tree can lead round and round: row ids ascend, every row takes a byte, every text its own bytes.
    const std::optional<int64_t> row = rowid();
    const bool isBack = row && m_lastRowid && *row <= *m_lastRowid;
    if (isBack || ++m_rows > m_database.bytes().size() || m_textBytes > 4 * m_database.bytes().size()) {
        return fail(End::Damaged, "the table leads back into itself");
    }
    m_lastRowid = row;
    return true;
}

std::optional<int64_t> TableScan::rowid() const {
    return m_hasRowid ? std::optional<int64_t>(sqlite3_column_int64(m_statement, 0)) : std::nullopt;
}

bool TableScan::isNull(size_t column) const {
    return sqlite3_column_type(m_statement, static_cast<int>(column) + 1) == SQLITE_NULL;
}

bool TableScan::isSound() const {
    for (size_t i = 0; i < m_types.size(); ++i) {
        const int place = static_cast<int>(i) + 1;
        switch (sqlite3_column_type(m_statement, place)) {
            case SQLITE_NULL:
                if (m_types[i].isNeverNull) {
                    return false;
                }
                break;
            case SQLITE_INTEGER:
                if (m_types[i].kind == ColumnType::Kind::Text) {
                    return false;
                }
                break;
            case SQLITE_TEXT:
                if (m_types[i].kind == ColumnType::Kind::Whole && sqlite3_column_bytes(m_statement, place) != 0) {
                    return false;
                }
                break;
            case SQLITE_BLOB:
                if (m_types[i].kind == ColumnType::Kind::Whole) {
                    return false;
                }
                break;
            default:
                if (m_types[i].kind != ColumnType::Kind::Any) {
                    return false;
                }
                break;
        }
    }
    return true;
}

std::optional<int64_t> TableScan::integer(size_t column) const {
    const int place = static_cast<int>(column) + 1;
    if (sqlite3_column_type(m_statement, place) != SQLITE_INTEGER) {
        return std::nullopt;
    }
    return sqlite3_column_int64(m_statement, place);
}

std::string_view TableScan::text(size_t column) {
    const int place = static_cast<int>(column) + 1;
    const auto* characters = reinterpret_cast<const char*>(sqlite3_column_text(m_statement, place));
    if (characters == nullptr) {
        return {};
    }
    const std::string_view text(characters, static_cast<size_t>(sqlite3_column_bytes(m_statement, place)));
    m_textBytes += text.size();
    const std::string_view valid = validUtf8(text, m_repaired);
    m_badTexts += valid.data() == text.data() ? 0 : 1;
    return valid;
}

}  // namespace warpline::loaders::nsys_sqlite
