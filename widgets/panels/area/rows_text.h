// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What rows of async work and counters hold in an area, in words. Pure.

#include <QString>

#include <span>
#include <vector>

#include "core/analyses/area_rows.h"
#include "widgets/support/track_arrangement.h"

namespace warpline::area {

/// How many rows are told of, and how many names of one; the rest is counted.
inline constexpr size_t kNamedRows = 40;
inline constexpr size_t kNamedAsync = 12;

/// As the analysis takes them. `rows`: an area's.
std::vector<RowTitle> rowTitlesOf(std::span<const SectionRef> rows);

/// Rich text, a paragraph a row; "" without any. `asked`: the rows that `found` is of.
QString rowsText(const Trace& trace, std::span<const RowTitle> asked, const RowsArea& found);

}  // namespace warpline::area
