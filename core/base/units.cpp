// SPDX-License-Identifier: MIT
#include "core/base/units.h"

#include <array>
#include <cmath>
#include <cstdio>

namespace warpline {

namespace {

struct Step {
    double size;
    const char* unit;
};

std::string fixed(double value, int decimals, std::string_view unit) {
    char text[400];
    const int length = std::snprintf(text, sizeof text, "%.*f", decimals, value);
    std::string out(text, static_cast<size_t>(length));
    if (!unit.empty()) {
        out += ' ';
        out += unit;
    }
    return out;
}

/// What `value` reads as with so many decimals.
double rounded(double value, int decimals) {
    const double scale = std::pow(10.0, decimals);
    return std::round(value * scale) / scale;
}

/// `magnitudeNs` >= 1000, or any with a fraction.
std::string durationText(double magnitudeNs) {
    if (rounded(magnitudeNs, 1) < 1000) {
        return fixed(magnitudeNs, 1, "ns");
    }
    static constexpr std::array<Step, 3> kSteps = {{{1e3, "µs"}, {1e6, "ms"}, {1e9, "s"}}};
    static constexpr std::array<double, 3> kLimits = {1000, 1000, 60};
    for (size_t i = 0; i < kSteps.size(); ++i) {
        const double value = magnitudeNs / kSteps[i].size;
        if (rounded(value, 3) < kLimits[i]) {
            return fixed(value, 3, kSteps[i].unit);
        }
    }
    // Whole tenths first, so that 119.96 s reads 2 min 0.0 s.
    const double tenths = std::round(magnitudeNs / 1e8);
    const double minutes = std::floor(tenths / 600);
    return fixed(minutes, 0, "min ") + fixed((tenths - minutes * 600) / 10, 1, "s");
}

}  // namespace

std::string formatDuration(DurationNs durationNs) {
    const bool negative = durationNs < 0;
    const uint64_t magnitude = negative ? 0 - static_cast<uint64_t>(durationNs) : static_cast<uint64_t>(durationNs);
    const std::string text =
        magnitude < 1000 ? std::to_string(magnitude) + " ns" : durationText(static_cast<double>(magnitude));
    return (negative ? "-" : "") + text;
}

std::string formatDuration(double durationNs) {
    if (!std::isfinite(durationNs)) {
        return "n/a";
    }
    const double magnitude = std::abs(durationNs);
    const std::string text =
        magnitude < 1000 && magnitude == std::floor(magnitude) ? fixed(magnitude, 0, "ns") : durationText(magnitude);
    return (durationNs < 0 ? "-" : "") + text;
}

std::string formatBytes(double bytes) {
    if (!std::isfinite(bytes)) {
        return "n/a";
    }
    static constexpr std::array<const char*, 7> kUnits = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    double value = std::abs(bytes);
    size_t unit = 0;
    while (unit + 1 < kUnits.size() && rounded(value, unit == 0 ? 0 : 2) >= 1024) {
        value /= 1024;
        ++unit;
    }
    return (bytes < 0 ? "-" : "") + fixed(value, unit == 0 ? 0 : 2, kUnits[unit]);
}

std::string formatCount(uint64_t count) {
    std::string out = std::to_string(count);
    for (size_t place = out.size(); place > 3;) {
        place -= 3;
        out.insert(place, 1, ',');
    }
    return out;
}

std::string formatCountOf(uint64_t count, std::string_view one, std::string_view many) {
    std::string out = formatCount(count) + ' ';
    if (count == 1) {
        out += one;
    } else if (many.empty()) {
        out += one;
        out += 's';
    } else {
        out += many;
    }
    return out;
}

std::string formatRatio(double ratio) {
    if (!std::isfinite(ratio)) {
        return "n/a";
    }
    return fixed(rounded(ratio * 100, 1) == 0 ? 0.0 : ratio * 100, 1, "%");
}

std::string formatRate(double perSecond, std::string_view unit) {
    if (!std::isfinite(perSecond)) {
        return "n/a";
    }
    static constexpr std::array<const char*, 7> kPrefixes = {"", "k", "M", "G", "T", "P", "E"};
    double value = std::abs(perSecond);
    size_t prefix = 0;
    const auto decimalsOf = [](double v) { return rounded(v, 2) < 10 ? 2 : (rounded(v, 1) < 100 ? 1 : 0); };
    while (prefix + 1 < kPrefixes.size() && rounded(value, decimalsOf(value)) >= 1000) {
        value /= 1000;
        ++prefix;
    }
    const bool whole = prefix == 0 && value == std::floor(value);
    return (perSecond < 0 ? "-" : "") +
           fixed(value, whole ? 0 : decimalsOf(value), kPrefixes[prefix] + std::string(unit));
}

}  // namespace warpline
