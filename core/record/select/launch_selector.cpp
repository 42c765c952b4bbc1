// SPDX-License-Identifier: MIT
#include "core/record/select/launch_selector.h"

namespace warpline::record {

LaunchSelector::LaunchSelector(const RecordOptions& options, std::unique_ptr<KernelNames> names)
    : m_options(options), m_names(std::move(names)) {}

/// By a schedule, if there is one that counts steps.
LaunchSelector::Verdict LaunchSelector::phaseOf(uint64_t step) const {
    const Schedule& schedule = m_options.schedule;
    if (!schedule.isSet() || schedule.unit == Schedule::Unit::Nanoseconds) {
        return {true, 0};
    }
    const std::optional<uint64_t> cycle = schedule.cycleAt(step);
    return {cycle.has_value(), cycle ? static_cast<uint32_t>(*cycle + 1) : 0};
}

LaunchSelector::Verdict LaunchSelector::onLaunch(std::string_view mangledName) {
    const std::scoped_lock lock(m_mutex);
    if (!isInRange() || !m_names->matches(mangledName)) {
        return {};
    }
    const uint64_t launch = m_matches++;
    const bool countsRanges = m_options.schedule.unit == Schedule::Unit::Ranges;
    const Verdict verdict = phaseOf(countsRanges ? m_rangesBegun - 1 : launch);
    if (!verdict.isKept) {
        return {};
    }
    if (m_skipped < m_options.skip) {
        ++m_skipped;
        return {};
    }
    if (m_options.count != 0 && m_kept == m_options.count) {
        return {};
    }
    ++m_kept;
    return verdict;
}

LaunchSelector::Verdict LaunchSelector::onOtherWork(bool mayHoldKernels) {
    const std::scoped_lock lock(m_mutex);
    if ((!mayHoldKernels && !m_options.kernelPattern.empty()) || !isInRange() || m_skipped < m_options.skip ||
        (m_options.count != 0 && m_kept == m_options.count)) {
        return {};
    }
    const bool countsRanges = m_options.schedule.unit == Schedule::Unit::Ranges;
    // Between two launches it belongs to the earlier one.
    return phaseOf(countsRanges ? m_rangesBegun - 1 : m_matches == 0 ? 0 : m_matches - 1);
}

void LaunchSelector::onRangeBegin(std::string_view name) {
    if (!m_options.range.empty() && name == m_options.range) {
        const std::scoped_lock lock(m_mutex);
        ++m_openRanges;
        ++m_rangesBegun;
    }
}

void LaunchSelector::onRangeEnd(std::string_view name) {
    if (!m_options.range.empty() && name == m_options.range) {
        const std::scoped_lock lock(m_mutex);
        m_openRanges -= m_openRanges > 0 ? 1 : 0;
    }
}

void LaunchSelector::onProfiler(bool isOn) {
    const std::scoped_lock lock(m_mutex);
    m_isProfilerOn = isOn;
}

bool LaunchSelector::isExhausted() const {
    const std::scoped_lock lock(m_mutex);
    if (m_options.count != 0 && m_kept == m_options.count) {
        return true;
    }
    const Schedule& schedule = m_options.schedule;
    if (!schedule.isSet() || schedule.repeat == 0 || schedule.unit == Schedule::Unit::Nanoseconds) {
        return false;
    }
    const uint64_t last = schedule.skipFirst + schedule.repeat * (schedule.wait + schedule.warmup + schedule.active);
    return schedule.unit == Schedule::Unit::Ranges
               ? m_rangesBegun > last || (m_rangesBegun == last && m_openRanges == 0)
               : m_matches >= last;
}

}  // namespace warpline::record
