// SPDX-License-Identifier: MIT
#include "core/trace/lod_pyramid.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

namespace warpline {

namespace {

/// Exact for any two times: the difference of distant ones does not fit in int64.
uint64_t distance(TimeNs from, TimeNs to) {
    return static_cast<uint64_t>(to) - static_cast<uint64_t>(from);
}

/// More than any trace is long; fits in 64 bits.
constexpr double kMaxPixel = 1.8e19;

/// Of what is not negative, without the calls that std::floor() and std::ceil() are where the processor is not named.
double wholeBelow(double x) {
    constexpr double kFits = 9e18;
    return x < kFits ? static_cast<double>(static_cast<int64_t>(x)) : x;
}
double wholeAbove(double x) {
    const double whole = wholeBelow(x);
    return whole < x ? whole + 1 : whole;
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
          m_nsPerPixel(std::clamp(nsPerPixel, 0.0, kMaxPixel)),
          m_pixelFloor(static_cast<uint64_t>(m_nsPerPixel)),
          m_pixelCeil(static_cast<uint64_t>(std::ceil(m_nsPerPixel))),
          m_origin(begin.empty() ? 0 : begin[0]),
          m_out(out) {}

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
    bool fitsPixel(TimeNs begin, TimeNs end) const { return distance(begin, end) <= m_pixelFloor; }

    void addNodes(size_t level, size_t first, size_t last) {
        const std::vector<Node>& nodes = m_pyramid.m_levels[level];
        size_t rowsPerNode = kFanOut;
        for (size_t below = 0; below < level; ++below) {
            rowsPerNode *= kFanOut;
        }
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
                add({node.begin, node.end, node.longest, static_cast<uint32_t>(i * rowsPerNode), node.count,
                     node.busy});
            } else if (level == 0) {
                addRows(child, std::min(child + kFanOut, m_begin.size()));
            } else {
                addNodes(level - 1, child, std::min(child + kFanOut, m_pyramid.m_levels[level - 1].size()));
            }
        }
    }

    void addRows(size_t first, size_t last) {
        for (size_t row = first; row < last;) {
            const TimeNs begin = m_begin[row];
            const TimeNs end = begin + m_duration[row];
            if (isAfter(begin)) {
                return;
            }
            if (isBefore(end)) {
                ++row;
                continue;
            }
            add({begin, end, static_cast<uint32_t>(row), static_cast<uint32_t>(row), 1, m_duration[row]});
            row = joinRows(row + 1, last);
        }
    }

    /// The rows from here on that add() would join to the last bar, without its bookkeeping: where a view is so wide
    /// that rows are smaller than a pixel and nodes are not, nearly all of them are. Returns the first that is not.
    size_t joinRows(size_t row, size_t last) {
        LodBar bar = m_out.back();
        DurationNs longest = m_duration[bar.row];
        const TimeNs limit = std::min(m_cellEnd, m_view.end);
        const size_t first = row;
        for (; row < last; ++row) {
            const TimeNs begin = m_begin[row];
            const DurationNs duration = m_duration[row];
            const TimeNs end = begin + duration;
            if (begin >= limit || static_cast<uint64_t>(duration) >= m_pixelCeil || !fitsPixel(bar.begin, end)) {
                break;
            }
            if (duration > longest) {
                longest = duration;
                bar.row = static_cast<uint32_t>(row);
            }
            bar.end = end;
            bar.busy += duration;
        }
        if (row != first) {
            bar.count += static_cast<uint32_t>(row - first);
            m_out.back() = bar;
        }
        return row;
    }

    void add(const LodBar& bar) {
        const bool small = bar.count > 1 || distance(bar.begin, bar.end) < m_pixelCeil;
        if (small && bar.begin < m_cellEnd && fitsPixel(m_out.back().begin, bar.end)) {
            LodBar& last = m_out.back();
            if (m_duration[bar.row] > m_duration[last.row]) {
                last.row = bar.row;
            }
            last.end = bar.end;
            last.count += bar.count;
            last.busy += bar.busy;
            return;
        }
        m_cellEnd = small ? cellEndAfter(bar.begin) : kNoCell;
        m_out.push_back(bar);
    }

    /// Where the grid's cell that holds `time` ends; divides, so it is asked once a bar and not once a row.
    TimeNs cellEndAfter(TimeNs time) const {
        if (m_pixelFloor == 0) {
            return time == std::numeric_limits<TimeNs>::max() ? time : time + 1;
        }
        const uint64_t from = distance(m_origin, time);
        const uint64_t room = distance(m_origin, std::numeric_limits<TimeNs>::max());
        const double cell = wholeBelow(static_cast<double>(from) / m_nsPerPixel);
        const double rounded = wholeAbove((cell + 1) * m_nsPerPixel);
        uint64_t end = rounded < static_cast<double>(room) ? static_cast<uint64_t>(rounded) : room;
        if (end <= from) {
            // So far out a double does not tell pixels apart.
            end = room - from > m_pixelFloor ? from + m_pixelFloor : room;
        }
        return static_cast<TimeNs>(static_cast<uint64_t>(m_origin) + end);
    }

    static constexpr TimeNs kNoCell = std::numeric_limits<TimeNs>::min();
    const LodPyramid& m_pyramid;
    const std::span<const TimeNs> m_begin;
    const std::span<const DurationNs> m_duration;
    const TimeRange m_view;
    const double m_nsPerPixel;
    const uint64_t m_pixelFloor;  ///< whole ns that fit in a pixel
    const uint64_t m_pixelCeil;   ///< a slice is smaller than a pixel if it is shorter
    const TimeNs m_origin;
    std::vector<LodBar>& m_out;
    TimeNs m_cellEnd = kNoCell;  ///< the last bar may be joined by what begins before
};

void LodPyramid::collect(std::span<const TimeNs> begin, std::span<const DurationNs> duration, TimeRange view,
                         double nsPerPixel, std::vector<LodBar>& out) const {
    assert(begin.size() == m_rowCount && duration.size() == m_rowCount);
    Collector(*this, begin, duration, view, nsPerPixel, out).run();
}

DurationNs LodPyramid::busyWithin(std::span<const TimeNs> begin, std::span<const DurationNs> duration,
                                  TimeRange range) const {
    assert(begin.size() == m_rowCount && duration.size() == m_rowCount);
    if (range.empty()) {
        return 0;
    }
    // Rows that begin in the range, and the one before, which may reach into it.
    const auto rowAt = [&](TimeNs time) {
        return static_cast<size_t>(std::lower_bound(begin.begin(), begin.end(), time) - begin.begin());
    };
    const auto partOf = [&](size_t row) {
        return TimeRange{begin[row], begin[row] + duration[row]}.intersected(range).length();
    };
    size_t first = rowAt(range.begin);
    size_t last = rowAt(range.end);
    DurationNs busy = first > 0 ? partOf(first - 1) : 0;
    if (first < last) {
        busy += partOf(--last);
    }
    // All of these lie inside. What stands beside whole nodes is taken off, then the same one level up.
    const auto takeEnds = [&](auto busyOf, bool isTop) {
        while (first < last && (isTop || first % kFanOut != 0)) {
            busy += busyOf(first++);
        }
        while (first < last && last % kFanOut != 0) {
            busy += busyOf(--last);
        }
    };
    takeEnds([&](size_t row) { return duration[row]; }, m_levels.empty());
    for (size_t level = 0; level < m_levels.size() && first < last; ++level) {
        first /= kFanOut;
        last /= kFanOut;
        takeEnds([&](size_t node) { return m_levels[level][node].busy; }, level + 1 == m_levels.size());
    }
    return busy;
}

}  // namespace warpline
