// SPDX-License-Identifier: MIT
#include "core/base/json_writer.h"

#include <array>
#include <charconv>
#include <cmath>

#include "core/base/utf8.h"

namespace warpline {

namespace {

void appendEscaped(std::string& out, unsigned char character) {
    constexpr std::string_view kHex = "0123456789abcdef";
    switch (character) {
        case '"':
            out += "\\\"";
            break;
        case '\\':
            out += "\\\\";
            break;
        case '\n':
            out += "\\n";
            break;
        case '\t':
            out += "\\t";
            break;
        case '\r':
            out += "\\r";
            break;
        default:
            out += "\\u00";
            out += kHex[character >> 4];
            out += kHex[character & 15];
    }
}

template <class Number>
void appendNumber(std::string& out, Number value) {
    std::array<char, 40> digits;
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
    out.append(digits.data(), end);
}

}  // namespace

void appendJsonString(std::string& out, std::string_view value) {
    out += '"';
    size_t plainFrom = 0;
    for (size_t i = 0; i < value.size();) {
        const auto character = static_cast<unsigned char>(value[i]);
        if (character >= 0x20 && character < 0x7f && character != '"' && character != '\\') {
            ++i;
            continue;
        }
        const size_t length = character < 0x80 ? 0 : utf8Length(value.substr(i));
        if (length > 0) {
            i += length;
            continue;
        }
        out += value.substr(plainFrom, i - plainFrom);
        if (character < 0x80) {
            appendEscaped(out, character);
        } else {
            out += kReplacementCharacter;
        }
        plainFrom = ++i;
    }
    out += value.substr(plainFrom);
    out += '"';
}

std::string jsonString(std::string_view value) {
    std::string out;
    appendJsonString(out, value);
    return out;
}

void JsonWriter::lineBreak() {
    m_out += '\n';
    m_out.append(m_hasEntries.size() * 2, ' ');
}

void JsonWriter::beforeValue() {
    if (m_afterKey) {
        m_afterKey = false;
        return;
    }
    if (m_hasEntries.empty()) {
        return;
    }
    const bool multiline = m_hasEntries.size() <= m_multilineDepth;
    if (m_hasEntries.back()) {
        m_out += multiline ? "," : ", ";
    }
    m_hasEntries.back() = true;
    if (multiline) {
        lineBreak();
    }
}

JsonWriter& JsonWriter::open(char bracket) {
    beforeValue();
    m_out += bracket;
    m_hasEntries.push_back(false);
    return *this;
}

JsonWriter& JsonWriter::close(char bracket) {
    const bool hadEntries = m_hasEntries.back();
    const bool multiline = m_hasEntries.size() <= m_multilineDepth;
    m_hasEntries.pop_back();
    if (hadEntries && multiline) {
        lineBreak();
    }
    m_out += bracket;
    return *this;
}

JsonWriter& JsonWriter::key(std::string_view name) {
    beforeValue();
    appendJsonString(m_out, name);
    m_out += ": ";
    m_afterKey = true;
    return *this;
}

JsonWriter& JsonWriter::text(std::string_view value) {
    beforeValue();
    appendJsonString(m_out, value);
    return *this;
}

JsonWriter& JsonWriter::integer(int64_t value) {
    beforeValue();
    appendNumber(m_out, value);
    return *this;
}

JsonWriter& JsonWriter::unsignedInteger(uint64_t value) {
    beforeValue();
    appendNumber(m_out, value);
    return *this;
}

JsonWriter& JsonWriter::real(double value) {
    if (!std::isfinite(value)) {
        return null();
    }
    beforeValue();
    const size_t from = m_out.size();
    std::array<char, 40> digits;
    const bool isCommon = std::abs(value) >= 1e-5 && std::abs(value) < 1e16;
    const auto end = isCommon
                         ? std::to_chars(digits.data(), digits.data() + digits.size(), value, std::chars_format::fixed)
                         : std::to_chars(digits.data(), digits.data() + digits.size(), value);
    m_out.append(digits.data(), end.ptr);
    if (m_out.find_first_of(".e", from) == std::string::npos) {
        m_out += ".0";
    }
    return *this;
}

JsonWriter& JsonWriter::boolean(bool value) {
    beforeValue();
    m_out += value ? "true" : "false";
    return *this;
}

JsonWriter& JsonWriter::null() {
    beforeValue();
    m_out += "null";
    return *this;
}

JsonWriter& JsonWriter::raw(std::string_view json) {
    beforeValue();
    m_out += json;
    return *this;
}

}  // namespace warpline
