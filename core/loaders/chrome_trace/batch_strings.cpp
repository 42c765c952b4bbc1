// SPDX-License-Identifier: MIT
#include "core/loaders/chrome_trace/batch_strings.h"

#include <algorithm>
#include <cstring>

namespace warpline::loaders::chrome_trace {

namespace {

constexpr size_t kFirstSlots = 4096;

uint64_t hashOf(std::string_view text) {
    constexpr uint64_t kMultiplier = 0x9e3779b97f4a7c15ULL;
    uint64_t hash = text.size() * kMultiplier;
    const char* p = text.data();
    size_t left = text.size();
    const auto mix = [&hash](uint64_t word) {
        hash = (hash ^ word) * kMultiplier;
        hash ^= hash >> 29;
    };
    while (left >= 8) {
        uint64_t word = 0;
        std::memcpy(&word, p, 8);
        mix(word);
        p += 8;
        left -= 8;
    }
    if (left != 0) {
        uint64_t word = 0;
        std::memcpy(&word, p, left);
        mix(word);
    }
    return hash ^ (hash >> 32);
}

}  // namespace

BatchStrings::BatchStrings() {
    clear();
}

void BatchStrings::clear() {
    m_views.clear();
    m_hashes.clear();
    m_copies.clear();
    m_slots.assign(std::max(m_slots.size(), kFirstSlots), 0);
    m_views.emplace_back();
    m_hashes.push_back(0);
}

void BatchStrings::grow() {
    m_slots.assign(m_slots.size() * 2, 0);
    const size_t mask = m_slots.size() - 1;
    for (uint32_t id = 1; id < m_views.size(); ++id) {
        size_t slot = m_hashes[id] & mask;
        while (m_slots[slot] != 0) {
            slot = (slot + 1) & mask;
        }
        m_slots[slot] = id + 1;
    }
}

uint32_t BatchStrings::insert(std::string_view text, bool copy) {
    if (text.empty()) {
        return 0;
    }
    if (m_views.size() * 2 >= m_slots.size()) {
        grow();
    }
    const uint64_t hash = hashOf(text);
    const size_t mask = m_slots.size() - 1;
    size_t slot = hash & mask;
    while (m_slots[slot] != 0) {
        const uint32_t id = m_slots[slot] - 1;
        if (m_hashes[id] == hash && m_views[id] == text) {
            return id;
        }
        slot = (slot + 1) & mask;
    }
    if (copy) {
        auto block = std::make_unique<char[]>(text.size());
        std::memcpy(block.get(), text.data(), text.size());
        text = std::string_view(block.get(), text.size());
        m_copies.push_back(std::move(block));
    }
    const auto id = static_cast<uint32_t>(m_views.size());
    m_views.push_back(text);
    m_hashes.push_back(hash);
    m_slots[slot] = id + 1;
    return id;
}

}  // namespace warpline::loaders::chrome_trace
