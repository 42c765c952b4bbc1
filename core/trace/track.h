// SPDX-License-Identifier: MIT
#pragma once
// Where events lie: a process holds tracks, a track (thread or GPU stream) holds lanes of slices.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/ids.h"

namespace warpline {

struct Process {
    FileId file;
    std::optional<StringId> pid;   ///< its text; nullopt where the file gives none
    std::optional<StringId> name;  ///< from metadata
    StringId labels;               ///< from metadata ("GPU 0"); "" if none
    StringId label;                ///< what to show: the name, else the pid, never empty
    int64_t sortIndex = 0;
    bool hasEvents = false;       ///< something to show; others are not in Trace::processOrder()
    std::vector<TrackId> tracks;  ///< those with something to show, top to bottom
};

/// A contiguous, time-sorted run of rows that do not overlap.
struct Lane {
    uint32_t firstRow = 0;
    uint32_t count = 0;
};

struct Track {
    ProcessId process;
    std::optional<StringId> tid;
    std::optional<StringId> name;
    StringId label;  ///< what to show: the name, else the tid, never empty
    int64_t sortIndex = 0;
    bool isDevice = false;  ///< a device's track: a stream, or a track of a process that is a device
    uint32_t firstRow = 0;  ///< rows of this track are [firstRow, firstRow + sliceCount)
    uint32_t sliceCount = 0;
    uint32_t firstLane = 0;  ///< index into Trace::lanes(); lane k of the track is drawn on its k-th row
    uint32_t laneCount = 0;
    uint32_t firstInstant = 0;  ///< rows of this track in Trace::instants()
    uint32_t instantCount = 0;
    uint32_t overlaps = 0;  ///< slices that overlap without nesting
    bool hasEvents = false;
};

/// A track by its ids, for messages: "pid 9, tid 9"; of a device "stream 7, pid 0, tid 7". An id of nullopt is "none".
std::string describeTrackIds(std::optional<std::string_view> pid, std::optional<std::string_view> tid, bool isDevice);

}  // namespace warpline
