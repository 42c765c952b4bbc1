// SPDX-License-Identifier: MIT
#pragma once
// Numbers for distinct texts, from 0 ("") in order of first appearance. Knows the texts by view only: who uses it keeps
// their bytes. One thread writes; once it has stopped, any thread may read without a lock.

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace warpline {

class TextIndex {
public:
    TextIndex();

    std::optional<uint32_t> find(std::string_view text) const;
    /// The text's number; for a new one `keep(text)` is asked for a view of the same bytes that lasts.
    template <class Keep>
    uint32_t add(std::string_view text, Keep keep) {
        if (text.empty()) {
            return 0;
        }
        const uint32_t hash = hashOf(text);
        const size_t slot = slotOf(text, hash);
        return m_slots[slot].number != 0 ? m_slots[slot].number : insert(slot, hash, keep(text));
    }
    /// REQUIRES: a number of this index.
    std::string_view view(uint32_t number) const { return m_views[number]; }
    uint32_t size() const { return static_cast<uint32_t>(m_views.size()); }

private:
    struct Slot {
        uint32_t hash = 0;
        uint32_t number = 0;  ///< 0: free, as "" is in no slot
    };

    static uint32_t hashOf(std::string_view text);
    /// Where the text is, or where it belongs.
    size_t slotOf(std::string_view text, uint32_t hash) const {
        const size_t mask = m_slots.size() - 1;
        size_t slot = hash & mask;
        while (m_slots[slot].number != 0) {
            if (m_slots[slot].hash == hash && m_views[m_slots[slot].number] == text) {
                break;
            }
            slot = (slot + 1) & mask;
        }
        return slot;
    }
    uint32_t insert(size_t slot, uint32_t hash, std::string_view text);
    void grow();

    std::vector<std::string_view> m_views;
    std::vector<Slot> m_slots;  ///< open addressing; a power of two
};

}  // namespace warpline
