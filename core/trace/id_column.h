// SPDX-License-Identifier: MIT
#pragma once
// A column of 64-bit ids that are nearly always small: 32 bits each, until one comes that needs more; then all have 64.

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/base/event_column.h"
#include "core/base/job_control.h"

namespace warpline {

class IdColumn {
public:
    void push_back(uint64_t id) {
        if (!m_isWide && !fits(id)) {
            widen();
        }
        if (m_isWide) {
            m_wide.push_back(id);
        } else {
            m_narrow.push_back(static_cast<uint32_t>(id));
        }
    }
    /// The largest of 64 bits ("none" to some) is kept in 32 too.
    uint64_t operator[](size_t i) const {
        return m_isWide ? m_wide[i] : m_narrow[i] == kAllOnes ? ~uint64_t{0} : m_narrow[i];
    }
    size_t size() const { return m_isWide ? m_wide.size() : m_narrow.size(); }
    bool isWide() const { return m_isWide; }
    /// What is stored: 4 bytes an id, 8 if isWide(). For writing the column down as it is, and filling one again.
    std::span<const std::byte> stored() const {
        return m_isWide ? std::as_bytes(std::span(m_wide)) : std::as_bytes(std::span(m_narrow));
    }
    /// Room for `count` ids in place of what was here; the caller fills in what stored() gave.
    std::span<std::byte> makeRoom(size_t count, bool isWide) {
        *this = IdColumn();
        m_isWide = isWide;
        isWide ? m_wide.resize(count) : m_narrow.resize(count);
        return isWide ? std::as_writable_bytes(std::span(m_wide)) : std::as_writable_bytes(std::span(m_narrow));
    }
    /// Ids order[0], order[1], … in this order; this column is empty afterwards. Not all of them when stopped.
    IdColumn takeInOrder(std::span<const uint32_t> order, SparePages& spare, const JobControl& job);

private:
    static constexpr uint32_t kAllOnes = 0xffffffffU;
    static bool fits(uint64_t id) { return id < kAllOnes || id == ~uint64_t{0}; }
    void widen();

    EventColumn<uint32_t> m_narrow;
    EventColumn<uint64_t> m_wide;
    bool m_isWide = false;
};

/// column[order[i]] for each i, in spare memory if there is some; the column is empty afterwards, its memory spare. Not
/// all of it when stopped.
template <class T>
EventColumn<T> takeInOrder(EventColumn<T>& column, std::span<const uint32_t> order, SparePages& spare,
                           const JobControl& job) {
    constexpr size_t kStretch = size_t{1} << 14;
    EventColumn<T> out = EventColumn<T>::in(spare.take(order.size() * sizeof(T)));
    out.resize(order.size());
    for (size_t first = 0; first < order.size() && !job.stopRequested(); first += kStretch) {
        const size_t last = std::min(order.size(), first + kStretch);
        for (size_t i = first; i < last; ++i) {
            out[i] = column[order[i]];
        }
    }
    spare.give(column.release());
    return out;
}

}  // namespace warpline
