// SPDX-License-Identifier: MIT
#pragma once
// Sorting what mostly is sorted: the rows of a track are a few ascending runs, one a lane. Merging runs costs
// n log(runs) comparisons in sequence, a fraction of a full sort.

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

namespace warpline {

/// Stable sort of `items` by finding its ascending runs and merging neighbours. `scratch` is working space, kept by the
/// caller so that it is allocated once.
template <class T, class Less>
void mergeRuns(std::span<T> items, std::vector<T>& scratch, Less less) {
    std::vector<size_t> bounds = {0};
    for (size_t i = 1; i < items.size(); ++i) {
        if (less(items[i], items[i - 1])) {
            bounds.push_back(i);
        }
    }
    bounds.push_back(items.size());
    if (bounds.size() <= 2) {
        return;
    }
    scratch.resize(std::max(scratch.size(), items.size()));
    std::span<T> from = items;
    std::span<T> to = std::span(scratch).first(items.size());
    while (bounds.size() > 2) {
        std::vector<size_t> merged = {0};
        for (size_t run = 0; run + 1 < bounds.size(); run += 2) {
            const auto first = from.begin() + static_cast<std::ptrdiff_t>(bounds[run]);
            const auto middle = from.begin() + static_cast<std::ptrdiff_t>(bounds[run + 1]);
            const size_t end = run + 2 < bounds.size() ? bounds[run + 2] : bounds[run + 1];
            const auto last = from.begin() + static_cast<std::ptrdiff_t>(end);
            std::merge(first, middle, middle, last, to.begin() + static_cast<std::ptrdiff_t>(bounds[run]), less);
            merged.push_back(end);
        }
        bounds = std::move(merged);
        std::swap(from, to);
    }
    if (from.data() != items.data()) {
        std::copy(from.begin(), from.end(), items.begin());
    }
}

}  // namespace warpline
