// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// JSON text as a tree of facts. Numbers keep the digits they have in the file, keys their order and repetitions, so
// that what is shown is what was recorded. Pure; any thread.

#include <QString>

#include <string>

#include "widgets/panels/details/fact_tree.h"

namespace warpline {

/// Appends the members of an object, or the value itself, below `parent`. Returns why the text cannot be read, or "".
/// Short lists of plain values ("[128, 1, 1]") become one fact.
QString appendJson(Fact& parent, const std::string& json);

}  // namespace warpline
