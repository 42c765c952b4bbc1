// SPDX-License-Identifier: MIT
#include "core/loaders/memory_timeline/level_series.h"

#include <limits>

namespace warpline::loaders::memory_timeline {

void LevelSeries::setCategories(std::span<const std::string> names) {
    m_process = m_builder.process(m_file, std::nullopt);
    m_builder.nameProcess(m_process, m_builder.intern("Memory timeline"));
    m_name = m_builder.intern("Memory by category (bytes)");
    for (const std::string& name : names) {
        m_series.push_back(m_builder.intern(name));
    }
    m_levels.resize(m_series.size());
}

void LevelSeries::write(TimeNs time, size_t category, const std::optional<int64_t>& level) {
    CounterRecord record;
    record.time = time;
    record.process = m_process;
    record.name = m_name;
    record.series = m_series[category];
    record.whole = level;
    record.value = level ? static_cast<double>(*level) : std::numeric_limits<double>::quiet_NaN();
    m_builder.addCounter(record);
}

void LevelSeries::add(TimeNs time, std::span<const std::optional<int64_t>> levels) {
    const bool isWhole = m_rows == 0 || time == m_time;
    bool isWritten = false;
    for (size_t i = 0; i < m_levels.size(); ++i) {
        const std::optional<int64_t> level = i < levels.size() ? levels[i] : std::nullopt;
        if (isWhole || level != m_levels[i]) {
            write(time, i, level);
            m_levels[i] = level;
            isWritten = true;
        }
    }
    if (!isWritten && !m_levels.empty()) {
        write(time, 0, m_levels.front());
    }
    m_time = time;
    ++m_rows;
    m_builder.countCounterEvents();
}

}  // namespace warpline::loaders::memory_timeline
