// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What the list of hits says of one, whatever sort of event it is. Pure; any thread.

#include <QString>

#include <optional>
#include <string_view>

#include "core/trace/trace.h"
#include "widgets/support/highlight.h"

namespace warpline::search {

enum HitColumn { NameColumn, KindColumn, StartColumn, DurationColumn, TrackColumn, HitColumnCount };

std::string_view nameOf(const Trace& trace, const Selection& hit);
/// None for a counter, which belongs to a process.
TrackId trackOf(const Trace& trace, const Selection& hit);
ProcessId processOf(const Trace& trace, const Selection& hit);
/// nullopt: it is no stretch of time. kUnknownDuration: the file gives no end.
std::optional<DurationNs> durationOf(const Trace& trace, const Selection& hit);
DurationNs sinceStart(const Trace& trace, const Selection& hit);
/// What a cell shows.
QString hitText(const Trace& trace, const Selection& hit, int column);

}  // namespace warpline::search
