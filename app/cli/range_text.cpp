// SPDX-License-Identifier: MIT
#include "app/cli/range_text.h"

#include <array>
#include <limits>
#include <optional>
#include <string>

#include "core/base/decimal_time.h"

namespace warpline::cli {

namespace {

struct Suffix {
    std::string_view text;
    std::string_view microsExponent;  ///< times in decimal_time.h are microseconds
};
// The longer ones first: "s" ends them all.
constexpr std::array<Suffix, 4> kSuffixes = {{{"ns", "e-3"}, {"us", ""}, {"ms", "e3"}, {"s", "e6"}}};

std::optional<TimeNs> parseTime(std::string_view text) {
    for (const Suffix& suffix : kSuffixes) {
        if (text.size() > suffix.text.size() && text.substr(text.size() - suffix.text.size()) == suffix.text) {
            const std::string_view digits = text.substr(0, text.size() - suffix.text.size());
            if (digits.find_first_of("eE") != std::string_view::npos) {
                return std::nullopt;
            }
            return nsFromMicrosText(std::string(digits) + std::string(suffix.microsExponent));
        }
    }
    if (text.find_first_of("eE") != std::string_view::npos) {
        return std::nullopt;
    }
    return nsFromMicrosText(std::string(text) + "e-3");
}

}  // namespace

Result<TimeRange> parseRange(std::string_view text, TimeNs start) {
    const auto wrong = [&](const char* why) {
        return Error::failed("--range " + std::string(text) + ": " + why + "; wanted is A:B, for example 10ms:20ms");
    };
    const size_t colon = text.find(':');
    if (colon == std::string_view::npos || text.find(':', colon + 1) != std::string_view::npos) {
        return wrong("not one colon");
    }
    const std::string_view from = text.substr(0, colon);
    const std::string_view to = text.substr(colon + 1);
    TimeRange range{std::numeric_limits<TimeNs>::min(), std::numeric_limits<TimeNs>::max()};
    const auto read = [&](std::string_view part, TimeNs& time) {
        if (part.empty()) {
            return true;
        }
        const auto offset = parseTime(part);
        return offset && !__builtin_add_overflow(start, *offset, &time);
    };
    if (!read(from, range.begin) || !read(to, range.end)) {
        return wrong("not a time (a number with ns, us, ms, s or nothing for ns)");
    }
    if (range.end <= range.begin) {
        return wrong("the end is not after the start");
    }
    return range;
}

}  // namespace warpline::cli
