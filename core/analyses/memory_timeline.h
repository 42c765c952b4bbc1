// SPDX-License-Identifier: MIT
#pragma once
// The rows of a memory timeline, told from the samples of its counter (loaders/memory_timeline): for the memory chart
// and `dump`. Pure function of a sealed trace; any thread.

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/trace/trace.h"

namespace warpline {

struct MemoryTimeline {
    FileId file;
    std::vector<std::string_view> categories;  ///< live as long as the trace
    std::vector<TimeNs> times;                 ///< of the trace's axis; equal ones where the file has a time twice
    /// One of each category a row, one row a time, in bytes; nullopt: the file does not say.
    std::vector<std::optional<int64_t>> levels;
    std::optional<size_t> peakRow;  ///< the first with the largest sum; rows with an unknown level do not count

    std::optional<int64_t> level(size_t row, size_t category) const {
        return levels[row * categories.size() + category];
    }
    /// nullopt if a level is unknown, or 64 bits do not hold the sum.
    std::optional<int64_t> total(size_t row) const;
};

bool isMemoryTimeline(const FileInfo& file);
/// Of the first file that is one; nullopt if none is.
std::optional<MemoryTimeline> readMemoryTimeline(const Trace& trace);

}  // namespace warpline
