// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What is said about a value under the pointer, of a counter or of a derived row: the value with its unit, and how long
// it holds. Reads nothing from disk.

#include <optional>

#include "widgets/panels/timeline/bar_geometry.h"
#include "widgets/panels/timeline/readout.h"

namespace warpline::timeline {

struct ValueInput {
    const Trace& trace;
    const TimelineModel& model;
    const DerivedView* derived = nullptr;
};

/// `counter`: in TimelineModel::counters. `place`: where it is. nullopt before its first point.
std::optional<Readout> counterReadout(const ValueInput& in, uint32_t counter, TimeNs at, const QString& place);
/// `row`: in TimelineModel::derived; `shown`: what shares of the view are of; `failure`: a bar of the row, or null.
Readout seriesReadout(const ValueInput& in, uint32_t row, TimeNs at, TimeRange shown, const Bar* failure,
                      const QString& place);

/// `bar`: of the row. nullopt if nothing is known of it.
std::optional<Readout> projectionReadout(const ValueInput& in, uint32_t row, const Bar& bar, const QString& place);

/// In a word, for the head of the row. "" where there is nothing to say, "n/a" for what is not known.
QString counterValueAt(const ValueInput& in, uint32_t counter, TimeNs at);
QString seriesValueAt(const ValueInput& in, uint32_t row, TimeNs at);

/// Where in the pieces a moment lies: in one, or between two.
struct BusyAt {
    bool isBusy = false;
    TimeRange stretch;  ///< how long it stays so; pieces that touch are one
};
BusyAt busyAt(const BusyPieces& pieces, TimeNs at, TimeRange all);

}  // namespace warpline::timeline
