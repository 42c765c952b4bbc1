// SPDX-License-Identifier: MIT
#pragma once
// The text of lists of numbers as tokens. Made for damaged text: nothing is refused, and a word ends where the next
// number, list or end of a list may begin, so that a bad byte spoils no more than the number it stands in.

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <string_view>

#include "core/loaders/memory_timeline/timeline_rows.h"
#include "core/loaders/text_chars.h"

namespace warpline::loaders::memory_timeline {

enum class TokenKind : uint8_t { Open, Close, Comma, Word, End };

struct Token {
    TokenKind kind = TokenKind::End;
    uint64_t offset = 0;
    Number number;        ///< of a word; unknown if that is none, or too large
    bool isJson = true;   ///< a word that is a number, or another value of JSON without a comma or list in it
    uint64_t length = 0;  ///< of a word
};

class NumberTokens {
public:
    explicit NumberTokens(TextChars& chars) : m_chars(chars) {
        m_next[0] = read();
        m_next[1] = read();
        m_next[2] = read();
    }

    const Token& next() const { return m_next[0]; }
    const Token& second() const { return m_next[1]; }
    const Token& third() const { return m_next[2]; }
    /// The one that comes so many behind the next; all before it are held.
    const Token& ahead(size_t count) {
        while (count >= m_next.size() + m_held.size()) {
            m_held.push_back(read());
        }
        return count < m_next.size() ? m_next[count] : m_held[count - m_next.size()];
    }
    Token take() {
        const Token taken = m_next[0];
        m_next[0] = m_next[1];
        m_next[1] = m_next[2];
        if (m_held.empty()) {
            m_next[2] = read();
        } else {
            m_next[2] = m_held.front();
            m_held.pop_front();
        }
        return taken;
    }

private:
    Token read();
    /// The word that begins at the next character.
    void readWord(Token& token);

    TextChars& m_chars;
    std::array<Token, 3> m_next;
    std::deque<Token> m_held;  ///< behind those
};

}  // namespace warpline::loaders::memory_timeline
