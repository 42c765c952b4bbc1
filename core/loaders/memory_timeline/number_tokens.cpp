// SPDX-License-Identifier: MIT
#include "core/loaders/memory_timeline/number_tokens.h"

#include <charconv>
#include <limits>

#include "core/base/decimal_time.h"
#include "core/base/json_string.h"

namespace warpline::loaders::memory_timeline {

namespace {

bool isBlank(char c) {
    return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

Number numberOf(std::string_view text) {
    int64_t whole = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, whole);
    if (stop != end) {
        return {std::nullopt, nsFromMicrosText(text)};
    }
    if (error != std::errc()) {
        return {};
    }
    constexpr int64_t kNsPerUs = 1000;
    TimeNs ns = 0;
    const bool fits = !__builtin_mul_overflow(whole, kNsPerUs, &ns);
    // What a trace cannot hold is said by who places the row; here it has to stay a number.
    return {whole, fits ? ns : std::numeric_limits<TimeNs>::max()};
}

}  // namespace

Token NumberTokens::read() {
    while (!m_chars.atEnd() && isBlank(m_chars.current())) {
        m_chars.advance();
    }
    Token token;
    token.offset = m_chars.offset();
    if (m_chars.atEnd()) {
        return token;
    }
    switch (m_chars.current()) {
        case '[':
            token.kind = TokenKind::Open;
            break;
        case ']':
            token.kind = TokenKind::Close;
            break;
        case ',':
            token.kind = TokenKind::Comma;
            break;
        default:
            readWord(token);
            return token;
    }
    m_chars.advance();
    return token;
}

void NumberTokens::readWord(Token& token) {
    token.kind = TokenKind::Word;
    std::array<char, 64> text;  // no number that counts is longer
    const char first = m_chars.current();
    // A text or an object has blanks in it; where it has a comma or a list, it rather is a damaged number.
    const char last = first == '"' ? '"' : first == '{' ? '}' : '\0';
    char before = '\0';
    for (; !m_chars.atEnd(); m_chars.advance()) {
        const char c = m_chars.current();
        const bool isOver = last == '\0' ? isBlank(c) : before == last && token.length > 1;
        if (isOver || c == '[' || c == ']' || c == ',') {
            break;
        }
        if (token.length < text.size()) {
            text[token.length] = c;
        }
        ++token.length;
        before = c;
    }
    if (last != '\0') {
        token.isJson = before == last && token.length > 1;
        return;
    }
    const std::string_view word(text.data(), token.length <= text.size() ? token.length : 0);
    if (isJsonNumber(word)) {
        token.number = numberOf(word);
    } else {
        token.isJson = word == "null" || word == "true" || word == "false";
    }
}

}  // namespace warpline::loaders::memory_timeline
