// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Finds what was meant by a few letters: those of "zin" stand in "Zoom in", in that order.

#include <QList>
#include <QStringView>

#include <optional>

namespace warpline {

/// How well `pattern` fits, the higher the better; nullopt if its letters are not there. Words of the pattern are
/// looked for each on its own, in any order; case does not count. Letters that begin words or follow one another fit
/// best, and of equal fits the shorter text is the better. `places`: where the letters were found, ascending. Cost:
/// letters of a word × letters of the text.
std::optional<int> fuzzyScore(QStringView pattern, QStringView text, QList<int>* places = nullptr);

}  // namespace warpline
