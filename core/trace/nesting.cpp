// SPDX-License-Identifier: MIT
#include "core/trace/nesting.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <limits>
#include <queue>

#include "core/base/stoppable.h"

namespace warpline {

namespace {

constexpr TimeNs kFree = std::numeric_limits<TimeNs>::min();

/// Finds the first lane from a given one on that is free at a time. A tree of minima over the lanes' last ends, so that
/// a track of a million mutual overlaps does not take a million steps a slice.
class FreeLanes {
public:
    uint32_t take(uint32_t from, Interval slice) {
        uint32_t lane = from < m_capacity ? find(1, 0, m_capacity, from, slice.begin) : from;
        if (lane >= m_capacity) {
            grow(lane + 1);
        }
        uint32_t node = m_capacity + lane;
        m_min[node] = slice.end;
        for (node /= 2; node > 0; node /= 2) {
            m_min[node] = std::min(m_min[2 * node], m_min[2 * node + 1]);
        }
        return lane;
    }

private:
    /// First lane >= from below `node` (lanes [low, low + size)) whose last end is <= begin; m_capacity if none.
    uint32_t find(uint32_t node, uint32_t low, uint32_t size, uint32_t from, TimeNs begin) const {
        if (low + size <= from || m_min[node] > begin) {
            return m_capacity;
        }
        if (size == 1) {
            return low;
        }
        const uint32_t left = find(2 * node, low, size / 2, from, begin);
        return left < m_capacity ? left : find(2 * node + 1, low + size / 2, size / 2, from, begin);
    }
    void grow(uint32_t lanes) {
        const uint32_t capacity = std::bit_ceil(lanes);
        std::vector<TimeNs> tree(size_t{2} * capacity, kFree);
        std::copy_n(m_min.begin() + m_capacity, m_capacity, tree.begin() + capacity);
        for (uint32_t node = capacity - 1; node > 0; --node) {
            tree[node] = std::min(tree[2 * node], tree[2 * node + 1]);
        }
        m_min = std::move(tree);
        m_capacity = capacity;
    }
    uint32_t m_capacity = 1;
    std::vector<TimeNs> m_min = {kFree, kFree};
};

struct Open {
    Interval interval;
    uint32_t index;
};

bool isOver(const Interval& open, const Interval& slice) {
    const bool equalMoment = open.begin == slice.begin && open.end == slice.end;
    return open.end <= slice.begin && !equalMoment;
}

}  // namespace

std::optional<Nesting> nestSlices(const TrackSlices& slices, const JobControl& job) {
    const auto n = static_cast<uint32_t>(slices.size());
    StopPoll poll(job);
    Nesting out;
    out.parent.resize(n);
    out.depth.resize(n);
    // The stack's ends never increase upwards. A slice that ends before the new one can hold nothing that comes later
    // more tightly than the new one does, so it leaves; the top is then the innermost holder.
    std::vector<Open> stack;
    bool overlaps = false;
    for (uint32_t i = 0; i < n; ++i) {
        if (poll.stopRequested()) {
            return std::nullopt;
        }
        const Interval slice = slices[i];
        while (!stack.empty()) {
            const Interval& top = stack.back().interval;
            if (!isOver(top, slice)) {
                if (top.end >= slice.end) {
                    break;
                }
                overlaps = true;
            }
            stack.pop_back();
        }
        out.parent[i] = stack.empty() ? Nesting::kNoParent : stack.back().index;
        out.depth[i] = stack.empty() ? 0 : out.depth[stack.back().index] + 1;
        stack.push_back({slice, i});
    }
    if (!overlaps) {
        out.laneCount = n == 0 ? 0 : 1 + *std::ranges::max_element(out.depth);
        return out;
    }
    out.lane.resize(n);
    FreeLanes lanes;
    std::priority_queue<TimeNs, std::vector<TimeNs>, std::greater<>> openEnds;
    for (uint32_t i = 0; i < n; ++i) {
        if (poll.stopRequested()) {
            return std::nullopt;
        }
        const Interval slice = slices[i];
        while (!openEnds.empty() && openEnds.top() <= slice.begin) {
            openEnds.pop();
        }
        if (!openEnds.empty() && openEnds.top() < slice.end) {
            out.overlapping.push_back(i);
        }
        openEnds.push(slice.end);
        const uint32_t below = out.parent[i] == Nesting::kNoParent ? 0 : out.lane[out.parent[i]] + 1;
        out.lane[i] = lanes.take(below, slice);
        out.laneCount = std::max(out.laneCount, out.lane[i] + 1);
    }
    return out;
}

}  // namespace warpline
