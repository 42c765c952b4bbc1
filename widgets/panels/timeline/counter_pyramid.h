// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Lowest and highest value of any stretch of a counter without visiting its points: a node stands for 16 of them.
// NaN (a gap) is left out. Immutable; const calls from any thread.

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace warpline::timeline {

struct ValueRange {
    double low = std::numeric_limits<double>::infinity();
    double high = -std::numeric_limits<double>::infinity();

    bool empty() const { return !(low <= high); }
    void add(double value) {
        // Written so that NaN changes nothing.
        low = value < low ? value : low;
        high = value > high ? value : high;
    }
    void add(const ValueRange& other) {
        low = other.low < low ? other.low : low;
        high = other.high > high ? other.high : high;
    }
    bool operator==(const ValueRange&) const = default;
};

class CounterPyramid {
public:
    CounterPyramid() = default;
    static CounterPyramid build(std::span<const double> values);
    static CounterPyramid build(std::span<const uint32_t> values);
    /// Over the points [first, last). REQUIRES: the values it was built from.
    ValueRange range(std::span<const double> values, size_t first, size_t last) const;
    ValueRange range(std::span<const uint32_t> values, size_t first, size_t last) const;

private:
    static constexpr size_t kFanOut = 16;
    template <class T>
    static CounterPyramid buildOf(std::span<const T> values);
    template <class T>
    ValueRange rangeOf(std::span<const T> values, size_t first, size_t last) const;

    std::vector<std::vector<ValueRange>> m_levels;
};

}  // namespace warpline::timeline
