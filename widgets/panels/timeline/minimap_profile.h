// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// How busy a trace was over all of its time, a value a pixel: what the minimap shows. Pure; costs pixels, not events.

#include <string>
#include <vector>

#include "core/analyses/device_activity.h"
#include "core/trace/trace.h"

namespace warpline::timeline {

/// Of each of `width` columns of `range`: the share of its time that lies in the pieces; 0 … 1.
std::vector<float> busyShares(const BusyPieces& pieces, TimeRange range, int width);
/// The same of columns that are no whole nanoseconds.
std::vector<float> busyShares(const BusyPieces& pieces, TimeNs begin, double nsPerColumn, int width);

/// One strip of the minimap.
struct MinimapRow {
    std::string title;  ///< "GPU 0 · python": what was busy
    std::vector<float> shares;
};

/// A row a device, at most `mostRows`; where no device has work, one row of the host: the share of its threads that had
/// something to do, of at most 64 of them.
std::vector<MinimapRow> minimapRows(const Trace& trace, const std::vector<DeviceActivity>& devices, TimeRange range,
                                    int width, size_t mostRows);

}  // namespace warpline::timeline
