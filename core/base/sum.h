// SPDX-License-Identifier: MIT
#pragma once
// Sums that never wrap around: what does not fit in 64 bits is unknown, and stays so whatever is added later.

#include <compare>
#include <cstdint>
#include <limits>
#include <optional>

namespace warpline {

/// Eight bytes, so that columns of them cost no more than plain numbers.
class Sum {
public:
    constexpr Sum() = default;
    constexpr explicit Sum(int64_t value) : m_value(value) {}
    static constexpr Sum unknown() { return Sum(kUnknown); }

    /// nullopt if the sum left 64 bits on its way.
    constexpr std::optional<int64_t> value() const { return known() ? std::optional(m_value) : std::nullopt; }
    constexpr bool known() const { return m_value != kUnknown; }

    constexpr Sum& operator+=(Sum other) {
        const bool lost = !known() || !other.known() || __builtin_add_overflow(m_value, other.m_value, &m_value);
        m_value = lost ? kUnknown : m_value;
        return *this;
    }
    constexpr Sum& operator-=(Sum other) {
        const bool lost = !known() || !other.known() || __builtin_sub_overflow(m_value, other.m_value, &m_value);
        m_value = lost ? kUnknown : m_value;
        return *this;
    }
    constexpr Sum& operator+=(int64_t value) { return *this += Sum(value); }
    constexpr Sum& operator-=(int64_t value) { return *this -= Sum(value); }

    constexpr bool operator==(const Sum&) const = default;
    /// An unknown sum comes after all known ones: it is too large to be told.
    constexpr std::strong_ordering operator<=>(const Sum& other) const {
        return known() && other.known() ? m_value <=> other.m_value : other.known() <=> known();
    }

private:
    static constexpr int64_t kUnknown = std::numeric_limits<int64_t>::min();
    int64_t m_value = 0;
};

/// Share of a whole; nullopt if either is unknown or the whole is not positive.
constexpr std::optional<double> ratioOf(Sum part, Sum whole) {
    const std::optional<int64_t> of = whole.value();
    return part.known() && of && *of > 0 ? std::optional(static_cast<double>(*part.value()) / static_cast<double>(*of))
                                         : std::nullopt;
}

}  // namespace warpline
