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
#include "core/base/text_index.h"

namespace warpline {

class StringPool {
public:
    StringId intern(std::string_view text);
    /// In two steps, with other work between them: what the second needs is then in the cache.
    using Candidate = TextIndex::Candidate;
    Candidate prepare(std::string_view text) const { return m_index.prepare(text); }
    StringId intern(const Candidate& candidate);
    /// REQUIRES: an id of this pool.
    std::string_view view(StringId id) const { return m_index.view(id.value); }
    std::optional<StringId> find(std::string_view text) const;
    /// Number of distinct texts; ids are 0 … size() - 1.
    uint32_t size() const { return m_index.size(); }
    uint64_t bytes() const { return m_bytes; }  ///< of all texts

private:
    std::string_view store(std::string_view text);

    TextIndex m_index;
    std::vector<std::unique_ptr<char[]>> m_blocks;
    uint64_t m_bytes = 0;
    size_t m_blockUsed = 0;
    size_t m_blockSize = 0;
};

}  // namespace warpline
