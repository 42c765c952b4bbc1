// SPDX-License-Identifier: MIT
#include "core/base/text_index.h"

#include <cstring>

namespace warpline {

namespace {

__extension__ using Uint128 = unsigned __int128;

}  // namespace

TextIndex::TextIndex(size_t slots) : m_slots(slots, 0) {
    clear();
}

void TextIndex::clear() {
    m_views.assign(1, std::string_view(""));
    m_hashes.assign(1, 0);
    m_slots.assign(m_slots.size(), 0);
}

uint64_t TextIndex::hashOf(std::string_view text) {
    // Eight bytes a step, mixed by a multiply and a fold of both halves of the product.
    constexpr uint64_t kMul = 0x9e3779b97f4a7c15ULL;
    uint64_t h = text.size() * kMul;
    const char* p = text.data();
    size_t left = text.size();
    const auto mix = [&h](uint64_t word) {
        const auto product = static_cast<Uint128>(h ^ word) * kMul;
        h = static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
    };
    for (; left >= 8; p += 8, left -= 8) {
        uint64_t word;
        std::memcpy(&word, p, 8);
        mix(word);
    }
    if (left > 0) {
        uint64_t word = 0;
        std::memcpy(&word, p, left);
        mix(word ^ (uint64_t{left} << 56));
    }
    mix(h >> 29);
    return h;
}

std::optional<uint32_t> TextIndex::find(std::string_view text) const {
    if (text.empty()) {
        return 0;
    }
    const size_t slot = slotOf(text, hashOf(text));
    return m_slots[slot] != 0 ? std::optional(m_slots[slot] - 1) : std::nullopt;
}

uint32_t TextIndex::insert(size_t slot, uint64_t hash, std::string_view text) {
    const auto number = static_cast<uint32_t>(m_views.size());
    m_views.push_back(text);
    m_hashes.push_back(hash);
    m_slots[slot] = number + 1;
    if (m_views.size() * 2 > m_slots.size()) {
        grow();
    }
    return number;
}

void TextIndex::grow() {
    m_slots.assign(m_slots.size() * 2, 0);
    const size_t mask = m_slots.size() - 1;
    for (uint32_t number = 1; number < m_views.size(); ++number) {
        size_t slot = static_cast<size_t>(m_hashes[number]) & mask;
        while (m_slots[slot] != 0) {
            slot = (slot + 1) & mask;
        }
        m_slots[slot] = number + 1;
    }
}

}  // namespace warpline
