// SPDX-License-Identifier: MIT
#pragma once
// Where in a long text something was found, to the nearest few bytes: a bit for each cell of it, so that any number of
// finds takes a two-hundredth of the text and asking for an event's stretch is a look at a word or two.

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <vector>

#include "core/trace/source_ref.h"

namespace warpline {

class MatchMap {
public:
    explicit MatchMap(uint64_t textBytes) : m_words(static_cast<size_t>(textBytes >> (kCellBits + 6)) + 1, 0) {}

    /// Any thread. What lies behind the text is left out.
    void mark(uint64_t place) {
        const uint64_t cell = place >> kCellBits;
        if (cell >> 6U >= m_words.size()) {
            return;
        }
        const std::atomic_ref<uint64_t> word(m_words[static_cast<size_t>(cell >> 6U)]);
        const uint64_t bit = uint64_t{1} << (cell & 63U);
        if ((word.load(std::memory_order_relaxed) & bit) == 0) {
            word.fetch_or(bit, std::memory_order_relaxed);
        }
    }

    /// Whether something was found there; also if it was just beside it. Once all is marked: any thread.
    bool hasAny(SourceRef text) const {
        if (!text.valid() || text.offset >> (kCellBits + 6) >= m_words.size()) {
            return false;
        }
        const uint64_t first = text.offset >> kCellBits;
        const uint64_t last =
            std::min((text.offset + text.length - 1) >> kCellBits, (uint64_t{m_words.size()} << 6U) - 1);
        const uint64_t fromFirst = ~uint64_t{0} << (first & 63U);
        const uint64_t toLast = ~uint64_t{0} >> (63U - (last & 63U));
        uint64_t mask = fromFirst;
        for (uint64_t word = first >> 6U; word < last >> 6U; ++word, mask = ~uint64_t{0}) {
            if ((m_words[static_cast<size_t>(word)] & mask) != 0) {
                return true;
            }
        }
        return (m_words[static_cast<size_t>(last >> 6U)] & mask & toLast) != 0;
    }

private:
    static constexpr unsigned kCellBits = 5;  ///< an event has some hundreds of bytes
    std::vector<uint64_t> m_words;
};

}  // namespace warpline
