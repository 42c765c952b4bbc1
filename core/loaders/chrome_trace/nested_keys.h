// SPDX-License-Identifier: MIT
#pragma once
// Tells whether an object nested in a value has a key twice, while the value is passed over. For few keys at a time,
// as nested objects mostly have; who has more of them needs a closer look.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace warpline::loaders::chrome_trace {

/// The keys of the objects that are open around a place. One thread.
class NestedKeys {
public:
    static constexpr uint32_t kMostDepth = 64;
    static constexpr uint32_t kMostKeys = 128;

    void clear() { m_depth = m_count = 0; }
    /// An array or object opens. REQUIRES: fewer than kMostDepth are open.
    void open() { m_firsts[m_depth++] = m_count; }
    void close() { m_count = m_firsts[--m_depth]; }
    /// A key of the innermost one, as it stands there. False if that has it already, or if there are too many to tell.
    bool add(std::string_view key) {
        for (uint32_t i = m_firsts[m_depth - 1]; i < m_count; ++i) {
            if (m_keys[i] == key) {
                return false;
            }
        }
        if (m_count == kMostKeys) {
            return false;
        }
        m_keys[m_count++] = key;
        return true;
    }

private:
    uint32_t m_depth = 0;
    uint32_t m_count = 0;
    std::array<uint32_t, kMostDepth> m_firsts;
    std::array<std::string_view, kMostKeys> m_keys;
};

}  // namespace warpline::loaders::chrome_trace
