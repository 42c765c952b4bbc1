// SPDX-License-Identifier: MIT
#pragma once
// Every text of a trace once: append-only, 32-bit ids, 0 is "". Ids of equal texts are equal.
// One thread writes; once it has stopped, any thread may read without a lock. Views stay valid as long as the pool.

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "core/base/ids.h"

namespace warpline {

class StringPool {
public:
    StringPool();
    StringPool(StringPool&&) noexcept = default;
    StringPool& operator=(StringPool&&) noexcept = default;

    StringId intern(std::string_view text);
    /// REQUIRES: an id of this pool.
    std::string_view view(StringId id) const { return m_views[id.value]; }
    std::optional<StringId> find(std::string_view text) const;
    /// Number of distinct texts; ids are 0 … size() - 1.
    uint32_t size() const { return static_cast<uint32_t>(m_views.size()); }

private:
    const char* store(std::string_view text);
    void grow();
    size_t slotOf(std::string_view text, uint64_t hash) const;

    std::vector<std::unique_ptr<char[]>> m_blocks;
    size_t m_blockUsed = 0;
    size_t m_blockSize = 0;
    std::vector<std::string_view> m_views;
    std::vector<uint64_t> m_hashes;  ///< by id
    std::vector<uint32_t> m_slots;   ///< open addressing, id + 1, 0 = free; a power of two
};

}  // namespace warpline
