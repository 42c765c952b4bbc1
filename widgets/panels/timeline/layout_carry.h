// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Keeps what the user has folded when the same files are loaded anew.

#include "widgets/panels/timeline/lane_layout.h"

namespace warpline::timeline {

/// A layout as it was, of the trace and model that it was made for.
struct LaidOut {
    const Trace& trace;
    const TimelineModel& model;
    const LayoutState& state;
};

/// `fresh`, the state that the new trace would be opened with, with the modes of all processes, tracks, async groups
/// and derived rows that were there before (see CarryOver). Pure. Cost: processes, tracks and groups.
LayoutState carriedLayout(const LaidOut& before, const Trace& trace, const TimelineModel& model, LayoutState fresh);

}  // namespace warpline::timeline
