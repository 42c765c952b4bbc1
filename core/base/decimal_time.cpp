// SPDX-License-Identifier: MIT
#include "core/base/decimal_time.h"

#include <bit>
#include <cstdint>
#include <cstdio>
#include <cstring>

namespace warpline {

namespace {

bool isDigit(char c) {
    return c >= '0' && c <= '9';
}

std::optional<TimeNs> fail(DecimalError reason, DecimalError* error) {
    if (error != nullptr) {
        *error = reason;
    }
    return std::nullopt;
}

/// The form that nearly every timestamp has: at most 15 digits, a point, at most 3 decimals. nullopt: look closer.
std::optional<TimeNs> plainNs(std::string_view s) {
    constexpr size_t kMaxInteger = 15;
    constexpr size_t kMaxDecimals = 3;
    int64_t value = 0;
    size_t i = 0;
    while (i < s.size() && isDigit(s[i])) {
        value = value * 10 + (s[i] - '0');
        if (++i > kMaxInteger) {
            return std::nullopt;
        }
    }
    size_t decimals = 0;
    if (i > 0 && i < s.size() && s[i] == '.') {
        for (++i; i < s.size() && isDigit(s[i]) && decimals < kMaxDecimals; ++i, ++decimals) {
            value = value * 10 + (s[i] - '0');
        }
    }
    if (i != s.size() || i == 0) {
        return std::nullopt;
    }
    constexpr int64_t kScale[] = {1000, 100, 10, 1};
    return value * kScale[decimals];
}

/// The same from words of eight bytes, without a loop. REQUIRES: kPaddedTimeBytes are readable from its start on, and
/// the machine is little-endian.
std::optional<TimeNs> plainNsPadded(std::string_view s) {
    constexpr uint64_t kEvery = 0x0101010101010101ULL;
    constexpr size_t kMaxInteger = 12;
    const auto wordAt = [](const char* p) {
        uint64_t word;
        std::memcpy(&word, p, sizeof word);
        return word ^ kEvery * '0';
    };
    // Eight digits, the first in the lowest byte: pairs, then fours, then all.
    const auto valueOf = [](uint64_t word) {
        word = (word * 10 + (word >> 8)) & 0x00ff00ff00ff00ffULL;
        word = (word * 100 + (word >> 16)) & 0x0000ffff0000ffffULL;
        return (word * 10000 + (word >> 32)) & 0xffffffffULL;
    };
    const size_t decimals = s.size() > 4 && s[s.size() - 4] == '.'   ? 3
                            : s.size() > 3 && s[s.size() - 3] == '.' ? 2
                            : s.size() > 2 && s[s.size() - 2] == '.' ? 1
                                                                     : 0;
    const size_t whole = s.size() - (decimals == 0 ? 0 : decimals + 1);
    if (whole == 0 || whole > kMaxInteger) {
        return std::nullopt;
    }
    // What is shifted in is a leading zero.
    const uint64_t high = whole > 8 ? wordAt(s.data()) << 8 * (16 - whole) : 0;
    const uint64_t low = whole > 8 ? wordAt(s.data() + whole - 8) : wordAt(s.data()) << 8 * (8 - whole);
    uint64_t odd = ((high + kEvery * 118) | high | (low + kEvery * 118) | low) & kEvery * 128;
    uint64_t value = valueOf(high) * 100'000'000 + valueOf(low);
    uint64_t scale = 1000;
    for (size_t i = 0; i < decimals; ++i) {
        const auto digit = static_cast<unsigned char>(s[whole + 1 + i] - '0');
        odd |= digit > 9 ? 1U : 0U;
        value = value * 10 + digit;
        scale /= 10;
    }
    return odd == 0 ? std::optional(static_cast<TimeNs>(value * scale)) : std::nullopt;
}

std::optional<TimeNs> exactNs(std::string_view s, DecimalError* error) {
    size_t i = 0;
    bool negative = false;
    if (i < s.size() && (s[i] == '-' || s[i] == '+')) {
        negative = s[i] == '-';
        ++i;
    }
    // First pass: where the digits are, and the exponent.
    const size_t intBegin = i;
    while (i < s.size() && isDigit(s[i])) {
        ++i;
    }
    const size_t intEnd = i;
    size_t fracBegin = i;
    size_t fracEnd = i;
    if (i < s.size() && s[i] == '.') {
        fracBegin = ++i;
        while (i < s.size() && isDigit(s[i])) {
            ++i;
        }
        fracEnd = i;
    }
    if (intEnd == intBegin && fracEnd == fracBegin) {
        return fail(DecimalError::NotANumber, error);
    }
    int64_t exponent = 0;
    if (i < s.size() && (s[i] == 'e' || s[i] == 'E')) {
        ++i;
        bool expNegative = false;
        if (i < s.size() && (s[i] == '-' || s[i] == '+')) {
            expNegative = s[i] == '-';
            ++i;
        }
        const size_t expBegin = i;
        while (i < s.size() && isDigit(s[i])) {
            if (exponent < 1'000'000) {
                exponent = exponent * 10 + (s[i] - '0');
            }
            ++i;
        }
        if (i == expBegin) {
            return fail(DecimalError::NotANumber, error);
        }
        exponent = expNegative ? -exponent : exponent;
    }
    if (i != s.size()) {
        return fail(DecimalError::NotANumber, error);
    }
    // All digits as one row with the decimal point `point` digits from its left, moved by the exponent and by 3 (us ->
    // ns).
    const auto intDigits = static_cast<int64_t>(intEnd - intBegin);
    const auto allDigits = intDigits + static_cast<int64_t>(fracEnd - fracBegin);
    const int64_t point = intDigits + exponent + 3;
    const auto digitAt = [&](int64_t k) -> unsigned {
        const size_t pos =
            k < intDigits ? intBegin + static_cast<size_t>(k) : fracBegin + static_cast<size_t>(k - intDigits);
        return static_cast<unsigned>(s[pos] - '0');
    };
    constexpr auto kLimit = static_cast<uint64_t>(kLatestTime);
    uint64_t value = 0;
    for (int64_t k = 0; k < point; ++k) {
        if (k >= allDigits && value == 0) {
            break;  // zeros before any digit that counts: 0e999 is 0
        }
        const unsigned digit = k < allDigits ? digitAt(k) : 0;
        if (value > (kLimit - digit) / 10) {
            return fail(DecimalError::OutOfRange, error);
        }
        value = value * 10 + digit;
    }
    if (point >= 0 && point < allDigits && digitAt(point) >= 5) {
        if (value == kLimit) {
            return fail(DecimalError::OutOfRange, error);
        }
        ++value;
    }
    const auto magnitude = static_cast<TimeNs>(value);
    const TimeNs ns = negative ? -magnitude : magnitude;
    return isHeldTime(ns) ? std::optional(ns) : fail(DecimalError::OutOfRange, error);
}

}  // namespace

std::optional<TimeNs> nsFromMicrosText(std::string_view s, DecimalError* error) {
    if (error != nullptr) {
        *error = DecimalError::None;
    }
    const std::optional<TimeNs> plain = plainNs(s);
    return plain ? plain : exactNs(s, error);
}

std::optional<TimeNs> nsFromPaddedMicrosText(std::string_view s, DecimalError* error) {
    if constexpr (std::endian::native == std::endian::little) {
        if (const std::optional<TimeNs> plain = plainNsPadded(s)) {
            return plain;
        }
    }
    return nsFromMicrosText(s, error);
}

std::string microsTextFromNs(TimeNs ns) {
    const bool negative = ns < 0;
    const uint64_t magnitude = negative ? 0 - static_cast<uint64_t>(ns) : static_cast<uint64_t>(ns);
    char text[32];
    const int length =
        std::snprintf(text, sizeof text, "%s%llu.%03u", negative ? "-" : "",
                      static_cast<unsigned long long>(magnitude / 1000), static_cast<unsigned>(magnitude % 1000));
    std::string out(text, static_cast<size_t>(length));
    while (out.back() == '0') {
        out.pop_back();
    }
    if (out.back() == '.') {
        out.pop_back();
    }
    return out;
}

}  // namespace warpline
