// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/timeline/counter_pyramid.h"

#include <algorithm>

namespace warpline::timeline {

template <class T>
CounterPyramid CounterPyramid::buildOf(std::span<const T> values) {
    CounterPyramid pyramid;
    if (values.size() <= kFanOut) {
        return pyramid;
    }
    std::vector<ValueRange> nodes((values.size() + kFanOut - 1) / kFanOut);
    for (size_t i = 0; i < values.size(); ++i) {
        nodes[i / kFanOut].add(values[i]);
    }
    pyramid.m_levels.push_back(std::move(nodes));
    while (pyramid.m_levels.back().size() > kFanOut) {
        const std::vector<ValueRange>& below = pyramid.m_levels.back();
        std::vector<ValueRange> level((below.size() + kFanOut - 1) / kFanOut);
        for (size_t i = 0; i < below.size(); ++i) {
            level[i / kFanOut].add(below[i]);
        }
        pyramid.m_levels.push_back(std::move(level));
    }
    return pyramid;
}

template <class T>
ValueRange CounterPyramid::rangeOf(std::span<const T> values, size_t first, size_t last) const {
    ValueRange result;
    size_t begin = first;
    size_t end = std::min(last, values.size());
    // Both ends are taken off until they stand at a node's border (the last node may be short), then the same is done
    // one level up.
    const auto takeEnds = [&](const auto& items) {
        while (begin < end && begin % kFanOut != 0) {
            result.add(items[begin++]);
        }
        while (begin < end && end % kFanOut != 0 && end != items.size()) {
            result.add(items[--end]);
        }
    };
    const auto takeAll = [&](const auto& items) {
        while (begin < end) {
            result.add(items[begin++]);
        }
    };
    if (m_levels.empty()) {
        takeAll(values);
        return result;
    }
    takeEnds(values);
    for (size_t level = 0; level < m_levels.size() && begin < end; ++level) {
        begin /= kFanOut;
        end = (end + kFanOut - 1) / kFanOut;
        if (level + 1 == m_levels.size()) {
            takeAll(m_levels[level]);
        } else {
            takeEnds(m_levels[level]);
        }
    }
    return result;
}

CounterPyramid CounterPyramid::build(std::span<const double> values) {
    return buildOf(values);
}

CounterPyramid CounterPyramid::build(std::span<const uint32_t> values) {
    return buildOf(values);
}

ValueRange CounterPyramid::range(std::span<const double> values, size_t first, size_t last) const {
    return rangeOf(values, first, last);
}

ValueRange CounterPyramid::range(std::span<const uint32_t> values, size_t first, size_t last) const {
    return rangeOf(values, first, last);
}

}  // namespace warpline::timeline
