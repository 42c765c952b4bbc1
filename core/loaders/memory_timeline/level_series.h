// SPDX-License-Identifier: MIT
#pragma once
// Rows of levels, in the order of the file, as samples of a counter. Most rows change one or two categories, so only
// what changes is written. Yet every row can be told again from the samples (see core/analyses/memory_timeline.h):
// the first row, and one with the time of the row before it, are written whole, and any other in at least one sample.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/trace/trace_builder.h"

namespace warpline::loaders::memory_timeline {

class LevelSeries {
public:
    LevelSeries(TraceBuilder& builder, FileId file) : m_builder(builder), m_file(file) {}

    /// Call once, before the first row.
    void setCategories(std::span<const std::string> names);
    size_t categoryCount() const { return m_series.size(); }
    /// A level of nullopt is unknown: a gap. REQUIRES: times do not run backwards, and are times that a trace holds.
    void add(TimeNs time, std::span<const std::optional<int64_t>> levels);
    uint64_t rows() const { return m_rows; }

private:
    void write(TimeNs time, size_t category, const std::optional<int64_t>& level);

    TraceBuilder& m_builder;
    FileId m_file;
    ProcessId m_process;
    StringId m_name;
    std::vector<StringId> m_series;
    std::vector<std::optional<int64_t>> m_levels;
    TimeNs m_time = 0;
    uint64_t m_rows = 0;
};

}  // namespace warpline::loaders::memory_timeline
