// SPDX-License-Identifier: MIT
#pragma once
// What findInArgs() asks a file for, before it reads the args of single events.

#include <string>
#include <string_view>

namespace warpline {

/// The longest stretch of `text`, cut after 64 bytes, that lies within one key, string or word wherever JSON has the
/// whole: what a file can be scanned for, however it sets its blanks. Empty if there is none.
std::string scannablePart(std::string_view text);

}  // namespace warpline
