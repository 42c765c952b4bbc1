// SPDX-License-Identifier: MIT
#pragma once
// `warpline convert` for other commands that end in a file of another format.

#include <string>

namespace warpline::cli {

/// Whether the ending of `path` names a format that convertFile() writes.
bool isConvertible(const std::string& path);
/// Loads `in`, writes `out`, says what went wrong or was lost on standard error, and returns the exit code.
int convertFile(const std::string& in, const std::string& out);

}  // namespace warpline::cli
