// SPDX-License-Identifier: MIT
#pragma once
// An SQLite database that may be old, foreign, cut or damaged, read table by table. What SQLite cannot read ends the
// table, not the program. One thread at a time.

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/job_control.h"
#include "core/base/result.h"
#include "core/loaders/nsys_sqlite/source_bytes.h"
#include "core/loaders/nsys_sqlite/source_vfs.h"
#include "core/loaders/nsys_sqlite/tree_check.h"

struct sqlite3;
struct sqlite3_stmt;

namespace warpline::loaders::nsys_sqlite {

/// What the schema says that a column holds.
struct ColumnType {
    enum class Kind : uint8_t { Any, Whole, Text } kind = Kind::Any;
    bool isNeverNull = false;
};

class Database {
public:
    /// Fails if it is no SQLite database, or its list of tables cannot be read. `job` (may be null) is asked by every
    /// later read, so it has to live as long. A single value may have `maxValueBytes`.
    static Result<std::unique_ptr<Database>> open(std::unique_ptr<SourceBytes> bytes, uint64_t maxValueBytes,
                                                  const JobControl* job);
    ~Database();

    bool hasTable(std::string_view table) const { return m_tables.find(table) != m_tables.end(); }
    /// Names of all plain tables; views and virtual tables run code of the file's own and are left out.
    std::vector<std::string> tables() const;
    bool hasColumn(std::string_view table, std::string_view column);
    ColumnType columnType(std::string_view table, std::string_view column);
    /// Damaged pages and rows of a table that is there. What stands on such a page, or from there on, next() may pass
    /// over; of such a row it can give anything.
    TreeDamage checkTable(std::string_view table);
    /// Likewise of the list of tables: a table that is only named there is not known.
    const std::vector<PageDamage>& schemaDamage() const { return m_schemaDamage; }
    /// Pages that the header speaks of and the file does not have.
    bool isCut() const { return m_isCut; }
    /// Where the file goes on behind the last page that its header speaks of; nullopt: it does not.
    std::optional<uint64_t> trailingOffset() const { return m_trailingOffset; }
    /// The database is in write-ahead mode. A log beside it is not read.
    bool mayHaveLog() const { return m_mayHaveLog; }

    uint64_t pageBytes() const { return m_layout.pageBytes; }
    const SourceBytes& bytes() const { return *m_bytes; }
    SourceBytes& bytes() { return *m_bytes; }
    sqlite3* handle() const { return m_handle; }
    bool stopRequested() const { return m_job != nullptr && m_job->stopRequested(); }

private:
    Database() = default;
    Status readTables();
    /// Null if there is no such table or column.
    const ColumnType* findColumn(std::string_view table, std::string_view column);

    std::unique_ptr<SourceBytes> m_bytes;
    std::unique_ptr<SourceVfs> m_vfs;
    sqlite3* m_handle = nullptr;
    const JobControl* m_job = nullptr;
    struct Table {
        uint64_t root = 0;                                                       ///< its first page, counted from 1
        std::optional<std::vector<std::pair<std::string, ColumnType>>> columns;  ///< once asked for
    };
    std::map<std::string, Table, std::less<>> m_tables;
    PageLayout m_layout;
    std::vector<PageDamage> m_schemaDamage;
    std::optional<uint64_t> m_trailingOffset;
    bool m_isCut = false;
    bool m_mayHaveLog = false;
};

/// Walks the rows of a table in the order of the file. Columns are asked for by name and told by their place in that
/// list; one that the table lacks reads as null.
class TableScan {
public:
    /// REQUIRES: the database has the table and outlives the scan. With `from`, the rows from that row id on alone.
    TableScan(Database& database, std::string_view table, std::span<const std::string_view> columns,
              std::optional<int64_t> from = std::nullopt);
    ~TableScan();
    TableScan(const TableScan&) = delete;
    TableScan& operator=(const TableScan&) = delete;

    /// False at the end of the table, or of what can be read of it.
    bool next();
    enum class End { Done, Stopped, Damaged };
    End end() const { return m_end; }                       ///< after next() was false
    const std::string& damage() const { return m_damage; }  ///< SQLite's words if damaged
    uint64_t rows() const { return m_rows; }                ///< so far

    bool has(size_t column) const { return m_has[column]; }  ///< the table does
    /// nullopt in a table without row ids.
    std::optional<int64_t> rowid() const;
    bool isByRowid() const { return m_hasRowid; }
    /// Of the row that next() came to last, also once it was false.
    std::optional<int64_t> lastRowid() const { return m_lastRowid; }
    bool isNull(size_t column) const;
    /// Whether the values of the row are such as the table's columns can hold: none is null where that is not allowed,
    /// none of a column of whole numbers is a blob, a fraction or a text (a table that was imported has empty ones for
    /// nulls), none of a column of texts a number.
    bool isSound() const;
    /// nullopt if null, or not a whole number.
    std::optional<int64_t> integer(size_t column) const;
    /// Numbers as their digits; "" for null. Valid until next(). Bytes that are no UTF-8 become U+FFFD, and are
    /// counted.
    std::string_view text(size_t column);
    uint64_t badTexts() const { return m_badTexts; }

private:
    bool fail(End end, std::string words);

    Database& m_database;
    sqlite3_stmt* m_statement = nullptr;
    std::vector<bool> m_has;
    std::vector<ColumnType> m_types;  ///< of the columns asked for
    bool m_hasRowid = true;
    std::optional<int64_t> m_lastRowid;
    uint64_t m_rows = 0;
    uint64_t m_textBytes = 0;
    uint64_t m_badTexts = 0;
    std::string m_repaired;
    std::string m_damage;
    End m_end = End::Done;
    bool m_isOver = false;
};

/// As an SQL name.
std::string quotedName(std::string_view name);

}  // namespace warpline::loaders::nsys_sqlite
