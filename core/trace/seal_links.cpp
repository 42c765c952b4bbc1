// SPDX-License-Identifier: MIT
// Sealing: which call launched which device work, which op it belongs to, and the arrows.

#include <algorithm>
#include <tuple>

#include "core/base/stoppable.h"
#include "core/trace/flow_binding.h"
#include "core/trace/trace_builder_state.h"

namespace warpline {

namespace {

/// A row that can be found by a number of its file.
struct Keyed {
    FileId file;
    uint64_t key;
    TimeNs begin;
    EventRow row;
};

struct Launch {
    EventRow call;
    EventRow work;
};

bool sortKeyed(std::vector<Keyed>& entries, const JobControl& job) {
    const auto place = [](const Keyed& k) { return std::tuple(k.file.value, k.key, k.begin, k.row.value); };
    return stableSortByKeyUnlessStopped(entries, place, job);
}

/// The nearest entry with this key at or before `time`, else the nearest after it.
EventRow findNearest(const std::vector<Keyed>& entries, FileId file, uint64_t key, TimeNs time) {
    const auto keyOf = [](const Keyed& k) { return std::pair(k.file.value, k.key); };
    const auto range = std::ranges::equal_range(entries, std::pair(file.value, key), {}, keyOf);
    if (range.empty()) {
        return EventRow::none();
    }
    const auto after = std::ranges::upper_bound(range, time, {}, &Keyed::begin);
    return after == range.begin() ? after->row : (after - 1)->row;
}

/// A call that puts work on a device.
bool launchesWork(std::string_view name) {
    return name.find("Launch") != std::string_view::npos || name.find("Memcpy") != std::string_view::npos ||
           name.find("Memset") != std::string_view::npos;
}

}  // namespace

bool TraceBuilder::State::linkDeviceWork(const JobControl& job) {
    const SliceColumns& s = data->slices;
    std::vector<Keyed> calls;
    std::vector<Keyed> ops;
    std::vector<uint32_t> deviceSide;
    StopPoll poll(job);
    for (uint32_t i = 0; i < s.size(); ++i) {
        if (poll.stopRequested()) {
            return false;
        }
        const FileId file = fileOf(s.track[i]);
        if (isApiCall(s.kind[i]) && s.correlation[i] != kNoCorrelation) {
            calls.push_back({file, s.correlation[i], s.begin[i], EventRow(i)});
        } else if ((s.kind[i] == EventKind::CpuOp || s.kind[i] == EventKind::Annotation) &&
                   s.externalId[i] != kNoExternalId) {
            ops.push_back({file, s.externalId[i], s.begin[i], EventRow(i)});
        } else if (isDeviceSide(s.kind[i])) {
            deviceSide.push_back(i);
        }
    }
    if (!sortKeyed(calls, job) || !sortKeyed(ops, job)) {
        return false;
    }
    std::vector<Launch> launches;
    for (const uint32_t i : deviceSide) {
        if (poll.stopRequested()) {
            return false;
        }
        const FileId file = fileOf(s.track[i]);
        DeviceLink link{EventRow(i), EventRow::none(), EventRow::none()};
        if (isDeviceWork(s.kind[i])) {
            if (s.correlation[i] != kNoCorrelation) {
                link.launch = findNearest(calls, file, s.correlation[i], s.begin[i]);
            }
            if (link.launch.valid()) {
                launches.push_back({link.launch, link.row});
            } else {
                report("orphan_kernel", Severity::Info, s.track[i], s.source(i),
                       "\"" + std::string(data->strings.view(s.name[i])) + "\"");
            }
        }
        // A sync record's External id that equals its own correlation id says nothing about an op.
        const bool ownNumber = s.kind[i] == EventKind::Sync && s.externalId[i] == s.correlation[i];
        if (s.externalId[i] != kNoExternalId && !ownNumber) {
            link.op = findNearest(ops, file, s.externalId[i], s.begin[i]);
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
                report("orphan_launch", Severity::Info, s.track[i], s.source(i),
                       "\"" + std::string(data->strings.view(s.name[i])) + "\"");
            }
        }
    }
    for (size_t file = 0; file < data->files.size(); ++file) {
        if (callsOfFile[file] > 0 && workOfFile[file] == 0) {
            data->report.add(FileId(file), "no_device_activity", Severity::Warning, std::nullopt, OffsetSpace::File);
        }
    }
    return true;
}

bool TraceBuilder::State::bindFlows(const JobControl& job) {
    std::vector<FlowEnd> flowEnds;
    flowEnds.reserve(flows.size());
    for (uint32_t i = 0; i < flows.size(); ++i) {
        const FlowRecord& f = flows[i];
        flowEnds.push_back(
            {fileOf(f.track), f.category, f.id, f.idScope, f.time, f.source.offset, f.phase, flowSlices[i]});
    }
    const std::optional<FlowPairs> paired = pairFlows(flowEnds, job);
    if (!paired) {
        return false;
    }
    const FlowPairs& pairs = *paired;
    StopPoll poll(job);
    for (const uint32_t i : pairs.dangling) {
        if (poll.stopRequested()) {
            return false;
        }
        const FlowRecord& f = flows[i];
        report("dangling_flow", Severity::Info, f.track, f.source, f.id ? "id " + idText(*f.id) : "no id");
        data->danglingFlows.push_back(
            {f.phase, f.bindsToEnclosing, f.time, f.category, f.id, f.idScope, f.track, flowSlices[i], f.source});
    }
    for (const FlowPair& pair : pairs.pairs) {
        data->flows.push_back({flowSlices[pair.from], flowSlices[pair.to], flows[pair.from].category,
                               *flows[pair.from].id, flows[pair.from].idScope});
    }
    const SliceColumns& s = data->slices;
    const auto place = [&s](const FlowArrow& f) { return std::tuple(s.begin[f.from.value], s.begin[f.to.value]); };
    if (!stableSortByKeyUnlessStopped(data->flows, place, job)) {
        return false;
    }
    for (uint32_t i = 0; i < data->flows.size(); ++i) {
        data->flowsByFrom.push_back(i);
        data->flowsByTo.push_back(i);
    }
    flows.clear();
    flowSlices.clear();
    return stableSortByKeyUnlessStopped(
               data->flowsByFrom, [this](uint32_t i) { return data->flows[i].from; }, job) &&
           stableSortByKeyUnlessStopped(
               data->flowsByTo, [this](uint32_t i) { return data->flows[i].to; }, job);
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
                           "\"" + std::string(data->strings.view(s.name[row])) + "\"");
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
                       "\"" + std::string(data->strings.view(s.name[work[k]])) + "\"");
            }
        }
    }
    return true;
}

}  // namespace warpline
