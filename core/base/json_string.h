// SPDX-License-Identifier: MIT
#pragma once
// What stands between the quotes of a JSON string, and the text it means; bad bytes and escapes are mended and noted.
// Which words are numbers of JSON.

#include <cstdint>
#include <string>
#include <string_view>

namespace warpline {

/// What was met that strict JSON does not allow, or that was changed.
enum Oddity : uint32_t {
    kOddWord = 1,  ///< a bare word or number that JSON does not know: NaN, N/A, 0,5
    kBadUtf8 = 2,
    kControlCharacter = 4,
    kBadEscape = 8,
    kStrayComma = 16,
    kDuplicateKey = 32,
    kTooDeep = 64,
};

/// The bytes between the quotes have nothing that needs decoding or repair.
bool isPlainString(std::string_view inner);
/// Appends the text that the bytes between the quotes stand for, as valid UTF-8; returns the oddities.
uint32_t appendDecoded(std::string_view inner, std::string& out);
/// By the grammar of JSON, however large it is: not "8.", "+1", "01" or "nan".
bool isJsonNumber(std::string_view word);

}  // namespace warpline
