// SPDX-License-Identifier: MIT
#include "core/analyses/memory_timeline.h"

#include <algorithm>
#include <cmath>

#include "core/base/sum.h"

namespace warpline {

namespace {

std::optional<int64_t> levelOf(const CounterSeries& series, size_t sample) {
    const double value = series.value[sample];
    if (std::isnan(value)) {
        return std::nullopt;
    }
    if (!series.whole.empty()) {
        return series.whole[sample];
    }
    constexpr double kEnd = 9223372036854775808.0;  // beside a gap, large levels are held as rounded reals alone
    return value >= -kEnd && value < kEnd ? std::optional(static_cast<int64_t>(value)) : std::nullopt;
}

/// Reads one series front to back.
struct Cursor {
    const CounterSeries* series = nullptr;
    size_t next = 0;
    size_t left = 0;  ///< samples in front of it at the time that is being read
    std::optional<int64_t> level;

    bool atEnd() const { return next == series->time.size(); }
    TimeNs time() const { return series->time[next]; }
    void countAt(TimeNs wanted) {
        size_t end = next;
        while (end < series->time.size() && series->time[end] == wanted) {
            ++end;
        }
        left = end - next;
    }
};

const Counter* counterOf(const Trace& trace, FileId file) {
    const auto counters = trace.counters();
    const auto it = std::ranges::find_if(
        counters, [&](const Counter& counter) { return trace.process(counter.process).file == file; });
    return it == counters.end() ? nullptr : &*it;
}

/// The rows at one time: as many as the series with most samples has. A series with fewer has those of the last rows,
/// as every row behind the first of its time is written whole.
void addRows(TimeNs time, std::vector<Cursor>& cursors, MemoryTimeline& timeline) {
    size_t rows = 0;
    for (Cursor& cursor : cursors) {
        cursor.countAt(time);
        rows = std::max(rows, cursor.left);
    }
    for (; rows > 0; --rows) {
        timeline.times.push_back(time);
        for (Cursor& cursor : cursors) {
            if (cursor.left == rows) {
                cursor.level = levelOf(*cursor.series, cursor.next++);
                --cursor.left;
            }
            timeline.levels.push_back(cursor.level);
        }
    }
}

}  // namespace

std::optional<int64_t> MemoryTimeline::total(size_t row) const {
    Sum sum(0);
    for (size_t i = 0; i < categories.size(); ++i) {
        if (!level(row, i)) {
            return std::nullopt;
        }
        sum += *level(row, i);
    }
    return sum.value();
}

bool isMemoryTimeline(const FileInfo& file) {
    return file.format.starts_with("pytorch-memory-timeline");
}

std::optional<MemoryTimeline> readMemoryTimeline(const Trace& trace) {
    const auto files = trace.files();
    const auto found = std::ranges::find_if(files, isMemoryTimeline);
    if (found == files.end()) {
        return std::nullopt;
    }
    MemoryTimeline timeline;
    timeline.file = FileId(static_cast<size_t>(found - files.begin()));
    const Counter* counter = counterOf(trace, timeline.file);
    if (counter == nullptr) {
        return timeline;
    }
    std::vector<Cursor> cursors;
    for (const CounterSeries& series : counter->series) {
        timeline.categories.push_back(trace.string(series.name));
        cursors.push_back({&series, 0, 0, std::nullopt});
    }
    for (;;) {
        std::optional<TimeNs> time;
        for (const Cursor& cursor : cursors) {
            if (!cursor.atEnd()) {
                time = std::min(time.value_or(cursor.time()), cursor.time());
            }
        }
        if (!time) {
            break;
        }
        addRows(*time, cursors, timeline);
    }
    std::optional<int64_t> peak;
    for (size_t row = 0; row < timeline.times.size(); ++row) {
        const auto total = timeline.total(row);
        if (total && (!peak || *total > *peak)) {
            peak = total;
            timeline.peakRow = row;
        }
    }
    return timeline;
}

}  // namespace warpline
