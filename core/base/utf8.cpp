// SPDX-License-Identifier: MIT
#include "core/base/utf8.h"

namespace warpline {

size_t utf8Length(std::string_view text) {
    const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
    const auto follows = [&](size_t i) { return i < text.size() && (byte(i) & 0xc0) == 0x80; };
    const unsigned char first = byte(0);
    if (first < 0x80) {
        return 1;
    }
    if (first >= 0xc2 && first <= 0xdf) {
        return follows(1) ? 2 : 0;
    }
    if ((first & 0xf0) == 0xe0 && follows(1) && follows(2)) {
        const bool overlong = first == 0xe0 && byte(1) < 0xa0;
        const bool surrogate = first == 0xed && byte(1) >= 0xa0;
        return overlong || surrogate ? 0 : 3;
    }
    if (first >= 0xf0 && first <= 0xf4 && follows(1) && follows(2) && follows(3)) {
        const bool overlong = first == 0xf0 && byte(1) < 0x90;
        const bool tooLarge = first == 0xf4 && byte(1) >= 0x90;
        return overlong || tooLarge ? 0 : 4;
    }
    return 0;
}

std::string_view validUtf8(std::string_view text, std::string& buffer) {
    size_t valid = 0;
    while (valid < text.size()) {
        const size_t length = utf8Length(text.substr(valid));
        if (length == 0) {
            break;
        }
        valid += length;
    }
    if (valid == text.size()) {
        return text;
    }
    buffer.assign(text.substr(0, valid));
    text.remove_prefix(valid);
    while (!text.empty()) {
        const size_t length = utf8Length(text);
        buffer += length == 0 ? kReplacementCharacter : text.substr(0, length);
        text.remove_prefix(length == 0 ? 1 : length);
    }
    return buffer;
}

}  // namespace warpline
