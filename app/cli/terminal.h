// SPDX-License-Identifier: MIT
#pragma once
// What the streams of this process are, and text that is safe to print on them.

#include <cstddef>
#include <string>
#include <string_view>

namespace warpline::cli {

/// Columns of the terminal behind standard output; 0 if that is none, so that nothing needs to be shortened.
size_t outputWidth();
bool errorsGoToTerminal();

/// `text` on one line: control characters, which could also steer a terminal, become '?'.
std::string oneLine(std::string_view text);
/// Prints "warpline: TEXT" as one line on standard error.
void printError(std::string_view text);

}  // namespace warpline::cli
