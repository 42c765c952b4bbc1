// SPDX-License-Identifier: MIT
#include "core/record/select/selection_filter.h"

#include <algorithm>

namespace warpline::record {

void CorrelationSet::add(uint32_t correlation) {
    const uint32_t page = correlation / kPageBits;
    auto found = m_pages.find(page);
    if (found == m_pages.end()) {
        if (m_order.size() == kMostPages) {
            m_pages.erase(m_order.front());
            m_order.pop_front();
        }
        m_order.push_back(page);
        found = m_pages.emplace(page, std::vector<uint8_t>(kPageBits / 8)).first;
    }
    found->second[correlation % kPageBits / 8] |= static_cast<uint8_t>(1U << correlation % 8);
}

bool CorrelationSet::has(uint32_t correlation) const {
    const auto page = m_pages.find(correlation / kPageBits);
    return page != m_pages.end() && (page->second[correlation % kPageBits / 8] >> correlation % 8 & 1) != 0;
}

SelectionFilter::SelectionFilter(const RecordOptions& options, std::unique_ptr<KernelNames> names, int64_t originNs)
    : m_options(options), m_selects(options.selectsLaunches()), m_originNs(originNs), m_names(std::move(names)) {}

bool SelectionFilter::isWanted(uint32_t device) const {
    return m_options.devices.empty() || std::ranges::find(m_options.devices, device) != m_options.devices.end();
}

/// What came in a turn of a schedule in time, and not while CUPTI warmed up for it.
bool SelectionFilter::isInTime(int64_t begin) const {
    const Schedule& schedule = m_options.schedule;
    if (!schedule.isSet() || schedule.unit != Schedule::Unit::Nanoseconds || begin == 0) {
        return true;
    }
    return begin >= m_originNs && schedule.cycleAt(static_cast<uint64_t>(begin - m_originNs)).has_value();
}

bool SelectionFilter::keepsKernel(uint32_t correlation, std::string_view mangledName,
                                  const capture::KernelRecord& record) {
    return isWanted(record.device) && isInTime(record.begin) &&
           (!m_selects || (m_kept.has(correlation) && (record.graphNode == 0 || m_names->matches(mangledName))));
}

bool SelectionFilter::keepsWork(uint32_t correlation, capture::FrameType, int64_t begin,
                                std::optional<uint32_t> device) {
    return isInTime(begin) && (!device || isWanted(*device)) && (!m_selects || m_kept.has(correlation));
}

}  // namespace warpline::record
