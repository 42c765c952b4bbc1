// SPDX-License-Identifier: MIT
#include "core/base/json_string.h"

#include <algorithm>

#include "core/base/utf8.h"

namespace warpline {

namespace {

int hexValue(std::string_view text, size_t pos) {
    if (pos + 4 > text.size()) {
        return -1;
    }
    int value = 0;
    for (size_t i = pos; i < pos + 4; ++i) {
        const char c = text[i];
        int digit = 0;
        if (c >= '0' && c <= '9') {
            digit = c - '0';
        } else if (c >= 'a' && c <= 'f') {
            digit = c - 'a' + 10;
        } else if (c >= 'A' && c <= 'F') {
            digit = c - 'A' + 10;
        } else {
            return -1;
        }
        value = value * 16 + digit;
    }
    return value;
}

void appendUtf8(uint32_t code, std::string& out) {
    if (code < 0x80) {
        out += static_cast<char>(code);
    } else if (code < 0x800) {
        out += static_cast<char>(0xc0 | (code >> 6));
        out += static_cast<char>(0x80 | (code & 0x3f));
    } else if (code < 0x10000) {
        out += static_cast<char>(0xe0 | (code >> 12));
        out += static_cast<char>(0x80 | ((code >> 6) & 0x3f));
        out += static_cast<char>(0x80 | (code & 0x3f));
    } else {
        out += static_cast<char>(0xf0 | (code >> 18));
        out += static_cast<char>(0x80 | ((code >> 12) & 0x3f));
        out += static_cast<char>(0x80 | ((code >> 6) & 0x3f));
        out += static_cast<char>(0x80 | (code & 0x3f));
    }
}

/// Appends what the escape at `pos` (a backslash) stands for and returns its length.
size_t appendEscape(std::string_view inner, size_t pos, std::string& out, uint32_t& oddities) {
    const char kind = pos + 1 < inner.size() ? inner[pos + 1] : '\0';
    switch (kind) {
        case '"':
        case '\\':
        case '/':
            out += kind;
            return 2;
        case 'b':
            out += '\b';
            return 2;
        case 'f':
            out += '\f';
            return 2;
        case 'n':
            out += '\n';
            return 2;
        case 'r':
            out += '\r';
            return 2;
        case 't':
            out += '\t';
            return 2;
        case 'u':
            break;
        default:
            oddities |= kBadEscape;
            out += '\\';
            return 1;
    }
    const int code = hexValue(inner, pos + 2);
    if (code < 0) {
        oddities |= kBadEscape;
        out += '\\';
        return 1;
    }
    if (code < 0xd800 || code > 0xdfff) {
        appendUtf8(static_cast<uint32_t>(code), out);
        return 6;
    }
    if (code < 0xdc00 && pos + 7 < inner.size() && inner[pos + 6] == '\\' && inner[pos + 7] == 'u') {
        const int low = hexValue(inner, pos + 8);
        if (low >= 0xdc00 && low <= 0xdfff) {
            appendUtf8(
                0x10000U + ((static_cast<uint32_t>(code) - 0xd800U) << 10) + (static_cast<uint32_t>(low) - 0xdc00U),
                out);
            return 12;
        }
    }
    // Half of a surrogate pair: no text can hold it.
    oddities |= kBadEscape;
    out += kReplacementCharacter;
    return 6;
}

bool isDigit(char c) {
    return c >= '0' && c <= '9';
}

/// The digits that `text` begins with.
size_t digits(std::string_view text) {
    size_t count = 0;
    while (count < text.size() && isDigit(text[count])) {
        ++count;
    }
    return count;
}

}  // namespace

bool isPlainString(std::string_view inner) {
    return std::all_of(inner.begin(), inner.end(),
                       [](char c) { return c != '\\' && static_cast<signed char>(c) >= 0x20; });
}

uint32_t appendDecoded(std::string_view inner, std::string& out) {
    uint32_t oddities = 0;
    size_t pos = 0;
    while (pos < inner.size()) {
        size_t plain = pos;
        while (plain < inner.size() && inner[plain] != '\\' && static_cast<signed char>(inner[plain]) >= 0x20) {
            ++plain;
        }
        out.append(inner, pos, plain - pos);
        pos = plain;
        if (pos >= inner.size()) {
            break;
        }
        const auto byte = static_cast<unsigned char>(inner[pos]);
        if (byte == '\\') {
            pos += appendEscape(inner, pos, out, oddities);
        } else if (byte < 0x20) {
            oddities |= kControlCharacter;
            out += inner[pos++];
        } else if (const size_t length = utf8Length(inner.substr(pos)); length != 0) {
            out.append(inner, pos, length);
            pos += length;
        } else {
            oddities |= kBadUtf8;
            out += kReplacementCharacter;
            ++pos;
        }
    }
    return oddities;
}

bool isJsonNumber(std::string_view word) {
    word.remove_prefix(word.starts_with('-') ? 1 : 0);
    const size_t whole = digits(word);
    if (whole == 0 || (whole > 1 && word.front() == '0')) {
        return false;
    }
    word.remove_prefix(whole);
    if (word.starts_with('.')) {
        const size_t decimals = digits(word.substr(1));
        if (decimals == 0) {
            return false;
        }
        word.remove_prefix(1 + decimals);
    }
    if (word.starts_with('e') || word.starts_with('E')) {
        word.remove_prefix(1);
        word.remove_prefix(word.starts_with('-') || word.starts_with('+') ? 1 : 0);
        const size_t exponent = digits(word);
        return exponent > 0 && exponent == word.size();
    }
    return word.empty();
}

}  // namespace warpline
