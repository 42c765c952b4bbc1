// SPDX-License-Identifier: MIT
#pragma once
// Where an event stands in its file, and how its args are read from there when somebody asks.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/job_control.h"
#include "core/base/result.h"
#include "core/base/text_finder.h"

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

/// Code of an argsJson() error that concerns that event alone: the file is as it was and can be read, what stands for
/// the event there cannot.
inline constexpr std::string_view kUnreadableArgs = "unreadable_args";

/// Reads what was left in the file at load time. Owned by the trace; const calls from any thread, each may block on
/// disk.
class EventSource {
public:
    virtual ~EventSource() = default;
    /// The event's args as strict JSON text (an object, or the text or list that stood there); "null" if there are
    /// none. Where an end has an event of its own (B/E, b/e), its args are joined in, and count where both have a key.
    /// Fails with the reason when the file has changed or gone since, with code kUnreadableArgs when it has not.
    virtual Result<std::string> argsJson(SourceRef event, SourceRef end) const = 0;
    /// Tells in which events a text can be, without reading each: calls `found`, also from several threads at once,
    /// with the places in the first `length` bytes of the text where `part` begins, as it is or behind escapes, in no
    /// order. An event whose argsJson() has `part` within a key, a string or a word has such a place in its SourceRef
    /// (or its end's); one that has such a place need not. False, with nothing called: this cannot be told, look at
    /// every event. Fails with the reason when the file has changed, or when cancelled; then `found` was called for
    /// some.
    virtual Result<bool> scanText(const TextFinder& /*part*/, uint64_t /*length*/,
                                  const std::function<void(uint64_t place)>& /*found*/, JobControl& /*job*/) const {
        return false;
    }
    /// nullopt: it can be made by loading alone, so its trace is not cached.
    virtual std::optional<SourceRecipe> recipe() const { return std::nullopt; }
};

}  // namespace warpline
