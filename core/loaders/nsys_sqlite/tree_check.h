// SPDX-License-Identifier: MIT
#pragma once
// Whether the pages of a table still are what SQLite wrote. Reading alone does not tell: a page whose number of cells
// became 0 reads as one without rows, and a list of tables that ends at a lost page as a shorter list. SQLite's own
// check (PRAGMA quick_check) has no bound on its depth, so a hostile file can end the program by it.
// Layout of pages: https://www.sqlite.org/fileformat2.html#b_tree_pages

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/job_control.h"
#include "core/loaders/nsys_sqlite/source_bytes.h"

namespace warpline::loaders::nsys_sqlite {

struct PageLayout {
    uint32_t pageBytes = 0;    ///< a power of two from 512 to 65536
    uint32_t usableBytes = 0;  ///< of each, without what is reserved at its end; at least 480
};

struct PageDamage {
    uint64_t offset = 0;  ///< of the page
    /// It and the pages below it hold row ids above the first and up to the second; nullopt: not bounded.
    std::optional<int64_t> above{};
    std::optional<int64_t> upTo{};
    std::string what;
};

/// A row on a page that is sound, whose record is none: SQLite reads it as values that nobody wrote, or ends there.
struct RowDamage {
    int64_t rowid = 0;
    uint64_t offset = 0;  ///< of the row
};

struct TreeDamage {
    std::vector<PageDamage> pages;
    std::vector<RowDamage> rows;  ///< of a table with row ids
};

/// The pages of the tree from `root` on (counted from 1) that are damaged, in the order of the table, 1000 at most;
/// what is below one is not looked at. Pages of long texts are not looked at: SQLite finds a broken chain itself. Rows
/// whose types do not fill their records. Reads each page once. When `job` (may be null) is stopped, what was found
/// until then.
TreeDamage checkTree(SourceBytes& bytes, PageLayout layout, uint64_t root, const JobControl* job);

}  // namespace warpline::loaders::nsys_sqlite
