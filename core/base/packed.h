// SPDX-License-Identifier: MIT
#pragma once
// Numbers and texts one after the other in a string of bytes, for keeping and reading back on the same machine. Bytes
// that were not written so make the reader fail, and never read past their end.

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

namespace warpline {

class PackedWriter {
public:
    void number(uint64_t value) {
        char bytes[sizeof value];
        std::memcpy(bytes, &value, sizeof value);
        m_bytes.append(bytes, sizeof value);
    }
    void text(std::string_view value) {
        number(value.size());
        m_bytes.append(value);
    }
    std::string take() { return std::move(m_bytes); }

private:
    std::string m_bytes;
};

class PackedReader {
public:
    explicit PackedReader(std::string_view bytes) : m_left(bytes) {}

    /// 0 once something was not there.
    uint64_t number() {
        uint64_t value = 0;
        if (m_failed || m_left.size() < sizeof value) {
            m_failed = true;
            return 0;
        }
        std::memcpy(&value, m_left.data(), sizeof value);
        m_left.remove_prefix(sizeof value);
        return value;
    }
    /// A view of the reader's bytes; "" once something was not there.
    std::string_view text() {
        const uint64_t length = number();
        if (m_failed || length > m_left.size()) {
            m_failed = true;
            return {};
        }
        const std::string_view value = m_left.substr(0, length);
        m_left.remove_prefix(length);
        return value;
    }
    bool failed() const { return m_failed; }
    /// Everything was there, and nothing is left over.
    bool ok() const { return !m_failed && m_left.empty(); }

private:
    std::string_view m_left;
    bool m_failed = false;
};

}  // namespace warpline
