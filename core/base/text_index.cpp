// SPDX-License-Identifier: MIT
#include "core/base/text_index.h"

#include <cstring>
#include <utility>

#include "core/base/hash_seed.h"

namespace warpline {

namespace {

__extension__ using Uint128 = unsigned __int128;

}  // namespace

TextIndex::TextIndex() : m_views(1, std::string_view("")), m_slots(64), m_seed(hashSeed()) {}

uint32_t TextIndex::hashOf(std::string_view text) const {
    // Sixteen bytes a step, each half against a key of its own, mixed by a multiply and a fold of both halves of the
    // product. A rest is read with what stands before it.
    constexpr uint64_t kMul = 0x9e3779b97f4a7c15ULL;
    constexpr uint64_t kOther = 0xd6e8feb86659fd93ULL;
    const auto wordAt = [](const char* p) {
        uint64_t word;
        std::memcpy(&word, p, sizeof word);
        return word;
    };
    uint64_t h = m_seed ^ text.size() * kMul;
    const auto mix = [&h](uint64_t low, uint64_t high) {
        const auto product = static_cast<Uint128>(low ^ h) * (high ^ kOther);
        h += static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
    };
    const char* p = text.data();
    size_t left = text.size();
    for (; left > 16; p += 16, left -= 16) {
        mix(wordAt(p), wordAt(p + 8));
    }
    if (left >= 8) {
        mix(wordAt(p), wordAt(p + left - 8));
    } else if (left > 0) {
        uint64_t word = 0;
        std::memcpy(&word, p, left);
        mix(word, left);
    }
    const auto last = static_cast<Uint128>(h ^ kOther) * kMul;
    return static_cast<uint32_t>(static_cast<uint64_t>(last) ^ static_cast<uint64_t>(last >> 64));
}

std::optional<uint32_t> TextIndex::find(std::string_view text) const {
    if (text.empty()) {
        return 0;
    }
    const uint32_t number = m_slots[slotOf(text, hashOf(text))].number;
    return number != 0 ? std::optional(number) : std::nullopt;
}

uint32_t TextIndex::insert(size_t slot, uint32_t hash, std::string_view text) {
    const auto number = static_cast<uint32_t>(m_views.size());
    m_views.push_back(text);
    m_slots[slot] = {hash, number};
    if (m_views.size() * 2 > m_slots.size()) {
        grow();
    }
    return number;
}

void TextIndex::grow() {
    std::vector<Slot> larger(m_slots.size() * 2);
    const size_t mask = larger.size() - 1;
    for (const Slot& old : m_slots) {
        if (old.number == 0) {
            continue;
        }
        size_t slot = old.hash & mask;
        while (larger[slot].number != 0) {
            slot = (slot + 1) & mask;
        }
        larger[slot] = old;
    }
    m_slots = std::move(larger);
}

}  // namespace warpline
