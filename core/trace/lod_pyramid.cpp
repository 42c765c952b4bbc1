// SPDX-License-Identifier: MIT
#include "core/trace/lod_pyramid.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace warpline {

namespace {

/// Exact for any two times: the difference of distant ones does not fit in int64.
uint64_t distance(TimeNs from, TimeNs to) {
    return static_cast<uint64_t>(to) - static_cast<uint64_t>(from);
}

}  // namespace

LodPyramid LodPyramid::build(std::span<const TimeNs> begin, std::span<const DurationNs> duration) {
    assert(begin.size() == duration.size());
    LodPyramid pyramid;
    const size_t rows = begin.size();
    pyramid.m_rowCount = static_cast<uint32_t>(rows);
    if (rows <= kFanOut) {
        return pyramid;
    }
    std::vector<Node> nodes;
    nodes.reserve((rows + kFanOut - 1) / kFanOut);
    for (size_t first = 0; first < rows; first += kFanOut) {
        const size_t last = std::min(rows, first + kFanOut);
        Node node{begin[first], begin[last - 1] + duration[last - 1], 0, static_cast<uint32_t>(first),
                  static_cast<uint32_t>(last - first)};
        DurationNs longest = duration[first];
        for (size_t row = first; row < last; ++row) {
            node.busy += duration[row];
            if (duration[row] > longest) {
                longest = duration[row];
                node.longest = static_cast<uint32_t>(row);
            }
        }
        nodes.push_back(node);
    }
    pyramid.m_levels.push_back(std::move(nodes));
    while (pyramid.m_levels.back().size() > kFanOut) {
        const std::vector<Node>& below = pyramid.m_levels.back();
        std::vector<Node> level;
        level.reserve((below.size() + kFanOut - 1) / kFanOut);
        for (size_t first = 0; first < below.size(); first += kFanOut) {
            const size_t last = std::min(below.size(), first + kFanOut);
            Node node{below[first].begin, below[last - 1].end, 0, below[first].longest, 0};
            for (size_t i = first; i < last; ++i) {
                node.busy += below[i].busy;
                node.count += below[i].count;
                if (duration[below[i].longest] > duration[node.longest]) {
                    node.longest = below[i].longest;
                }
            }
            level.push_back(node);
        }
        pyramid.m_levels.push_back(std::move(level));
    }
    return pyramid;
}

/// One query. Small neighbours are put together when they lie in the same cell of a grid of pixels that is anchored at
/// the lane's first row, not at the view: so the grouping stays the same while the view is moved.
class LodPyramid::Collector {
public:
    Collector(const LodPyramid& pyramid, std::span<const TimeNs> begin, std::span<const DurationNs> duration,
              TimeRange view, double nsPerPixel, std::vector<LodBar>& out)
        : m_pyramid(pyramid),
          m_begin(begin),
          m_duration(duration),
          m_view(view),
          m_nsPerPixel(nsPerPixel > 0 ? nsPerPixel : 0),
          m_origin(begin.empty() ? 0 : begin[0]),
          m_out(out),
          m_firstOut(out.size()) {}

    void run() {
        if (m_pyramid.m_levels.empty()) {
            addRows(0, m_begin.size());
        } else {
            addNodes(m_pyramid.m_levels.size() - 1, 0, m_pyramid.m_levels.back().size());
        }
    }

private:
    bool isBefore(TimeNs end) const { return end < m_view.begin; }
    bool isAfter(TimeNs begin) const { return begin >= m_view.end; }
    bool fitsPixel(TimeNs begin, TimeNs end) const { return static_cast<double>(distance(begin, end)) <= m_nsPerPixel; }

    void addNodes(size_t level, size_t first, size_t last) {
        const std::vector<Node>& nodes = m_pyramid.m_levels[level];
        for (size_t i = first; i < last; ++i) {
            const Node& node = nodes[i];
            if (isAfter(node.begin)) {
                return;
            }
            if (isBefore(node.end)) {
                continue;
            }
            const size_t child = i * kFanOut;
            if (fitsPixel(node.begin, node.end)) {
                add({node.begin, node.end, node.longest, node.count, node.busy});
            } else if (level == 0) {
                addRows(child, std::min(child + kFanOut, m_begin.size()));
            } else {
                addNodes(level - 1, child, std::min(child + kFanOut, m_pyramid.m_levels[level - 1].size()));
            }
        }
    }

    void addRows(size_t first, size_t last) {
        for (size_t row = first; row < last; ++row) {
            const TimeNs begin = m_begin[row];
            const TimeNs end = begin + m_duration[row];
            if (isAfter(begin)) {
                return;
            }
            if (!isBefore(end)) {
                add({begin, end, static_cast<uint32_t>(row), 1, m_duration[row]});
            }
        }
    }

    void add(const LodBar& bar) {
        const bool small = static_cast<double>(distance(bar.begin, bar.end)) < m_nsPerPixel || bar.count > 1;
        if (!small) {
            m_cell = kNoCell;
            m_out.push_back(bar);
            return;
        }
        const double cell = std::floor(static_cast<double>(distance(m_origin, bar.begin)) / m_nsPerPixel);
        if (cell == m_cell && m_out.size() > m_firstOut && fitsPixel(m_out.back().begin, bar.end)) {
            LodBar& last = m_out.back();
            if (m_duration[bar.row] > m_duration[last.row]) {
                last.row = bar.row;
            }
            last.end = bar.end;
            last.count += bar.count;
            last.busy += bar.busy;
            return;
        }
        m_cell = cell;
        m_out.push_back(bar);
    }

    static constexpr double kNoCell = -1;
    const LodPyramid& m_pyramid;
    const std::span<const TimeNs> m_begin;
    const std::span<const DurationNs> m_duration;
    const TimeRange m_view;
    const double m_nsPerPixel;
    const TimeNs m_origin;
    std::vector<LodBar>& m_out;
    const size_t m_firstOut;
    double m_cell = kNoCell;  ///< where the last bar begins, if more may join it
};

void LodPyramid::collect(std::span<const TimeNs> begin, std::span<const DurationNs> duration, TimeRange view,
                         double nsPerPixel, std::vector<LodBar>& out) const {
    assert(begin.size() == m_rowCount && duration.size() == m_rowCount);
    Collector(*this, begin, duration, view, nsPerPixel, out).run();
}

uint64_t LodPyramid::memoryBytes() const {
    uint64_t bytes = 0;
    for (const std::vector<Node>& level : m_levels) {
        bytes += level.capacity() * sizeof(Node);
    }
    return bytes;
}

}  // namespace warpline
