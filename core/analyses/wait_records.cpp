// SPDX-License-Identifier: MIT
#include "core/analyses/wait_records.h"

#include <algorithm>
#include <charconv>
#include <string>
#include <utility>

#include "core/analyses/area_scan.h"

namespace warpline {

namespace {

/// The whole number that a key of an object has; the text is strict JSON, and its values are numbers and plain words.
std::optional<int64_t> numberIn(std::string_view json, std::string_view key) {
    const size_t place = json.find('"' + std::string(key) + '"');
    if (place == std::string_view::npos) {
        return std::nullopt;
    }
    json.remove_prefix(place + key.size() + 2);
    json.remove_prefix(std::min(json.size(), json.find_first_not_of(" :\n\t\"")));
    return wholeNumber(json.substr(0, json.find_first_not_of("-0123456789")));
}

bool isRecordOf(const SliceColumns& slices, uint32_t row, uint64_t correlation) {
    return slices.kind[row] == EventKind::Sync && slices.correlation[row] == correlation;
}

}  // namespace

std::optional<int64_t> wholeNumber(std::string_view text) {
    int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

Result<WaitIndex> indexWaits(const Trace& trace, JobControl& job) {
    const SliceColumns& slices = trace.slices();
    WaitIndex index;
    StopPoll poll(job);
    for (const Track& track : trace.tracks()) {
        for (uint32_t i = track.firstLane; track.isDevice && i < track.firstLane + track.laneCount; ++i) {
            const Lane& lane = trace.lanes()[i];
            for (uint32_t row = lane.firstRow; row < lane.firstRow + lane.count; ++row) {
                if (poll.stopRequested()) {
                    return Error::cancelled();
                }
                if (slices.kind[row] == EventKind::Sync) {
                    index.recordLanes.push_back(i);
                    break;
                }
            }
        }
    }
    for (uint32_t row = 0; row < slices.size() && !index.recordLanes.empty(); ++row) {
        if (poll.stopRequested()) {
            return Error::cancelled();
        }
        if (isApiCall(slices.kind[row]) && slices.correlation[row] != kNoCorrelation) {
            index.calls.push_back(row);
        }
    }
    const auto key = [&](uint32_t row) { return std::pair(slices.correlation[row], slices.begin[row]); };
    if (!stableSortByKeyUnlessStopped(index.calls, key, job) || job.stopRequested()) {
        return Error::cancelled();
    }
    return index;
}

EventRow recordOfWait(const Trace& trace, EventRow call, const WaitIndex* index, StopPoll& poll) {
    const SliceColumns& slices = trace.slices();
    const uint64_t correlation = slices.correlation[call.value];
    if (correlation == kNoCorrelation) {
        return EventRow();
    }
    const FileId file = trace.fileOf(slices.track[call.value]);
    const TimeRange range = {slices.begin[call.value], slices.end(call.value)};
    const auto findIn = [&](const Lane& lane) {
        if (lane.count > 0 && trace.fileOf(slices.track[lane.firstRow]) == file) {
            const RowSpan rows = rowsTouching(slices, lane, range);
            for (uint32_t row = rows.first; row < rows.last && !poll.stopRequested(); ++row) {
                if (isRecordOf(slices, row, correlation)) {
                    return EventRow(row);
                }
            }
        }
        return EventRow();
    };
    if (index != nullptr) {
        for (const uint32_t lane : index->recordLanes) {
            if (const EventRow found = findIn(trace.lanes()[lane])) {
                return found;
            }
        }
        return EventRow();
    }
    for (const Track& track : trace.tracks()) {
        for (uint32_t i = track.firstLane; track.isDevice && i < track.firstLane + track.laneCount; ++i) {
            if (const EventRow found = findIn(trace.lanes()[i])) {
                return found;
            }
        }
    }
    return EventRow();
}

std::optional<WaitedEvent> eventOfRecord(const Trace& trace, EventRow record, EventRow call, const WaitIndex* index,
                                         StopPoll& poll) {
    const SliceColumns& slices = trace.slices();
    const Result<std::string> args = trace.argsJson(record);
    const auto stream = args.ok() ? numberIn(args.value(), "wait_on_stream") : std::nullopt;
    const auto recorded = args.ok() ? numberIn(args.value(), "wait_on_cuda_event_record_corr_id") : std::nullopt;
    if (!stream || *stream < 0 || !recorded || *recorded <= 0) {
        return std::nullopt;
    }
    const auto correlation = static_cast<uint64_t>(*recorded);
    const FileId file = trace.fileOf(slices.track[call.value]);
    const TimeNs before = slices.begin[call.value];
    // The last call of that number that began before the wait did: ids may come again.
    std::optional<TimeNs> time;
    const auto look = [&](uint32_t row) {
        if (isApiCall(slices.kind[row]) && slices.correlation[row] == correlation &&
            trace.fileOf(slices.track[row]) == file && slices.begin[row] <= before) {
            time = std::max(time.value_or(slices.begin[row]), slices.begin[row]);
        }
    };
    if (index != nullptr) {
        const auto idOf = [&](uint32_t row) { return slices.correlation[row]; };
        std::ranges::for_each(std::ranges::equal_range(index->calls, correlation, {}, idOf), look);
    } else {
        for (uint32_t row = 0; row < slices.size() && !poll.stopRequested(); ++row) {
            look(row);
        }
    }
    return time ? std::optional(WaitedEvent{*stream, *time}) : std::nullopt;
}

}  // namespace warpline
