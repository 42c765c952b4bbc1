// SPDX-License-Identifier: MIT
#include "core/base/time_text.h"

#include <array>

#include "core/base/decimal_time.h"

namespace warpline {

namespace {

struct Unit {
    std::string_view text;
    std::string_view microsExponent;  ///< times in decimal_time.h are microseconds
    TimeNs ns;
};
// The longer ones first: "s" ends them all.
constexpr std::array<Unit, 5> kUnits = {
    {{"ns", "e-3", 1}, {"us", "", 1'000}, {"µs", "", 1'000}, {"ms", "e3", 1'000'000}, {"s", "e6", 1'000'000'000}}};

std::optional<TimeNs> parseDigits(std::string_view digits, std::string_view microsExponent) {
    if (digits.find_first_of("eE") != std::string_view::npos) {
        return std::nullopt;
    }
    return nsFromMicrosText(std::string(digits) + std::string(microsExponent));
}

}  // namespace

std::optional<TimeNs> parseTimeText(std::string_view text) {
    for (const Unit& unit : kUnits) {
        if (text.size() > unit.text.size() && text.ends_with(unit.text)) {
            std::string_view digits = text.substr(0, text.size() - unit.text.size());
            while (!digits.empty() && digits.back() == ' ') {
                digits.remove_suffix(1);
            }
            return parseDigits(digits, unit.microsExponent);
        }
    }
    return parseDigits(text, "e-3");
}

std::optional<DurationNs> parseOffsetText(std::string_view text) {
    if (!text.starts_with('-')) {
        return parseTimeText(text);
    }
    const auto back = parseTimeText(text.substr(1));
    return back && !text.starts_with("--") ? std::optional(-*back) : std::nullopt;
}

std::string timeText(TimeNs time) {
    if (time == 0) {
        return "0";
    }
    const Unit* best = &kUnits.front();
    for (const Unit& unit : kUnits) {
        // Three decimals of a unit are whole numbers of the one below.
        const bool isExact = unit.ns == 1 || time % (unit.ns / 1'000) == 0;
        if (isExact && time / unit.ns != 0 && unit.ns > best->ns) {
            best = &unit;
        }
    }
    // microsTextFromNs() puts the point three digits to the left, whatever the number counts.
    const std::string digits = best->ns == 1 ? std::to_string(time) : microsTextFromNs(time / (best->ns / 1'000));
    return digits + std::string(best->text);
}

}  // namespace warpline
