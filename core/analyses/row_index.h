// SPDX-License-Identifier: MIT
#pragma once
// Numbers for distinct keys in order of first appearance. One probe an event: a flat table, no allocation a key.

#include <cstddef>
#include <cstdint>
#include <vector>

namespace warpline {

struct RowKey {
    uint32_t name = 0;
    uint32_t extra = 0;  ///< what it is grouped by besides: shapes, stack, annotation; 0 if nothing
    uint8_t kind = 0;
    bool operator==(const RowKey&) const = default;
};

class RowIndex {
public:
    RowIndex() : m_slots(1024, 0) {}

    /// The key's number; keys().size() before the call if it is new.
    uint32_t of(const RowKey& key) {
        size_t slot = hashOf(key) & (m_slots.size() - 1);
        while (m_slots[slot] != 0) {
            if (m_keys[m_slots[slot] - 1] == key) {
                return m_slots[slot] - 1;
            }
            slot = (slot + 1) & (m_slots.size() - 1);
        }
        m_keys.push_back(key);
        m_slots[slot] = static_cast<uint32_t>(m_keys.size());
        if (m_keys.size() * 2 > m_slots.size()) {
            grow();
        }
        return static_cast<uint32_t>(m_keys.size() - 1);
    }
    const std::vector<RowKey>& keys() const { return m_keys; }

private:
    static size_t hashOf(const RowKey& key) {
        uint64_t h = (uint64_t{key.name} << 32U | key.extra) * 0x9e3779b97f4a7c15ULL + key.kind;
        h ^= h >> 32U;
        h *= 0xd6e8feb86659fd93ULL;
        return static_cast<size_t>(h ^ (h >> 32U));
    }
    void grow() {
        m_slots.assign(m_slots.size() * 2, 0);
        for (uint32_t i = 0; i < m_keys.size(); ++i) {
            size_t slot = hashOf(m_keys[i]) & (m_slots.size() - 1);
            while (m_slots[slot] != 0) {
                slot = (slot + 1) & (m_slots.size() - 1);
            }
            m_slots[slot] = i + 1;
        }
    }

    std::vector<RowKey> m_keys;
    std::vector<uint32_t> m_slots;  ///< number + 1; 0 = free; a power of two
};

}  // namespace warpline
