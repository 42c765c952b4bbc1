// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/timeline/minimap_profile.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

#include "core/trace/process_title.h"
#include "widgets/panels/timeline/time_axis.h"

namespace warpline::timeline {

std::vector<float> busyShares(const BusyPieces& pieces, TimeRange range, int width) {
    return range.empty() ? std::vector<float>(static_cast<size_t>(std::max(width, 0)))
                         : busyShares(pieces, range.begin, static_cast<double>(range.length()) / width, width);
}

std::vector<float> busyShares(const BusyPieces& pieces, TimeNs begin, double nsPerColumn, int width) {
    std::vector<float> shares(static_cast<size_t>(std::max(width, 0)));
    if (shares.empty() || pieces.lod == nullptr) {
        return shares;
    }
    const TimeRange range = visibleRange({begin, nsPerColumn}, width);
    std::vector<LodBar> bars;
    pieces.lod->collect(pieces.begin, pieces.duration, range, nsPerColumn, bars);
    for (const LodBar& bar : bars) {
        const double from = static_cast<double>(distanceSaturated(range.begin, bar.begin)) / nsPerColumn;
        const double to = static_cast<double>(distanceSaturated(range.begin, bar.end)) / nsPerColumn;
        const auto length = static_cast<double>(distanceSaturated(bar.begin, bar.end));
        // What shares a bar lies somewhere in it: spread evenly it is off by less than a column.
        const double density = length > 0 ? static_cast<double>(bar.busy) / length : 0;
        const int first = std::max(static_cast<int>(std::floor(from)), 0);
        const int last = std::min(static_cast<int>(std::ceil(to)), width);
        for (int column = first; column < last; ++column) {
            const double part = std::min(to, column + 1.0) - std::max(from, double(column));
            shares[static_cast<size_t>(column)] += static_cast<float>(std::max(part, 0.0) * density);
        }
    }
    for (float& share : shares) {
        share = std::min(share, 1.0F);
    }
    return shares;
}

std::vector<MinimapRow> minimapRows(const Trace& trace, const std::vector<DeviceActivity>& devices, TimeRange range,
                                    int width, size_t mostRows) {
    std::vector<MinimapRow> rows;
    for (const DeviceActivity& device : devices) {
        const BusyPieces pieces = busyPieces(trace, device);
        if (rows.size() < mostRows && !pieces.begin.empty()) {
            rows.push_back({processHeading(trace, device.process), busyShares(pieces, range, width)});
        }
    }
    if (!rows.empty()) {
        return rows;
    }
    constexpr size_t kMostThreads = 64;
    size_t threads = 0;
    MinimapRow host{QCoreApplication::translate("Minimap", "Host threads").toStdString(),
                    std::vector<float>(static_cast<size_t>(std::max(width, 0)))};
    for (const Track& track : trace.tracks()) {
        if (track.laneCount == 0 || threads == kMostThreads) {
            continue;
        }
        ++threads;
        const Lane& lane = trace.lanes()[track.firstLane];
        const std::vector<float> own = busyShares(
            {std::span(trace.slices().begin.data() + lane.firstRow, lane.count),
             std::span(trace.slices().duration.data() + lane.firstRow, lane.count), &trace.lod(track.firstLane)},
            range, width);
        for (size_t i = 0; i < own.size(); ++i) {
            host.shares[i] += own[i];
        }
    }
    for (float& share : host.shares) {
        share /= static_cast<float>(std::max<size_t>(threads, 1));
    }
    if (threads > 0) {
        rows.push_back(std::move(host));
    }
    return rows;
}

}  // namespace warpline::timeline
