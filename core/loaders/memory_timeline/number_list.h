// SPDX-License-Identifier: MIT
#pragma once
// One list of numbers of a memory timeline, or what damage has left of it.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "core/loaders/memory_timeline/number_tokens.h"
#include "core/loaders/memory_timeline/timeline_rows.h"
#include "core/loaders/memory_timeline/timeline_times.h"

namespace warpline::loaders::memory_timeline {

/// A writer has nine. What is longer is no row, and is not held.
inline constexpr size_t kMaxColumns = 4096;
inline constexpr size_t kRecordNumbers = 4;

struct NumberList {
    uint64_t offset = 0;
    std::vector<Number> numbers;  ///< kMaxColumns at most
    size_t count = 0;
    std::optional<uint64_t> damageOffset;  ///< the first place that is no JSON
    std::optional<uint64_t> repairOffset;  ///< the first such place that costs no number
    size_t repairs = 0;                    ///< how many of those there are
    bool isClosed = false;       ///< or followed by what shows that its end was lost; else the text ends in it
    bool hasEnd = false;         ///< its own
    bool isBehindComma = false;  ///< no number stands behind its last comma
};

/// What stands between lists and is none.
struct StrayWords {
    NumberList values;      ///< with the offset of the first
    uint64_t badBytes = 0;  ///< of what is no value either
};
/// Takes words and commas up to what is neither.
StrayWords takeStray(NumberTokens& tokens);

/// Reads a list whose begin was taken. One thread.
class NumberListReader {
public:
    /// Whether the begin of a list, which comes next, shows that the end of this one was lost.
    using IsEnded = std::function<bool(const NumberList&)>;

    NumberListReader(NumberTokens& tokens, uint64_t offset) : m_tokens(tokens) { m_list.offset = offset; }
    /// `times`: the numbers go there, and no more than a record's are kept in the list; null for rows and records.
    NumberList read(const IsEnded& isEnded, TimelineTimes* times);

private:
    bool isNext(TokenKind kind) const { return m_tokens.next().kind == kind; }
    void add(const Number& number);
    void forgetLast();
    void noteDamage(uint64_t offset) { m_list.damageOffset = m_list.damageOffset.value_or(offset); }
    void noteRepair(uint64_t offset);
    void settleBracket(bool mayCost);
    void readWord(const Token& token);

    NumberTokens& m_tokens;
    TimelineTimes* m_times = nullptr;
    NumberList m_list;
    bool m_hasNumber = false;                 ///< since the last comma
    std::optional<uint64_t> m_bracketOffset;  ///< behind the number that was read last
    bool m_isLastKnown = false;               ///< the last word is a value
    uint64_t m_length = 0;                    ///< of the last word
    uint64_t m_usualLength = 0;               ///< of a word
};

}  // namespace warpline::loaders::memory_timeline
