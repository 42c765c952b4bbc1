// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Facts to take elsewhere: as text for people, as JSON for programs, with numbers exact. Pure; any thread.

#include <QByteArray>
#include <QString>

#include "widgets/panels/details/fact_tree.h"

namespace warpline {

/// The whole page: heading, then a line a fact, indented; rounded numbers with the exact ones behind.
QString factsAsText(const FactTree& tree);
/// "Duration: 1.235 µs (1,235 ns)", and what is below it.
QString factAsText(const Fact& fact);

/// The whole page as one strict JSON object:
/// {"title", "name", "subtitle", "sections": [{"title", "facts": […]}], "args"}
/// A fact is {"label", "text", "value", "unit", "facts"}: `text` is what is shown; `value` the exact number in `unit`
/// ("ns", "B", "%", "ratio" or "" for a count), null if it is not known; both are there where a number stands for the
/// text. `facts` is there if there are some below. `args` are the event's own, as they stand in the file; null if it
/// has none, and not there for pages of other sorts.
QByteArray factsAsJson(const FactTree& tree);

}  // namespace warpline
