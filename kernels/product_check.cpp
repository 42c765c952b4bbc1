// SPDX-License-Identifier: MIT
#include "kernels/product_check.h"

#include <algorithm>
#include <cmath>
#include <random>

#include "kernels/input_values.h"

namespace warpline {

namespace {

constexpr uint32_t kSeedSigns = 3;
constexpr uint64_t kElements = 256;

/// A standard deviation of an element of C: the inputs are spread evenly over [-1, 1), so a product has variance 1/9.
double spread(uint64_t depth) {
    return std::sqrt(static_cast<double>(depth)) / 3;
}

}  // namespace

KernelCheck checkProduct(const std::vector<uint16_t>& c, uint64_t rows, uint64_t columns, uint64_t depth) {
    // Errors are measured by `spread`. An element carries the rounding to half precision: 2^-11 of its own size, which
    // is rarely above 5 spreads.
    const double unit = spread(depth);
    std::vector<double> signs(columns), bSigns(depth, 0.0);
    for (uint64_t n = 0; n < columns; ++n) {
        signs[n] = inputValue(n, kSeedSigns) < 0 ? -1 : 1;
    }
    for (uint64_t k = 0; k < depth; ++k) {
        for (uint64_t n = 0; n < columns; ++n) {
            bSigns[k] += inputValue(k * columns + n, kSeedB) * signs[n];
        }
    }
    std::vector<double> halves(65536);
    for (uint32_t bits = 0; bits < halves.size(); ++bits) {
        halves[bits] = halfValue(static_cast<uint16_t>(bits));
    }
    // In a row's sum the roundings of its elements add up like a random walk.
    const double rowTolerance = std::ldexp(8.0, -11) * std::sqrt(static_cast<double>(columns)) + 0.01;
    double worst = 0;
    bool finite = true;
    for (uint64_t m = 0; m < rows; ++m) {
        double got = 0, wanted = 0;
        for (uint64_t n = 0; n < columns; ++n) {
            got += halves[c[m * columns + n]] * signs[n];
        }
        for (uint64_t k = 0; k < depth; ++k) {
            wanted += inputValue(m * depth + k, kSeedA) * bSigns[k];
        }
        finite = finite && std::isfinite(got);
        worst = std::max(worst, std::abs(got - wanted) / (unit * rowTolerance));
    }
    std::mt19937_64 random(1);
    for (uint64_t i = 0; i < kElements; ++i) {
        const uint64_t place = random() % (rows * columns);
        const uint64_t m = place / columns, n = place % columns;
        double wanted = 0;
        for (uint64_t k = 0; k < depth; ++k) {
            wanted += inputValue(m * depth + k, kSeedA) * inputValue(k * columns + n, kSeedB);
        }
        const double error = std::abs(halves[c[place]] - wanted) / (unit * std::ldexp(8.0, -11));
        finite = finite && std::isfinite(error);
        worst = std::max(worst, error);
    }
    return {finite && worst <= 1, rows * columns, worst, 1,
            "all elements by random projection, 256 of them one by one, against the CPU; error in tolerances"};
}

}  // namespace warpline
