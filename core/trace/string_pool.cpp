// SPDX-License-Identifier: MIT
#include "core/trace/string_pool.h"

#include <algorithm>
#include <cstring>

namespace warpline {

namespace {

constexpr size_t kBlockBytes = size_t{1} << 16;

__extension__ using Uint128 = unsigned __int128;

uint64_t hashOf(std::string_view text) {
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

}  // namespace

StringPool::StringPool() : m_slots(64, 0) {
    m_views.emplace_back("");
    m_hashes.push_back(0);
}

size_t StringPool::slotOf(std::string_view text, uint64_t hash) const {
    const size_t mask = m_slots.size() - 1;
    size_t slot = static_cast<size_t>(hash) & mask;
    while (m_slots[slot] != 0) {
        const uint32_t id = m_slots[slot] - 1;
        if (m_hashes[id] == hash && m_views[id] == text) {
            break;
        }
        slot = (slot + 1) & mask;
    }
    return slot;
}

StringId StringPool::intern(std::string_view text) {
    if (text.empty()) {
        return {};
    }
    const uint64_t hash = hashOf(text);
    size_t slot = slotOf(text, hash);
    if (m_slots[slot] != 0) {
        return StringId(m_slots[slot] - 1);
    }
    const auto id = static_cast<uint32_t>(m_views.size());
    m_views.emplace_back(store(text), text.size());
    m_hashes.push_back(hash);
    m_slots[slot] = id + 1;
    if (m_views.size() * 2 > m_slots.size()) {
        grow();
    }
    return StringId(id);
}

std::optional<StringId> StringPool::find(std::string_view text) const {
    if (text.empty()) {
        return StringId();
    }
    const size_t slot = slotOf(text, hashOf(text));
    if (m_slots[slot] == 0) {
        return std::nullopt;
    }
    return StringId(m_slots[slot] - 1);
}

const char* StringPool::store(std::string_view text) {
    if (m_blockUsed + text.size() > m_blockSize) {
        m_blockSize = std::max(kBlockBytes, text.size());
        m_blockUsed = 0;
        m_blocks.push_back(std::make_unique_for_overwrite<char[]>(m_blockSize));
    }
    char* place = m_blocks.back().get() + m_blockUsed;
    std::memcpy(place, text.data(), text.size());
    m_blockUsed += text.size();
    return place;
}

void StringPool::grow() {
    std::vector<uint32_t> slots(m_slots.size() * 2, 0);
    const size_t mask = slots.size() - 1;
    for (uint32_t id = 1; id < m_views.size(); ++id) {
        size_t slot = static_cast<size_t>(m_hashes[id]) & mask;
        while (slots[slot] != 0) {
            slot = (slot + 1) & mask;
        }
        slots[slot] = id + 1;
    }
    m_slots = std::move(slots);
}

}  // namespace warpline
