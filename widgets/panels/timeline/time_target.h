// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A time that somebody typed to go to it. Pure.

#include <QString>

#include <optional>

#include "core/trace/trace.h"

namespace warpline::timeline {

struct TimeTarget {
    std::optional<TimeNs> time;  ///< of the trace
    QString problem;             ///< why there is none
};

/// "12.5ms": since the trace's start. "+3us", "-3us": from `now` on. "07:57:06.123456", "07:57:06": the time of day in
/// UTC by the clock of the first file that tells it, on the day that is nearest to the trace. Times outside of the
/// trace are a problem that says where it begins and ends.
TimeTarget parseTimeTarget(const QString& text, const Trace& trace, TimeNs now);

}  // namespace warpline::timeline
