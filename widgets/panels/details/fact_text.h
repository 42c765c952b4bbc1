// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Values of facts in words, shared by the pages of the details panel. Pure; any thread.

#include <QString>

#include <cstdint>
#include <string_view>

#include "core/base/result.h"
#include "core/base/time.h"
#include "core/trace/trace.h"
#include "widgets/support/kind_title.h"

namespace warpline::facts {

QString duration(DurationNs durationNs);
QString count(uint64_t number);
QString bytes(uint64_t number);
/// "12,345 ns": what a rounded text stands for.
QString exactNs(int64_t ns);
QString exactBytes(int64_t number);
/// Time since the trace's first event, with its sign if it lies before.
QString sinceStart(const Trace& trace, TimeNs time);
/// "07:57:06.123 456 789, 2026-10-01 UTC" of nanoseconds since 1970.
QString wallClock(int64_t unixNs);
/// "07:57:06.123 456 789"
QString timeOfDay(int64_t unixNs);
/// "2026-10-01 07:57:06"
QString dateAndTime(int64_t unixNs);
using warpline::kindTitle;
/// Why something could not be read from its file, and what to do about it.
QString unreadable(const Error& error);
/// "python3 › thread 2286"
QString trackPath(const Trace& trace, TrackId track);

}  // namespace warpline::facts
