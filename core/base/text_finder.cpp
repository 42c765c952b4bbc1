// SPDX-License-Identifier: MIT
#include "core/base/text_finder.h"

#include <cassert>
#include <cstdint>
#include <cstring>

namespace warpline {

namespace {

constexpr uint64_t kEachByte = 0x0101010101010101U;

/// Eight bytes at once: which of them, with one bit set where that may differ, are `byte`. Zero bytes are hits.
struct BytePattern {
    uint64_t value;
    uint64_t ignored;  ///< the bit that tells a capital letter from a small one, or nothing

    BytePattern(char byte, bool ignoresCase)
        : value(kEachByte * static_cast<unsigned char>(byte)),
          ignored(ignoresCase && byte >= 'a' && byte <= 'z' ? kEachByte * 0x20U : 0) {}
    uint64_t differences(const char* eight) const {
        uint64_t bytes = 0;
        std::memcpy(&bytes, eight, sizeof(bytes));
        return (bytes | ignored) ^ value;
    }
};

}  // namespace

TextFinder::TextFinder(std::string_view needle, Case letterCase) : m_needle(needle), m_case(letterCase) {
    assert(!m_needle.empty());
    for (char& c : m_needle) {
        c = folded(c);
    }
    m_second = m_needle.size() - 1;
}

bool TextFinder::equals(std::string_view text, size_t from) const {
    for (size_t i = 0; i < text.size(); ++i) {
        if (folded(text[i]) != m_needle[from + i]) {
            return false;
        }
    }
    return true;
}

size_t TextFinder::find(std::string_view text, size_t from) const {
    const size_t length = m_needle.size();
    if (text.size() < length || from > text.size() - length) {
        return std::string_view::npos;
    }
    const size_t last = text.size() - length;  // a needle can begin here at the latest
    const BytePattern first(m_needle.front(), ignoresCase());
    const BytePattern second(m_needle[m_second], ignoresCase());
    size_t at = from;
    while (at + 7 <= last) {
        const uint64_t differs = first.differences(text.data() + at) | second.differences(text.data() + at + m_second);
        // Some byte of it is zero; this may also say so of a byte that follows a zero one, never of one where none is.
        if (((differs - kEachByte) & ~differs & (kEachByte << 7U)) != 0) {
            for (size_t i = at; i < at + 8; ++i) {
                if (equals(text.substr(i, length))) {
                    return i;
                }
            }
        }
        at += 8;
    }
    for (; at <= last; ++at) {
        if (equals(text.substr(at, length))) {
            return at;
        }
    }
    return std::string_view::npos;
}

}  // namespace warpline
