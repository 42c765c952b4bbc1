// SPDX-License-Identifier: MIT
#pragma once
// The distinct texts of one batch, numbered from 0 (the empty text). Plain ones stay views of the chunk they came
// from, so the table is good only as long as that text is.

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

namespace warpline::loaders::chrome_trace {

class BatchStrings {
public:
    BatchStrings();
    /// Forgets all texts and keeps the memory.
    void clear();
    /// REQUIRES: `text` outlives the table's content.
    uint32_t add(std::string_view text) { return insert(text, false); }
    /// Copies the text if it is new.
    uint32_t addCopy(std::string_view text) { return insert(text, true); }
    std::string_view view(uint32_t id) const { return m_views[id]; }
    uint32_t size() const { return static_cast<uint32_t>(m_views.size()); }

private:
    uint32_t insert(std::string_view text, bool copy);
    void grow();

    std::vector<std::string_view> m_views;
    std::vector<uint64_t> m_hashes;
    std::vector<uint32_t> m_slots;  ///< open addressing, id + 1, 0 = free; a power of two
    std::vector<std::unique_ptr<char[]>> m_copies;
};

}  // namespace warpline::loaders::chrome_trace
