// SPDX-License-Identifier: MIT
#include "core/record/options/record_options.h"

#include <algorithm>
#include <charconv>
#include <optional>

namespace warpline::record {

namespace {

std::optional<uint64_t> wholeNumber(std::string_view text) {
    uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size() && !text.empty() ? std::optional(value)
                                                                                     : std::nullopt;
}

void append(std::string& out, std::string_view key, std::string_view value) {
    out.append(key).append("=");
    const size_t at = out.size();
    out.append(value).append("\n");
    std::replace_if(
        out.begin() + static_cast<ptrdiff_t>(at), out.end() - 1, [](char c) { return c == '\n' || c == '\r'; }, ' ');
}

void append(std::string& out, std::string_view key, uint64_t value) {
    append(out, key, std::to_string(value));
}

/// Calls `take` with each piece of `text` between `separator`s.
template <class Take>
void forPieces(std::string_view text, char separator, Take take) {
    while (!text.empty()) {
        const size_t end = std::min(text.find(separator), text.size());
        take(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
}

struct Field {
    std::string_view key;
    uint64_t most;  ///< the largest value that means something
    uint64_t (*get)(const RecordOptions&);
    void (*set)(RecordOptions&, uint64_t);
};

constexpr uint64_t kAny = ~uint64_t{0};
constexpr uint64_t kMostSteps = uint64_t{1} << 61;  // the sum of three is a number still

#define WARPLINE_FIELD(key, member, most)                                          \
    {                                                                              \
        key, most, [](const RecordOptions& o) { return uint64_t(o.member); },      \
            [](RecordOptions& o, uint64_t v) { o.member = decltype(o.member)(v); } \
    }

constexpr Field kNumbers[] = {
    WARPLINE_FIELD("api", api, 2),
    WARPLINE_FIELD("graph", graph, 1),
    WARPLINE_FIELD("memory", hasMemory, 1),
    WARPLINE_FIELD("allocation_source", hasAllocationSource, 1),
    WARPLINE_FIELD("synchronization", hasSynchronization, 1),
    WARPLINE_FIELD("ranges", hasRanges, 1),
    WARPLINE_FIELD("overhead", hasOverhead, 1),
    WARPLINE_FIELD("code", hasCode, 1),
    WARPLINE_FIELD("python", hasPython, 1),
    WARPLINE_FIELD("live", isLive, 1),
    WARPLINE_FIELD("children", followsChildren, 1),
    WARPLINE_FIELD("profiler_range", isProfilerRange, 1),
    WARPLINE_FIELD("skip", skip, kAny),
    WARPLINE_FIELD("count", count, kAny),
    WARPLINE_FIELD("schedule_unit", schedule.unit, 2),
    WARPLINE_FIELD("schedule_skip_first", schedule.skipFirst, kMostSteps),
    WARPLINE_FIELD("schedule_wait", schedule.wait, kMostSteps),
    WARPLINE_FIELD("schedule_warmup", schedule.warmup, kMostSteps),
    WARPLINE_FIELD("schedule_active", schedule.active, kMostSteps),
    WARPLINE_FIELD("schedule_repeat", schedule.repeat, kMostSteps),
    WARPLINE_FIELD("started_ns", startedNs, kAny),
    WARPLINE_FIELD("delay_ns", delayNs, kAny),
    WARPLINE_FIELD("duration_ns", durationNs, kAny),
    WARPLINE_FIELD("most_bytes", mostBytes, kAny),
};

#undef WARPLINE_FIELD

}  // namespace

std::optional<uint64_t> Schedule::cycleAt(uint64_t step) const {
    if (step < skipFirst) {
        return std::nullopt;
    }
    const uint64_t behind = step - skipFirst;
    const uint64_t idle = wait + warmup;
    const uint64_t length = idle + active;
    const uint64_t cycle = behind / length;
    return behind % length >= idle && (repeat == 0 || cycle < repeat) ? std::optional(cycle) : std::nullopt;
}

bool Schedule::isOnAt(uint64_t step) const {
    if (step < skipFirst) {
        return false;
    }
    const uint64_t behind = step - skipFirst;
    const uint64_t length = wait + warmup + active;
    return behind % length >= wait && (repeat == 0 || behind / length < repeat);
}

std::string toText(const RecordOptions& options) {
    std::string out;
    for (const Field& field : kNumbers) {
        append(out, field.key, field.get(options));
    }
    for (const uint32_t device : options.devices) {
        append(out, "device", device);
    }
    append(out, "kernel", options.kernelPattern);
    append(out, "range", options.range);
    append(out, "cupti", options.cuptiPath);
    return out;
}

Result<RecordOptions> optionsOf(std::string_view text) {
    RecordOptions options;
    std::string bad;
    forPieces(text, '\n', [&](std::string_view line) {
        const size_t equals = line.find('=');
        if (equals == std::string_view::npos) {
            bad = bad.empty() ? line : bad;
            return;
        }
        const std::string_view key = line.substr(0, equals);
        const std::string_view value = line.substr(equals + 1);
        if (key == "kernel") {
            options.kernelPattern = value;
        } else if (key == "range") {
            options.range = value;
        } else if (key == "cupti") {
            options.cuptiPath = value;
        } else {
            const Field* field = std::ranges::find(kNumbers, key, &Field::key);
            const bool isDevice = key == "device";
            const auto number = wholeNumber(value);
            constexpr uint64_t kMostDevice = 0xffffffffU;
            if ((field == std::end(kNumbers) && !isDevice)) {
                return;
            }
            if (!number || *number > (isDevice ? kMostDevice : field->most)) {
                bad = bad.empty() ? line : bad;
            } else if (isDevice) {
                options.devices.push_back(static_cast<uint32_t>(*number));
            } else {
                field->set(options, *number);
            }
        }
    });
    if (!bad.empty()) {
        return Error::failed("options of a recording: \"" + bad + "\" cannot be read");
    }
    return options;
}

Result<Schedule> scheduleOf(std::string_view text, bool countsRanges) {
    Schedule schedule;
    schedule.unit = countsRanges ? Schedule::Unit::Ranges : Schedule::Unit::Launches;
    std::string bad;
    bool hasTimes = false, hasCounts = false;
    const auto fail = [&](std::string why) { bad = bad.empty() ? std::move(why) : bad; };
    forPieces(text, ',', [&](std::string_view piece) {
        const size_t equals = std::min(piece.find('='), piece.size());
        const std::string_view key = piece.substr(0, equals);
        std::string_view value = piece.substr(std::min(equals + 1, piece.size()));
        uint64_t* member = key == "skip_first" ? &schedule.skipFirst
                           : key == "wait"     ? &schedule.wait
                           : key == "warmup"   ? &schedule.warmup
                           : key == "active"   ? &schedule.active
                           : key == "repeat"   ? &schedule.repeat
                                               : nullptr;
        if (member == nullptr) {
            return fail("\"" + std::string(key) + "\" is none of skip_first, wait, warmup, active, repeat");
        }
        uint64_t scale = 1;
        bool isTime = false;
        for (const auto& [suffix, nanoseconds] :
             {std::pair<std::string_view, uint64_t>{"ns", 1}, {"us", 1000}, {"ms", 1'000'000}, {"s", 1'000'000'000}}) {
            if (value.ends_with(suffix)) {
                value.remove_suffix(suffix.size());
                scale = nanoseconds;
                hasTimes = isTime = true;
                break;
            }
            hasCounts = hasCounts || (suffix == "s" && key != "repeat" && value != "0");
        }
        const auto number = wholeNumber(value);
        constexpr uint64_t kMost = kMostSteps;
        if (!number || *number > kMost / scale || (isTime && key == "repeat")) {
            return fail("\"" + std::string(piece) + "\": a whole number is expected");
        }
        *member = *number * scale;
    });
    if (hasTimes) {
        if (hasCounts) {
            fail("numbers with and without a unit of time: give one to all or to none");
        }
        if (countsRanges) {
            fail("ranges are counted, so no number takes a unit of time");
        }
        schedule.unit = Schedule::Unit::Nanoseconds;
    }
    if (schedule.active == 0) {
        fail("active must be given, and be more than 0");
    }
    return bad.empty() ? Result<Schedule>(schedule) : Error::failed("schedule: " + bad);
}

}  // namespace warpline::record
