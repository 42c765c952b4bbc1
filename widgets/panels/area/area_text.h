// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What devices did in an area, in words: how busy they were, where the gaps are, what ran beside what. Pure.

#include <QString>

#include <optional>
#include <span>
#include <vector>

#include "core/analyses/area_summary.h"

namespace warpline::area {

/// How many gaps, pairs and streams are named in a line.
inline constexpr size_t kNamed = 3;

/// Rich text, a paragraph a device; what can be shown in the timeline is a link, see placeOf(). "" if no device has
/// work on these tracks.
/// `tracks`: those that the area names, none for all.
QString areaText(const Trace& trace, const std::vector<DeviceArea>& devices, std::span<const TrackId> tracks = {});

/// What a link of areaText() stands for: a stretch of time, or two pieces of work.
struct Place {
    std::optional<TimeRange> gap;
    std::optional<WorkPair> pair;
    std::vector<WorkPair> pairs;  ///< all of a kind that are listed
};
Place placeOf(const QString& link, const std::vector<DeviceArea>& devices);

}  // namespace warpline::area
