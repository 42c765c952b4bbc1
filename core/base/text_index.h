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
    /// `slots`: room in the table to start with; a power of two.
    explicit TextIndex(size_t slots = 64);
    /// Forgets all texts and keeps the memory.
    void clear();

    std::optional<uint32_t> find(std::string_view text) const;
    /// The text's number; for a new one `keep(text)` is asked for a view of the same bytes that lasts.
    template <class Keep>
    uint32_t add(std::string_view text, Keep keep) {
        if (text.empty()) {
            return 0;
        }
        const uint64_t hash = hashOf(text);
        const size_t slot = slotOf(text, hash);
        return m_slots[slot] != 0 ? m_slots[slot] - 1 : insert(slot, hash, keep(text));
    }
    /// REQUIRES: a number of this index.
    std::string_view view(uint32_t number) const { return m_views[number]; }
    uint32_t size() const { return static_cast<uint32_t>(m_views.size()); }

private:
    static uint64_t hashOf(std::string_view text);
    /// Where the text is, or where it belongs.
    size_t slotOf(std::string_view text, uint64_t hash) const {
        const size_t mask = m_slots.size() - 1;
        size_t slot = static_cast<size_t>(hash) & mask;
        while (m_slots[slot] != 0) {
            const uint32_t number = m_slots[slot] - 1;
            if (m_hashes[number] == hash && m_views[number] == text) {
                break;
            }
            slot = (slot + 1) & mask;
        }
        return slot;
    }
    uint32_t insert(size_t slot, uint64_t hash, std::string_view text);
    void grow();

    std::vector<std::string_view> m_views;
    std::vector<uint64_t> m_hashes;  ///< by number
    std::vector<uint32_t> m_slots;   ///< open addressing, number + 1, 0 = free; a power of two
};

}  // namespace warpline
