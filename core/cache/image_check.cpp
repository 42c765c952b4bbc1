// SPDX-License-Identifier: MIT
#include "core/cache/image_check.h"

#include <algorithm>
#include <functional>
#include <mutex>
#include <ranges>
#include <vector>

#include "core/base/parallel.h"

namespace warpline::cache {

namespace {

/// Without a way out in the middle, so that the compiler can take many values at once.
template <class Items, class Test>
bool all(const Items& items, Test test) {
    bool good = true;
    for (const auto& item : items) {
        good &= static_cast<bool>(test(item));
    }
    return good;
}

template <class Items, class Test>
bool allNeighbours(const Items& items, Test test) {
    bool good = true;
    for (size_t i = 1; i < items.size(); ++i) {
        good &= static_cast<bool>(test(items[i - 1], items[i]));
    }
    return good;
}

bool isHeldSpan(TimeNs begin, DurationNs duration) {
    return isHeldTime(begin) && duration >= 0 && duration <= kLatestTime - begin;
}

class Checker {
public:
    explicit Checker(const TraceData& data) : m_data(data), m_slices(data.slices), m_rows(data.slices.size()) {}

    // Each is by itself, so that they can run side by side; all but the first ones rely on lengths().
    bool lengths() const {
        const auto& s = m_slices;
        const size_t n = s.begin.size();
        return n < EventRow::kNoneValue && s.duration.size() == n && s.name.size() == n && s.category.size() == n &&
               s.kind.size() == n && s.flags.size() == n && s.track.size() == n && s.parent.size() == n &&
               s.depth.size() == n && s.correlation.size() == n && s.externalId.size() == n && s.shapes.size() == n &&
               s.sourceOffset.size() == n && s.sourceLength.size() == n &&
               m_data.launchedBy.size() == m_data.launched.size() && m_data.flowsByFrom.size() == m_data.flows.size() &&
               m_data.flowsByTo.size() == m_data.flows.size() && m_data.devicesById.size() == m_data.devices.size() &&
               !m_data.files.empty();
    }
    bool files() const {
        return all(m_data.devices, [&](const DeviceInfo& d) { return has(d.file); }) &&
               all(m_data.devicesById, [&](uint32_t i) { return i < m_data.devices.size(); }) &&
               all(m_data.files, [&](const FileInfo& f) { return hasRange(f.range); }) &&
               all(m_data.report.issues(), [&](const Issue& i) { return has(i.file); }) && hasRange(m_data.range) &&
               hasRange(m_data.initialView);
    }
    bool processes() const {
        return all(m_data.processes,
                   [&](const Process& p) {
                       return has(p.file) && hasText(p.pid) && hasText(p.name) && has(p.labels) && has(p.label) &&
                              all(p.tracks, [&](TrackId t) { return has(t); });
                   }) &&
               all(m_data.processOrder, [&](ProcessId p) { return p.valid() && has(p); });
    }
    bool tracks() const {
        const auto& lanes = m_data.lanes;
        uint64_t rows = 0;
        for (const Lane& lane : lanes) {
            if (lane.firstRow != rows) {
                return false;
            }
            rows += lane.count;
        }
        uint64_t tracked = 0;
        for (size_t i = 0; i < m_data.tracks.size(); ++i) {
            const Track& t = m_data.tracks[i];
            const uint64_t laneEnd = uint64_t{t.firstLane} + t.laneCount;
            const uint64_t rowEnd = uint64_t{t.firstRow} + t.sliceCount;
            const uint64_t instantEnd = uint64_t{t.firstInstant} + t.instantCount;
            if (!t.process.valid() || !has(t.process) || !hasText(t.tid) || !hasText(t.name) || !has(t.label) ||
                laneEnd > lanes.size() || rowEnd > m_rows || instantEnd > m_data.instants.size()) {
                return false;
            }
            uint64_t inLanes = 0;
            for (uint64_t lane = t.firstLane; lane < laneEnd; ++lane) {
                inLanes += lanes[lane].count;
            }
            const auto isThis = [&](TrackId id) { return id.value == i; };
            const auto instantTrack = [&](const Instant& instant) { return instant.track.value == i; };
            if (inLanes != t.sliceCount || (t.laneCount != 0 && lanes[t.firstLane].firstRow != t.firstRow) ||
                !all(std::span(m_slices.track).subspan(t.firstRow, t.sliceCount), isThis) ||
                !all(std::span(m_data.instants).subspan(t.firstInstant, t.instantCount), instantTrack)) {
                return false;
            }
            tracked += t.sliceCount;
        }
        return rows == m_rows && tracked == m_rows;
    }
    bool times() const {
        const auto& begin = m_slices.begin;
        const auto& duration = m_slices.duration;
        bool good = true;
        for (size_t row = 0; row < m_rows; ++row) {
            good &= isHeldSpan(begin[row], duration[row]);
        }
        if (!good) {
            return false;
        }
        for (const Lane& lane : m_data.lanes) {
            // Lanes are not known to be sound yet.
            const uint64_t end = std::min<uint64_t>(uint64_t{lane.firstRow} + lane.count, m_rows);
            for (uint64_t row = uint64_t{lane.firstRow} + 1; row < end; ++row) {
                good &= begin[row] >= begin[row - 1] + duration[row - 1];
            }
        }
        return good;
    }
    bool parents() const {
        const auto& s = m_slices;
        for (size_t row = 0; row < m_rows; ++row) {
            const EventRow parent = s.parent[row];
            if (!parent.valid()
                    ? s.depth[row] != 0
                    : !has(parent) || s.depth[parent.value] >= s.depth[row] ||
                          s.depth[parent.value] + 1 != s.depth[row] || s.track[parent.value] != s.track[row]) {
                return false;
            }
        }
        return true;
    }
    /// Relies on parents being rows.
    bool children() const {
        const auto& s = m_slices;
        const auto& children = m_data.children;
        const auto& known = m_data.selfDurations;
        if (!all(s.parent, [&](EventRow r) { return !r.valid() || has(r); }) ||
            !all(children, [&](EventRow r) { return has(r) && r.valid() && s.parent[r.value].valid(); }) ||
            !allNeighbours(children, [&](EventRow a, EventRow b) { return s.parent[a.value] <= s.parent[b.value]; }) ||
            static_cast<size_t>(std::ranges::count_if(s.parent, [](EventRow r) { return r.valid(); })) !=
                children.size() ||
            !all(known, [&](const SelfDuration& d) { return d.row.valid() && has(d.row); }) ||
            !allNeighbours(known, [](const SelfDuration& a, const SelfDuration& b) { return a.row < b.row; })) {
            return false;
        }
        // Who has many children is looked up without asking whether it is there.
        for (size_t first = 0; first < children.size();) {
            const EventRow parent = s.parent[children[first].value];
            size_t last = first;
            while (last < children.size() && s.parent[children[last].value] == parent) {
                ++last;
            }
            if (last - first > Trace::kFewChildren &&
                !std::ranges::binary_search(known, parent, {}, &SelfDuration::row)) {
                return false;
            }
            first = last;
        }
        return true;
    }
    bool names() const {
        const auto isText = [&](StringId id) { return has(id); };
        return all(m_slices.name, isText) && all(m_slices.category, isText) && all(m_slices.shapes, isText) &&
               all(m_slices.kind, [](EventKind k) { return static_cast<int>(k) < kEventKindCount; });
    }
    bool facts() const {
        const auto isRow = [&](const auto& item) { return item.row.valid() && has(item.row); };
        const auto inOrder = [](const auto& a, const auto& b) { return a.row < b.row; };
        const auto hasSound = [&](const auto& table) { return all(table, isRow) && allNeighbours(table, inOrder); };
        return hasSound(m_data.endSources) && hasSound(m_data.kernelFacts) && hasSound(m_data.copyFacts) &&
               hasSound(m_data.deviceLinks) &&
               all(m_data.deviceLinks, [&](const DeviceLink& l) { return has(l.launch) && has(l.op); });
    }
    bool links() const {
        const auto& flows = m_data.flows;
        const auto isRow = [&](EventRow r) { return r.valid() && has(r); };
        const auto isFlow = [&](uint32_t i) { return i < flows.size(); };
        return all(m_data.launchedBy, isRow) && all(m_data.launched, isRow) &&
               allNeighbours(m_data.launchedBy, [](EventRow a, EventRow b) { return a <= b; }) &&
               all(flows,
                   [&](const FlowArrow& f) {
                       return isRow(f.from) && isRow(f.to) && has(f.category) && has(f.id) && has(f.idScope);
                   }) &&
               all(m_data.flowsByFrom, isFlow) && all(m_data.flowsByTo, isFlow) &&
               allNeighbours(m_data.flowsByFrom,
                             [&](uint32_t a, uint32_t b) { return flows[a].from <= flows[b].from; }) &&
               allNeighbours(m_data.flowsByTo, [&](uint32_t a, uint32_t b) { return flows[a].to <= flows[b].to; }) &&
               all(m_data.danglingFlows, [&](const DanglingFlow& f) {
                   return isHeldTime(f.time) && has(f.category) && hasId(f.id) && has(f.idScope) && isTrack(f.track) &&
                          has(f.slice);
               });
    }
    bool points() const {
        return all(m_data.instants,
                   [&](const Instant& i) {
                       return isHeldTime(i.time) && has(i.name) && has(i.category) && isTrack(i.track);
                   }) &&
               all(m_data.asyncSlices,
                   [&](const AsyncSlice& a) {
                       return isHeldSpan(a.begin, std::max<DurationNs>(a.duration, 0)) &&
                              a.duration >= kUnknownDuration && has(a.name) && has(a.category) && hasId(a.id) &&
                              has(a.idScope) && isTrack(a.track);
                   }) &&
               all(m_data.asyncInstants,
                   [&](const AsyncInstant& a) {
                       return isHeldTime(a.time) && has(a.name) && has(a.category) && hasId(a.id) && has(a.idScope) &&
                              isTrack(a.track);
                   }) &&
               all(m_data.memoryEvents, [&](const MemoryEvent& m) {
                   return isHeldTime(m.time) && has(m.file) && (!m.track.valid() || has(m.track));
               });
    }
    bool counters() const {
        return all(m_data.counters, [&](const Counter& c) {
            return c.process.valid() && has(c.process) && has(c.name) && hasId(c.id) &&
                   all(c.series, [&](const CounterSeries& s) {
                       return has(s.name) && s.value.size() == s.time.size() &&
                              (s.whole.empty() || s.whole.size() == s.time.size()) &&
                              all(s.time, [](TimeNs t) { return isHeldTime(t); }) && std::ranges::is_sorted(s.time);
                   });
        });
    }

private:
    bool has(StringId id) const { return id.value < m_data.strings.size(); }
    bool has(FileId id) const { return id.value < m_data.files.size(); }
    /// None, or one that there is.
    bool has(ProcessId id) const { return !id.valid() || id.value < m_data.processes.size(); }
    bool has(TrackId id) const { return id.value < m_data.tracks.size(); }
    bool has(EventRow row) const { return !row.valid() || row.value < m_rows; }
    bool has(EventId id) const {
        return id.isNumber() ? id.number() <= EventId::kMaxNumber : id.bits() >> 1 < m_data.strings.size();
    }
    bool isTrack(TrackId id) const { return has(id); }
    bool hasText(const std::optional<StringId>& id) const { return !id || has(*id); }
    bool hasId(const std::optional<EventId>& id) const { return !id || has(*id); }
    static bool hasRange(const std::optional<TimeRange>& range) {
        return !range || (isHeldTime(range->begin) && isHeldTime(range->end) && range->begin <= range->end);
    }

    const TraceData& m_data;
    const SliceColumns& m_slices;
    const size_t m_rows;
};

}  // namespace

std::string firstFault(const TraceData& data, unsigned threads) {
    const Checker checker(data);
    if (!checker.lengths()) {
        return "columns differ in length";
    }
    struct Check {
        bool (Checker::*isSound)() const;
        const char* what;
    };
    const std::vector<Check> checks = {
        {&Checker::tracks, "tracks"},     {&Checker::times, "times of slices"}, {&Checker::parents, "parents"},
        {&Checker::children, "children"}, {&Checker::names, "names of slices"}, {&Checker::links, "links"},
        {&Checker::facts, "facts"},       {&Checker::points, "points"},         {&Checker::counters, "counters"},
        {&Checker::files, "files"},       {&Checker::processes, "processes"},
    };
    std::mutex mutex;
    size_t first = checks.size();
    parallelFor(checks.size(), threads, [&](size_t i) {
        if (!(checker.*checks[i].isSound)()) {
            const std::lock_guard lock(mutex);
            first = std::min(first, i);
        }
    });
    return first == checks.size() ? std::string() : std::string("unsound ") + checks[first].what;
}

}  // namespace warpline::cache
