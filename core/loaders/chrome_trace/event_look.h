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
/// The latter, or the key of the list itself?
bool hasDocumentKeyAt(std::string_view text, size_t pos);
/// A key that nothing but an event has?
bool hasTimeKeyAt(std::string_view text, size_t pos);
/// The last byte before `pos` that is no blank; npos if there is none.
size_t lastInk(std::string_view text, size_t pos);
/// Can an event of the list begin with the `{` at `pos`?
bool looksLikeEventStart(std::string_view text, size_t pos);
/// Does the `]` at `pos` end the list of events, and not one in args? `isLast`: nothing follows the text.
bool looksLikeListEnd(std::string_view text, size_t pos, bool isLast);

/// What closing brackets between two items of the list are.
struct Brackets {
    enum class Kind {
        ListEnd,
        Stray,    ///< too many: an event follows, so the list goes on
        Garbage,  ///< the rest of an event
        NeedMore,
    } kind = Kind::ListEnd;
    size_t end = 0;  ///< just behind them
};
/// Looks at those from `pos` on. `isProven`: the item before them is one of the list's.
Brackets lookAtBrackets(std::string_view text, size_t pos, bool isLast, bool isProven);

/// Does a list of events begin with the `[` at `pos`? Or, of a `"` or `:`: is it one too many, in front of an event?
enum class Nested { No, Yes, NeedMore };
Nested beginsEvents(std::string_view text, size_t pos, bool isLast);

/// The end of the comment that starts at `pos`, which JSON does not have; `pos` if there is none, npos if it goes on.
size_t commentEnd(std::string_view text, size_t pos, bool isLast);

/// Where to look for an event behind a place where reading broke: there, or at the start of the event that stands
/// before it because a string without its end reached up to that event's first key.
size_t swallowedStart(std::string_view text, size_t broken);

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
/// Is one of the first `most` objects with which the text begins, with commas between them, an event? Looks at
/// kLookBytes at most.
bool beginsWithEvents(std::string_view text, uint32_t maxDepth, int most);
/// The place of `"traceEvents": [` from `pos` on; npos if there is none.
size_t findListKey(std::string_view text, size_t pos);

}  // namespace warpline::loaders::chrome_trace
