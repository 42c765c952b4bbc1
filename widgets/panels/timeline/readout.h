// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What is said about the thing under the pointer. Reads nothing from disk.

#include <QString>
#include <QStringList>

#include <optional>

#include "widgets/panels/timeline/hit_test.h"

namespace warpline::timeline {

struct Readout {
    QString title;
    QStringList lines;
};

struct ReadoutInput {
    const Trace& trace;
    const TimelineModel& model;
    const LaneLayout& layout;
    const Geometry& geometry;
    const DerivedView* derived = nullptr;
};

/// `x`: logical pixels from the lanes' left edge; a counter's value depends on it. nullopt where there is none.
std::optional<Readout> makeReadout(const ReadoutInput& in, const Hit& hit, double x);

}  // namespace warpline::timeline
