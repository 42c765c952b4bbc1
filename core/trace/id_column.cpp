// SPDX-License-Identifier: MIT
#include "core/trace/id_column.h"

#include <utility>

namespace warpline {

void IdColumn::widen() {
    m_wide.reserve(m_narrow.size() + 1);
    for (size_t i = 0; i < m_narrow.size(); ++i) {
        m_wide.push_back((*this)[i]);
    }
    m_narrow.clear();
    m_isWide = true;
}

IdColumn IdColumn::takeInOrder(std::span<const uint32_t> order, SparePages& spare, const JobControl& job) {
    IdColumn out;
    out.m_isWide = m_isWide;
    if (m_isWide) {
        out.m_wide = warpline::takeInOrder(m_wide, order, spare, job);
    } else {
        out.m_narrow = warpline::takeInOrder(m_narrow, order, spare, job);
    }
    return out;
}

}  // namespace warpline
