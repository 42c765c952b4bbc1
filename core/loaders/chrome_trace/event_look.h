// SPDX-License-Identifier: MIT
#pragma once
// Guesses, by a few bytes, at where events and their list begin and end in a text whose structure cannot be trusted.
// Pure functions.

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace warpline::loaders::chrome_trace {

/// What a guess at an event's start looks at: "{", blanks, a key.
inline constexpr size_t kGuessBytes = 64;

inline constexpr uint32_t kNoColumn = UINT32_MAX;

/// What the beginning of a list of events says of what comes later in it.
struct ListLook {
    bool expectsCommas = true;    ///< false for bare events, one a line: no comma is missed between them
    uint32_t column = kNoColumn;  ///< where the first event begins a line
};

/// Blanks before `pos` if it begins a line, else kNoColumn.
uint32_t columnOf(std::string_view text, size_t pos);
/// Is there, from `pos` on, a key that events have, or one that stands beside the list of events, with its quotes and
/// colon?
bool hasEventKeyAt(std::string_view text, size_t pos);
bool hasHeaderKeyAt(std::string_view text, size_t pos);
/// The last byte before `pos` that is no blank; npos if there is none.
size_t lastInk(std::string_view text, size_t pos);
/// Can an event of the list begin with the `{` at `pos`?
bool looksLikeEventStart(std::string_view text, size_t pos);
/// Does the `]` at `pos` end the list of events, and not one in args? `isLast`: nothing follows the text.
bool looksLikeListEnd(std::string_view text, size_t pos, bool isLast);

/// How far an object is looked into to tell an event from a document.
inline constexpr size_t kLookBytes = size_t{64} << 10;

struct ObjectLook {
    enum class Kind { Neither, Event, Document } kind = Kind::Neither;
    size_t end = 1;        ///< how far the look came
    bool isWhole = false;  ///< it came to the object's end
};
/// Tells by the keys of the object with which `text` begins: bare events, one a line, look like documents, but have a
/// `ph` of their own. Looks at kLookBytes at most.
ObjectLook lookAtObject(std::string_view text, uint32_t maxDepth);
/// The place of `"traceEvents": [` from `pos` on; npos if there is none.
size_t findListKey(std::string_view text, size_t pos);

}  // namespace warpline::loaders::chrome_trace
