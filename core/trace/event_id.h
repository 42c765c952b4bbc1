// SPDX-License-Identifier: MIT
#pragma once
// The id by which a file joins events (arrows, async work): most are numbers that count up, and are kept as such, so
// that a trace of a million arrows does not hold a million texts.

#include <compare>
#include <cstdint>
#include <optional>
#include <string_view>

#include "core/base/ids.h"

namespace warpline {

/// A decimal number as it stands in the file, or any other text. Equal if and only if the texts in the file are.
class EventId {
public:
    EventId() = default;  ///< ""
    explicit EventId(StringId text) : m_bits(uint64_t{text.value} << 1) {}
    /// REQUIRES: number <= kMaxNumber.
    static EventId ofNumber(uint64_t number) {
        EventId id;
        id.m_bits = number << 1 | 1;
        return id;
    }
    static constexpr uint64_t kMaxNumber = 999'999'999'999'999'999;

    bool isNumber() const { return (m_bits & 1) != 0; }
    uint64_t number() const { return m_bits >> 1; }
    StringId text() const { return StringId(static_cast<uint32_t>(m_bits >> 1)); }
    /// Different for different ids: for hashing.
    uint64_t bits() const { return m_bits; }
    auto operator<=>(const EventId&) const = default;

private:
    uint64_t m_bits = 0;
};

/// The number, if the text is one as it would be written: digits alone, without leading zeros, not too large.
std::optional<uint64_t> idNumber(std::string_view text);

}  // namespace warpline
