// SPDX-License-Identifier: MIT
#pragma once
// The Python side of a recording (resources/python), to be written where a program's Python finds it.

#include <string_view>

namespace warpline::record {

/// The text of sitecustomize.py.
std::string_view pythonText();

}  // namespace warpline::record
