// SPDX-License-Identifier: MIT
#pragma once
// The distinct texts of one batch, numbered from 0 (the empty text). Plain ones stay views of the chunk they came
// from, so the table is good only as long as that text is.

#include <cstdint>
#include <cstring>
#include <memory>
#include <string_view>
#include <vector>

#include "core/base/text_index.h"

namespace warpline::loaders::chrome_trace {

class BatchStrings {
public:
    /// Forgets all texts and keeps the memory.
    void clear() {
        m_index.clear();
        m_copies.clear();
    }
    /// REQUIRES: `text` outlives the table's content.
    uint32_t add(std::string_view text) {
        return m_index.add(text, [](std::string_view fresh) { return fresh; });
    }
    /// Copies the text if it is new.
    uint32_t addCopy(std::string_view text) {
        return m_index.add(text, [this](std::string_view fresh) {
            m_copies.push_back(std::make_unique_for_overwrite<char[]>(fresh.size()));
            std::memcpy(m_copies.back().get(), fresh.data(), fresh.size());
            return std::string_view(m_copies.back().get(), fresh.size());
        });
    }
    std::string_view view(uint32_t id) const { return m_index.view(id); }
    uint32_t size() const { return m_index.size(); }

private:
    static constexpr size_t kFirstSlots = 4096;
    TextIndex m_index{kFirstSlots};
    std::vector<std::unique_ptr<char[]>> m_copies;
};

}  // namespace warpline::loaders::chrome_trace
