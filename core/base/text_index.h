// SPDX-License-Identifier: MIT
#pragma once
// Numbers for distinct texts, from 0 ("") in order of first appearance. Knows the texts by view only: who uses it keeps
// their bytes. One thread writes; once it has stopped, any thread may read without a lock.

#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>
#include <vector>

namespace warpline {

class TextIndex {
public:
    TextIndex();

    /// A text on its way into the index: made early, its place is in the cache when it is needed.
    struct Candidate {
        std::string_view text;
        uint32_t hash = 0;
    };
    Candidate prepare(std::string_view text) const {
        const uint32_t hash = hashOf(text);
        __builtin_prefetch(&m_slots[hash & (m_slots.size() - 1)]);
        return {text, hash};
    }

    std::optional<uint32_t> find(std::string_view text) const;
    /// The text's number; for a new one `keep(text)` is asked for a view of the same bytes that lasts.
    template <class Keep>
    uint32_t add(const Candidate& candidate, Keep keep) {
        if (candidate.text.empty()) {
            return 0;
        }
        const size_t slot = slotOf(candidate.text, candidate.hash);
        return m_slots[slot].number != 0 ? m_slots[slot].number : insert(slot, candidate.hash, keep(candidate.text));
    }
    template <class Keep>
    uint32_t add(std::string_view text, Keep keep) {
        return add(Candidate{text, hashOf(text)}, keep);
    }
    /// REQUIRES: a number of this index.
    std::string_view view(uint32_t number) const { return m_views[number]; }
    uint32_t size() const { return static_cast<uint32_t>(m_views.size()); }

private:
    struct Slot {
        uint32_t hash = 0;
        uint32_t number = 0;  ///< 0: free, as "" is in no slot
    };

    /// Eight bytes at a time, without a call: texts that hash alike are nearly always the same, and short.
    static bool isSame(std::string_view a, std::string_view b) {
        if (a.size() != b.size()) {
            return false;
        }
        const size_t size = a.size();
        if (size < 8) {
            return std::memcmp(a.data(), b.data(), size) == 0;
        }
        const auto differ = [&](size_t at) {
            uint64_t x;
            uint64_t y;
            std::memcpy(&x, a.data() + at, sizeof x);
            std::memcpy(&y, b.data() + at, sizeof y);
            return x != y;
        };
        for (size_t at = 0; at + 8 < size; at += 8) {
            if (differ(at)) {
                return false;
            }
        }
        return !differ(size - 8);
    }
    uint32_t hashOf(std::string_view text) const;
    /// Where the text is, or where it belongs.
    size_t slotOf(std::string_view text, uint32_t hash) const {
        const size_t mask = m_slots.size() - 1;
        size_t slot = hash & mask;
        while (m_slots[slot].number != 0) {
            if (m_slots[slot].hash == hash && isSame(m_views[m_slots[slot].number], text)) {
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
    uint64_t m_seed;
};

}  // namespace warpline
