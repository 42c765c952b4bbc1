// SPDX-License-Identifier: MIT
// Sealing: which call launched which device work, which op it belongs to, and the arrows.

#include <algorithm>
#include <functional>
#include <span>
#include <tuple>
#include <unordered_set>
#include <vector>

#include "core/base/stoppable.h"
#include "core/trace/flow_binding.h"
#include "core/trace/trace_builder_state.h"

namespace warpline {

namespace {

/// Rows that can be found by a number of their file: by it, then by begin.
class RowsByNumber {
public:
    explicit RowsByNumber(const SliceColumns& slices) : m_slices(slices) {}
    void add(FileId file, uint64_t number, uint32_t row) { m_entries.push_back({number, file.value, row}); }
    bool sort(const JobControl& job) {
        const auto place = [this](const Entry& e) {
            return std::tuple(e.file, e.number, m_slices.begin[e.row], e.row);
        };
        return stableSortByKeyUnlessStopped(m_entries, place, job);
    }
    /// The nearest row with this number at or before `time`, else the nearest after it. Quick if the numbers asked for
    /// rise, as those of a stream's work do.
    EventRow findNearest(FileId file, uint64_t number, TimeNs time) {
        const auto keyOf = [](const Entry& e) { return std::pair(e.file, e.number); };
        const auto key = std::pair(file.value, number);
        size_t first = m_last;
        // From the last place on in steps that double.
        if (first < m_entries.size() && keyOf(m_entries[first]) < key) {
            size_t step = 1;
            while (first + step < m_entries.size() && keyOf(m_entries[first + step]) < key) {
                first += step;
                step *= 2;
            }
            const auto end = m_entries.begin() + std::min(first + step + 1, m_entries.size());
            first = static_cast<size_t>(std::ranges::lower_bound(m_entries.begin() + first, end, key, {}, keyOf) -
                                        m_entries.begin());
        } else {
            first = static_cast<size_t>(
                std::ranges::lower_bound(m_entries.begin(), m_entries.begin() + first, key, {}, keyOf) -
                m_entries.begin());
        }
        m_last = first;
        const auto rest = std::span(m_entries).subspan(first);
        if (rest.empty() || keyOf(rest.front()) != key) {
            return EventRow::none();
        }
        if (rest.size() == 1 || keyOf(rest[1]) != key) {
            return EventRow(rest.front().row);
        }
        const auto same =
            rest.first(static_cast<size_t>(std::ranges::upper_bound(rest, key, {}, keyOf) - rest.begin()));
        const auto beginOf = [this](const Entry& e) { return m_slices.begin[e.row]; };
        const auto after = std::ranges::upper_bound(same, time, {}, beginOf);
        return EventRow(after == same.begin() ? after->row : (after - 1)->row);
    }

private:
    struct Entry {
        uint64_t number;
        uint32_t file;
        uint32_t row;
    };
    const SliceColumns& m_slices;
    EventColumn<Entry> m_entries;
    size_t m_last = 0;  ///< where the number asked for last is, or would be
};

/// A set of numbers, most of them small.
class NumberSet {
public:
    void add(uint64_t number) {
        if (number >= kSmall) {
            m_large.insert(number);
            return;
        }
        if (number >= m_small.size()) {
            m_small.resize(std::min(kSmall, number * 2 + 64));
        }
        m_small[number] = true;
    }
    bool contains(uint64_t number) const {
        return number < kSmall ? number < m_small.size() && m_small[number] : m_large.contains(number);
    }

private:
    static constexpr uint64_t kSmall = uint64_t{1} << 28;
    std::vector<bool> m_small;
    std::unordered_set<uint64_t> m_large;
};

struct Launch {
    EventRow call;
    EventRow work;
};

struct PlacedArrow {
    TimeNs fromBegin = 0;
    TimeNs toBegin = 0;
    FlowPair pair;
};

/// The numbers of the arrows by a row of each, those of one row as they come.
bool orderByRow(std::span<const FlowArrow> arrows, EventRow FlowArrow::*row, EventColumn<uint32_t>& order,
                const JobControl& job) {
    struct Entry {
        uint32_t row;
        uint32_t arrow;
    };
    EventColumn<Entry> entries;
    for (uint32_t i = 0; i < arrows.size(); ++i) {
        entries.push_back({(arrows[i].*row).value, i});
    }
    if (!stableSortByKeyUnlessStopped(entries, std::mem_fn(&Entry::row), job)) {
        return false;
    }
    for (const Entry& entry : entries) {
        order.push_back(entry.arrow);
    }
    return true;
}

/// A call that puts work on a device.
bool launchesWork(std::string_view name) {
    return name.find("Launch") != std::string_view::npos || name.find("Memcpy") != std::string_view::npos ||
           name.find("Memset") != std::string_view::npos;
}

}  // namespace

bool TraceBuilder::State::linkDeviceWork(const JobControl& job) {
    const SliceColumns& s = data->slices;
    RowsByNumber calls(s);
    RowsByNumber ops(s);
    EventColumn<uint32_t> deviceSide;
    NumberSet wanted;  // of all files: External ids that something on a device has
    StopPoll poll(job);
    for (uint32_t i = 0; i < s.size(); ++i) {
        if (poll.stopRequested()) {
            return false;
        }
        if (isApiCall(s.kind[i])) {
            if (s.correlation[i] != kNoCorrelation) {
                calls.add(fileOf(s.track[i]), s.correlation[i], i);
            }
        } else if (isDeviceSide(s.kind[i])) {
            deviceSide.push_back(i);
            if (s.externalId[i] != kNoExternalId) {
                wanted.add(s.externalId[i]);
            }
        }
    }
    for (uint32_t i = 0; i < s.size(); ++i) {
        if (poll.stopRequested()) {
            return false;
        }
        const bool canBeOp = s.kind[i] == EventKind::CpuOp || s.kind[i] == EventKind::Annotation;
        if (canBeOp && s.externalId[i] != kNoExternalId && wanted.contains(s.externalId[i])) {
            ops.add(fileOf(s.track[i]), s.externalId[i], i);
        }
    }
    if (!calls.sort(job) || !ops.sort(job)) {
        return false;
    }
    EventColumn<Launch> launches;
    for (const uint32_t i : deviceSide) {
        if (poll.stopRequested()) {
            return false;
        }
        const FileId file = fileOf(s.track[i]);
        DeviceLink link{EventRow(i), EventRow::none(), EventRow::none()};
        if (isDeviceWork(s.kind[i])) {
            if (s.correlation[i] != kNoCorrelation) {
                link.launch = calls.findNearest(file, s.correlation[i], s.begin[i]);
            }
            if (link.launch.valid()) {
                launches.push_back({link.launch, link.row});
            } else {
                report("orphan_kernel", Severity::Info, s.track[i], s.source(i), [&] { return quotedName(i); });
            }
        }
        // A sync record's External id that equals its own correlation id says nothing about an op.
        const bool ownNumber = s.kind[i] == EventKind::Sync && s.externalId[i] == s.correlation[i];
        if (s.externalId[i] != kNoExternalId && !ownNumber) {
            link.op = ops.findNearest(file, s.externalId[i], s.begin[i]);
        }
        data->deviceLinks.push_back(link);
    }
    const auto launchPlace = [&s](const Launch& l) {
        return std::tuple(l.call.value, s.begin[l.work.value], l.work.value);
    };
    if (!stableSortByKeyUnlessStopped(launches, launchPlace, job)) {
        return false;
    }
    for (const auto& [call, work] : launches) {
        data->launchedBy.push_back(call);
        data->launched.push_back(work);
    }
    std::vector<uint8_t> nameLaunches(data->strings.size(), 2);  // 2: not looked at yet
    std::vector<uint32_t> workOfFile(data->files.size(), 0);
    std::vector<uint32_t> callsOfFile(data->files.size(), 0);
    for (const uint32_t i : deviceSide) {
        workOfFile[fileOf(s.track[i]).value] += isDeviceWork(s.kind[i]) ? 1 : 0;
    }
    size_t nextLaunch = 0;
    for (uint32_t i = 0; i < s.size(); ++i) {
        if (poll.stopRequested()) {
            return false;
        }
        if (!isApiCall(s.kind[i])) {
            continue;
        }
        uint8_t& known = nameLaunches[s.name[i].value];
        if (known == 2) {
            known = launchesWork(data->strings.view(s.name[i])) ? 1 : 0;
        }
        while (nextLaunch < data->launchedBy.size() && data->launchedBy[nextLaunch].value < i) {
            ++nextLaunch;
        }
        const bool hasWork = nextLaunch < data->launchedBy.size() && data->launchedBy[nextLaunch].value == i;
        if (known == 1) {
            ++callsOfFile[fileOf(s.track[i]).value];
            if (!hasWork) {
                report("orphan_launch", Severity::Info, s.track[i], s.source(i), [&] { return quotedName(i); });
            }
        }
    }
    for (size_t file = 0; file < data->files.size(); ++file) {
        if (callsOfFile[file] > 0 && workOfFile[file] == 0) {
            report(FileId(file), "no_device_activity", Severity::Warning);
        }
    }
    return true;
}

bool TraceBuilder::State::bindFlows(const JobControl& job) {
    std::vector<FileId> fileOfTrack;
    for (size_t t = 0; t < data->tracks.size(); ++t) {
        fileOfTrack.push_back(fileOf(TrackId(t)));
    }
    const std::optional<FlowPairs> paired = pairFlows({flows, flowSlices, fileOfTrack}, job);
    if (!paired) {
        return false;
    }
    const FlowPairs& pairs = *paired;
    for (const uint32_t i : pairs.dangling) {
        const FlowRecord& f = flows[i];
        data->danglingFlows.push_back(
            {f.phase, f.bindsToEnclosing, f.time, f.category, f.id, f.idScope, f.track, flowSlices[i], f.source});
    }
    const SliceColumns& s = data->slices;
    EventColumn<PlacedArrow> placed;
    for (const FlowPair& pair : pairs.pairs) {
        placed.push_back({s.begin[flowSlices[pair.from].value], s.begin[flowSlices[pair.to].value], pair});
    }
    const auto place = [](const PlacedArrow& a) { return std::pair(a.fromBegin, a.toBegin); };
    if (!stableSortByKeyUnlessStopped(placed, place, job)) {
        return false;
    }
    for (const PlacedArrow& arrow : placed) {
        const FlowRecord& from = flows[arrow.pair.from];
        data->flows.push_back(
            {flowSlices[arrow.pair.from], flowSlices[arrow.pair.to], from.category, *from.id, from.idScope});
    }
    flows.clear();
    flowSlices.clear();
    return orderByRow(data->flows, &FlowArrow::from, data->flowsByFrom, job) &&
           orderByRow(data->flows, &FlowArrow::to, data->flowsByTo, job);
}

bool TraceBuilder::State::reportDanglingFlows(const JobControl& job) {
    StopPoll poll(job);
    for (const DanglingFlow& f : data->danglingFlows) {
        if (poll.stopRequested()) {
            return false;
        }
        report("dangling_flow", Severity::Info, f.track, f.source,
               [&] { return f.id ? "id " + idText(*f.id) : std::string("no id"); });
    }
    return true;
}

bool TraceBuilder::State::checkStreams(const JobControl& job) {
    const SliceColumns& s = data->slices;
    std::vector<uint32_t> work;
    StopPoll poll(job);
    for (size_t t = 0; t < data->tracks.size(); ++t) {
        const Track& track = data->tracks[t];
        if (!track.isDevice) {
            continue;
        }
        work.clear();
        for (uint32_t row = track.firstRow; row < track.firstRow + track.sliceCount; ++row) {
            if (poll.stopRequested()) {
                return false;
            }
            if (isDeviceWork(s.kind[row])) {
                work.push_back(row);
                if (s.begin[row] == data->files[fileOf(TrackId(t)).value].axisOffsetNs && s.duration[row] == 0) {
                    report("no_timestamp", Severity::Warning, TrackId(t), s.source(row),
                           [&] { return quotedName(row); });
                }
            }
        }
        // Work of one stream runs one after the other, but for launches that are allowed to overlap their predecessor.
        if (!stableSortByKeyUnlessStopped(
                work, [&s](uint32_t row) { return s.begin[row]; }, job)) {
            return false;
        }
        for (size_t k = 0, later = 0; k < work.size(); ++k) {
            if (poll.stopRequested()) {
                return false;
            }
            while (later < work.size() && s.begin[work[later]] <= s.begin[work[k]]) {
                ++later;
            }
            if (later < work.size() && s.end(work[k]) > s.begin[work[later]]) {
                report("impossible_duration", Severity::Info, TrackId(t), s.source(work[k]),
                       [&] { return quotedName(work[k]); });
            }
        }
    }
    return true;
}

}  // namespace warpline
