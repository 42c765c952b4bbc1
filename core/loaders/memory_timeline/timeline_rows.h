// SPDX-License-Identifier: MIT
#pragma once
// Turns the numbers of a memory timeline into rows of levels, and counts what is odd in the import report. Knows what
// PyTorch means by them; knows nothing of JSON.

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/loaders/memory_timeline/level_series.h"
#include "core/trace/import_report.h"

namespace warpline::loaders::memory_timeline {

/// A value of the file; both are nullopt if it is no number, or one that does not fit.
struct Number {
    std::optional<int64_t> whole;
    std::optional<TimeNs> micros;  ///< read as microseconds, in ns
};

class TimelineRows {
public:
    TimelineRows(TraceBuilder& builder, FileId file, OffsetSpace space);

    /// A row of the form with columns: `levels` at `time`. Where the file has more of one than of the other, that one
    /// is null.
    void addRow(const Number* time, std::optional<std::span<const Number>> levels, uint64_t offset);
    /// A record of the raw form: [time in ns, action, bytes, category].
    void addRecord(std::span<const Number> record, uint64_t offset);
    /// Call once all is read.
    void finish();

    /// Something in a list that is no row.
    void reportStray(uint64_t offset, uint64_t count = 1);
    /// The last of the times, which have no rows.
    void reportUnpairedTimes(uint64_t offset, uint64_t count);
    void report(std::string_view code, Severity severity, uint64_t offset, std::string_view detail = {},
                uint64_t count = 1);
    /// What the reader holds of the text counts in the builder's limit.
    void holdBytes(uint64_t bytes) { m_builder.setBytesOfLoader(bytes); }

    size_t columns() const { return m_columns; }  ///< as the first row has them; 0 before it
    uint64_t rows() const { return m_series.rows(); }
    std::optional<TimeNs> firstTime() const { return m_firstTime; }
    uint64_t records() const { return m_records; }
    /// Of the raw form: what was there before its first time; nullopt if that is more than 64 bits hold.
    std::optional<int64_t> startBytes() const { return m_startIsKnown ? std::optional(m_startBytes) : std::nullopt; }

private:
    static constexpr size_t kCategories = 8;

    void nameColumns(std::span<const Number> firstRow, uint64_t offset);
    /// nullopt: the row cannot be placed, which is reported.
    std::optional<TimeNs> heldTime(std::optional<TimeNs> time, uint64_t offset);
    void add(TimeNs time, std::span<const std::optional<int64_t>> levels, uint64_t offset);
    void flushRecords();

    TraceBuilder& m_builder;
    FileId m_file;
    OffsetSpace m_space;
    LevelSeries m_series;
    std::vector<std::optional<int64_t>> m_levels;
    size_t m_columns = 0;      ///< as the first row has them
    size_t m_firstColumn = 0;  ///< that holds a category
    std::optional<TimeNs> m_firstTime;
    std::optional<TimeNs> m_time;  ///< of the last row, or of the records that wait
    uint64_t m_timeOffset = 0;
    uint64_t m_records = 0;
    int64_t m_startBytes = 0;
    bool m_startIsKnown = true;
    bool m_hasPending = false;  ///< records of m_time are in m_levels and not yet in a row
};

}  // namespace warpline::loaders::memory_timeline
