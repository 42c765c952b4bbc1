// SPDX-License-Identifier: MIT
#include "core/loaders/memory_timeline/timeline_times.h"

#include <algorithm>

namespace warpline::loaders::memory_timeline {

void TimelineTimes::add(const Number& number) {
    m_runsBackwards = m_runsBackwards || (number.micros && *number.micros < m_last);
    m_last = number.micros.value_or(m_last);
    m_times.push_back(number.micros.value_or(kUnknown));
    constexpr size_t kStride = 4096;
    if (m_times.size() % kStride == 0) {
        m_rows.holdBytes(m_times.size() * sizeof(TimeNs));
    }
}

void TimelineTimes::clear() {
    m_times.clear();
    m_rows.holdBytes(0);
}

size_t TimelineTimes::settle() {
    if (!m_runsBackwards) {
        return 0;
    }
    size_t settled = 0;
    TimeNs before = kUnknown;  // the latest of those that stand as they should
    for (size_t i = 0; i < m_times.size(); ++i) {
        TimeNs& time = m_times[i];
        if (time == kUnknown) {
            continue;
        }
        const TimeNs next = i + 1 < m_times.size() ? m_times[i + 1] : kUnknown;
        const TimeNs second = i + 2 < m_times.size() ? m_times[i + 2] : kUnknown;
        // Before the second too: else it is the next one that is too early.
        if (before != kUnknown && next != kUnknown && before <= next && std::max(next, second) < time) {
            time = next;
            ++settled;
        }
        before = std::max(before, time);
    }
    m_runsBackwards = false;
    TimeNs last = kUnknown;
    for (const TimeNs time : m_times) {
        m_runsBackwards = m_runsBackwards || (time != kUnknown && time < last);
        last = time == kUnknown ? last : time;
    }
    return settled;
}

std::optional<Number> TimelineTimes::at(size_t i) const {
    if (i >= m_times.size()) {
        return std::nullopt;
    }
    Number number;
    if (m_times[i] != kUnknown) {
        number.micros = m_times[i];
    }
    return number;
}

}  // namespace warpline::loaders::memory_timeline
