// SPDX-License-Identifier: MIT
#include "core/analyses/area_summary.h"

#include <algorithm>
#include <array>
#include <functional>
#include <iterator>
#include <set>
#include <tuple>
#include <utility>

#include "core/analyses/device_lanes.h"
#include "core/analyses/intervals.h"
#include "core/base/stoppable.h"
#include "core/trace/unrecorded.h"

namespace warpline {

namespace {

/// The longest of many; of equals, which of them come in is left open, but is the same each time.
template <class Item, auto LengthOf>
class Longest {
public:
    explicit Longest(size_t most) : m_most(most) {}
    bool takes(const Item& item) const {
        return m_heap.size() < m_most || std::invoke(LengthOf, item) > std::invoke(LengthOf, m_heap.front());
    }
    void add(const Item& item) {
        if (!takes(item)) {
            return;
        }
        if (m_heap.size() == m_most) {
            std::ranges::pop_heap(m_heap, std::greater(), LengthOf);
            m_heap.pop_back();
        }
        m_heap.push_back(item);
        std::ranges::push_heap(m_heap, std::greater(), LengthOf);
    }
    /// The longest first, then by `order`.
    template <class Order>
    std::vector<Item> sorted(Order order) && {
        std::ranges::sort(m_heap, {},
                          [&](const Item& item) { return std::pair(-std::invoke(LengthOf, item), order(item)); });
        return std::move(m_heap);
    }

private:
    size_t m_most;
    std::vector<Item> m_heap;  ///< its front is the shortest
};

enum Sort : uint8_t { kCompute, kCopy };
constexpr size_t kSorts = 2;

/// Goes through the work of one device by begin. What overlaps is told by what has gone before: a new piece runs beside
/// a group of earlier ones for as long as the latest of their ends reaches.
class Sweep {
public:
    Sweep(const Trace& trace, const DeviceLanes& lanes, TimeRange range, const JobControl& job)
        : m_trace(trace), m_slices(trace.slices()), m_lanes(lanes), m_job(job), m_poll(job) {
        m_out.process = lanes.process;
        m_out.range = range;
    }

    /// nullopt when stopped.
    std::optional<DeviceArea> compute() {
        const auto begin = [this](uint32_t row) { return m_slices.begin[row]; };
        const bool done = collect() && stableSortByKeyUnlessStopped(m_rows, begin, m_job) && measureBusy() &&
                          measureStreams() && measureSorts();
        return done ? std::optional(std::move(m_out)) : std::nullopt;
    }

private:
    TimeRange inside(uint32_t row) const {
        return TimeRange{m_slices.begin[row], m_slices.end(row)}.intersected(m_out.range);
    }

    /// Calls visit(row, its part of the range) by begin.
    template <class Visit>
    bool forEachRow(Visit visit) {
        for (const uint32_t row : m_rows) {
            if (m_poll.stopRequested()) {
                return false;
            }
            visit(row, inside(row));
        }
        return true;
    }

    bool collect() {
        const TimeRange range = m_out.range;
        const auto take = [&](uint32_t row) {
            if ((m_slices.flags[row] & kSliceNoEnd) != 0) {
                m_out.unknownEnds += range.contains(m_slices.begin[row]) ? 1 : 0;
            } else if (!inside(row).empty()) {
                m_rows.push_back(row);
            }
        };
        for (const StreamLanes& stream : m_lanes.streams) {
            for (const uint32_t index : stream.lanes) {
                const Lane& lane = m_trace.lanes()[index];
                const TimeNs* const begins = m_slices.begin.data();
                const TimeNs* const first = begins + lane.firstRow;
                const TimeNs* const last = first + lane.count;
                // Rows of a lane do not overlap: of those that begin before, the last alone can reach into the range.
                const TimeNs* const after = std::upper_bound(first, last, range.begin);
                const TimeNs* const end = std::lower_bound(first, last, range.end);
                const auto from = static_cast<uint32_t>(after - begins) - (after > first ? 1 : 0);
                if (!forEachWork(m_slices, from, static_cast<uint32_t>(end - begins), m_poll, take)) {
                    return false;
                }
            }
        }
        m_out.workCount = m_rows.size();
        return true;
    }

    bool measureBusy() {
        Longest<TimeRange, &TimeRange::length> gaps(DeviceArea::kMostGaps);
        UnionLength busy;
        TimeNs reached = m_out.range.begin;
        const std::vector<TimeRange> unrecorded = unrecordedTimes(m_trace, m_trace.process(m_lanes.process).file);
        auto next = unrecorded.begin();
        const auto addIdle = [&](TimeRange gap) {
            if (!gap.empty()) {
                gaps.add(gap);
                ++m_out.gapCount;
                m_out.idleNs += gap.length();
            }
        };
        const auto addGapUntil = [&](TimeNs end) {
            TimeNs from = reached;
            while (next != unrecorded.end() && next->end <= from) {
                ++next;
            }
            for (auto piece = next; piece != unrecorded.end() && piece->begin < end && from < end; ++piece) {
                addIdle({from, piece->begin});
                const TimeRange lost = piece->intersected({from, end});
                m_out.unrecordedNs += lost.length();
                from = std::max(from, lost.end);
            }
            addIdle({from, end});
        };
        const bool done = forEachRow([&](uint32_t, TimeRange work) {
            addGapUntil(work.begin);
            reached = std::max(reached, work.end);
            busy.add(work);
        });
        addGapUntil(m_out.range.end);
        m_out.busyNs = busy.ns();
        m_out.longestGaps = std::move(gaps).sorted([](const TimeRange& gap) { return gap.begin; });
        return done;
    }

    bool measureStreams() {
        std::vector<UnionLength> busy(m_trace.tracks().size());
        if (!forEachRow([&](uint32_t row, TimeRange work) { busy[m_slices.track[row].value].add(work); })) {
            return false;
        }
        for (const StreamLanes& stream : m_lanes.streams) {
            if (const DurationNs ns = busy[stream.track.value].ns(); ns > 0) {
                m_out.streams.push_back({stream.track, ns});
            }
        }
        std::ranges::stable_sort(m_out.streams, std::greater(), &StreamShare::busyNs);

        return m_out.streams.size() < 2 || compareStreams();
    }

    bool compareStreams() {
        constexpr size_t kMost = DeviceArea::kMostStreams;
        const size_t compared = std::min(m_out.streams.size(), kMost);
        std::vector<size_t> placeOf(m_trace.tracks().size(), kMost);
        for (size_t i = 0; i < compared; ++i) {
            placeOf[m_out.streams[i].stream.value] = i;
        }
        std::array<TimeNs, kMost> latestEnd;
        latestEnd.fill(kEarliestTime);
        std::array<std::array<UnionLength, kMost>, kMost> both;  // [a][b], a < b
        const auto add = [&](uint32_t row, TimeRange work) {
            const size_t own = placeOf[m_slices.track[row].value];
            if (own == kMost) {
                return;
            }
            for (size_t other = 0; other < compared; ++other) {
                if (other != own) {
                    UnionLength& length = both[std::min(own, other)][std::max(own, other)];
                    length.add({work.begin, std::min(work.end, latestEnd[other])});
                }
            }
            latestEnd[own] = std::max(latestEnd[own], work.end);
        };
        if (!forEachRow(add)) {
            return false;
        }
        for (size_t a = 0; a < compared; ++a) {
            for (size_t b = a + 1; b < compared; ++b) {
                if (const DurationNs ns = both[a][b].ns(); ns > 0) {
                    m_out.streamOverlaps.push_back({m_out.streams[a].stream, m_out.streams[b].stream, ns});
                }
            }
        }
        std::ranges::stable_sort(m_out.streamOverlaps, std::greater(), &StreamOverlap::ns);
        return true;
    }

    /// Work that has begun and not ended, by its end. A tree, as the order of ends is any.
    using Running = std::set<std::pair<TimeNs, uint32_t>>;

    bool measureSorts() {
        struct Overlap {
            UnionLength ns;
            uint64_t pairCount = 0;
            Longest<WorkPair, &WorkPair::overlapNs> longest{WorkOverlap::kMostListed};
        };
        std::array<Overlap, 2 * kSorts - 1> overlaps;  // by the sum of both sorts
        std::array<UnionLength, kSorts> busy;
        std::array<Running, kSorts> running;
        for (size_t i = 0; i < m_rows.size(); ++i) {
            if (m_poll.stopRequested()) {
                return false;
            }
            const uint32_t row = m_rows[i];
            const TimeRange work = inside(row);
            const Sort own = m_slices.kind[row] == EventKind::Memcpy ? kCopy : kCompute;
            for (size_t other = 0; other < kSorts; ++other) {
                Overlap& overlap = overlaps[own + other];
                Running& earlier = running[other];
                earlier.erase(earlier.begin(), earlier.lower_bound({work.begin + 1, 0}));
                overlap.ns.add({work.begin, std::min(work.end, busy[other].reached())});
                overlap.pairCount += earlier.size();
                // From the one that reaches farthest on, until one does not come into the list: nor do the rest.
                for (auto it = earlier.rbegin(); it != earlier.rend(); ++it) {
                    const WorkPair pair = {EventRow(it->second), EventRow(row),
                                           std::min(it->first, work.end) - work.begin};
                    if (!overlap.longest.takes(pair)) {
                        break;
                    }
                    overlap.longest.add(pair);
                }
            }
            busy[own].add(work);
            // Most work has ended when the next begins, and need not be put into the tree.
            if (i + 1 < m_rows.size() && inside(m_rows[i + 1]).begin < work.end) {
                running[own].emplace(work.end, row);
            }
        }
        m_out.computeNs = busy[kCompute].ns();
        m_out.copyNs = busy[kCopy].ns();
        const auto move = [](Overlap& from, WorkOverlap& to) {
            to.ns = from.ns.ns();
            to.pairCount = from.pairCount;
            to.longest = std::move(from.longest).sorted([](const WorkPair& p) { return std::pair(p.first, p.second); });
        };
        move(overlaps[kCompute + kCompute], m_out.computeCompute);
        move(overlaps[kCompute + kCopy], m_out.copyCompute);
        move(overlaps[kCopy + kCopy], m_out.copyCopy);
        return true;
    }

    const Trace& m_trace;
    const SliceColumns& m_slices;
    const DeviceLanes& m_lanes;
    const JobControl& m_job;
    StopPoll m_poll;
    std::vector<uint32_t> m_rows;  ///< that take time inside the range
    DeviceArea m_out;
};

}  // namespace

std::optional<double> DeviceArea::busyRatio() const {
    return range.empty() ? std::nullopt
                         : std::optional(static_cast<double>(busyNs) / static_cast<double>(range.length()));
}

Result<std::vector<DeviceArea>> computeAreaSummary(const Trace& trace, TimeRange range, std::span<const TrackId> tracks,
                                                   JobControl& job) {
    const std::optional<std::vector<DeviceLanes>> devices = deviceLanes(trace, tracks, job);
    if (!devices) {
        return Error::cancelled();
    }
    const TimeRange held = range.intersected({kEarliestTime, kLatestTime});
    std::vector<DeviceArea> out;
    for (const DeviceLanes& lanes : *devices) {
        std::optional<DeviceArea> area = Sweep(trace, lanes, held, job).compute();
        if (!area) {
            return Error::cancelled();
        }
        out.push_back(std::move(*area));
    }
    return out;
}

}  // namespace warpline
