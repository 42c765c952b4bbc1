// SPDX-License-Identifier: MIT
#pragma once
// The row that an event came from, read again when somebody asks for its args. A SourceRef holds the place of the
// row's page (a multiple of 512) plus the table's number, and the row id as its length: so a place in the import report
// is in the right page, and the row is found by its id. Any thread, one at a time inside.

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "core/loaders/nsys_sqlite/identities.h"
#include "core/loaders/text_source.h"
#include "core/trace/source_ref.h"

namespace warpline::loaders::nsys_sqlite {

/// Tables whose rows become events.
enum class EventTable : uint8_t { Kernel, Memcpy, Memset, Sync, Runtime, Driver, Nvtx, OsRuntime, Graph, Memory };
inline constexpr size_t kEventTables = 10;
std::string_view tableName(EventTable table);

/// Without length (no args) if the table has no row ids, or one too large to hold.
SourceRef rowReference(EventTable table, uint64_t pageOffset, std::optional<int64_t> rowid);

/// What a row of memory that was taken or given back says, as Kineto says it.
struct MemoryMark {
    bool isHost = false;
    int64_t device = -1;  ///< -1 of the host
    int64_t bytes = 0;    ///< negative: given back
};
/// nullopt if `bytes` or the operation is none.
std::optional<MemoryMark> memoryMark(const Identities& identities, std::optional<int64_t> globalPid,
                                     std::optional<int64_t> device, std::optional<int64_t> bytes,
                                     std::optional<int64_t> operation, std::optional<int64_t> kind);

/// Args have Kineto's keys for what Kineto knows ("grid", "stream", …), and the other columns by their names. Without
/// `hasRecipe` its trace is not cached: the file alone does not tell what there is.
std::shared_ptr<const EventSource> makeRowSource(std::shared_ptr<const TextSource> text, uint64_t textBytes,
                                                 uint64_t maxValueBytes, Identities identities, bool hasRecipe);

/// From the facts of the recipe that such a source gives.
Result<std::shared_ptr<const EventSource>> reopenRowSource(std::shared_ptr<const TextSource> text,
                                                           std::string_view facts, uint64_t maxValueBytes);

}  // namespace warpline::loaders::nsys_sqlite
