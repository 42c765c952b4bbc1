// SPDX-License-Identifier: MIT
#pragma once
// Where an event stands in its file, and how its args are read from there when somebody asks.

#include <cstdint>
#include <optional>
#include <string>

#include "core/base/result.h"

namespace warpline {

/// A stretch of a file's (decompressed) text. Length 0: the event has no text of its own.
struct SourceRef {
    uint64_t offset = 0;
    uint32_t length = 0;
    bool valid() const { return length != 0; }
};

/// What an EventSource knows besides the file, for who opens the same file again without loading it.
struct SourceRecipe {
    std::string loader;  ///< id of the one that can make it again, by Loader::reopen()
    std::string facts;   ///< in that loader's own form; bytes
};

/// Reads what was left in the file at load time. Owned by the trace; const calls from any thread, each may block on
/// disk.
class EventSource {
public:
    virtual ~EventSource() = default;
    /// The event's args as strict JSON text (an object, or the text or list that stood there); "null" if there are
    /// none. Where an end has an event of its own (B/E, b/e), its args are joined in, and count where both have a key.
    /// Fails with the reason when the file has changed or gone since.
    virtual Result<std::string> argsJson(SourceRef event, SourceRef end) const = 0;
    /// nullopt: it can be made by loading alone, so its trace is not cached.
    virtual std::optional<SourceRecipe> recipe() const { return std::nullopt; }
};

}  // namespace warpline
