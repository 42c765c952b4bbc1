// SPDX-License-Identifier: MIT
#include "core/trace/string_pool.h"

#include <algorithm>
#include <cstring>

namespace warpline {

StringId StringPool::intern(std::string_view text) {
    return StringId(m_index.add(text, [this](std::string_view fresh) { return store(fresh); }));
}

StringId StringPool::intern(const Candidate& candidate) {
    return StringId(m_index.add(candidate, [this](std::string_view fresh) { return store(fresh); }));
}

std::optional<StringId> StringPool::find(std::string_view text) const {
    const std::optional<uint32_t> number = m_index.find(text);
    return number ? std::optional(StringId(*number)) : std::nullopt;
}

std::string_view StringPool::store(std::string_view text) {
    constexpr size_t kBlockBytes = size_t{1} << 16;
    if (m_blockUsed + text.size() > m_blockSize) {
        m_blockSize = std::max(kBlockBytes, text.size());
        m_blockUsed = 0;
        m_blocks.push_back(std::make_unique_for_overwrite<char[]>(m_blockSize));
    }
    char* place = m_blocks.back().get() + m_blockUsed;
    std::memcpy(place, text.data(), text.size());
    m_blockUsed += text.size();
    m_bytes += text.size();
    return {place, text.size()};
}

}  // namespace warpline
