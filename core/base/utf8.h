// SPDX-License-Identifier: MIT
#pragma once
// What is valid UTF-8 and what is not. Pure; any thread.

#include <cstddef>
#include <string>
#include <string_view>

namespace warpline {

/// Stands for a byte that is no UTF-8 (U+FFFD).
inline constexpr std::string_view kReplacementCharacter = "\xef\xbf\xbd";

/// Length of the valid character that `text` begins with, 0 if it begins with none (RFC 3629: no overlong forms, no
/// surrogates, nothing above U+10FFFF). REQUIRES: not empty.
size_t utf8Length(std::string_view text);

/// `text` itself if it is valid, else `buffer`, filled with it and kReplacementCharacter for each byte that is none.
std::string_view validUtf8(std::string_view text, std::string& buffer);

}  // namespace warpline
