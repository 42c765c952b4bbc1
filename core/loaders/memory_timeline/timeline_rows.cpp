// SPDX-License-Identifier: MIT
#include "core/loaders/memory_timeline/timeline_rows.h"

#include <algorithm>
#include <array>
#include <string>

#include "core/base/time.h"

namespace warpline::loaders::memory_timeline {

namespace {

/// In the writer's order, which is that of the columns behind the first and of the raw form's numbers.
const std::array<std::string, 8> kCategoryNames = {"Parameter",  "Optimizer state", "Input",           "Temporary",
                                                   "Activation", "Gradient",        "Autograd detail", "Unknown"};
/// Column 0 belongs to nothing: the writer adds one to each index.
constexpr size_t kColumnsOfWriter = 9;

enum Field : size_t { kTime, kAction, kBytes, kCategory, kFields };

}  // namespace

TimelineRows::TimelineRows(TraceBuilder& builder, FileId file, OffsetSpace space)
    : m_builder(builder), m_file(file), m_space(space), m_series(builder, file) {}

void TimelineRows::report(std::string_view code, Severity severity, uint64_t offset, std::string_view detail,
                          uint64_t count) {
    m_builder.report().add(m_file, code, severity, offset, m_space, detail, count);
}

void TimelineRows::reportUnpairedTimes(uint64_t offset, uint64_t count) {
    report("unpaired_time", Severity::DataLoss, offset, {}, count);
}

void TimelineRows::reportStray(uint64_t offset, uint64_t count) {
    report("not_an_event", Severity::DataLoss, offset, {}, count);
}

void TimelineRows::nameColumns(std::span<const Number> firstRow, uint64_t offset) {
    m_columns = firstRow.size();
    if (m_columns == kColumnsOfWriter) {
        m_firstColumn = 1;
        m_series.setCategories(kCategoryNames);
        return;
    }
    // Which column belongs to which category cannot be told, so none is named after one.
    report("unknown_category", Severity::Warning, offset, std::to_string(m_columns) + " columns instead of 9");
    std::vector<std::string> names;
    for (size_t i = 0; i < m_columns; ++i) {
        names.push_back("Column " + std::to_string(i));
    }
    m_series.setCategories(names);
}

std::optional<TimeNs> TimelineRows::heldTime(std::optional<TimeNs> time, uint64_t offset) {
    if (!time || !isHeldTime(*time)) {
        report(time ? "outlier" : "bad_timestamp", Severity::DataLoss, offset);
        return std::nullopt;
    }
    if (m_time && *time < *m_time) {
        report("time_order", Severity::Warning, offset);
        return m_time;
    }
    return time;
}

void TimelineRows::add(TimeNs time, std::span<const std::optional<int64_t>> levels, uint64_t offset) {
    if (std::ranges::any_of(levels, [](const auto& level) { return level && *level < 0; })) {
        report("negative_level", Severity::Warning, offset);
    }
    m_series.add(time, levels);
    m_time = time;
    m_firstTime = m_firstTime.value_or(time);
}

void TimelineRows::addRow(const Number* time, std::optional<std::span<const Number>> levels, uint64_t offset) {
    if (time == nullptr || !levels) {
        report("unpaired_time", Severity::DataLoss, offset);
        return;
    }
    const std::optional<TimeNs> held = heldTime(time->micros, offset);
    if (!held) {
        return;
    }
    if (m_columns == 0 && !levels->empty()) {
        nameColumns(*levels, offset);
    }
    if (levels->size() != m_columns || m_columns == 0) {
        reportStray(offset);
        return;
    }
    m_levels.clear();
    for (const Number& number : levels->subspan(m_firstColumn)) {
        m_levels.push_back(number.whole);
    }
    const bool hasStrayBytes = m_firstColumn == 1 && levels->front().whole != 0;
    if (hasStrayBytes || std::ranges::any_of(m_levels, [](const auto& level) { return !level; })) {
        report("bad_level", Severity::Warning, offset, hasStrayBytes ? "the column of no category" : "");
    }
    add(*held, m_levels, offset);
}

void TimelineRows::flushRecords() {
    if (m_hasPending) {
        m_hasPending = false;
        add(*m_time, m_levels, m_timeOffset);
    }
}

void TimelineRows::addRecord(std::span<const Number> record, uint64_t offset) {
    if (record.size() != kFields || !record[kBytes].whole) {
        reportStray(offset);
        return;
    }
    const std::optional<int64_t> category = record[kCategory].whole;
    const bool isKnown = category && *category >= 0 && *category < static_cast<int64_t>(kCategories);
    if (!isKnown) {
        report("unknown_category", Severity::Warning, offset, "counted as Unknown");
    }
    if (m_levels.empty()) {
        m_series.setCategories(kCategoryNames);
        m_levels.assign(kCategories, 0);
    }
    // What was there before the recording has time -1, and comes first.
    const bool isBefore = record[kTime].whole == -1;
    if (!isBefore) {
        const std::optional<TimeNs> held = heldTime(record[kTime].whole, offset);
        if (!held) {
            return;
        }
        if (m_time != *held) {
            flushRecords();
            m_time = *held;
            m_timeOffset = offset;
        }
        m_hasPending = true;
    } else if (m_time) {
        report("time_order", Severity::Warning, offset);
        m_hasPending = true;
    }
    std::optional<int64_t>& level = m_levels[isKnown ? static_cast<size_t>(*category) : kCategories - 1];
    int64_t sum = 0;
    const bool isTooLarge = !level || __builtin_add_overflow(*level, *record[kBytes].whole, &sum);
    if (isTooLarge) {
        if (level) {
            report("bad_level", Severity::Warning, offset, "more bytes than 64 bits hold");
        }
        level.reset();
    } else {
        level = sum;
    }
    if (!m_time && isBefore) {
        const bool isHuge = __builtin_add_overflow(m_startBytes, *record[kBytes].whole, &m_startBytes);
        m_startIsKnown = m_startIsKnown && !isHuge;
    }
    ++m_records;
}

void TimelineRows::finish() {
    // Of a file with nothing but what was there before, no moment is known to show it at; sealing says so.
    flushRecords();
}

}  // namespace warpline::loaders::memory_timeline
