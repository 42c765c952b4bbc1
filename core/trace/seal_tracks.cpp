// SPDX-License-Identifier: MIT
// Sealing: what tracks and processes are called, whether they are shown, and their order from top to bottom.

#include <algorithm>
#include <charconv>
#include <numeric>
#include <string>
#include <string_view>

#include "core/trace/trace_builder_state.h"

namespace warpline {

namespace {

/// Trailing blanks as in Kineto's "stream 7 " are nobody's intention.
std::string_view trimmed(std::string_view text) {
    const size_t first = text.find_first_not_of(" \t\n\r");
    return first == std::string_view::npos ? std::string_view()
                                           : text.substr(first, text.find_last_not_of(" \t\n\r") - first + 1);
}

std::optional<int64_t> wholeNumber(std::string_view text) {
    int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size() && !text.empty() ? std::optional(value)
                                                                                     : std::nullopt;
}

/// Numbers by value and before words, words by text; so are equal numbers ("1", "01"): only equal texts are equal.
int compareIds(std::string_view a, std::string_view b) {
    const auto x = wholeNumber(a);
    const auto y = wholeNumber(b);
    if (x && y) {
        if (*x != *y) {
            return *x < *y ? -1 : 1;
        }
    } else if (x || y) {
        return x ? -1 : 1;
    }
    return a.compare(b);
}

}  // namespace

std::string describeTrackIds(std::optional<std::string_view> pid, std::optional<std::string_view> tid, bool isDevice) {
    std::string out;
    if (isDevice && tid) {
        out = (wholeNumber(*tid) ? "stream " : "") + std::string(*tid) + ", ";
    }
    return out + "pid " + std::string(pid.value_or("none")) + ", tid " + std::string(tid.value_or("none"));
}

void TraceBuilder::State::indexDevices() {
    data->devicesById.resize(data->devices.size());
    std::iota(data->devicesById.begin(), data->devicesById.end(), 0U);
    // Of several with one number the first counts.
    std::ranges::stable_sort(data->devicesById, {},
                             [this](uint32_t i) { return std::pair(data->devices[i].file, data->devices[i].id); });
}

void TraceBuilder::State::applyTrackRoles() {
    std::vector<std::optional<EventKind>> kindOfTrack(data->tracks.size());
    std::vector<TrackRole> roles(trackRoles.empty() ? 0 : data->tracks.size());
    bool anyKind = false;
    for (const auto& [file, function] : trackRoles) {
        for (size_t i = 0; i < data->tracks.size(); ++i) {
            Track& track = data->tracks[i];
            const Process& process = data->processes[track.process.value];
            if (process.file != file) {
                continue;
            }
            const auto nameOf = [this](const std::optional<StringId>& id) {
                return id ? data->strings.view(*id) : std::string_view();
            };
            const TrackRole role = function(nameOf(process.name), nameOf(track.name));
            track.isDevice = track.isDevice || role.isDevice;
            kindOfTrack[i] = role.kind;
            roles[i] = role;
            anyKind = anyKind || role.kind.has_value();
        }
    }
    SliceColumns& s = slices;
    for (uint32_t i = 0; i < s.size(); ++i) {
        const uint32_t track = s.track[i].value;
        if (anyKind && s.category[i].empty() && s.kind[i] == EventKind::Other && kindOfTrack[track]) {
            s.kind[i] = *kindOfTrack[track];
        }
        if (isDeviceSide(s.kind[i])) {
            data->tracks[track].isDevice = true;
        }
    }
    for (SliceRecord& begin : begins) {
        const uint32_t track = begin.track.value;
        if (anyKind && begin.category.empty() && begin.kind == EventKind::Other && kindOfTrack[track]) {
            begin.kind = *kindOfTrack[track];
        }
        if (isDeviceSide(begin.kind)) {
            data->tracks[track].isDevice = true;
        }
    }
    if (roles.empty()) {
        return;
    }
    for (KernelFacts& facts : data->kernelFacts) {
        const bool isBegin = (facts.row.value & kBeginBit) != 0;
        const TrackId track = isBegin ? begins[facts.row.value & ~kBeginBit].track : s.track[facts.row.value];
        const TrackRole& role = roles[track.value];
        facts.device = facts.device < 0 ? role.device.value_or(facts.device) : facts.device;
        facts.stream = facts.stream == kUnknownFact ? role.stream.value_or(kUnknownFact) : facts.stream;
    }
}

void TraceBuilder::State::markShownTracks() {
    const auto show = [this](TrackId id) {
        Track& track = data->tracks[id.value];
        track.hasEvents = true;
        data->processes[track.process.value].hasEvents = true;
    };
    for (size_t i = 0; i < data->tracks.size(); ++i) {
        if (data->tracks[i].sliceCount > 0 || data->tracks[i].instantCount > 0) {
            show(TrackId(i));
        }
    }
    for (const AsyncSlice& slice : data->asyncSlices) {
        show(slice.track);
    }
    for (const AsyncInstant& instant : data->asyncInstants) {
        show(instant.track);
    }
    for (const Counter& counter : data->counters) {
        data->processes[counter.process.value].hasEvents = true;
    }
}

void TraceBuilder::State::labelTracks() {
    const auto labelOf = [this](std::optional<StringId>& name, const std::optional<StringId>& id,
                                std::string_view without) {
        if (name) {
            const std::string text(trimmed(data->strings.view(*name)));  // the pool may move while interning
            name = text.empty() ? std::nullopt : std::optional(data->strings.intern(text));
        }
        const StringId label = name ? *name : id ? *id : StringId();
        return label.empty() ? data->strings.intern(without) : label;
    };
    for (Process& process : data->processes) {
        process.label = labelOf(process.name, process.pid, process.pid ? "(unnamed)" : "(no process)");
    }
    for (Track& track : data->tracks) {
        track.label = labelOf(track.name, track.tid, track.tid ? "(unnamed)" : "(no thread)");
    }
}

void TraceBuilder::State::orderTracks() {
    const auto text = [this](StringId id) { return data->strings.view(id); };
    // Lower index first; equal ones by name, then by id.
    const auto isBefore = [&](int64_t indexA, StringId labelA, const std::optional<StringId>& idA, int64_t indexB,
                              StringId labelB, const std::optional<StringId>& idB) {
        if (indexA != indexB) {
            return indexA < indexB;
        }
        if (labelA != labelB) {
            return compareIds(text(labelA), text(labelB)) < 0;
        }
        return idA && idB ? compareIds(text(*idA), text(*idB)) < 0 : !idA && idB;
    };
    for (size_t i = 0; i < data->processes.size(); ++i) {
        if (data->processes[i].hasEvents) {
            data->processOrder.emplace_back(i);
        }
    }
    std::ranges::stable_sort(data->processOrder, [&](ProcessId a, ProcessId b) {
        const Process& x = data->processes[a.value];
        const Process& y = data->processes[b.value];
        if (x.file != y.file) {
            return x.file < y.file;
        }
        return isBefore(x.sortIndex, x.label, x.pid, y.sortIndex, y.label, y.pid);
    });
    for (size_t i = 0; i < data->tracks.size(); ++i) {
        if (data->tracks[i].hasEvents) {
            data->processes[data->tracks[i].process.value].tracks.emplace_back(i);
        }
    }
    for (Process& process : data->processes) {
        std::ranges::stable_sort(process.tracks, [&](TrackId a, TrackId b) {
            const Track& x = data->tracks[a.value];
            const Track& y = data->tracks[b.value];
            return isBefore(x.sortIndex, x.label, x.tid, y.sortIndex, y.label, y.tid);
        });
    }
}

}  // namespace warpline
